"""Path data is read as SVG has it, or refused."""

from contextlib import suppress

import pytest
import skia
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.outlines import SHORT, outline_of
from pbem.board.paths import format_path
from tests.rows import each_row

POINTS = st.lists(
    st.tuples(st.integers(-999, 11_000), st.integers(-999, 11_000)), min_size=2, max_size=40
)


def points_of(path: skia.Path) -> list[tuple[float, float]]:
    return [(path.getPoint(i).x(), path.getPoint(i).y()) for i in range(path.countPoints())]


@each_row(
    ("data", "same"),
    [
        ("M1,2h3v4H0z", "M1 2L4 2L4 6L0 6Z"),
        ("m1 2 3 4-5.5.5", "M1,2L4,6L-1.5,6.5"),
        ("M0 0c1 1 2 2 3 3s2-1 3 0", "M0 0C1 1 2 2 3 3C4 4 5 2 6 3"),
        ("M0,0q5.5,-6 11,0t11,0", "M0 0Q5.5 -6 11 0Q16.5 6 22 0"),
        ("M5 5zm1 1l1 0", "M5 5ZM6 6L7 6"),
        ("M1e1-2.5E-1L+3 .5", "M10 -.25L3 0.5"),
    ],
)
def test_shorthands_are_what_they_stand_for(data: str, same: str) -> None:
    assert points_of(outline_of(data)) == points_of(outline_of(same))


def test_flags_of_an_arc_may_stand_without_a_space() -> None:
    for data in ("M0 0A5 5 0 0 1 10 0", "M0 0a5,5 0 0110,0"):
        box = outline_of(data).computeTightBounds()
        assert (box.left(), box.right(), round(box.top(), 3)) == (0, 10, -5)


@each_row(
    "data", ["1 2", "L1 2", "M1", "M1 2L3", "M1 2 X", "M1 2L3 4 5Z", "MM1 2", "M0 0A5 5 0 2 1 1 1"]
)
def test_what_is_no_path_data_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="path data"):
        outline_of(data)


@given(st.text("MmLlHhVvCcSsQqTtAaZz0123456789-+., eE\n", max_size=60))
def test_any_text_is_read_or_refused(data: str) -> None:
    with suppress(ValueError):
        assert outline_of(data).countVerbs() >= 0


@given(st.lists(POINTS, min_size=1, max_size=3), st.booleans())
def test_long_lines_are_read_in_their_own_way_and_are_the_same(
    lines: list[list[tuple[int, int]]], close: bool
) -> None:
    packed = [
        b"".join(n.to_bytes(2, "little", signed=True) for xy in line for n in xy) for line in lines
    ]
    data = format_path(packed, close=close)
    longer = data * (SHORT // len(data) + 1)
    assert points_of(outline_of(longer)) == points_of(outline_of(data)) * (SHORT // len(data) + 1)
