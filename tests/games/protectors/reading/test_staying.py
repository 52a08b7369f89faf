"""What stays at home of the units that leave. Anna holds P1 with 2 units and P2 with 3, and 80
$Realm.
"""

from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row

ONE_STAYS = """
P2 to P3 x2, one stays|P2 -> P3 with 2, 1 unit stays|P2 -> P3 with 2, the other one stays
march 2 from P2 to P3, keep one at home|P2 x2 -> P3 (leaving one behind)
P2 to P3 x2, one remains in P2|all but one from P2 to P3
P2 to P3 with two, the third stays
P2 to P3 x2, keeping 1 back
"""
OPEN = """
P2 to P3, leave one behind|march all from P2 to P3 but keep one at home|P2 to P3. Leave one unit in P2.
P2 to P3 x2, two stay at home|P2 to P3 x3, keep one at home|P2 to P3, keep one for later
P2 to P3 with two, the second stays|P2 to P3, don't keep one at home|P2 to P3, keep one at home if Annabel comes|P2 to P3, 2 units stay or 1
march 2 from P2 to P3, the other one stays, no, goes too
"""


def _each(family: str) -> list[str]:
    return family.strip().replace("\n", "|").split("|")


@each_row("text", _each(ONE_STAYS))
def test_what_stays_says_how_many_go(text: str) -> None:
    reading = read(text)
    assert (texts(reading), codes(reading)) == (["March! 2 from P2 to P3"], set())


@each_row("text", _each(OPEN))
def test_what_does_not_add_up_is_asked(text: str) -> None:
    reading = read(text)
    assert texts(reading) == []
    assert codes(reading) <= {"not-understood", "ambiguous-player"}


@each_row(
    ("phase", "text", "meant"),
    [
        ("dragon", "everything, but leave one in each", []),
        ("dragon", "all in, I keep 1 at home", []),
        ("dragon", "2 from P2, one stays home", ["Commit 2 from P2"]),
        ("dragon", "3 from P2, one stays home", []),
        ("dragon", "keep calm everyone, 2 from P2", ["Commit 2 from P2"]),
        ("orders", "send everything to May, but keep 20", []),
        ("orders", "send 30 to May, keep 20", []),
        ("consolidation", "bid everything, keep 20", []),
        ("consolidation", "bid everything, keep 20 for later", []),
        ("orders", "P1 to P10 x1, P2 stays", ["March! 1 from P1 to P10", "Hold P2"]),
        ("orders", "P2 to P3 x1, 1 stays", ["March! 1 from P2 to P3", "Hold P1"]),
    ],
)
def test_what_stays_in_each_window(phase: str, text: str, meant: list[str]) -> None:
    state = table(phase)
    assert sorted(texts(read(text, state=state), state)) == sorted(meant)
