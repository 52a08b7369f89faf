"""Families of what people write, each with its dangerous neighbours: what is denied, asked, said of
others or hangs on something orders nothing (F-20 to F-23). Anna holds P1 with 2 units and P2 with 3,
and 80 $Realm.
"""

import pytest

from engine.protectors import orders as o
from engine.ruleset import Standing
from tests.games.protectors.reading.positions import codes, read, table, texts

ASKED = {"not-understood"}
FINE = set[str]()
Row = tuple[str, list[str], set[str]]

RESPECTIVELY: list[Row] = [
    ("P1, P2: work, fortify (respectively)", ["Fortify! P2", "Work, work! P1"], FINE),
    ("P1 and P2 work and fortify respectively.", ["Fortify! P2", "Work, work! P1"], FINE),
    ("fortify and work P1 and P2 respectively", ["Fortify! P1", "Work, work! P2"], FINE),
    ("P1 and P2 work and march respectively", [], ASKED),
    ("P1, P2 work, fortify", [], ASKED),
    ("P1 and P2 work, hold and fortify respectively", [], ASKED),
]
LEFT_ALONE: list[Row] = [
    ("Cancel P1 please, P2 is fine", ["Cancel P1"], FINE),
    ("Cancel P1, the rest of my orders stands", ["Cancel P1"], FINE),
    ("P1 works. My other orders stay as they are.", ["Work, work! P1"], FINE),
    ("P2 is fine", [], ASKED),
    ("fortify P1, P2 is fine too", [], ASKED),
    ("Cancel P1, P2 is not fine", [], ASKED),
    ("P1 works, the rest of my orders does not stand", [], ASKED),
    ("My orders: P1 work, P2 hold", ["Hold P2", "Work, work! P1"], FINE),
]
NAMED: list[Row] = [
    ("I name May to the pirates. P1 works", ["Snitch on May", "Work, work! P1"], FINE),
    ("report May to the pirates", ["Snitch on May"], FINE),
    ("don't name May to the pirates. P1 works", ["Work, work! P1"], ASKED),
    ("Mark names May to the pirates. P1 works", ["Work, work! P1"], FINE),
    ("I name May to the pirates if she attacks", [], ASKED),
    ("P1 works. Off to the pirates with you, May!", ["Work, work! P1"], FINE),
]


@pytest.mark.parametrize(("text", "meant", "problems"), [*RESPECTIVELY, *LEFT_ALONE, *NAMED])
def test_families_of_the_orders_window(text: str, meant: list[str], problems: set[str]) -> None:
    reading = read(text, state=table("orders", {"in_play": ["Deep Snow", "Pirates!"]}))
    assert (sorted(texts(reading)), codes(reading)) == (meant, problems)


SACRIFICES: list[Row] = [
    ("2 from P2. no, 3. and sac 1", ["Commit 3 from P2 (sac 1)"], FINE),
    ("2 from P2. Sac 1.", ["Commit 2 from P2 (sac 1)"], FINE),
    ("2 from P2, sac both", ["Commit 2 from P2 (sac 2)"], FINE),
    ("3 from P2, sac both", [], ASKED),
    ("1 from P1 and 1 from P2. Sac 1.", [], ASKED),
    ("2 from P2. Sac 1 if needed.", [], ASKED),
    ("2 from P2. Mark sacs 1.", ["Commit 2 from P2"], FINE),
    ("I take back my 3 from P2", [], ASKED),
]


@pytest.mark.parametrize(("text", "meant", "problems"), SACRIFICES)
def test_families_against_the_dragon(text: str, meant: list[str], problems: set[str]) -> None:
    state = table("dragon")
    reading = read(text, state=state)
    assert (sorted(texts(reading, state)), codes(reading)) == (meant, problems)


def test_what_is_taken_back_is_what_stands() -> None:
    state = table("dragon")
    standing = Standing[o.Order]((o.Commit(3, 2, None),))
    taken = read("I take back my 3 from P2", state=state, standing=standing)
    assert texts(taken, state) == ["Cancel P2"]


BIDS: list[Row] = [
    ("fill up P1 and P2, bid whatever is left after that", [], ASKED),
    ("buy as much as you can and bid the change", [], ASKED),
    ("buy 1 in P1, bid the rest", ["Bid 5", "Buy 1 in P1"], FINE),
]


@pytest.mark.parametrize(("text", "meant", "problems"), BIDS)
def test_families_of_buying(text: str, meant: list[str], problems: set[str]) -> None:
    state = table("consolidation")
    reading = read(text, state=state)
    assert (sorted(texts(reading, state)), codes(reading)) == (meant, problems)
