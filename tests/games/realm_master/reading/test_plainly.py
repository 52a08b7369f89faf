"""Turns of speech, shorthand and conditions that the reader does not know are offered in its own
words; what is asked, denied, told of others or of the past is not.
"""

from pathlib import Path

import pytest
import yaml

from tests.games.reading.phrases import read_at, shown_of

HERE = Path(__file__).parent
ME = yaml.safe_load((HERE / "strangers.yaml").read_text("utf-8"))["as"]


@pytest.mark.parametrize(
    ("place", "text", "meant"),
    [
        ("R1", "Get a fresh roll for the coins, swords stay.", ["Reroll: reroll coins, keep swords"]),
        ("R1", "rr coins, R=c, atk", ["Reroll: reroll coins", "R: coin", "Attack: yes"]),
        ("R1", "give the halves another go", ["Reroll: reroll half banners"]),
        ("R1", "toss everything that isn't a heart again", ["Reroll: keep hearts, reroll the rest"]),
        ("R1", "In: Jerum. If somebody beat me to it: Kurull.", ["Enter: Jerum, Kurull"]),
        ("R1", "Mertle if there are 2 or more banners on it", ["Enter: Mertle if banners in Mertle at least 2"]),
        ("R1", "blow the horn as long as 2+ swords show up", ["Play: War Horn if sword dice at least 2"]),
        ("R1", "Drink draught when hearts are down to 4", ["Play: Healing Draught if hearts below 5"]),
        ("R1", "skip the fight this round", ["Attack: no"]),
        ("R2", "On my own turn I hop over to Kurull", ["In the Realm: move to Kurull"]),
        ("R2", "run from anyone who does 5+, otherwise I sit tight", ["When hit: leave if damage at least 5, stay"]),
        ("R3", "tribute - banner Kurull / gold Arub", ["Tribute: banners to Kurull, gold to Arub"]),
        ("R3", "Jerum has no room left, so the banner is for Kurull and the gold for Arub", ["Tribute: banners to Kurull, gold to Arub"]),
        ("R5", "spend two on life", ["Life: 2"]),
        ("R5", "trade 1 gold, make that 3", ["Life: 3"]),
        ("I1", "again the last two dice", ["Reroll: reroll die 4, reroll die 5"]),
        ("I2", "I grit my teeth", ["When hit: stay"]),
    ],
)  # fmt: skip
def test_what_is_said_otherwise_is_offered(place: str, text: str, meant: list[str]) -> None:
    offered, _ = shown_of(read_at(HERE, place, ME, text))
    assert offered == ["\n".join(meant)]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("R1", "I would attack if Cleo was not so strong"),
        ("R1", "do I get a fresh roll for the coins?"),
        ("R1", "Ben wants another go for his coins"),
        ("R1", "Jerum was my plan"),
        ("R1", "Jerum is nice"),
        ("R1", "what about Jerum?"),
        ("R1", "If Dan attacks, I walk into Jerum"),
        ("R1", "wish I could walk into Jerum"),
        ("R1", "3 gold = 3 hearts, right?"),
        ("R1", "last round I walked into Jerum"),
        ("R2", "I might run for it"),
        ("R2", "leave when my hearts fall below 3, otherwise sit tight"),
        ("R3", "Kurull"),
    ],
)
def test_what_is_no_order_in_other_words_is_not(place: str, text: str) -> None:
    offered, _ = shown_of(read_at(HERE, place, ME, text))
    assert offered == []
