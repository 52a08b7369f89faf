"""What kingdoms did to one another: ribbons across the table, each with a token; and tokens on the
charters of those who did something alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pbem.board.palette import CREAM, GILT, arms_of
from pbem.games.sovereigns.board.parts import TOKEN, Layer, Rect, meet, token
from pbem.games.sovereigns.board.scene import Roll, Scene
from pbem.games.sovereigns.board.seats import PEG, Hall

Points = NDArray[np.float64]

BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32)
"""How far a ribbon leaves the straight line at its middle, as shares of its length."""
OPPOSITE = (0.13, 0.2, 0.32)
"""Of two that do something to each other: to its own left, so they lie apart."""
SHARES = np.arange(0.2, 0.81, 0.05)
"""Places for a token along its ribbon."""
SWEEPS = 4
HALF, HEAD = 8.0, (32.0, 20.0)
"""Half the width of a ribbon; how long and half how wide its head is, px."""
TORN = {"failure": 0.8, "disaster": 0.68}
"""Where a ribbon that failed ends, as a share of its way."""
SPACE = 6.0
"""Between tokens and other things, px."""
GONE = 1e6


@dataclass(frozen=True, slots=True)
class Ribbon:
    """`path` is its outline; `cross` where a disaster is marked."""

    where: str
    path: str
    full: str
    edge: str
    rim: float
    cross: tuple[float, float] | None
    token: Layer
    ends: tuple[int, int]
    """Whose pegs it goes from and to."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way a ribbon could take: points along it, and the cost of each place for its token."""

    points: Points
    spots: Points
    costs: NDArray[np.float64]


def acts(scene: Scene) -> tuple[Roll, ...]:
    """The rolls that are actions."""
    return tuple(roll for roll in scene.rolls if roll.sort == "action")


def token_of(scene: Scene, roll: Roll, where: str, x: float, y: float) -> Layer:
    arms = arms_of(scene.kingdoms[roll.kingdom].colour)
    return token(where, x, y, roll.n, roll.action, arms.full, arms.on)


def lay_alone(scene: Scene, hall: Hall) -> tuple[Layer, ...]:
    """Tokens on the edges of charters, at their right ends: there no crown is in the way."""
    laid: list[Layer] = []
    for roll in acts(scene):
        if roll.target is None:
            seat = hall.seats[roll.kingdom]
            y = seat.y - 1 if seat.side == "bottom" else seat.y + seat.height + 8
            before = sum(layer.where == f"token {roll.kingdom}" for layer in laid)
            x = seat.x + seat.width - TOKEN[0] / 2 - 8 - before * (TOKEN[0] + 4)
            laid.append(token_of(scene, roll, f"token {roll.kingdom}", x, y))
    return tuple(laid)


def lay_ribbons(scene: Scene, hall: Hall, taken: Sequence[Rect]) -> tuple[Ribbon, ...]:
    """All contested actions. `taken` are rectangles that no token may lie on, besides pegs."""
    rolls = [roll for roll in acts(scene) if roll.target is not None]
    pairs = {(roll.kingdom, roll.target) for roll in rolls}
    pegs = [
        (peg[0] - PEG, peg[1] - PEG, peg[0] + PEG, peg[1] + PEG)
        for peg in (seat.peg for seat in hall.seats)
    ]
    ways = [
        _ways(hall, roll, [*taken, *pegs], opposite=(roll.target, roll.kingdom) in pairs)
        for roll in rolls
    ]
    chosen = _choose(ways)
    return tuple(
        _ribbon(scene, roll, ways[i][way], way_spot)
        for i, (roll, (way, way_spot)) in enumerate(zip(rolls, chosen, strict=True))
    )


def _ways(hall: Hall, roll: Roll, taken: Sequence[Rect], *, opposite: bool) -> list[_Way]:
    start = np.array(hall.seats[roll.kingdom].peg)
    goal = np.array(hall.seats[roll.target or 0].peg)
    others = [
        np.array(seat.peg)
        for i, seat in enumerate(hall.seats)
        if i not in (roll.kingdom, roll.target)
    ]
    centre = np.array(hall.middle)
    found = []
    for bend in OPPOSITE if opposite else BENDS:
        points = _curve(start, goal, bend)
        end = TORN.get(roll.result or "", 1.0)
        cut = points[: max(8, int(len(points) * end))]
        spots = cut[(SHARES * (len(cut) - 1)).astype(int)]
        near = sum(max(0.0, 44 - float(np.hypot(*(points - peg).T).min())) for peg in others)
        inwards = float(np.hypot(*(points[len(points) // 2] - centre)))
        cost = 40 * abs(bend) + 12 * near + 0.02 * inwards
        costs = np.full(len(spots), cost) + 20 * abs(SHARES - 0.45)
        costs += [GONE * _lies_on(spot, taken, hall.table) for spot in spots]
        found.append(_Way(cut, spots, costs))
    return found


def _curve(start: Points, goal: Points, bend: float) -> Points:
    """From the edge of one peg to that of the other, bent to its left (seen from above, y down)."""
    step = goal - start
    normal = np.array([step[1], -step[0]])
    control = (start + goal) / 2 + normal * 2 * bend
    begin = start + _unit(control - start) * (PEG + 1)
    end = goal + _unit(control - goal) * (PEG + 3)
    t = np.linspace(0, 1, 61)[:, None]
    return np.asarray(begin * (1 - t) ** 2 + control * 2 * t * (1 - t) + end * t**2)


def _unit(vector: Points) -> Points:
    return vector / max(1e-9, math.hypot(*vector))


def _token_rect(spot: Points) -> Rect:
    x, y = map(float, spot)
    return x - TOKEN[0] / 2, y - TOKEN[1] / 2, x + TOKEN[0] / 2, y + TOKEN[1] / 2


def _lies_on(spot: Points, taken: Sequence[Rect], table: Rect) -> bool:
    rect = _token_rect(spot)
    inside = rect[0] > table[0] and rect[1] > table[1] and rect[2] < table[2] and rect[3] < table[3]
    return not inside or any(meet(rect, other, SPACE) for other in taken)


def _choose(ways: Sequence[Sequence[_Way]]) -> list[tuple[int, int]]:
    """A way and a place for every ribbon: the cheapest beside the others, gone over some times."""
    chosen: list[tuple[int, int]] = [(0, 0)] * len(ways)
    for sweep in range(SWEEPS):
        for i, own in enumerate(ways):
            others = [
                ways[j][chosen[j][0]] for j in range(len(ways)) if j != i and (sweep or j < i)
            ]
            marks = [
                ways[j][chosen[j][0]].spots[chosen[j][1]]
                for j in range(len(ways))
                if j != i and (sweep or j < i)
            ]
            best = math.inf
            for a, way in enumerate(own):
                costs = way.costs.copy()
                for mark in marks:
                    dx, dy = np.abs(way.spots - mark).T
                    costs += 10_000 * ((dx < TOKEN[0] + SPACE) & (dy < TOKEN[1] + SPACE))
                    # one's own ribbon under another's token, the token over its beginning
                    away = np.hypot(*(way.points - mark).T).min()
                    costs += 25 * max(0.0, 1 - float(away) / 30)
                for other in others:
                    gaps = np.hypot(
                        *(way.spots[:, None] - other.points[None, ::6]).transpose(2, 0, 1)
                    ).min(axis=1)
                    costs += 40 * np.maximum(0.0, 1 - gaps / 34)
                    ends = np.hypot(*(way.spots - other.points[-1]).T)
                    costs += 80 * np.maximum(0.0, 1 - ends / 52)
                at = int(costs.argmin())
                if costs[at] < best:
                    best, chosen[i] = float(costs[at]), (a, at)
    return chosen


def _ribbon(scene: Scene, roll: Roll, way: _Way, spot: int) -> Ribbon:
    arms = arms_of(scene.kingdoms[roll.kingdom].colour)
    is_great = roll.result == "great"
    cross = None
    if roll.result == "disaster":
        ahead = way.points[-1] + _unit(way.points[-1] - way.points[-4]) * 24
        cross = (round(float(ahead[0]), 1), round(float(ahead[1]), 1))
    x, y = map(float, way.spots[spot])
    return Ribbon(
        f"ribbon {roll.n}",
        _outline(way.points, is_torn=roll.result in TORN),
        arms.full,
        GILT if is_great else CREAM,
        12.0 if is_great else 7.0,
        cross,
        token_of(scene, roll, f"token of ribbon {roll.n}", x, y),
        (roll.kingdom, roll.target or 0),
    )


def _outline(points: Points, *, is_torn: bool) -> str:
    """A ribbon with a head, or with an end torn to points."""
    steps = np.gradient(points, axis=0)
    normals = np.stack([steps[:, 1], -steps[:, 0]], 1) / np.hypot(*steps.T)[:, None]
    if is_torn:
        body = points
        tip = points[-1]
        ahead, aside = _unit(steps[-1]), normals[-1]
        end = [
            tip + aside * HALF + ahead * 9,
            tip + aside * HALF * 0.35 - ahead * 5,
            tip - aside * HALF * 0.2 + ahead * 7,
            tip - aside * HALF * 0.6 - ahead * 4,
            tip - aside * HALF + ahead * 5,
        ]
    else:
        away = np.hypot(*(points - points[-1]).T)
        last = max(1, int((away > HEAD[0]).sum()) - 1)
        body = points[: last + 1]
        base, aside = points[last], normals[last]
        end = [base + aside * HEAD[1], points[-1], base - aside * HEAD[1]]
    side = normals[: len(body)] * HALF
    ring = [*(body + side)[::3], (body + side)[-1], *end, (body - side)[-1], *(body - side)[::-3]]
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in ring) + "Z"
