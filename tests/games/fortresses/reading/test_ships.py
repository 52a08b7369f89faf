"""Galleons and who sails with them, in words of our own."""

import pytest

from tests.games.fortresses.reading.tables import read
from tests.games.fortresses.reading.test_in_other_words import HERE, taken
from tests.games.fortresses.reading.test_shorthand import rows
from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

_TRIPS = {
    "EGYPT": "Galleon in Levantine Sea carries 1K from Egypt to Syria",
    "SICILY": "Galleon in Balearic Sea carries 1L from Sicily via Tyrrhenian Sea to Naples",
}


_CARRIED = """
the knight from Egypt to Syria by the Levantine galleon | EGYPT
knight from Egypt to Syria by the ship in the Levantine Sea | EGYPT
attack Syria with the knight from Egypt by the Levantine ship | EGYPT
one galleon of the Levantine Sea takes the Egypt knight and puts him down in Syria | EGYPT
Ship of Balearic takes legion in Sicily, makes sail to Tyrrhenian, puts him on land in Naples | SICILY
Balearic ship loads Sicily legion, sails to the Tyrrhenian and sets it ashore in Naples | SICILY
"""


@each_row(("text", "trip"), rows(_CARRIED))
def test_who_goes_by_ship_is_carried(text: str, trip: str) -> None:
    assert read(text)[0] == [_TRIPS[trip]]


@pytest.mark.parametrize(
    "text",
    [
        "attack Syria with the knight from Egypt by ship",
        "a legion of Sicily attacks Naples by galleon",
    ],
)
def test_who_goes_by_some_ship_does_not_go_by_land(text: str) -> None:
    assert read(text)[0] == []


@pytest.mark.parametrize(
    "text",
    [
        "galeon in the blakc sea ferrys a legoin frm cumaina to anatlia",
        "black sea galleon caries one legoin frm cummania too anatolai",
    ],
)
def test_a_trip_between_misspelt_zones_is_offered(text: str) -> None:
    offered = shown_of(read_at(HERE, "blue", "blue", text))[0]
    assert [*taken("blue", text), *offered] == [
        "Galleon in Black Sea carries 1L from Cumania to Anatolia"
    ]
