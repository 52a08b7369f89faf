"""What a later message adds to what stands, and what it takes back."""

import pytest

from engine.protectors import orders as o
from engine.ruleset import Standing
from pbem.grammar.kit.reading import Reading
from tests.games.protectors.reading.positions import ANNA, MARK, MAY, codes, read, table, texts

RICH = {
    "players": {
        name: {"colour": colour, "realm": 400}
        for name, colour in (
            ("Anna", "blue"),
            ("Annabel", "yellow"),
            ("Chloé", "green"),
            ("May", "orange"),
            ("Mark", "white"),
        )
    },
    "board": {
        "P1": {"owner": "Anna", "units": 1},
        "P2": {"owner": "Anna", "units": 1},
        "P3": {"owner": "Mark", "units": 1},
    },
}


def _buy(text: str) -> list[str]:
    state = table("consolidation", RICH)
    return texts(read(text, state=state, standing=Standing((o.Buy(1, 1), o.Bid(5)))), state)


@pytest.mark.parametrize(
    "text",
    [
        *("also buy 1 in P2", "buy 1 in P2 too", "buy 1 in P2 as well", "add 1 unit to P2"),
        "additionally 1 in P2",
    ],
)
def test_also_adds_to_the_purchase_that_stands(text: str) -> None:
    assert _buy(text) == ["Buy 1 in P1", "Buy 1 in P2"]


def test_also_in_the_same_province_adds_up() -> None:
    assert _buy("buy another one in P1") == ["Buy 2 in P1"]


def test_without_also_the_whole_purchase_is_replaced() -> None:
    assert _buy("buy 1 in P2") == ["Buy 1 in P2"]


def _take_back(text: str) -> Reading:
    return read(text, ANNA, standing=Standing((o.Fortify(1), o.Send(10, MARK), o.Send(5, MAY))))


def test_f78_all_transfers_are_meant_when_nobody_is_named() -> None:
    assert _standing(_take_back("cancel the transfers")) == (o.Fortify(1),)


@pytest.mark.parametrize("text", ["cancel transfer to Mark", "cancel the transfer to Mark"])
def test_f78_a_transfer_is_taken_back_by_its_name(text: str) -> None:
    """F-78: the line that the words describe goes, and all others stand."""
    assert _standing(_take_back(text)) == (o.Fortify(1), o.Send(5, MAY))


def test_nothing_is_offered_when_no_transfer_stands() -> None:
    reading = read("cancel the transfer to Mark")
    assert codes(reading) == {"not-understood"}
    assert reading.items[0].suggestion is None


def _standing(reading: Reading) -> tuple[o.Order, ...]:
    assert reading.checked is not None
    return reading.checked.standing.orders
