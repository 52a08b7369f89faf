"""Kinds of speech, each in words of our own: who joins, lists of places, lines by their number."""

from pathlib import Path

import pytest

from engine.fortresses.orders import format_order
from tests.games.reading.phrases import read_at
from tests.rows import each_row

HERE = Path(__file__).parent
_AS = {"held": "silver", "redheld": "red", "battle": "silver"}


def taken(place: str, text: str) -> list[str]:
    """The orders that stand of a text."""
    reading = read_at(HERE, place, _AS.get(place, place), text)
    return [format_order(x) for x in reading.checked.accepted] if reading.checked else []


@each_row(
    ("place", "text", "orders"),
    [
        # who joins goes where the others go
        (
            "blue",
            "Attack Bulgaria with two legions from Hungary and let the Kiev dragon join in",
            ["Attack Bulgaria with 2L from Hungary; 1D from Kiev"],
        ),
        (
            "blue",
            "2 legions from Hungary attack Bulgaria, the Kiev dragon flies along",
            ["Attack Bulgaria with 2L from Hungary; 1D from Kiev"],
        ),
        (
            "blue",
            "The legion from Cumania attacks Armenia and both knights from Kiev join it",
            ["Attack Armenia with 1L from Cumania; 2K from Kiev"],
        ),
        # a list of places shares what stands before it
        (
            "silver",
            "attack Saxony with the knights of France and Normandy",
            ["Attack Saxony with 1K from France; 1K from Normandy"],
        ),
        (
            "silver",
            "Castile: knights from Normandy and France, legion from Aquitaine",
            ["Attack Castile with 1K from Normandy; 1K from France; 1L from Aquitaine"],
        ),
        (
            "silver",
            "the knights in France and Normandy ride to Castile, the legion in Aquitaine joins",
            ["Attack Castile with 1K from France; 1K from Normandy; 1L from Aquitaine"],
        ),
        ("silver", "2L 1K FRA x PRO", ["Attack Provence with 2L 1K from France"]),
        # a condition of dragons, however it is led
        (
            "blue",
            "Pull the dragon out as soon as we're outnumbered",
            ["Retreat dragons when outnumbered"],
        ),
        ("blue", "the dragon retreats once it is alone", ["Retreat dragons when alone"]),
        ("blue", "I don't want to be asked during battles", ["Not interactive"]),
        ("blue", "make sure one unit survives to hold Bulgaria", ["Keep a conqueror in Bulgaria"]),
        # lines by their number
        ("held", "scratch number 1", ["Cancel 1"]),
        ("held", "scrap line 2, the rest stands", ["Cancel 2"]),
        ("held", "forget no. 3", ["Cancel 3"]),
        ("held", "add the Normandy knight to Castile", ["Attack Castile with 1K from Normandy"]),
        ("gold", "I don't want to buy anything", ["Buy nothing"]),
        ("silver", "I won't attack anyone. Close my phase", ["No attacks", "Done"]),
    ],
)
def test_it_is_taken(place: str, text: str, orders: list[str]) -> None:
    assert taken(place, text) == orders


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("blue", "attack Bulgaria with 2L from Hungary as soon as we're outnumbered"),
        ("blue", "Will the Kiev dragon join the attack on Bulgaria?"),
        ("held", "scrap 2 legions from Saxony"),
        ("held", "Attack Saxony, no. 3 legions to Castile"),
        ("blue", "Attack Norway from Sweden falls Gold moves"),
    ],
)
def test_it_is_asked(place: str, text: str) -> None:
    assert taken(place, text) == []
