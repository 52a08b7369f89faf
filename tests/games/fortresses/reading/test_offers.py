"""Offers that once named another zone, number or unit than was written (F-72)."""

from pathlib import Path

import pytest

from tests.games.reading.phrases import read_at, shown_of

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "text",
    [
        "Take Armenia using the two legions in Cumania",
        "attack norway from sweden w/ 2 leg",
        "one Black Sea galleon brings a legion from Bulgaria and lands it in Anatolia",
        "Kiev's dragons burn Constantinople",
        "concede? never!",
        "zork the blue ones",
    ],
)
def test_f72_f73_nothing_else_is_offered_or_shown(text: str) -> None:
    """F-72, F-73: no other number, zone or unit, no concession, and no constant line."""
    offered, shown = shown_of(read_at(HERE, "blue", "blue", text))
    assert set(offered) <= {
        "Attack Armenia with 2L from Cumania",
        "Attack Norway with 2L from Sweden",
        "Galleon in Black Sea carries 1L from Bulgaria to Anatolia",
    }
    assert shown == []


def test_f72_by_way_of_a_zone_is_not_from_it() -> None:
    """F-72: `by way of Saxony` once became an attack of two knights from Saxony."""
    text = "Attack Flanders with 2 legions from Denmark, by way of Saxony"
    reading = read_at(HERE, "silver", "silver", text)
    stands = reading.checked.accepted if reading.checked is not None else ()
    assert stands == ()
    assert shown_of(reading) == ([], [])


def test_f72_what_says_all_of_an_order_is_offered() -> None:
    """F-72: what the mechanism can show to be right is offered on."""
    text = "I'd like to take Castile with the legion from Aquitaine please"
    offered, _ = shown_of(read_at(HERE, "silver", "silver", text))
    assert offered == ["Attack Castile with 1L from Aquitaine"]
