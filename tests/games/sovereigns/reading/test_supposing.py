"""What a ruler supposes: orders as they would be sent, and nothing in part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.ruleset import Standing, known_state
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Points, State
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.reading.suppositions import read_supposition
from tests.games.sovereigns.engine.playing import table
from tests.games.sovereigns.reading.test_open_offers import STATE as OFFERS
from tests.rows import each_row

ANN = {"R": 6, "M": 4, "H": 3, "name": "Aldermark", "tech": ["care"]}
KINGDOMS = {"Ann": ANN, "Ben": {"name": "Borland"}, "Cara": {"name": "Cyrene"}}
SEASON = table(KINGDOMS, technologies={"care": "BLD-HOSPITAL"})
START = table(KINGDOMS, technologies={"care": "BLD-HOSPITAL"}, phase="year-start")


def texts(state: State, text: str, *standing: str) -> list[str]:
    """What is supposed; the codes of what is unclear where nothing is."""
    stands = Standing[o.Order](tuple(parse_order(state, one) for one in standing))
    read = read_supposition(state, 1, stands, text)
    if read.is_understood:
        assert set(read.orders) <= {1}
        return [SOVEREIGNS.format_order(state, line) for line in read.orders.get(1, ())]
    return [
        problem.code for item in read.items for problem in item.item.problems if not problem.warning
    ]


@each_row(
    ("text", "meant"),
    [
        ("I attack Borland with 3?", ["Attack Ben: 3M"]),
        ("I attack Borland with 9", ["Attack Ben: 9M"]),
        ("we build the hospital and research with 1", ["Build BLD-HOSPITAL", "Research: 1R"]),
        ("I pass", ["Pass"]),
        ("I attack Borland with 2; expedition with 1", ["one-action"]),
        ("I offer Cyrene 2 military for 1 resource", ["at-once"]),
        ("I roll 2 harmony", ["not-now"]),
        ("the weather is fine", ["no-order"]),
        ("Ben attacks me with 3", ["no-order"]),
        ("x" * 3001, ["too-long"]),
    ],
)
def test_a_supposition_is_read_as_orders(text: str, meant: list[str]) -> None:
    assert texts(SEASON, text) == meant


def test_it_stands_beside_what_was_ordered() -> None:
    standing = ("Build BLD-HOSPITAL", "Research: 2R")
    assert texts(SEASON, "I attack Borland with 1", *standing) == [
        "Build BLD-HOSPITAL",
        "Attack Ben: 1M",
    ]
    assert texts(START, "I roll 2 harmony") == ["Harmony: 2H"]
    assert texts(START, "I rule by fear") == ["Rule by Fear"]


@given(st.text(max_size=300))
def test_nothing_that_is_written_breaks_it(text: str) -> None:
    read_supposition(SEASON, 1, Standing(), text)


@pytest.mark.parametrize("ex", [Points(), Points(R=9, M=9, H=9)])
def test_a_supposed_acceptance_tells_nothing_of_what_the_other_ruler_can_pay(ex: Points) -> None:
    others = tuple(
        kingdom if kingdom.number == 1 else replace(kingdom, ex=ex) for kingdom in OFFERS.kingdoms
    )
    known = known_state(SOVEREIGNS, replace(OFFERS, kingdoms=others), 1)
    read = read_supposition(known, 1, Standing(), "I accept offer 1")
    told = [problem.code for item in read.items for problem in item.item.problems]
    assert told == ["at-once"]
