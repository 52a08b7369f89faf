"""Which way a ribbon takes across the table, and where on it its token lies: clear of charters,
pegs and other tokens, and not along another ribbon.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pbem.games.sovereigns.board.parts import TOKEN, Rect, meet
from pbem.games.sovereigns.board.seats import PEG, Hall

Points = NDArray[np.float64]

BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.5, -0.5, 0.75, -0.75)
"""How far a ribbon leaves the straight line at its middle, as shares of its length."""
SHARES = np.arange(0.14, 0.87, 0.04)
"""Places for a token along its ribbon."""
SWEEPS, STARTS = 6, 6
SPACE = 6.0
"""Between tokens and other things, px."""
APART = 40.0
"""Two ribbons that are nearer than that all along lie on each other, px."""
GONE, ASTRAY = 1e6, 1e4


@dataclass(frozen=True, slots=True)
class Way:
    """One way a ribbon could take: points along it, and the cost of each place for its token."""

    points: Points
    spots: Points
    costs: NDArray[np.float64]


def ways_of(
    hall: Hall, start: int, goal: int, end: float, taken: Sequence[Rect], *, is_met: bool
) -> list[Way]:
    """From peg to peg, or up to a share of the way. `taken` are rectangles that no token may lie
    on. `is_met`: another ribbon comes the other way, so both bend.
    """
    here, there = np.array(hall.seats[start].peg), np.array(hall.seats[goal].peg)
    others = [np.array(seat.peg) for i, seat in enumerate(hall.seats) if i not in (start, goal)]
    found = []
    for bend in BENDS:
        points = _curve(here, there, bend)
        hidden = sum(_covered(seat.rect, points) for seat in hall.seats)
        near = sum(max(0.0, 44 - float(np.hypot(*(points - peg).T).min())) for peg in others)
        inwards = float(np.hypot(*(points[len(points) // 2] - np.array(hall.middle))))
        cut = points[: max(8, int(len(points) * end))]
        spots = cut[(SHARES * (len(cut) - 1)).astype(int)]
        cost = (
            (30 if is_met and not bend else 400 * bend**2)
            + 12 * near
            + 0.02 * inwards
            + 2000 * hidden
        )
        costs = np.full(len(spots), cost) + 20 * abs(SHARES - 0.45)
        costs += [GONE * _lies_on(spot, taken, hall.table) for spot in spots]
        found.append(Way(cut, spots, costs))
    return found


def choose(ways: Sequence[Sequence[Way]]) -> list[tuple[int, int]]:
    """A way and a place for every ribbon: the cheapest among the others, in several passes. Where a
    token has found no room another one begins.
    """
    costs = _Costs(ways)
    best: list[tuple[int, int]] = []
    least = math.inf
    for first in range(min(STARTS, len(ways))):
        found = _settle(costs, [*range(first, len(ways)), *range(first)])
        total = max(costs.of(i, found) for i in range(len(ways)))
        if total < least:
            least, best = total, [found[i] for i in range(len(ways))]
        if least < ASTRAY:
            break
    return best


def _settle(costs: "_Costs", order: Sequence[int]) -> dict[int, tuple[int, int]]:
    chosen: dict[int, tuple[int, int]] = {}
    for _ in range(SWEEPS):
        before = dict(chosen)
        for i in order:
            chosen.pop(i, None)
            chosen[i] = costs.best(i, chosen)
        if chosen == before:
            break
    return chosen


class _Costs:
    """The cost of ways next to one another, computed once for each two."""

    def __init__(self, ways: Sequence[Sequence[Way]]) -> None:
        self._ways = ways
        self._known: dict[tuple[int, int, int, int], NDArray[np.float64]] = {}

    def best(self, i: int, others: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
        totals = [self._total(i, a, others) for a in range(len(self._ways[i]))]
        a = min(range(len(totals)), key=lambda way: float(totals[way].min()))
        return a, int(totals[a].argmin())

    def of(self, i: int, chosen: Mapping[int, tuple[int, int]]) -> float:
        """What a ribbon costs as it was chosen."""
        a, spot = chosen[i]
        others = {j: other for j, other in chosen.items() if j != i}
        return float(self._total(i, a, others)[spot])

    def _total(self, i: int, a: int, others: Mapping[int, tuple[int, int]]) -> NDArray[np.float64]:
        beside = (self._beside(i, a, j, *other) for j, other in others.items())
        return np.asarray(sum(beside, self._ways[i][a].costs))

    def _beside(self, i: int, a: int, j: int, b: int, spot: int) -> NDArray[np.float64]:
        """Of every place on a way, with another ribbon and its token as they lie."""
        way, other = self._ways[i][a], self._ways[j][b]
        key = (i, a, j, b)
        if key not in self._known:
            self._known[key] = sum(_of_ribbons(way, other), np.zeros(len(way.spots)))
        mark = other.spots[spot]
        dx, dy = np.abs(way.spots - mark).T
        clash = ASTRAY * ((dx < TOKEN[0] + SPACE) & (dy < TOKEN[1] + SPACE))
        away = float(np.hypot(*(way.points[::4] - mark).T).min())
        return np.asarray(self._known[key] + clash + 25 * max(0.0, 1 - away / 30))


def _of_ribbons(way: Way, other: Way) -> Iterator[NDArray[np.float64]]:
    """A token on the other ribbon, worse on its head; and one ribbon along the other."""
    gaps = _gaps(way.spots, other.points[::4])
    yield 40 * np.maximum(0.0, 1 - gaps / 34)
    yield 80 * np.maximum(0.0, 1 - np.hypot(*(way.spots - other.points[-1]).T) / 52)
    middle = way.points[len(way.points) // 4 : -len(way.points) // 4 : 2]
    along = max(0.0, 1 - float(_gaps(middle, other.points[::2]).mean()) / APART)
    yield np.full(len(way.spots), 900 * along)


def _gaps(points: Points, others: Points) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(points[:, None] - others[None]).transpose(2, 0, 1)).min(axis=1))


def _curve(start: Points, goal: Points, bend: float) -> Points:
    """From the edge of one peg to that of the other."""
    step = goal - start
    normal = np.array([step[1], -step[0]])
    control = (start + goal) / 2 + normal * 2 * bend
    begin = start + unit(control - start) * (PEG + 1)
    end = goal + unit(control - goal) * (PEG + 3)
    t = np.linspace(0, 1, 61)[:, None]
    return np.asarray(begin * (1 - t) ** 2 + control * 2 * t * (1 - t) + end * t**2)


def unit(vector: Points) -> Points:
    return vector / max(1e-9, math.hypot(*vector))


def _covered(rect: Rect, points: Points) -> int:
    """How many points of a ribbon a charter would cover."""
    x, y = points.T
    left, top, right, bottom = rect
    inside = (x > left - 12) & (x < right + 12) & (y > top - 12) & (y < bottom + 12)
    return int(inside.sum())


def _lies_on(spot: Points, taken: Sequence[Rect], table: Rect) -> bool:
    x, y = map(float, spot)
    rect = x - TOKEN[0] / 2, y - TOKEN[1] / 2, x + TOKEN[0] / 2, y + TOKEN[1] / 2
    inside = rect[0] > table[0] and rect[1] > table[1] and rect[2] < table[2] and rect[3] < table[3]
    return not inside or any(meet(rect, other, SPACE) for other in taken)
