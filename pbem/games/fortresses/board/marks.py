"""What happened last, laid where there is room: strokes with those who went, ships with
passengers, and a seal on every battle. Nothing is laid on anything; what finds no room is counted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray

from engine.fortresses.atlas import Kingdom, zones
from pbem.board.brush import bows, boxes_of, brush, through
from pbem.board.paths import Points
from pbem.games.fortresses.board.areas import within, within_any
from pbem.games.fortresses.board.capsules import Capsule, capsules
from pbem.games.fortresses.board.ground import ground, lines_between
from pbem.games.fortresses.board.room import Box, Boxes, Room, as_box
from pbem.games.fortresses.board.scene import Landing, March, Scene

MOST_STROKES = 8
LENGTHS = (
    (62, 46, 1.0),
    (46, 40, 1.0),
    (80, 52, 1.0),
    (36, 34, 1.0),
    (100, 60, 1.0),
    (46, 24, 1.0),
    (34, 26, 1.0),
    (60, 24, 1.0),
    (24, 36, 1.0),
    (34, 28, 0.72),
    (24, 22, 0.72),
    (50, 18, 0.72),
    (34, 16, 0.72),
    (16, 26, 0.72),
    (18, 14, 0.65),
    (14, 10, 0.6),
)
"""From the tail to the border and from there to the head, px, and the thickness; the first is the
best.
"""
TURNS = (0.0, 0.4, -0.4, 0.8, -0.8, 1.15, -1.15)
"""Out of the right angle to the border, in radians."""
BENDS = (0.12, -0.12)
_KINDS = np.array(
    [(*length, bend, rank * 0.08) for rank, length in enumerate(LENGTHS) for bend in BENDS]
)
"""Back, forth, thickness, bend, and what that costs."""
WEIGHED = 600
"""For this many strokes that have room a capsule is tried."""
HUNG = 60
"""... for this many at once."""
DEPTHS = ((20.0, 22.0), (4.0, 10.0), (20.0, -4.0), (-12.0, -4.0))
"""How far behind the coast a landing begins and ends, px."""
CLEAR = 1.0
"""So far a stroke and its capsule stay from everything, px."""
BRIDGE = "bridge"
"""What strokes may lie on."""
BEACH = 9.0
"""So far off the coast a stroke may begin or end between Land and Sea, px."""
LONGEST = 360.0
SHIP = 23.0
"""Half the room of a ship in its ring, px."""


@dataclass(frozen=True, slots=True)
class Ship:
    x: float
    y: float
    drowned: bool


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stroke from `origin` to `target` in its colour, with its capsule, and the ship it goes
    by.
    """

    kingdom: Kingdom
    origin: str
    target: str
    path: str
    line: tuple[tuple[float, float], ...]
    capsule: Capsule | None
    ship: Ship | None = None


def lay_strokes(scene: Scene, room: Room) -> tuple[tuple[Stroke, ...], Room, int]:
    """The strokes, the room with them, and for how many there was none. Landings come first, for
    they have least choice; then the marches that led to a battle. What finds no room is given the
    first choice once.
    """
    fought = {battle.zone for battle in scene.battles if battle.rounds}
    marches = sorted(scene.marches, key=lambda march: march.target not in fought)
    orders: list[March | Landing] = [*scene.landings, *marches]
    shown = orders[:MOST_STROKES]
    laid, tried = _lay(shown, room)
    missing = [order for order, stroke in zip(shown, laid, strict=True) if stroke is None]
    if missing:
        again, retried = _lay(sorted(shown, key=lambda order: order not in missing), room)
        if again.count(None) < len(missing):
            laid, tried = again, retried
    strokes = tuple(stroke for stroke in laid if stroke is not None)
    return strokes, tried, len(orders) - len(strokes)


def _lay(orders: Sequence[March | Landing], room: Room) -> tuple[list[Stroke | None], Room]:
    room = room.copy()
    return [_stroke(order, room) for order in orders], room


def _stroke(order: March | Landing, room: Room) -> Stroke | None:
    """A landing that finds no way from coast to coast begins on the open Sea, or is drawn without
    its ship.
    """
    if isinstance(order, March):
        return _march(order, room)
    laid = _landing(order, room)
    if laid is None and order.shore:
        laid = _landing(msgspec.structs.replace(order, shore=""), room)
    if laid is None:
        laid = _march(
            March(order.kingdom, order.origin, order.sea, order.target, order.counts), room
        )
    return laid


# ---------------------------------------------------------------------------------------- by land
def _gates(origin: str, target: str) -> tuple[Points, Points]:
    """Points where one may pass between two neighbours (n x 2), and the directions in which one
    does.
    """
    pair = frozenset((origin, target))
    crossing = ground().crossings.get(pair)
    if crossing is not None:
        way = (crossing[1] - crossing[0]) / np.hypot(*(crossing[1] - crossing[0]))
        aside = np.array([-way[1], way[0]])
        lanes = [crossing.mean(0) + aside * shift for shift in (0.0, 10.0, -10.0, 18.0, -18.0)]
        return np.array(lanes), np.repeat(way[None], len(lanes), 0)
    points, normals = [], []
    for line in lines_between(origin, target):
        steps = np.hypot(*np.diff(line, axis=0).T)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        count = max(1, min(14, int(along[-1] / 6)))
        for share in (np.arange(count) + 0.5) / count * along[-1]:
            near = np.clip([share - 14, share + 14], 0, along[-1])
            (x, y), (a, b) = (
                _at(line, along, np.array([share]))[0],
                np.diff(_at(line, along, near), axis=0)[0],
            )
            long = max(float(np.hypot(a, b)), 1e-6)
            points.append((x, y))
            normals.append((-b / long, a / long))
    return np.array(points).reshape(-1, 2), np.array(normals).reshape(-1, 2)


def _at(line: Points, along: NDArray[np.float64], shares: NDArray[np.float64]) -> Points:
    return np.stack([np.interp(shares, along, axis) for axis in line.T], 1)


def _turned(turn: float) -> NDArray[np.float64]:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.array([[cos, sin], [-sin, cos]])


@lru_cache(maxsize=24)
def _ways(gate: str, target: str) -> tuple[Points, NDArray[np.float64], NDArray[np.float64]]:
    """Every line that a march over this border might be drawn along, what it costs, and its
    thickness: about 1 MB; the same for all tables.
    """
    points, normals = _gates(gate, target)
    count, kinds = len(points), len(_KINDS)
    ahead = np.concatenate([side * normals @ _turned(turn) for side in (1, -1) for turn in TURNS])
    ahead = np.repeat(ahead.reshape(-1, 1, count, 2), kinds, 1)
    back, forth, thick, bend, cost = _KINDS.T[..., None, None]
    tail, head = ((points + ahead * reach).reshape(-1, 2) for reach in (-back[None], forth[None]))
    turned = np.tile(np.abs(TURNS) * 0.7, 2)[:, None, None]
    bent, size, cost = (
        np.broadcast_to(axis, ahead.shape[:3]).ravel()
        for axis in (bend[..., 0], thick[..., 0], turned + cost[..., 0])
    )
    by_coast = zones()[gate].is_land != zones()[target].is_land
    crosses = frozenset((gate, target)) in ground().crossings
    beach = BEACH if by_coast or crosses else 0.0
    good = within(gate, tail, beach) & within(target, head, beach)
    tail, head, bent, cost, size = tail[good], head[good], bent[good], cost[good], size[good]
    lines = bows(tail, head, bent)
    cost += 2.5 * (1 - within_any((gate, target), lines).mean(1))
    return lines, cost, size


def _march(march: March, room: Room) -> Stroke | None:
    """A march is a short stroke over the border before its target."""
    lines, cost, size = _ways(march.gate, march.target)
    if not len(lines):
        return None
    code = "" if march.origin == march.gate else zones()[march.origin].code
    broken = all(unit == "D" for unit, _ in march.counts)
    found = _with_capsule(
        lines,
        cost,
        lambda chosen: boxes_of(lines[chosen], size[chosen]),
        capsules(march.kingdom, march.counts, code),
        march.gate,
        room,
    )
    if found is None:
        return None
    i, capsule, boxes = found
    room.take(f"stroke {march.origin} {march.target}", boxes)
    return Stroke(
        march.kingdom,
        march.origin,
        march.target,
        brush(lines[i], float(size[i]), broken=broken),
        _told(lines[i]),
        capsule,
    )


def _with_capsule(
    lines: Points,
    costs: NDArray[np.float64],
    bodies: Callable[[NDArray[np.intp]], Boxes],
    choice: Iterator[Capsule],
    home: str,
    room: Room,
    ships: Points | None = None,
) -> tuple[int, Capsule | None, list[Box]] | None:
    """The cheapest stroke with the best capsule for which there is room: its place among the lines,
    the capsule where it lies (None: the text must do), and the boxes of both. `bodies` makes the
    boxes of these lines.
    """
    best = _roomy(np.argsort(costs, kind="stable"), bodies, room)
    if not len(best):
        return None
    line = int(best[0])
    for capsule in choice:
        found = _hung(capsule, lines, costs, best, home, room, ships)
        if found is not None:
            line, x, y = found
            laid = replace(capsule, x=x, y=y)
            return line, laid, [*map(as_box, bodies(np.array([line]))[0]), laid.box]
    return line, None, [*map(as_box, bodies(np.array([line]))[0])]


def _roomy(
    ordered: NDArray[np.intp], bodies: Callable[[NDArray[np.intp]], Boxes], room: Room
) -> NDArray[np.intp]:
    """The first of these lines that have room, as many as are weighed."""
    found = ordered[:0]
    for start in range(0, len(ordered), WEIGHED):
        some = ordered[start : start + WEIGHED]
        found = np.concatenate([found, some[room.free(bodies(some), gap=CLEAR, over=BRIDGE)]])
        if len(found) >= WEIGHED:
            break
    return found[:WEIGHED]


def _hung(
    capsule: Capsule,
    lines: Points,
    costs: NDArray[np.float64],
    best: NDArray[np.intp],
    home: str,
    room: Room,
    ships: Points | None,
) -> tuple[int, float, float] | None:
    """The line, of these from the cheapest on, at whose tail this capsule hangs best, and where its
    middle is; None where there is no room for it.
    """
    half, tall = capsule.half, capsule.tall
    wide, high = half - 6, tall - 1
    shifts = [(x, y) for x in (0, wide, -wide) for y in (0, high, -high)]
    reach = np.array([half + 3, tall + 3])
    least, found = np.inf, None
    for some in np.split(best, range(HUNG, len(best), HUNG)):
        if costs[some[0]] >= least:
            break  # none of the others is as cheap, wherever the capsule hangs
        tails = lines[some, 0]
        back = tails - lines[some, 1]
        back /= np.maximum(np.hypot(*back.T), 1e-6)[:, None]
        aside = np.minimum(
            half / np.maximum(abs(back[:, 0]), 0.01), tall / np.maximum(abs(back[:, 1]), 0.01)
        )
        middles = np.concatenate(
            [tails + back * aside[:, None] * 0.85, *(tails + shift for shift in shifts)]
        )
        boxes = np.concatenate([middles - reach, middles + reach], 1)[:, None]
        corners = np.stack([middles - reach, middles + reach, middles + reach * (1, -1)], 1)
        weighed = np.tile(costs[some], len(shifts) + 1) + 1.2 * (1 - within(home, corners).mean(1))
        weighed = np.where(room.free(boxes, gap=CLEAR, over=BRIDGE), weighed, np.inf)
        # a capsule may hide its own tail, not its head or its ship
        for ends, clear in ((lines[:, -1], 14.0), (ships, SHIP)):
            if ends is not None:
                off = abs(np.tile(ends[some], (len(shifts) + 1, 1)) - middles)
                weighed[(off < reach + clear).all(1)] = np.inf
        i = int(weighed.argmin())
        if weighed[i] < least:
            least = float(weighed[i])
            found = int(some[i % len(some)]), float(middles[i, 0]), float(middles[i, 1])
    return found


def _told(line: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in line)


# ----------------------------------------------------------------------------------------- by ship
def _landing(landing: Landing, room: Room) -> Stroke | None:
    """From coast to coast through a ship; from the open Sea where the passenger came from
    another.
    """
    spots, target = _spots(landing.sea), landing.target
    seas = spots[room.free(_rings(spots), over=BRIDGE)]
    landings, _ = _gates(landing.sea, target)
    if landing.shore:
        starts, _ = _gates(landing.shore, landing.sea)
    else:
        starts = spots
    landings, starts = _thin(landings, 8), _thin(starts, 8)
    a, m, b, d = (
        index.ravel() for index in np.indices((len(starts), len(seas), len(landings), len(DEPTHS)))
    )
    start, ship, coast, deep = starts[a], seas[m], landings[b], np.array(DEPTHS)[d]
    first, second = np.hypot(*(ship - start).T), np.hypot(*(ship - coast).T)
    good = (first > 36) & (second > 42) & (first + second < LONGEST)
    start, ship, coast, deep = start[good], ship[good], coast[good], deep[good]
    first, second = first[good, None], second[good, None]
    tail = start + (start - ship) / first * (deep[:, :1] if landing.shore else 0)
    head = coast + (coast - ship) / second * deep[:, 1:]
    ends = within(target, head, BEACH)
    tail, ship, head, deep = tail[ends], ship[ends], head[ends], deep[ends]
    if not len(tail):
        return None
    lines = through(tail, ship, head)
    wet = within_any(filter(None, (landing.sea, target, landing.shore)), lines)
    long = np.hypot(*np.diff(lines, axis=1).transpose(2, 0, 1)).sum(1)
    costs = 12 * (1 - wet.mean(1)) + long / 240 + (22 - deep[:, 1]) / 20
    code = "" if landing.shore == landing.origin else zones()[landing.origin].code
    found = _with_capsule(
        lines,
        costs,
        lambda chosen: np.concatenate(
            [boxes_of(lines[chosen], np.full(len(chosen), 0.92)), _rings(ship[chosen])], 1
        ),
        capsules(landing.kingdom, landing.counts, code),
        landing.shore or landing.sea,
        room,
        ships=ship,
    )
    if found is None:
        return None
    i, capsule, boxes = found
    room.take(f"landing {landing.origin} {target}", boxes)
    x, y = ship[i]
    return Stroke(
        landing.kingdom,
        landing.origin,
        target,
        brush(lines[i], 0.92),
        _told(lines[i]),
        capsule,
        Ship(float(x), float(y), landing.drowned),
    )


def _rings(ships: Points) -> Boxes:
    return np.concatenate([ships - SHIP, ships + SHIP], 1)[:, None]


def _thin(points: Points, most: int) -> Points:
    return points[:: max(1, -(-len(points) // most))]


@lru_cache(maxsize=16)
def _spots(sea: str) -> Points:
    """Where a ship could be drawn: a lattice over the Sea."""
    area = ground().zones[sea].buffer(-SHIP / 2)
    left, top, right, bottom = area.bounds
    xs, ys = np.meshgrid(np.arange(left + 4, right, 20), np.arange(top + 4, bottom, 20))
    inside = shapely.contains_xy(area, xs.ravel(), ys.ravel())
    return np.stack([xs.ravel()[inside], ys.ravel()[inside]], 1)
