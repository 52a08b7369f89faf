"""Names, structures and units of the zones: always in the same place, and in more and smaller rows
where a Land is crowded.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.fortresses.atlas import Kingdom
from pbem.board.faces import Words, width
from pbem.board.palette import INK, OCEAN, WATER, mix
from pbem.games.fortresses.board.banners import BANNERS
from pbem.games.fortresses.board.ground import Place, ground, places
from pbem.games.fortresses.board.room import Box, Boxes, Room
from pbem.games.fortresses.board.scene import Zone

WIDTHS = {
    "fortress": 54.0,
    "castle": 40.0,
    "shield": 28.0,
    "city": 30.0,
    "tile": 33.0,
    "wide-tile": 43.0,
}
"""How much of a row a piece takes at size 1, px."""
EXTENTS = {
    "fortress": (-22.5, 23.0),
    "castle": (-19.5, 24.0),
    "shield": (-15.0, 16.5),
    "city": (-8.0, 19.0),
    "tile": (-26.0, 26.0),
    "wide-tile": (-26.0, 26.0),
}
"""How far a piece reaches above and below the middle of its row at size 1, px."""
FIGURE, SIGN = 0.73, 26.0
"""How high a figure is, of its size, and a unit's sign at size 1, px."""
HALF, GAP = 25.0, 3.0
"""Half the height of a row at size 1, and what lies between rows, px."""
MOST_IN_ROW = 3
"""The most types in one row, whatever the shape of the Land."""
LETTERS = 27.0
"""Of names and counts, px: 9 on a phone 360 wide."""
MANY = 10
"""From this number of units on a tile is wider, for two figures."""
SHRINK = (1.0, 0.88, 0.78, 0.7)
REACH, STEP = 72, 6
"""How far a crowded zone's pieces may be moved, and in what steps, px."""
_STEPS = np.arange(-REACH, REACH + 1, STEP, dtype=float)
_GRID = np.stack(np.meshgrid(_STEPS, _STEPS, indexing="ij"), -1).reshape(-1, 2)
_SPOTS = _GRID[np.argsort(np.hypot(*_GRID.T), kind="stable")]
"""All of these moves, the shortest first."""
_RING = 80
"""The most places that are tried at once."""


@dataclass(frozen=True, slots=True)
class Name:
    """A zone's name, turned by `turn` degrees around x, y."""

    zone: str
    x: float
    y: float
    turn: float
    words: tuple[Words, ...]

    @property
    def box(self) -> Box:
        """Around its ink on the map."""
        boxes = np.array([words.box for words in self.words])
        left, top = boxes[:, :2].min(0)
        right, bottom = boxes[:, 2:].max(0)
        if not self.turn:
            return float(left), float(top), float(right), float(bottom)
        angle = math.radians(self.turn)
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        dx, dy = (corners - (self.x, self.y)).T
        xs = self.x + dx * math.cos(angle) - dy * math.sin(angle)
        ys = self.y + dx * math.sin(angle) + dy * math.cos(angle)
        return float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in a zone, around its middle: `kind` as in `WIDTHS`; a tile shows `count` units
    of a type. `code` is the zone's.
    """

    code: str
    kind: str
    x: float
    y: float
    k: float
    kingdom: Kingdom
    unit: str = ""
    count: Words | None = None
    sign: tuple[float, float] = (0.0, 0.0)
    """Of a tile: how high its unit's sign stands, and how large."""


@dataclass(frozen=True, slots=True)
class LoosePiece:
    """A piece that has no place yet."""

    kind: str
    kingdom: Kingdom
    unit: str = ""
    count: int = 0


def name_of(zone: Zone) -> Name:
    """`ENGland`: the code is the beginning of the name, or stands above it. Where the rest of the
    name has no room in the zone, at a size that can be read on a phone, the code stands alone.
    """
    fill, halo = mix(WATER, INK, 0.45), OCEAN
    if zone.owner is not None:
        fill, halo = INK, BANNERS[zone.owner].tint
    placed = _name(zone.name, zone.code, is_sea=zone.owner is None)
    words = tuple(replace(one, fill=fill, halo=halo) for one in placed.words)
    return replace(placed, words=words)


@lru_cache(maxsize=64)
def _name(zone: str, code: str, *, is_sea: bool) -> Name:
    """The same without its colours."""
    place = places()[zone]
    large = LETTERS if is_sea else max(LETTERS, 29 * place.k)
    whole = [(code, zone[len(code) :])]
    if not zone.upper().startswith(code):
        whole = [(code, ""), ("", zone)]
    for lines in (whole, [(code, "")]):
        name = Name(zone, *place.name, place.turn, tuple(_written(lines, place, large)))
        left, top, right, bottom = name.box
        if ground().zones[zone].contains(shapely.box(left, top, right, bottom)):
            break
    return name


def _written(lines: Sequence[tuple[str, str]], place: Place, large: float) -> Iterable[Words]:
    x, y = place.name
    for code, more in lines:
        wide = width(code, "serif", large) + width(more, "serif", LETTERS)
        at = x - wide / 2
        for text, size in ((code, large), (more, LETTERS)):
            if text:
                yield Words(text, at, y, size, INK, "serif", halo=OCEAN)
            at += width(text, "serif", size)
        y += LETTERS


def lay_pieces(zones: Sequence[Zone], room: Room) -> tuple[Piece, ...]:
    """All pieces, where their boxes are free; those of crowded zones last."""
    found: list[Piece] = []
    crowded: list[tuple[Zone, list[LoosePiece]]] = []
    for zone in zones:
        place = places()[zone.name]
        head, tiles = list(_head(zone)), list(_tiles(zone))
        if place.apart is not None:
            found += _stand(zone, [head], *place.apart, place.k, room)
            head = []
        row = [*head, *tiles]
        if row and not _fits(zone, row, place, room):
            crowded.append((zone, row))
        elif row:
            found += _stand(zone, [row], *place.pieces, place.k, room)
    for zone, row in crowded:
        rows, x, y, k = _squeeze(zone, row, room)
        found += _stand(zone, rows, x, y, k, room)
    return tuple(found)


def _head(zone: Zone) -> Iterable[LoosePiece]:
    if zone.owner is not None:
        yield LoosePiece("shield" if zone.structure == "none" else zone.structure, zone.owner)
        if zone.city:
            yield LoosePiece("city", zone.owner)


def _tiles(zone: Zone) -> Iterable[LoosePiece]:
    for force in zone.forces:
        for code, count in force.counts:
            kind = "tile" if count < MANY else "wide-tile"
            yield LoosePiece(kind, force.kingdom, code, count)


def _wide(row: Iterable[LoosePiece]) -> float:
    return sum(WIDTHS[item.kind] for item in row)


def _boxes(rows: Sequence[Sequence[LoosePiece]], x: float, y: float, k: float) -> list[Box]:
    """The boxes of rows whose middle is x, y."""
    step = (2 * HALF + GAP) * k
    top = y - step * (len(rows) - 1) / 2
    return [
        (
            x - _wide(row) * k / 2,
            top + step * i - HALF * k,
            x + _wide(row) * k / 2,
            top + step * i + HALF * k,
        )
        for i, row in enumerate(rows)
    ]


def _fits(zone: Zone, row: Sequence[LoosePiece], place: Place, room: Room) -> bool:
    """Whether a zone's pieces can stand as they always do."""
    (box,) = _boxes([row], *place.pieces, place.k)
    if not room.free(np.array([[box]]), gap=0.0)[0]:
        return False
    tiles = sum(bool(item.count) for item in row)
    return tiles <= MOST_IN_ROW or _inside(zone.name, np.array([[box]]))[0] > 0.9


def _inside(zone: str, candidates: Boxes) -> NDArray[np.float64]:
    """The share of these boxes (n x m x 4) that lies in the zone, by nine points of each."""
    shares = np.linspace(0.05, 0.95, 5)
    xs = candidates[..., 0, None] + (candidates[..., 2] - candidates[..., 0])[..., None] * shares
    ys = candidates[..., 1, None] + (candidates[..., 3] - candidates[..., 1])[..., None] * shares
    within = shapely.contains_xy(
        ground().zones[zone],
        np.broadcast_to(xs[..., None, :], (*xs.shape, 5)).ravel(),
        np.broadcast_to(ys[..., None], (*ys.shape, 5)).ravel(),
    )
    return np.asarray(within.reshape(len(candidates), -1).mean(1))


def _squeeze(
    zone: Zone, row: Sequence[LoosePiece], room: Room
) -> tuple[list[list[LoosePiece]], float, float, float]:
    """Rows, their middle and their size: as near to the usual place as there is room."""
    place = places()[zone.name]
    best, found = math.inf, ([list(row)], *place.pieces, place.k * SHRINK[-1])
    for shrink in SHRINK:
        k = place.k * shrink
        for count in range(1, min(4, len(row)) + 1):
            least = 6 * (1 - shrink) + 0.12 * count
            rows = _broken(row, count)
            boxes = np.array(_boxes(rows, *place.pieces, k))
            for spots in np.split(_SPOTS, range(_RING, len(_SPOTS), _RING)):
                away = np.hypot(*spots.T) / 60
                if away[0] + least >= best:
                    break  # what lies farther is no better
                candidates = boxes[None] + np.tile(spots, 2)[:, None]
                free = room.free(candidates, gap=1.0)
                if not free.any():
                    continue
                costs = away[free] + 2 * (1 - _inside(zone.name, candidates[free])) + least
                i = int(costs.argmin())
                if costs[i] < best:
                    dx, dy = spots[free][i]
                    best = float(costs[i])
                    found = (rows, place.pieces[0] + dx, place.pieces[1] + dy, k)
    return found


def _broken(row: Sequence[LoosePiece], count: int) -> list[list[LoosePiece]]:
    """The pieces in this many rows, in their order, as even as it goes."""
    rows: list[list[LoosePiece]] = [[]]
    most = _wide(row) / count
    for item in row:
        if len(rows) < count and rows[-1] and _wide(rows[-1]) + WIDTHS[item.kind] / 2 > most:
            rows.append([])
        rows[-1].append(item)
    return rows


def _stand(
    zone: Zone, rows: Sequence[Sequence[LoosePiece]], x: float, y: float, k: float, room: Room
) -> Iterable[Piece]:
    boxes = _boxes(rows, x, y, k)
    for row, (left, top, _, bottom) in zip(rows, boxes, strict=True):
        at, middle = left, (top + bottom) / 2
        for item in row:
            half, (above, below) = WIDTHS[item.kind] * k / 2, EXTENTS[item.kind]
            room.take(zone.name, [(at, middle + above * k, at + 2 * half, middle + below * k)])
            yield _piece(zone.code, item, at + half, middle, k)
            at += 2 * half


def _piece(code: str, item: LoosePiece, x: float, y: float, k: float) -> Piece:
    if not item.count:
        return Piece(code, item.kind, x, y, k, item.kingdom)
    size = 25 * k
    room = (WIDTHS[item.kind] - 3) * k / width(str(item.count))
    size = max(size, min(LETTERS, room))
    foot, top = y + 22.5 * k, y - 26 * k
    count = Words(str(item.count), x, foot, size, BANNERS[item.kingdom].on, anchor="middle")
    above = foot - size * FIGURE - top
    sign = (top + above / 2 + 1, min(k, above / SIGN))
    return Piece(code, item.kind, x, y, k, item.kingdom, item.unit, count, sign)
