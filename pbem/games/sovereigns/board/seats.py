"""Where the kingdoms sit: charters round an oak table, clockwise from the top left in seat order.
A kingdom keeps its seat all game long, also when it has fallen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pbem.games.sovereigns.board.parts import EDGE, WIDE, Rect

Side = Literal["top", "right", "bottom", "left"]
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
SEATS: Mapping[int, tuple[int, int, int, int]] = {
    2: (0, 1, 0, 1),
    3: (1, 1, 0, 1),
    4: (1, 1, 1, 1),
    5: (1, 1, 2, 1),
    6: (2, 1, 2, 1),
    7: (2, 1, 3, 1),
    8: (3, 1, 3, 1),
    9: (3, 1, 4, 1),
    10: (4, 1, 4, 1),
    11: (4, 2, 4, 1),
    12: (4, 2, 4, 2),
}
"""How many sit at the top, right, bottom and left."""
FEW = 6
"""Up to this many sit large."""
GAP = 40.0
"""Between charters one above the other: room for a token and a crown, px."""
RIM = 46.0
"""The table's own rim where nobody sits, px."""
PEG = 20.0
"""Radius of a peg with its edge, px."""
HEADING, BAND, BAR, ROW, FOOT = 62.0, 54.0, 30.0, 41.0, 17.0
"""Heights of a charter at size 1: names, totals, support, a row of emblems, the foot, px."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A charter's place at size `k`, and its peg on the table."""

    side: Side
    x: float
    y: float
    width: float
    height: float
    k: float
    peg: tuple[float, float]

    @property
    def rect(self) -> Rect:
        return self.x, self.y, self.x + self.width, self.y + self.height


@dataclass(frozen=True, slots=True)
class Hall:
    """`table` is all of it, also what lies under charters; `open` what lies free; `end` where the
    hall ends.
    """

    seats: tuple[Seat, ...]
    table: Rect
    open: Rect
    end: float

    @property
    def middle(self) -> tuple[float, float]:
        left, top, right, bottom = self.open
        return (left + right) / 2, (top + bottom) / 2


def size_of(count: int) -> tuple[float, float]:
    """The width of a charter, and its scale."""
    return (322.0, 1.18) if count <= FEW else (251.0, 1.0)


def lay_hall(count: int, top: float, rows: int) -> Hall:
    """The hall for this many kingdoms below `top`, with this many rows of emblems on each
    charter.
    """
    wide, k = size_of(count)
    high = (HEADING + BAND + BAR + FOOT + ROW * rows) * k
    above, right, below, left = SEATS[count]
    sides = max(left, right)
    first = top + high + GAP if above else top + RIM + 24
    middle = max(sides * high + (sides - 1) * GAP, high + 130)
    last = first + middle + GAP
    end = last + high + 36 if below else first + middle + RIM + 44
    inner = (
        EDGE + wide + 14,
        first - GAP + 30 if above else first - 24,
        WIDE - EDGE - wide - 14,
        last - 42 if below else first + middle + 24,
    )
    # how far the table reaches under charters at the sides and at the top; slips hang above it
    lean, under = (wide / 2, min(110.0, high - 164)) if count <= FEW else (74.0, 52.0)
    table = (
        EDGE + wide - lean,
        top + high - under if above else top,
        WIDE - EDGE - wide + lean,
        last + (96 if count <= FEW else 52) if below else first + middle + RIM,
    )
    seats: list[Seat] = []
    for side, number in zip(SIDES, (above, right, below, left), strict=True):
        for i in range(number):
            x, y = _corner(side, i, number, (wide, high), (top, first, middle, last))
            peg = _peg(side, i, number, (x + wide / 2, y + high / 2), inner, few=count <= FEW)
            seats.append(Seat(side, x, y, wide, high, k, peg))
    return Hall(tuple(seats), table, inner, end)


def _corner(
    side: Side,
    i: int,
    number: int,
    size: tuple[float, float],
    levels: tuple[float, float, float, float],
) -> tuple[float, float]:
    """Upper left corner of the i-th of this many on this side, clockwise."""
    wide, high = size
    top, first, middle, last = levels
    if side in ("top", "bottom"):
        gap = min(22.0, (WIDE - 2 * EDGE - number * wide) / max(1, number - 1))
        left = (WIDE - number * wide - (number - 1) * gap) / 2
        place = i if side == "top" else number - 1 - i
        return left + place * (wide + gap), top if side == "top" else last
    place = i if side == "right" else number - 1 - i
    tall = number * high + (number - 1) * GAP
    y = first + (middle - tall) / 2 + place * (high + GAP)
    return (WIDE - EDGE - wide if side == "right" else EDGE), y


def _peg(
    side: Side, i: int, number: int, centre: tuple[float, float], inner: Rect, *, few: bool
) -> tuple[float, float]:
    """Before its charter where there is room, else spread evenly along the side."""
    left, top, right, bottom = inner
    if side in ("left", "right"):
        return (left + PEG if side == "left" else right - PEG), centre[1]
    place = i if side == "top" else number - 1 - i
    step = (right - left - 2 * PEG) / max(1, number)
    x = centre[0] if few else left + PEG + step * (place + 0.5)
    return x, top + PEG if side == "top" else bottom - PEG
