"""The tables of FW-11.3: what is written, and what it is understood as."""

from tests.games.fortresses.reading.tables import read
from tests.rows import each_row

ATTACK = {
    "Attack Syria with 2 legions and a knight from Egypt": "Attack Syria with 2L 1K from Egypt",
    "attack SYR: 2L 1K from EGY; 1D from AND": (
        "Attack Syria with 2L 1K from Egypt; 1D from Andalusia!too-far"
    ),
    "Please send everything from France into Saxony": "Attack Saxony with 2L 1K 1D from France",
    "3 knights Aquitaine to Lombardy via Provence, attack": (
        "Attack Lombardy with 3K from Aquitaine via Provence"
    ),
    "bomb the Aegean Sea with the dragon in Andalusia": (
        "Attack Aegean Sea with 1D from Andalusia!too-far"
    ),
    "Galleon in Levantine Sea carries legion from Egypt to Crete": (
        "Galleon in Levantine Sea carries 1L from Egypt to Crete"
    ),
    "fleet Balearic Sea sails to Tyrrhenian Sea, takes a legion from Sicily and drops it in Naples": (
        "Galleon in Balearic Sea carries 1L from Sicily via Tyrrhenian Sea to Naples"
    ),
    "Ship in the Levant picks up a knight in Egypt, sails to the Aegean and lands it in Greece": (
        "Galleon in Levantine Sea carries 1K from Egypt via Aegean Sea to Greece"
    ),
    "galleons from Levantine Sea attack the Aegean Sea": (
        "Attack Aegean Sea with 2G from Levantine Sea"
    ),
    "battle order: Aegean Sea, Bulgaria, Syria": "Battle order: Aegean Sea, Bulgaria, Syria",
    "lose legions first, then dragons, in Syria": "Lose L then D in Syria",
    "retreat fliers when outnumbered": "Retreat dragons when outnumbered",
    "dragons in Syria should pull out after 2 rounds or if one dies": (
        "Retreat dragons after 2 rounds or at first loss in Syria"
    ),
    "keep one unit to hold Syria": "Keep a conqueror in Syria",
    "ask me each round in Kiev": "Interactive in Kiev",
    "no attacks this year": "No attacks",
    "pass": "Done",
    "then: buy 3 legions and a warbeast in Andalusia": "Then: Buy 3L 1W in Andalusia",
    "always: lose knights then legions": "Always: Lose K then L",
    "cancel all": "!out-of-range",
    "attack Avalon with a legion from Egypt": "!unknown-zone",
    "attack Provence with a knight from Aquitaine": "!friendly",
    "Gold: attack Egypt with 2 legions from Syria": "!not-your-turn",
    "attack Syria with 5 legions from Egypt": "!too-few-units",
    "buy 2 legions in Egypt": "!not-now",
    "attack Syria": "!ambiguous",
    "attack Engl with 1D from Andalusia": "!ambiguous",
    "attack Syria with 2 units from Egypt": "!ambiguous",
}
REINFORCE = {
    "buy 3 legions and a warbeast in Normandy": "Buy 3L 1W in Normandy",
    "buy a galleon in the Channel from England": "Buy 1G in English Channel from England",
    "move 2 legions from England to Scotland": "Move 2L from England to Scotland",
    "the knight in Rouen rides to Saxony through Flanders": (
        "Move 1K from Normandy to Saxony via Flanders"
    ),
    "fly the dragon home to Normandy": "Move 1D from North Sea to Normandy",
    "buy nothing": "Buy nothing",
    "galleon in the English Channel carries a legion from England to Flanders": (
        "Galleon in English Channel carries 1L from England to Flanders"
    ),
    "attack Poland with a legion from Saxony": "!not-now",
    "buy 3 legions in England": "!placement-limit",
}
BATTLE = {
    "lose 2 legions": "Lose 2L",
    "2L": "Lose 2L",
    "retreat dragons": "Retreat dragons",
    "lose 1 legion and 1 knight, stay": "Lose 1L 1K|Stay",
    "lose 3 legions": "!out-of-range",
    "retreat dragons when outnumbered": "!not-understood",
}
WRITTEN = [
    (name, written, meant)
    for name, told in (("attack", ATTACK), ("reinforce", REINFORCE), ("battle", BATTLE))
    for written, meant in told.items()
]


@each_row(("name", "written", "meant"), WRITTEN)
def test_what_is_written_is_understood(name: str, written: str, meant: str) -> None:
    texts, _, code = meant.partition("!")
    means, codes = read(written, name)
    if code:
        assert (means, codes) == ([], (code,))
    else:
        assert (means, codes) == (texts.split("|"), ())
