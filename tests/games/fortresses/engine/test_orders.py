"""Canonical texts: every order has one, which reads back to itself (FW-11.3, FW-11.7, FW-11.8,
FW-4.14).
"""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.orders import (
    Always,
    Attack,
    BuyNothing,
    Cancel,
    Carry,
    Condition,
    Done,
    Group,
    Interactive,
    Keep,
    Lose,
    LoseNow,
    Move,
    Named,
    Order,
    Retreat,
    Stay,
    Then,
    format_order,
    parse_order,
)
from engine.fortresses.units import CODES, NONE, Units
from tests.engine.random_orders import orders_of
from tests.rows import each_row

TEXTS: dict[str, Order] = {
    "Attack Syria with 2L 1K from Egypt; 1D from Andalusia": Attack(
        "Syria", (Group(Units(2, 1), "Egypt"), Group(Units(D=1), "Andalusia"))
    ),
    "Attack Lombardy with 1K from Aquitaine via Provence": Attack(
        "Lombardy", (Group(Units(K=1), "Aquitaine", ("Provence",)),)
    ),
    "Galleon in Aegean Sea carries 1L from Crete via Levantine Sea to Egypt": Carry(
        "Aegean Sea", Units(1), "Crete", "Egypt", final="Levantine Sea"
    ),
    "Galleon in Tyrrhenian Sea carries 1K from Morocco via Tunis to Naples": Carry(
        "Tyrrhenian Sea", Units(K=1), "Morocco", "Naples", board="Tunis"
    ),
    "Galleon in Balearic Sea carries 1K from Morocco via Tunis, Tyrrhenian Sea to Naples": Carry(
        "Balearic Sea", Units(K=1), "Morocco", "Naples", "Tunis", "Tyrrhenian Sea"
    ),
    "Move all from England to Scotland": Move(NONE, "England", "Scotland", every="all"),
    "Move all L from England to Scotland": Move(NONE, "England", "Scotland", every="L"),
    "Move 1K from Normandy to Saxony via Flanders": Move(
        Units(K=1), "Normandy", "Saxony", ("Flanders",)
    ),
    "Cancel 2": Cancel(2),
    "Cancel all": Cancel(),
    "Lose K then L in Syria": Lose(("K", "L"), "Syria"),
    "Lose K": Lose(("K",)),
    "Lose 2L 1K": LoseNow(Units(2, 1)),
    "Keep a conqueror": Keep(True),
    "Keep no conqueror in Kiev": Keep(False, "Kiev"),
    "Retreat dragons never": Retreat(((Condition("never"),),)),
    "Retreat dragons after 2 rounds or at first loss in Syria": Retreat(
        ((Condition("after", 2),), (Condition("first-loss"),)), "Syria"
    ),
    "Retreat dragons when alone and when outnumbered": Retreat(
        ((Condition("alone"), Condition("outnumbered")),)
    ),
    "Retreat dragons after 1 round": Retreat(((Condition("after", 1),),)),
    "Interactive in Kiev": Interactive(True, "Kiev"),
    "Not interactive": Interactive(False),
    "Always: Lose K then L": Always(Lose(("K", "L"))),
    "Then: Buy nothing": Then(BuyNothing()),
    "Then: Done": Then(Done()),
    "Gold: Then: Done": Named("gold", Then(Done())),
    "Stay": Stay(),
}
MORE = """Battle order: Black Sea, Syria
Buy 3L 1W in Normandy
Buy 1G in English Channel from England
No attacks
Retreat dragons
Draw
Concede
Resign
Take command
Claim the win""".splitlines()
WRONG = """attack Syria with 2L from Egypt
Attack Syria with 2L
Attack Atlantis with 2L from Egypt
Attack Syria with 1K 2L from Egypt
Attack Syria with 0L from Egypt
Buy 2L in Normandy.
Lose L in Bay
Lose all
Retreat dragons sometimes
Retreat dragons after 2 round
Always: Done
Always: Battle order: Syria
Then: Then: Done
Gold: Red: Done
Galleon in Aegean Sea carries 1L from Crete via Levantine Sea, Tunis to Egypt
Cancel 0
""".splitlines()

COUNTS = st.integers(0, 999)
UNITS = st.builds(Units, *[COUNTS] * 5).filter(lambda units: units.total > 0)
ZONES = st.sampled_from([*zones()])
LANDS = st.sampled_from([name for name, zone in zones().items() if zone.is_land])
SEAS = st.sampled_from([name for name, zone in zones().items() if not zone.is_land])
EVERY = st.sampled_from(("all", "L", "K", "W", "G", "D"))
CONDITIONS = st.builds(Condition, st.sampled_from(("never", "outnumbered", "alone", "first-loss")))
ROUNDS = st.builds(Condition, st.just("after"), st.integers(1, 999))


def some(values: st.SearchStrategy[Any], least: int = 1) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, min_size=least, max_size=4).map(tuple)


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "zone": ZONES,
    "zones": some(ZONES),
    "way": st.tuples(st.just("") | LANDS, st.just("") | SEAS),
    "units": UNITS,
    "moved": st.tuples(UNITS, st.just("")) | st.tuples(st.just(NONE), EVERY),
    "groups": some(st.builds(Group, UNITS, ZONES, some(ZONES, 0))),
    "codes": some(st.sampled_from(CODES)),
    "line": COUNTS,
    "article": st.booleans(),
    "interactive": st.booleans(),
    "policy": some(some(CONDITIONS | ROUNDS)),
    "kingdom": st.sampled_from(KINGDOMS),
}
VALUES["instruction"] = orders_of(o.FORMS, VALUES, o.INSTRUCTIONS)
VALUES["order"] = orders_of(o.FORMS, VALUES, get_args(o.Line))
VALUES["plain"] = orders_of(o.FORMS, VALUES, (*get_args(o.Line), Then))
ORDERS = orders_of(o.FORMS, VALUES)


@given(ORDERS)
def test_the_canonical_text_of_an_order_reads_back_to_it(order: Order) -> None:
    assert parse_order(format_order(order)) == order


@each_row("text", [*TEXTS, *MORE])
def test_a_canonical_text_reads_back(text: str) -> None:
    """FW-11.3: groups in one line; FW-11.8: a Land, then a Sea, after `via` in a carriage."""
    order = parse_order(text)
    assert format_order(order) == text
    assert order == TEXTS.get(text, order)


@each_row("text", [*WRONG, ""])
def test_what_is_no_canonical_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_order(text)
