"""What a game master sets right at a table of Fortresses, as it is written; nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.event_kinds import Corrected, ProposalLapsed
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.units import Units
from engine.usual import RulingGiven
from pbem.games.fortresses.reading.corrections import FORMS, read_correction
from pbem.grammar.gm.commands import Correct, Lexicon, Unread
from pbem.grammar.gm.lines import parse_gm
from tests.games.fortresses.engine.playing import table
from tests.rows import each_row

STATE = table(
    "reinforce",
    "red",
    seats={"Ann": ["silver"], "Ben": ["red"], "J. of Arc.": ["blue"], "Dot": ["gold"]},
    units={
        "Syria": "gold 2L 1K",
        "Greece": "gold 2L 1K, silver 1L",
        "Egypt": "red 3L 1K",
        "Black Sea": "blue 2G",
    },
    moved={"Egypt": "2L"},
    gold=7,
    missed={"red": 1},
    agreed={"draw": ["Dot"]},
)


def read(text: str) -> dict[str, object]:
    return dict(read_correction(STATE, text).act)


def lot(zone: str, **units: str) -> dict[str, object]:
    return {"act": "set-zone", "zone": zone, "units": units}


def owner(zone: str, kingdom: str) -> dict[str, object]:
    return {"act": "set-zone", "zone": zone, "owner": kingdom}


def gold(kingdom: str, amount: int) -> dict[str, object]:
    return {"act": "set-gold", "kingdom": kingdom, "gold": amount}


def command(kingdom: str, player: int) -> dict[str, object]:
    return {"act": "set-command", "kingdom": kingdom, "player": player}


def missed(kingdom: str, turns: int) -> dict[str, object]:
    return {"act": "set-missed", "kingdom": kingdom, "turns": turns}


@each_row(
    ("text", "meant"),
    [
        ("Syria: red 2L 1K", lot("Syria", red="2L 1K")),
        ("SYR red 2 legions and a knight", lot("Syria", red="2L 1K")),
        ("Antioch: Gold 1K, Silver 2 horses", lot("Syria", gold="1K", silver="2K")),
        ("Greece: gold 1L, silver none", lot("Greece", gold="1L", silver="-")),
        ("3 legions of Gold in Greece", lot("Greece", gold="3L 1K")),
        ("In Greece there shall be three legions of Gold", lot("Greece", gold="3L 1K")),
        ("no legions of Gold in Greece", lot("Greece", gold="1K")),
        ("Red has 2 legions in Egypt", lot("Egypt", red="2L 1K")),
        ("a knight in Egypt", lot("Egypt", red="3L 1K")),
        ("Egypt: 2 legions", lot("Egypt", red="2L")),
        ("Egypt has 2 legions", lot("Egypt", red="2L 1K")),
        ("no units in Syria", lot("Syria", gold="-")),
        ("Greece is empty", lot("Greece", silver="-", gold="-")),
        ("Syria: gold -", lot("Syria", gold="-")),
        ("remove a knight of Red from Egypt", lot("Egypt", red="3L")),
        ("remove all legions of Red from Egypt", lot("Egypt", red="1K")),
        ("take away everything of Gold from Greece", lot("Greece", gold="-")),
        ("remove all units from Greece", lot("Greece", silver="-", gold="-")),
        ("add 2 legions and a warbeast of Red to Egypt", lot("Egypt", red="5L 1K 1W")),
        ("Black Sea plus a ship", lot("Black Sea", blue="3G")),
        ("two fleets of Blue in the Channel", lot("English Channel", blue="2G")),
        ("Andalusia: red 1d", lot("Andalusia", red="1D")),
        ("set Syria to red", owner("Syria", "red")),
        ("Syria belongs to Red", owner("Syria", "red")),
        ("Red owns Syria", owner("Syria", "red")),
        ("Syria's owner is Red's", owner("Syria", "red")),
        (
            "Syria belongs to Red: Red 2L, Gold none",
            owner("Syria", "red") | {"units": {"red": "2L", "gold": "-"}},
        ),
        ("Egypt: moved 1L 1K", {"act": "set-zone", "zone": "Egypt", "moved": "1L 1K"}),
        ("Egypt: moved none", {"act": "set-zone", "zone": "Egypt", "moved": "-"}),
        ("Egypt: Red 2L, moved 1L", lot("Egypt", red="2L") | {"moved": "1L"}),
        ("gold 12", gold("red", 12)),
        ("Red has 12 gold", gold("red", 12)),
        ("red: twelve coins", gold("red", 12)),
        ("Gold has 12 gold", gold("gold", 12)),
        ("Gold's coins: 12", gold("gold", 12)),
        ("Red has no gold", gold("red", 0)),
        ("no money", gold("red", 0)),
        ("Ben commands Red", command("red", 2)),
        ("Blue is commanded by J. of Arc.", command("blue", 3)),
        ("player 1 commands Gold", command("gold", 1)),
        ("Red missed 0", missed("red", 0)),
        ("Red has missed two turns", missed("red", 2)),
        ("Red has missed no turns", missed("red", 0)),
        ("withdraw the draw proposal", {"act": "lapse", "what": "draw"}),
        ("no draw", {"act": "lapse", "what": "draw"}),
        ("the concession is withdrawn", {"act": "lapse", "what": "concede"}),
        ("draw", {"act": "agree", "winners": []}),
        ("Ben wins", {"act": "agree", "winners": [2]}),
        ('rule "A Bridge is a border"', {"act": "rule", "text": "A Bridge is a border"}),
        ("ruling: Red 2L in Syria, no more", {"act": "rule", "text": "Red 2L in Syria, no more"}),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, meant: dict[str, object]) -> None:
    assert read(text) == meant


@each_row(
    ("text", "kind", "what", "nearest"),
    [
        ("", "invalid", "correction", FORMS),
        ("make it nicer for everybody", "invalid", "correction", FORMS),
        ("Syria", "ambiguous", "correction", FORMS),
        ("Syria: red 2L and a song", "invalid", "correction", FORMS),
        ("Syria: red 2L unless Ben objects", "invalid", "correction", FORMS),
        ("Syria: red 2L, Egypt: red 1L", "invalid", "correction", FORMS),
        ("move 2 legions of Red from Egypt to Syria", "invalid", "correction", FORMS),
        ("Syria: red 2", "ambiguous", "correction", FORMS),
        ("Syria: red legions", "missing", "number", FORMS),
        ("remove the knights of Red from Egypt", "missing", "number", FORMS),
        ("Syria: red all legions", "ambiguous", "correction", FORMS),
        ("Syria: red 2L 3L", "ambiguous", "correction", FORMS),
        ("Syria: red 2L, red 1K", "ambiguous", "correction", FORMS),
        ("Egypt: red 2L 1000K", "invalid", "number", ()),
        ("remove 4 legions of Red from Egypt", "invalid", "number", ()),
        ("2L in Greece", "ambiguous", "correction", FORMS),
        ("2L in Cyprus", "ambiguous", "correction", FORMS),
        ("Syria belongs to Red, 2L", "ambiguous", "correction", FORMS),
        ("Syria belongs to nobody", "ambiguous", "correction", FORMS),
        ("2 legions in Egypt have moved", "ambiguous", "correction", FORMS),
        ("Red 12", "invalid", "correction", FORMS),
        ("Red and Blue have 12 coins", "invalid", "correction", FORMS),
        ("Red missed", "invalid", "correction", FORMS),
        ("Ben commands", "invalid", "correction", FORMS),
        ("AND: red 3L", "invalid", "correction", FORMS),
        ("rule:", "missing", "text", ()),
        ("rule: " + "x" * 2001, "invalid", "text", ()),
        ("Syria: red 2L" + " and" * 100, "invalid", "correction", FORMS),
        ("Siria: red 2L", "invalid", "no-such", ("Syria",)),
        ("Benn commands Red", "invalid", "no-such", ("Ben",)),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(Unread) as unread:
        read_correction(STATE, text)
    told = unread.value
    assert (told.kind, told.what, told.nearest) == (kind, what, nearest)


@each_row("form", FORMS)
def test_every_form_that_is_offered_is_read(form: str) -> None:
    correction = read_correction(STATE, form)
    assert read_correction(STATE, correction.text) == correction


@each_row("form", FORMS)
def test_the_words_of_the_rules_are_those_of_the_house(form: str) -> None:
    (line,) = parse_gm(f"gm correct {form} because I mistyped it", Lexicon({}))
    assert isinstance(line.command, Correct)
    assert line.command.reason == "I mistyped it"
    assert read(line.command.what) == read(form)


def test_a_name_that_is_a_word_of_ours_is_the_word_and_its_player_has_a_number() -> None:
    names = ("Syria", "2L", "Gold", "Cairo")
    players = tuple(
        replace(player, name=name) for player, name in zip(STATE.players, names, strict=True)
    )
    state = replace(STATE, players=players)
    assert read_correction(state, "Syria: red 2L").act == lot("Syria", red="2L")
    told = read_correction(state, "player 2 commands red")
    assert (told.text, dict(told.act)) == ("player 2 commands Red", command("red", 2))


@each_row(
    "text",
    [
        *("Syria: Gold 1L", "Syria belongs to Red: Red 2L, Gold none", "Egypt: moved 1L"),
        *("Red has 12 gold", "J. of Arc. commands Red", "Red missed 0 turns"),
    ],
)
def test_what_is_read_is_done_by_the_rules_and_told_with_its_reason(text: str) -> None:
    told = dict(read_correction(STATE, text).act) | {"reason": "I mistyped it"}
    outcome = FORTRESSES.act(STATE, "gm", told, Chance(bytes(32)))
    assert outcome.state != STATE
    for event in outcome.events:
        assert isinstance(event.facts, Corrected)
        assert event.facts.reason == "I mistyped it"


def test_a_proposal_falls_a_ruling_is_given_and_the_game_ends_with_a_reason() -> None:
    for text, kind in (
        ("withdraw the draw", ProposalLapsed),
        ("rule: a Bridge is a border", RulingGiven),
    ):
        told = dict(read_correction(STATE, text).act) | {"reason": "Ann asked"}
        outcome = FORTRESSES.act(STATE, "gm", told, Chance(bytes(32)))
        assert [type(event.facts) for event in outcome.events] == [kind]
    assert read_correction(STATE, "rule: a Bridge is a border").is_said
    for text, winner in (("draw", "draw"), ("winner Ben", "red_blue")):
        told = dict(read_correction(STATE, text).act) | {"reason": "all agreed"}
        assert FORTRESSES.act(STATE, "gm", told, Chance(bytes(32))).state.winner == winner


# --------------------------------------------------------------------------------- the one spelling
_kingdoms = st.sampled_from([kingdom.title() for kingdom in KINGDOMS])
_zones = st.sampled_from(list(zones()))
_lots = st.builds(Units, *[st.integers(0, 999)] * 5).map(
    lambda units: units.text if units.total else "none"
)
_people = st.sampled_from(["Ann", "Ben", "J. of Arc.", "Dot"])
_troops = st.dictionaries(_kingdoms, _lots, min_size=1, max_size=4).map(
    lambda troops: ", ".join(f"{kingdom} {units}" for kingdom, units in troops.items())
)
_canonical = st.one_of(
    st.builds("{}: {}".format, _zones, _troops),
    st.builds("{}: {}, moved {}".format, _zones, _troops, _lots),
    st.builds("{}: moved {}".format, _zones, _lots),
    st.builds("{} belongs to {}".format, _zones, _kingdoms),
    st.builds("{} belongs to {}: {}".format, _zones, _kingdoms, _troops),
    st.builds("{} belongs to {}: {}, moved {}".format, _zones, _kingdoms, _troops, _lots),
    st.builds("{} has {} gold".format, _kingdoms, st.integers(0, 10**6)),
    st.builds("{} missed {} turns".format, _kingdoms, st.integers(0, 10**6)),
    st.builds("{} commands {}".format, _people, _kingdoms),
    st.builds("winner {}".format, _people),
    st.sampled_from(["draw", "withdraw the draw", "withdraw the concession"]),
    st.builds("rule: {}".format, st.from_regex(r"[a-z][a-z,]{0,60}", fullmatch=True)),
)


@given(_canonical)
def test_the_one_spelling_is_read_back_to_itself(text: str) -> None:
    assert read_correction(STATE, text).text == text


_words = st.sampled_from(
    "Syria Egypt Greece red gold Ben 2L 1 a no all legions knights units add remove moved belongs"
    " to owner missed commands draw withdraw wins coins : , - ? rule".split()
)


@given(st.lists(_words, max_size=9).map(" ".join) | st.text(max_size=80))
def test_whatever_is_written_is_read_or_asked_about(text: str) -> None:
    try:
        correction = read_correction(STATE, text)
    except Unread:
        return
    assert read_correction(STATE, correction.text) == correction
