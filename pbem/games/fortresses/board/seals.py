"""A seal on every battle: crossed swords over the winner's ribbon, with the units lost by attacker
and defender. It stands in its zone, or near it with a pin.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.fortresses.atlas import Kingdom, zones
from pbem.board.faces import Words, fit
from pbem.board.palette import INK
from pbem.board.paths import Points
from pbem.games.fortresses.board.banners import BANNERS
from pbem.games.fortresses.board.ground import FRAME, ground, places
from pbem.games.fortresses.board.room import Room, as_box
from pbem.games.fortresses.board.scene import Battle, Scene
from pbem.games.fortresses.board.words import say

SHAPES = (
    ("tall", 1.0),
    ("tall", 0.86),
    ("wide", 0.9),
    ("tall", 0.76),
    ("wide", 0.76),
    ("wide", 0.64),
)
"""Swords over the ribbon, or next to it; the first is the best."""
TRIED = 40
"""The best places that are tried for a pin."""
STEP, AWAY = 8.0, 80.0
"""Places are tried so far apart, and so far from the zone, px."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Around x, y. `half` is half the ribbon, 0 for none; `pin` the point in the zone that a line
    leads to.
    """

    zone: str
    code: str
    shape: str
    x: float
    y: float
    k: float
    winner: Kingdom | None
    words: Words | None
    retreated: bool
    pin: tuple[float, float] | None


def lay_seals(scene: Scene, room: Room) -> tuple[tuple[Seal, ...], int]:
    """The seals, and how many there was no room for; those of small zones choose first. Where
    nobody fought there is none: the ground tells.
    """
    area = ground().zones
    fights = [battle for battle in scene.battles if battle.rounds or battle.state == "waiting"]
    fights.sort(key=lambda battle: area[battle.zone].area)
    laid = [_lay(battle, room) for battle in fights]
    seals = tuple(seal for seal in laid if seal is not None)
    return seals, len(fights) - len(seals)


@dataclass(frozen=True, slots=True)
class _Spots:
    """Places for the seal of a zone, with the nearest point in it and how far away it is, and how
    much of the seal would lie inside.
    """

    middles: Points
    pins: Points
    away: NDArray[np.float64]
    inside: NDArray[np.float64]


@lru_cache(maxsize=64)
def _spots(zone: str) -> _Spots:
    area = ground().zones[zone]
    left, top, right, bottom = area.bounds
    xs, ys = np.meshgrid(
        np.arange(max(left - AWAY, FRAME[0]), min(right + AWAY, FRAME[2]), STEP),
        np.arange(max(top - AWAY, FRAME[1]), min(bottom + AWAY, FRAME[3]), STEP),
    )
    points = np.stack([xs.ravel(), ys.ravel()], 1)
    inner = area.buffer(-4)
    lines = shapely.shortest_line(shapely.points(points), inner)
    pins = shapely.get_coordinates(lines).reshape(-1, 2, 2)[:, 1]
    away = np.hypot(*(points - pins).T)
    near = away < AWAY
    points = points[near]
    corners = points[:, None] + np.array([(0, 0), (-24, -24), (24, -24), (-24, 24), (24, 24)])
    inside = shapely.contains_xy(area, corners[..., 0], corners[..., 1]).mean(1)
    return _Spots(points, pins[near], away[near], inside)


def _parts(battle: Battle, shape: str, k: float) -> NDArray[np.float64]:
    """The boxes of a seal around its own middle (m x 4)."""
    if battle.state == "waiting":
        boxes = [(-28.0, -28.0, 28.0, 28.0)]
    elif shape == "tall":
        boxes = [(-28.0, -40.0, 28.0, 11.0), (-38.0, 9.0, 38.0, 39.0)]
    else:
        boxes = [(-56.0, -18.0, 56.0, 18.0)]
    if battle.retreated:
        boxes.append((14.0, -42.0, 40.0, -16.0) if shape == "tall" else (40.0, -30.0, 62.0, -8.0))
    return np.array(boxes) * k


def _lay(battle: Battle, room: Room) -> Seal | None:
    spots = _spots(battle.zone)
    best = np.inf
    found: tuple[int, str, float] | None = None
    name = np.array(places()[battle.zone].name)
    pinned = spots.away > 1
    base = np.hypot(*(spots.middles - name).T) / 150 + spots.away / 26 + pinned * 0.4
    base += 1.4 * (1 - spots.inside)
    for rank, (shape, k) in enumerate(SHAPES):
        boxes = spots.middles[:, None, [0, 1, 0, 1]] + _parts(battle, shape, k)
        costs = np.where(room.free(boxes), base + rank * 0.4, np.inf)
        for i in map(int, costs.argsort(kind="stable")[:TRIED]):
            if costs[i] >= best:
                break
            if not pinned[i] or room.free(_leg(spots, i)[None], gap=0.0)[0]:
                best, found = float(costs[i]), (i, shape, k)
                break
    if found is None:
        return None
    i, shape, k = found
    (x, y), (u, v) = spots.middles[i], spots.pins[i]
    pin = (float(u), float(v)) if spots.away[i] > 1 else None
    seal = Seal(
        battle.zone,
        zones()[battle.zone].code,
        shape,
        float(x),
        float(y),
        k,
        battle.winner,
        _result(battle, shape),
        battle.retreated > 0,
        pin,
    )
    boxes = spots.middles[i][[0, 1, 0, 1]] + _parts(battle, shape, k)
    room.take(f"seal {battle.zone}", map(as_box, boxes))
    if pin is not None:
        room.take(f"seal {battle.zone}", map(as_box, _leg(spots, i)))
    return seal


def _leg(spots: _Spots, i: int) -> NDArray[np.float64]:
    """The boxes of a pin, except for its point, which may touch a piece (m x 4)."""
    shares = np.linspace(0.3, 0.94, 7)[:, None]
    points = spots.middles[i] * (1 - shares) + spots.pins[i] * shares
    return np.concatenate([points - 4, points + 4], 1)


def _result(battle: Battle, shape: str) -> Words | None:
    if battle.state == "waiting":
        return None
    text = say("result", battle.lost, battle.felled, battle.state)
    fill = INK if battle.winner is None else BANNERS[battle.winner].on
    text, size = fit(text, 26.0, 43.0 if battle.winner else 58.0, 14.0)
    x, y = (12.0, 24.0) if shape == "tall" else (27.0, 0.0)
    if battle.winner is None:
        x -= 12
    return Words(text, x, y + size * 0.36, size, fill, anchor="middle")
