"""What kingdoms did to one another: ribbons across the table, each with a token; and tokens on the
charters of those who did something alone.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pbem.board.palette import CREAM, GILT, arms_of, mix
from pbem.games.sovereigns.board.parts import TOKEN, Layer, Rect, token
from pbem.games.sovereigns.board.scene import Roll, Scene
from pbem.games.sovereigns.board.seats import PEG, Hall
from pbem.games.sovereigns.board.ways import Points, Way, choose, unit, ways_of

HALF, HEAD = 8.0, (32.0, 20.0)
"""Half the width of a ribbon; how long and half how wide its head is, px."""
OAK, FAINT = "#b58a55", 0.42
TORN = {"failure": 0.8, "disaster": 0.68}
"""Where a ribbon that failed ends, as a share of its way."""


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
class Thread:
    """A line in the colour of a kingdom."""

    path: str
    stroke: str
    of: int


def acts(scene: Scene) -> tuple[Roll, ...]:
    """The rolls that are actions."""
    return tuple(roll for roll in scene.rolls if roll.sort == "action")


def token_of(scene: Scene, roll: Roll, where: str, x: float, y: float) -> Layer:
    arms = arms_of(scene.kingdoms[roll.kingdom].colour)
    return token(where, roll.kingdom, x, y, roll.n, roll.action, arms)


def lay_alone(scene: Scene, hall: Hall) -> tuple[Layer, ...]:
    """Tokens on the edges of charters, at their right ends: there no crown is in the way."""
    laid: list[Layer] = []
    for roll in acts(scene):
        if roll.target is None:
            seat = hall.seats[roll.kingdom]
            y = seat.y - 15 if seat.side == "bottom" else seat.y + seat.height + 8
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
        ways_of(
            hall,
            roll.kingdom,
            roll.target or 0,
            TORN.get(roll.result or "", 1.0),
            [*taken, *pegs],
            is_met=(roll.target, roll.kingdom) in pairs,
        )
        for roll in rolls
    ]
    chosen = choose(ways)
    return tuple(
        _ribbon(scene, roll, ways[i][way], spot)
        for i, (roll, (way, spot)) in enumerate(zip(rolls, chosen, strict=True))
    )


def lay_traces(scene: Scene, hall: Hall) -> tuple[Thread, ...]:
    """What was done earlier in the year: threads on the wood, each on a way of its own."""
    laid: list[Thread] = []
    seen = Counter(frozenset((roll.kingdom, roll.target)) for roll in acts(scene))
    for trace in scene.traces:
        pair = frozenset((trace.kingdom, trace.target))
        end = TORN.get(trace.result or "", 1.0)
        ways = ways_of(hall, trace.kingdom, trace.target, end, [], is_met=True)
        ways.sort(key=lambda way: float(way.costs.min()))
        points = ways[seen[pair] % len(ways)].points
        seen[pair] += 1
        path = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points[::4])
        full = arms_of(scene.kingdoms[trace.kingdom].colour).full
        laid.append(Thread(path, mix(full, OAK, FAINT), trace.kingdom))
    return tuple(laid)


def _ribbon(scene: Scene, roll: Roll, way: Way, spot: int) -> Ribbon:
    arms = arms_of(scene.kingdoms[roll.kingdom].colour)
    is_great = roll.result == "great"
    cross = None
    if roll.result == "disaster":
        ahead = way.points[-1] + unit(way.points[-1] - way.points[-4]) * 24
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
        ahead, aside = unit(steps[-1]), normals[-1]
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
