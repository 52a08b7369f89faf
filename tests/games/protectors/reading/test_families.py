"""Families of what people write, each with its dangerous neighbours: what is denied, asked, said of
others or hangs on something orders nothing (F-20 to F-23). Anna holds P1 with 2 units and P2 with 3,
and 80 $Realm.
"""

import pytest

from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row

ASKED = {"not-understood"}
FINE = set[str]()
Row = tuple[str, list[str], set[str]]

RESPECTIVELY: list[Row] = [
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


TAKEN_BACK: list[Row] = [
    ("P1 march 1 to P10, P2 work. Scrap the march.", ["Work, work! P2"], FINE),
    ("P1 works, snitch on May. Hmm, forget the snitch.", ["Work, work! P1"], FINE),
    ("P1 march 1 to P10, P2 march 1 to P3. Scrap the march.", [], ASKED),
    ("P1 march 1 to P10. Scrap the march if May moves.", [], ASKED),
    ("P1 march 1 to P10. Don't scrap the march.", [], ASKED),
    ("P1 works. Mark will scrap the march.", [], ASKED),
    ("Golden fortify P1, golden work P2. Forget the golden.", [], ASKED),
    ("Golden fortify P1. Don't forget the golden.", [], ASKED),
]
ONE_FOR_ANOTHER: list[Row] = [
    ("P2 marches 1 to P3. Not P1, P3.", [], ASKED),
    ("P2 marches 1 to P3. Maybe not P3, P1.", [], ASKED),
    ("P1 works. Not P1, P2 and P3", [], ASKED),
    ("P1 fortify, P2 fortify. Hang on, P2 works rather.", ["Fortify! P1", "Work, work! P2"], FINE),
    ("P1 works rather well", [], ASKED),
]
SUMS: list[Row] = [
    ("20 to May", ["Send 20 to May"], FINE),
    (
        "P1 works, 20 to May, 10 to Mark",
        ["Send 10 to Mark", "Send 20 to May", "Work, work! P1"],
        FINE,
    ),
    ("2 to May", [], ASKED),
    ("20 to May if she stays home", [], ASKED),
    ("Mark gives 20 to May. P1 works", ["Work, work! P1"], FINE),
    ("P1 works. 20 to May?", ["Work, work! P1"], ASKED),
    ("May gets 15 from me and Mark 5.", ["Send 15 to May", "Send 5 to Mark"], FINE),
    ("Send 15 to Mark and May", [], ASKED),
    ("Send 15 to each of Mark and May if they hold", [], ASKED),
    ("give May 20 for the help last turn", ["Send 20 to May"], FINE),
    ("give May 20 for the help if she helps", [], ASKED),
]
PLACED: list[Row] = [
    ("Can you put P1 on work for me? And P2 on fortify.", ["Fortify! P2"], ASKED),
    ("the two in P2 work", [], ASKED),
    ("P2: as many as I have to P3", ["March! 3 from P2 to P3"], FINE),
    ("P2 - 1 unit to P3", ["March! 1 from P2 to P3"], FINE),
    ("everything to P3", [], ASKED),
    ("1. work\n2. hold", [], ASKED),
    ("1. work\n2. fortify\n3. hold", [], ASKED),
    ("P2; march; 1; P3\nP1; work", ["March! 1 from P2 to P3", "Work, work! P1"], FINE),
    ("P1; P2 fortify", ["Fortify! P1", "Fortify! P2"], FINE),
    ("P1 fortify; P2 work", ["Fortify! P1", "Work, work! P2"], FINE),
    ("fortify P1 and maybe the other one too", [], ASKED),
    ("snitch = orange\nP1 = fortify", ["Fortify! P1", "Snitch on May"], FINE),
    ("cancel my stuff pls", ["Cancel all"], FINE),
    ("don't cancel my stuff", [], ASKED),
]


@each_row(
    ("text", "meant", "problems"),
    [*RESPECTIVELY, *LEFT_ALONE, *NAMED, *TAKEN_BACK, *ONE_FOR_ANOTHER, *SUMS, *PLACED],
)
def test_families_of_the_orders_window(text: str, meant: list[str], problems: set[str]) -> None:
    reading = read(text, state=table("orders", {"in_play": ["Deep Snow", "Pirates!"]}))
    assert (sorted(texts(reading)), codes(reading)) == (meant, problems)


SACRIFICES: list[Row] = [
    ("2 from P2, sac both", ["Commit 2 from P2 (sac 2)"], FINE),
    ("3 from P2, sac both", [], ASKED),
    ("1 from P1 and 1 from P2. Sac 1.", [], ASKED),
    ("2 from P2. Sac 1 if needed.", [], ASKED),
    ("2 from P2. Mark sacs 1.", ["Commit 2 from P2"], FINE),
    ("I take back my 3 from P2", [], ASKED),
    ("2 from P2 and Mark the same from P9", ["Commit 2 from P2"], FINE),
    ("1 each", ["Commit 1 from P1", "Commit 1 from P2"], FINE),
    ("I want 1 each from all of you", [], ASKED),
    ("P2 x2\nP1 x1\nsac P1", ["Commit 1 from P1 (sac 1)", "Commit 2 from P2"], FINE),
    ("P2 x2\nP1 x1\nsac P2", ["Commit 1 from P1", "Commit 2 from P2 (sac 2)"], FINE),
]


@each_row(("text", "meant", "problems"), SACRIFICES)
def test_families_against_the_dragon(text: str, meant: list[str], problems: set[str]) -> None:
    state = table("dragon")
    reading = read(text, state=state)
    assert (sorted(texts(reading, state)), codes(reading)) == (meant, problems)


BIDS: list[Row] = [
    ("fill up P1 and P2, bid whatever is left after that", [], ASKED),
    ("buy as much as you can and bid the change", [], ASKED),
    ("buy 1 in P1, bid the rest", ["Bid 5", "Buy 1 in P1"], FINE),
    ("2 units please! bid 5", ["Bid 5"], {"ambiguous-province"}),
    ("my last bid was 40", [], ASKED),
]


@pytest.mark.parametrize(("text", "meant", "problems"), BIDS)
def test_families_of_buying(text: str, meant: list[str], problems: set[str]) -> None:
    state = table("consolidation")
    reading = read(text, state=state)
    assert (sorted(texts(reading, state)), codes(reading)) == (meant, problems)
