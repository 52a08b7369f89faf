"""Rows of a table and boxes to tick: a row left empty takes nothing of the next one, and a box that
is not ticked orders nothing. Anna holds P1 with 2 units and P2 with 3.
"""

from tests.games.protectors.reading.positions import codes, read, texts
from tests.rows import each_row

ASKED = {"not-understood"}


@each_row(
    ("text", "meant", "problems"),
    [
        ("P1:\nP2: work", ["Work, work! P2"], set[str]()),
        ("P1:\nfortify\nP2:\nwork", ["Fortify! P1", "Work, work! P2"], set()),
        ("[x] P1 fortify\n[ ] P2 work", ["Fortify! P1"], ASKED),
        ("☑ P1 fortify\n☐ P2 work", ["Fortify! P1"], ASKED),
        ("✅ P1 fortify\n❌ P2 work", ["Fortify! P1"], ASKED),
        ("- [ ] P1 fortify\n- [x] P2 work", ["Work, work! P2"], ASKED),
    ],
)
def test_rows_and_boxes(text: str, meant: list[str], problems: set[str]) -> None:
    reading = read(text)
    assert (sorted(texts(reading)), codes(reading)) == (meant, problems)
