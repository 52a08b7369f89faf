"""More families of what people write, each with its dangerous neighbours (issue 13). Anna holds P1
with 2 units and P2 with 3, and 80 $Realm.
"""

import pytest

from engine.protectors import orders as o
from engine.ruleset import Standing
from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row

ASKED = {"not-understood"}
FINE = set[str]()
Row = tuple[str, list[str], set[str]]
GOES = "March! 2 from P2 to P3"
LATE = "Delayed March! 2 from P2 to P3"

FLAGS_BESIDE: list[Row] = [
    ("P2 to P3 x2, to be executed as a delayed march", [LATE], FINE),
    ("P2 to P3 x2, such march to be delayed.", [LATE], FINE),
    ("P2 to P3 x2, in the manner of a delayed march", [], ASKED),
    ("P2 to P3 x2, but it must not be delayed", [], ASKED),
    ("P2 to P3 x2, delayed or not", [], ASKED),
    ("P2 to P3 x2, my train will be delayed", [], ASKED),
    ("P2 to P3 x2. This one goes in the delayed wave.", [], ASKED),
    ("P2 to P3 x2. Sorry for the late mail!", [GOES], FINE),
    ("P2 to P3 x2. Silence is golden.", [GOES], FINE),
]
THE_REST: list[Row] = [
    ("P2 to P3 x2, rest stays", [GOES], FINE),
    ("P2 to P3 x2, the rest holds", [GOES], FINE),
    ("P2 to P3 x2, the others stay", [GOES], ASKED),
    ("P2 to P3 x2, the rest of my provinces hold", ["Hold P1", GOES], FINE),
    ("P2 to P3 x2, hold the rest", ["Hold P1", GOES], FINE),
    ("P2 to P3 x2, the rest works", [GOES, "Work, work! P1"], FINE),
    ("P2 to P3 x3, rest stays", ["Hold P1", "March! 3 from P2 to P3"], FINE),
    ("P2 works, rest stays", ["Hold P1", "Work, work! P2"], FINE),
    ("P2 to P3 x2, rest stays if Annabel attacks", [], ASKED),
    ("the army in P1 stays and\nworks", ["Work, work! P1"], FINE),
    ("P1 and P2 stay and fortify", ["Fortify! P1", "Fortify! P2"], FINE),
    ("hold in P1 and fortify", [], ASKED),
    ("hold P1 and fortify", [], ASKED),
]
SIGNS: list[Row] = [
    ("// march 2 from P2 to P3\nfortify P1", ["Fortify! P1"], FINE),
    ("fortify P1\n  // work P2", ["Fortify! P1"], FINE),
    ("fortify P1 // work P2", ["Fortify! P1", "Work, work! P2"], FINE),
    ("P1 W*, P2 F (*=gold)", [], ASKED),
    ("P1 W, P2 to P3 x2~ (~ = delayed)", [], ASKED),
    ("* P1 W\n* P2 F", ["Fortify! P2", "Work, work! P1"], FINE),
]
SUPPOSED: list[Row] = [
    ("Let's say P1 works. What would Mark do?", [], ASKED),
    ("Let us say P1 works.", [], ASKED),
    ("P2 to P3 x1. Let's say 2.", [GOES], FINE),
    ("P2 to P3 x1, let's say 2", [GOES], FINE),
    ("Let's say good night. P1 works.", ["Work, work! P1"], FINE),
]
COURTLY: list[Row] = [
    ("May I respectfully ask that P1 be fortified?", ["Fortify! P1"], FINE),
    ("May I ask whether P1 should be fortified?", [], {"no-order"}),
    ("May I ask what P1 works means?", [], {"no-order"}),
    ("Now that I know you all: P1 works", [], ASKED),
    ("Mark knows them all: P1 works", [], ASKED),
    ("To whom it may concern: P1 works.", ["Work, work! P1"], FINE),
    ("In respect of P1: work. As to P2: fortify.", ["Fortify! P2", "Work, work! P1"], FINE),
    ("regarding P1: I have no idea", [], ASKED),
    ("I send 20 to Mr Mark", ["Send 20 to Mark"], FINE),
    ("P1: support of Mark in P10", ["Support! Mark in P10 from P1"], FINE),
    ("P1 works. Thanks for your support of P3!", ["Work, work! P1"], ASKED),
    ("the two units presently stationed in P1 march to P10", ["March! 2 from P1 to P10"], FINE),
    ("P1 is currently working", [], ASKED),
    ("march two (2) units from P2 to P3", [GOES], FINE),
    ("march two (3) units from P2 to P3", [], ASKED),
]


@each_row(("text", "meant", "problems"), [*FLAGS_BESIDE, *THE_REST, *SIGNS, *SUPPOSED, *COURTLY])
def test_families_of_the_orders_window(text: str, meant: list[str], problems: set[str]) -> None:
    reading = read(text)
    assert (sorted(texts(reading)), codes(reading)) == (sorted(meant), problems)


def test_the_rest_stays_as_it_is_where_other_orders_stand() -> None:
    """F-75: beside a change it is no order for the other provinces."""
    standing = Standing[o.Order]((o.Fortify(1, golden=False),))
    reading = read("P2 to P3 x2, rest stays", standing=standing)
    assert (texts(reading), codes(reading)) == (["March! 2 from P2 to P3"], set())


AMOUNTS: list[Row] = [
    ("50 for the King. 5 for the bid.", ["Bid 5"], ASKED),
    ("bid 3. 2 for tea.", ["Bid 3"], ASKED),
    ("bid 3. Thanks for the fish.", ["Bid 3"], FINE),
    ("THE BANK OF LANNUVAR!!! at long last. bid 3", ["Bid 3"], {"no-such-ability"}),
]


@pytest.mark.parametrize(("text", "meant", "problems"), AMOUNTS)
def test_amounts_that_nobody_is_known_for_are_told(
    text: str, meant: list[str], problems: set[str]
) -> None:
    state = table("consolidation")
    reading = read(text, state=state)
    assert (sorted(texts(reading, state)), codes(reading)) == (meant, problems)
