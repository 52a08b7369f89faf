"""What is of the second ring alone says what holds its point in the first."""

import re
from pathlib import Path

from tests.rings import IS_ALL, RING, at_length
from tests.rows import each_row

ROOT = Path(__file__).parent.parent
MARKS = [
    (file.relative_to(ROOT), mark)
    for file in sorted((ROOT / "tests").rglob("test_*.py"))
    if file != Path(__file__)
    for mark in re.findall(
        r"pytest\.mark\.long\(\s*(held_by=(?:\s*\"[^\"]*\")+)", file.read_text("utf-8"), re.DOTALL
    )
]


def test_there_are_long_ones() -> None:
    assert len(MARKS) >= 4


@each_row(("file", "mark"), MARKS)
def test_what_is_said_to_hold_the_point_is_there(file: Path, mark: str) -> None:
    assert mark.startswith("held_by=")
    named = re.findall(r"tests/[\w/]+(?:\.py)?", mark)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
    assert str(file) not in named


def test_a_campaign_is_short_in_the_first_ring_and_whole_in_the_full_one() -> None:
    assert at_length(3, 30) == {"one": 3, "all": 9, "full": 30}[RING]
    assert at_length(16, 1) == {"one": 16, "all": 4, "full": 1}[RING]
    assert at_length("running", "over") == ("over" if IS_ALL else "running")
