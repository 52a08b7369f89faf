"""Where marks go: many candidates for each, weighed together.

A mark is lifted and put down again, given all the others, until none moves: so the marks of a
crowded province make room for each other. Covering a label costs most; leaving the two provinces
nearly as much.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import numpy as np

from pbem.board import brush
from pbem.board.paths import SIDE, Points, unpack_line
from pbem.games.protectors.board.blocks import Block
from pbem.games.protectors.board.grid import (
    CELLS,
    Cells,
    Weights,
    box_cells,
    cells_at,
    cells_of,
    edge_cells,
    owner_cells,
)
from pbem.games.protectors.board.knots import Knots
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.strokes import bowed_axes

ROUNDS = 4
NAMED_BELOW = 0.5
"""A battle mark of which less lies in its province says which province that is."""
CROWD, EDGE, WRITING = 12.0, 20.0, 45.0
OTHER_LAND = 12.0
SWORDS = 31.0
"""Half the width of the swords of a battle, px."""
TAIL_ASTRAY = 24.0
LENGTHS, SHARES = (126.0, 106.0, 88.0, 72.0, 58.0), (0.52, 0.42, 0.62)
BOWS = (0.1, -0.1)
SAILING = np.array([-0.42, -0.3, -0.18, -0.08, 0.08, 0.18, 0.3, 0.42])
REACHING = np.array([-0.2, -0.12, -0.05, 0.05, 0.12, 0.2])
TURN = np.linspace(0, 2 * np.pi, 9)[:-1]
DISC = np.stack([np.cos(TURN), np.sin(TURN)], 1)
STAMP = np.concatenate([DISC, DISC[::2] * 0.55, [[0.0, 0.0]]])
ALONG = 16
"""Samples along a stroke; its body is sampled so thrice, its tail by the stamp."""
STROKE_WEIGHTS = np.concatenate(
    [
        np.full(3 * ALONG, 0.7 / (3 * ALONG)),
        np.full(len(STAMP), 0.5 / len(STAMP)),
        np.full(2, 0.06),
        np.full(3, 0.08),
    ]
)


@dataclass(frozen=True, slots=True)
class Ends:
    """Two provinces, and places in each where lines between them begin and end."""

    a: int
    b: int
    p: Points
    q: Points


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates of one mark: the cells each covers, how heavy each sample weighs, its cost
    before others are there.
    """

    cells: Cells
    weights: Weights
    cost: Weights
    shape: Callable[[int], Points]
    ends: tuple[Cells, Cells] | None = None
    """The cells of tail and tip of each, where it has them."""
    _around: dict[int, Cells] = field(default_factory=dict)

    def around(self, candidate: int) -> Cells:
        """The cells of a candidate and their neighbours: it is put down and lifted many times."""
        if candidate not in self._around:
            here = self.cells[candidate]
            self._around[candidate] = np.unique(
                np.concatenate([here, here + 1, here - 1, here + CELLS, here - CELLS]).clip(
                    0, CELLS * CELLS - 1
                )
            )
        return self._around[candidate]


@dataclass(slots=True)
class PlacementCosts:
    """What lies on the board: labels once and for all, marks as they are put down: how many cover
    a cell, and whether any does (1 or 0).
    """

    land: Land
    fixed: Weights
    marks: Weights = field(default_factory=lambda: np.zeros(CELLS * CELLS))
    covered: Weights = field(default_factory=lambda: np.zeros(CELLS * CELLS))
    knots: Knots = field(default_factory=Knots)

    @classmethod
    def laid(cls, land: Land, blocks: Sequence[Block]) -> "PlacementCosts":
        fixed = edge_cells(land) * EDGE
        rows = fixed.reshape(CELLS, CELLS)
        for block in blocks:
            for box in block.pieces:
                rows[box_cells(box)] = CROWD
        for block in blocks:
            for box in block.writing:
                rows[box_cells(box)] = WRITING
        return cls(land, fixed)

    def settle(self, choices: Sequence[Choice]) -> list[tuple[int, float]]:
        """For each mark its best candidate among all others, and its cost."""
        best = [-1] * len(choices)
        for _ in range(ROUNDS):
            moved = False
            for i, choice in enumerate(choices):
                if best[i] >= 0:
                    self._put(choice, best[i], -1)
                new = int(np.argmin(self._costs(choice)))
                self._put(choice, new, 1)
                moved |= new != best[i]
                best[i] = new
            if not moved:
                break
        return [(j, self._alone(choice, j)) for choice, j in zip(choices, best, strict=True)]

    def lift(self, choice: Choice, candidate: int) -> None:
        self._put(choice, candidate, -1)

    def is_free(self, x: float, y: float, reach: float) -> bool:
        """Whether no mark lies around a point."""
        rows = self.marks.reshape(CELLS, CELLS)
        return not bool(rows[box_cells((x - reach, y - reach, x + reach, y + reach))].any())

    def _costs(self, choice: Choice) -> Weights:
        costs: Weights = choice.cost + CROWD * (self.covered[choice.cells] @ choice.weights)
        if choice.ends:
            costs += self.knots.costs(*choice.ends)
        return costs

    def _alone(self, choice: Choice, candidate: int) -> float:
        self._put(choice, candidate, -1)
        crowd = float(self.covered[choice.cells[candidate]] @ choice.weights)
        self._put(choice, candidate, 1)
        return float(choice.cost[candidate]) + CROWD * crowd

    def _put(self, choice: Choice, candidate: int, times: int) -> None:
        around = choice.around(candidate)
        self.marks[around] += times
        self.covered[around] = self.marks[around] > 0
        if choice.ends:
            tail, tip = choice.ends
            self.knots.put(int(tail[candidate]), int(tip[candidate]), times)

    def crossing(self, a: int, b: int, k: float, *, half: float, seal: float) -> Choice:
        """Short lines from a into b across their border, where there is room; never from label to
        label.
        """
        la, lb = (
            np.array([label.x, label.y], float)
            for label in (self.land.label(a), self.land.label(b))
        )
        toward = (lb - la) / max(hypot(*(lb - la)), 1)
        middles, alongs, offsets = [], [], []
        for border in self.land.border(a, b):
            reach = max(3, len(border) // 6)
            for share in np.linspace(0.08, 0.92, 17):
                j = round(share * (len(border) - 1))
                middles.append(border[j])
                alongs.append(border[min(len(border) - 1, j + reach)] - border[max(0, j - reach)])
                offsets.append(abs(share - 0.5))
        m = np.array(middles)
        n = _unit(self._into(m, np.array(alongs), b, toward) * 0.8 + toward * 0.2)
        lengths = np.array([(u * k, s, bow) for u in LENGTHS for s in SHARES for bow in BOWS])
        p = m[:, None] - n[:, None] * (lengths[:, 0] * lengths[:, 1])[:, None]
        q = m[:, None] + n[:, None] * (lengths[:, 0] * (1 - lengths[:, 1]))[:, None]
        bows = np.broadcast_to(lengths[:, 2], p.shape[:2]).ravel()
        cost = (
            np.array(offsets)[:, None] * 0.5
            + np.abs(lengths[:, 1] - 0.52)
            - lengths[:, 0] / (110 * k)
        )
        ends = Ends(a, b, p.reshape(-1, 2), q.reshape(-1, 2))
        return self._strokes(ends, bows, cost.ravel(), half * k, seal * k)

    def _into(self, middles: Points, alongs: Points, b: int, toward: Points) -> Points:
        """The normals that lead into b, told by the cells on both sides of the border."""
        normals = _unit(np.stack([-alongs[:, 1], alongs[:, 0]], 1))
        steps = np.array([10.0, 18.0, -10.0, -18.0])
        sides = (
            owner_cells(self.land)[cells_at(middles[:, None] + normals[:, None] * steps[:, None])]
            == b
        ) @ np.sign(steps)
        ways = np.where(sides == 0, normals @ toward, sides)
        into: Points = normals * np.where(ways < 0, -1.0, 1.0)[:, None]
        return into

    def sailing(self, a: int, b: int, k: float, *, half: float, seal: float) -> Choice:
        """Long bows from a to b over the Sea, round what lies in its middle."""
        middle = np.array(self.land.middle, float)
        ends = Ends(a, b, self._harbours(a, b, middle), self._harbours(b, a, middle))
        return self._bows(ends, SAILING, k, half, seal)

    def reaching(self, a: int, b: int, k: float, *, half: float, seal: float) -> Choice:
        """Lines from a to b over the land between them, for an extended support."""
        la, lb = (
            np.array([label.x, label.y], float)
            for label in (self.land.label(a), self.land.label(b))
        )
        ends = Ends(a, b, self._harbours(a, b, lb), self._harbours(b, a, la))
        return self._bows(ends, REACHING, k, half, seal)

    def _bows(self, ends: Ends, bends: Weights, k: float, half: float, seal: float) -> Choice:
        p, q = ends.p, ends.q
        i, j, bow = (
            axis.ravel()
            for axis in np.meshgrid(range(len(p)), range(len(q)), range(len(bends)), indexing="ij")
        )
        bows = bends[bow]
        span = np.hypot(*(q[j] - p[i]).T)
        chosen = replace(ends, p=p[i], q=q[j])
        return self._strokes(chosen, bows, np.abs(bows) * 2.5 + span / 70, half * k, seal * k)

    def _harbours(self, a: int, b: int, toward: Points) -> Points:
        """Places in a where a way to b may begin or end: free, well inside, on the side of `toward`
        first.
        """
        if a == 0:
            middle = np.array(self.land.middle, float)
            goal = np.array([self.land.label(b).x, self.land.label(b).y]) - middle
            quay: Points = (middle + goal / max(hypot(*goal), 1) * self.land.reach * 0.36)[None]
            return quay
        outline = self.land.outline(a)
        (x0, y0), (x1, y1) = outline.min(0), outline.max(0)
        step = max(11.0, max(x1 - x0, y1 - y0) / 20)
        xs, ys = np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step))
        spots = np.stack([xs.ravel(), ys.ravel()], 1)
        disc = cells_at(spots[:, None] + DISC * 18)
        inside = (owner_cells(self.land)[disc] == a).mean(1)
        worth = (
            (1 - inside) * 40 + self.fixed[disc].mean(1) * 2 + np.hypot(*(spots - toward).T) / 60
        )
        best: Points = spots[np.argsort(worth, kind="stable")[:8]]
        return best

    def _strokes(
        self, ends: Ends, bows: Weights, cost: Weights, half: float, seal: float
    ) -> Choice:
        a, b, p, q = ends.a, ends.b, ends.p, ends.q
        x, y = bowed_axes(p, q, bows, ALONG)
        ahead_x, ahead_y = np.gradient(x, axis=1), np.gradient(y, axis=1)
        lengths = np.maximum(np.hypot(ahead_x, ahead_y), 1e-9)
        way_x, way_y = ahead_x / lengths, ahead_y / lengths
        neck, end = slice(-4, -3), slice(-1, None)
        # Each part of a mark as columns: what it is put off from the line, along and aside.
        cells = np.concatenate(
            [
                *(cells_of(x - way_y * aside, y + way_x * aside) for aside in (-half, 0.0, half)),
                cells_of(x[:, :1] + STAMP[:, 0] * seal, y[:, :1] + STAMP[:, 1] * seal),
                *(
                    cells_of(
                        x[:, at] + way_x[:, at] * along - way_y[:, at] * aside,
                        y[:, at] + way_y[:, at] * along + way_x[:, at] * aside,
                    )
                    for at, along, aside in (
                        (neck, 0.0, half * 2),
                        (neck, 0.0, -half * 2),
                        (end, 5.0, 0.0),
                        (end, 10.0, half * 2),
                        (end, 0.0, half * 3.5),
                    )
                ),
            ],
            1,
        )
        owners = owner_cells(self.land)
        under = owners[cells]
        cost = cost + (self.fixed[cells] @ STROKE_WEIGHTS)
        cost = cost + OTHER_LAND * (((under != a) & (under != b) & (under != 0)) @ STROKE_WEIGHTS)
        rim = cells_of(x[:, :1] + DISC[:, 0] * (seal + 4), y[:, :1] + DISC[:, 1] * (seal + 4))
        tips = owners[cells_of(x[:, -1], y[:, -1])]
        cost = cost + TAIL_ASTRAY * ((owners[rim] != a).mean(1) * (a > 0) + (tips != b) * (b > 0))
        outside = ((np.minimum(x, y) < 30) | (np.maximum(x, y) > SIDE - 30)).any(1)
        return Choice(
            cells,
            STROKE_WEIGHTS,
            cost + outside * 30.0,
            lambda i: brush.bows(p[i : i + 1], q[i : i + 1], bows[i : i + 1], 41)[0],
            (cells_of(x[:, 0], y[:, 0]), cells_of(x[:, -1], y[:, -1])),
        )

    def battle(
        self, province: int, k: float, fights: int, half: float, half_named: float
    ) -> Choice:
        """Places for a battle mark `half` its width, or `half_named` where less than half of it
        lies in its province: there, or over the water next to it; smaller where it is crowded.
        """
        owners = owner_cells(self.land)
        outline = self.land.outline(province) if province else unpack_line(self.land.island)
        low, high = outline.min(0) - 30 * k, outline.max(0) + 30 * k
        step = max(7.0, float((high - low).max()) / 26)
        xs, ys = np.meshgrid(np.arange(low[0], high[0], step), np.arange(low[1], high[1], step))
        spots = np.stack([xs.ravel(), ys.ravel()], 1)
        near = (owners[cells_at(spots[:, None] + DISC * 26 * k)] == province).mean(1)
        spots = spots[near >= min(0.2, near.max())]
        sizes = np.array([k, k * 0.84])
        at = np.repeat(spots, 2, axis=0)
        size = np.tile(sizes, len(spots))
        top, bottom = mark_span(fights)
        swords = _cells_of_box(at, SWORDS * size, size, np.linspace(top, top + 54, 6), 5)
        here = (owners[swords[:, ::2]] == province).mean(1)
        wide = np.where(here < NAMED_BELOW, half_named, half) * size
        rows = np.linspace(top + 58, bottom, 4 + 3 * (fights - 1))
        cells = np.concatenate([swords, _cells_of_box(at, wide, size, rows, 8)], 1)
        weights = np.full(cells.shape[1], 5.0 / cells.shape[1])
        under = owners[cells]
        inside, water = (under == province).mean(1), (under == 0).mean(1)
        cost = (
            (1 - inside - water) * 16
            + water * 2.5
            + (1 - size / k) * 10
            + (here < NAMED_BELOW) * 1.5
            + self.fixed[cells] @ weights
        )
        return Choice(
            cells, weights, cost, lambda i: np.array([at[i, 0], at[i, 1], size[i], here[i]])
        )


def _cells_of_box(at: Points, half: Weights, size: Weights, rows: Weights, columns: int) -> Cells:
    """The cells of boxes (n x m): each `half` its width, in rows of its size."""
    xs, ys = np.meshgrid(np.linspace(-1, 1, columns), rows)
    return cells_of(at[:, :1] + np.outer(half, xs.ravel()), at[:, 1:] + np.outer(size, ys.ravel()))


def _unit(ways: Points) -> Points:
    units: Points = ways / np.maximum(np.hypot(ways[..., 0], ways[..., 1]), 1e-9)[..., None]
    return units


def mark_span(fights: int) -> tuple[float, float]:
    """Top and bottom of a battle mark of this many ribbons, at scale 1, from its middle."""
    return -46.0 - 17 * (fights - 1), 46.0 + 17 * (fights - 1)
