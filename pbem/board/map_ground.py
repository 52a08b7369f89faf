"""The ground of a map, which never changes: its places as areas, the lines between them, and where
names and pieces stand. Made once for each map.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import shapely
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from engine.maps import Map, Place
from pbem.board.faces import Words, broken, width
from pbem.board.map_shapes import outlines_of
from pbem.board.palette import INK, LAND, OCEAN, WATER, mix
from pbem.board.paths import SIDE, Points, format_path, pack_line
from pbem.board.relief import LandShape, Shallow, area_path, land_shape, shallow_of
from pbem.board.shared_edges import Rough, Tracing, chains, roughened, trace

BEYOND = 40.0
"""The ground reaches so far beyond the picture's edge, px: no rough edge shows there."""
SIZES = (32.0, 27.0)
"""Of the letters of a name: the usual size, and the least one."""
PIECE = 62.0
"""The room of a piece, px."""
DISC = 26.0
"""The room before a name for what marks a place, px."""
INSIDE = 26.0
"""Names and pieces stay so far from the picture's edge, px."""
GRID = 9.0
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Site:
    """Where things of a place stand: the lines of its name, the middle of its pieces, and the sign
    that marks it.
    """

    words: tuple[Words, ...]
    pieces: Spot
    mark: Spot


@dataclass(frozen=True, slots=True)
class Ground:
    """All that never changes of a map whose picture is as wide as all boards, and `high` px.
    `pieces` has where they stand, by the names of places and coasts.
    """

    high: int
    shapes: Mapping[str, Polygon]
    lands: Mapping[str, LandShape]
    waters: Mapping[str, str]
    shallow: Shallow
    solid: str
    borders: str
    coasts: str
    water_borders: str
    sites: Mapping[str, Site]
    pieces: Mapping[str, Spot]


@lru_cache(maxsize=8)
def ground_of(told: Map[Any], water: frozenset[str], seed: int = 0) -> Ground:
    """The ground of a map, of which places of these kinds are water. MapError: it has places
    without outline and point.
    """
    tracing = trace(outlines_of(told))
    low, high = tracing.corners.min(0), tracing.corners.max(0)
    scale = (SIDE + 2 * BEYOND) / (high[0] - low[0])
    tall = round((high[1] - low[1]) * scale - 2 * BEYOND)
    rough = roughened(tracing, (tracing.corners - low) * scale - BEYOND, seed)
    shapes = {name: Polygon(line) for name, line in rough.outlines.items()}
    wet = frozenset(name for name, place in told.places.items() if place.kind in water)
    dry = shapely.union_all(
        [shape.buffer(0.3, quad_segs=1) for name, shape in shapes.items() if name not in wet]
    )
    frame = box(INSIDE, INSIDE, SIDE - INSIDE, tall - INSIDE)
    sites = {}
    for name, place in told.places.items():
        at = place.label or (None if place.outline else place.at)
        spot = None if at is None else (np.array(at) - low) * scale - BEYOND
        sites[name] = _site(place, shapes[name].intersection(frame), spot, frame, name in wet)
    lines = _lines(tracing, rough)
    return Ground(
        high=tall,
        shapes=shapes,
        lands={name: land_shape(shape) for name, shape in shapes.items() if name not in wet},
        waters={name: area_path(shapes[name].simplify(2)) for name in wet},
        shallow=shallow_of(dry),
        solid=area_path(dry),
        borders=_path(line for pair, line in lines if len(pair - wet) == 2),
        coasts=_path(line for pair, line in lines if len(pair - wet) == 1),
        water_borders=_path(line for pair, line in lines if len(pair & wet) == 2),
        sites=sites,
        pieces={name: site.pieces for name, site in sites.items()}
        | dict(_shores(told, lines, shapes)),
    )


def _lines(tracing: Tracing[str], rough: Rough[str]) -> list[tuple[frozenset[str], Points]]:
    """The lines of all edges, put end to end, with the places on both sides."""
    sides: dict[frozenset[str], list[tuple[int, int]]] = {}
    for edge, owners in tracing.owners().items():
        sides.setdefault(frozenset(owners), []).append(edge)
    return [(pair, rough.joined(run)) for pair, edges in sides.items() for run in chains(edges)]


def _path(lines: Iterable[Points]) -> str:
    return format_path(map(pack_line, lines), close=False)


def _site(
    place: Place[Any], shape: BaseGeometry, spot: Points | None, frame: Polygon, is_wet: bool
) -> Site:
    """Name and pieces where they fit, as near to `spot` as they do: the name in a line, in
    several, smaller, or the code instead. What fits nowhere lies in the frame at least.
    """
    if spot is None:
        spot = np.array(shape.representative_point().coords[0])
    fill, halo = (mix(WATER, INK, 0.7), OCEAN) if is_wet else (INK, LAND)
    block: list[tuple[str, float]] = []
    for text, size in _ways_to_write(place):
        block = [(line, size) for line in text]
        wide = max(PIECE, *(width(line, "serif", size) + (not is_wet) * DISC for line, _ in block))
        high = len(block) * size + PIECE
        middle = _middle_for(wide + 4, high + 4, shape, spot)
        if middle is not None:
            spot = middle
            break
    else:
        edges = np.array(frame.bounds).reshape(2, 2)
        half = np.array([wide, high]) / 2
        spot = np.clip(spot, edges[0] + half, edges[1] - half)
    x, y = map(float, spot)
    top = y - (len(block) * block[0][1] + PIECE) / 2
    ink = partial(Words, fill=fill, face="serif", anchor="middle", halo=halo)
    words = tuple(
        ink(line, x + (0 if is_wet else DISC / 2), top + size * (i + 0.8), size)
        for i, (line, size) in enumerate(block)
    )
    mark = words[0].box[0] - DISC / 2, words[0].y - block[0][1] * 0.32
    return Site(words, (x, top + len(block) * block[0][1] + PIECE / 2), mark)


def _ways_to_write(place: Place[Any]) -> Iterator[tuple[list[str], float]]:
    for size in SIZES:
        yield [place.name], size
        yield broken(place.name, size, 1.0, "serif"), size
    yield [place.code or place.name], SIZES[-1]


def _middle_for(wide: float, high: float, shape: BaseGeometry, spot: Points) -> Points | None:
    """The middle, nearest to a spot, of a box that lies within a shape."""
    left, top, right, bottom = shape.bounds
    xs, ys = np.meshgrid(
        np.arange(left + wide / 2, right - wide / 2 + 0.1, GRID),
        np.arange(top + high / 2, bottom - high / 2 + 0.1, GRID),
    )
    spots = np.stack([xs.ravel(), ys.ravel()], 1)
    half = np.array([wide, high]) / 2
    shapely.prepare(shape)
    inside = shapely.contains_properly(shape, shapely.box(*(spots - half).T, *(spots + half).T))
    good = spots[inside]
    return good[np.argmin(np.hypot(*(good - spot).T))] if len(good) else None


def _shores(
    told: Map[Any],
    lines: Sequence[tuple[frozenset[str], Points]],
    shapes: Mapping[str, Polygon],
) -> Iterator[tuple[str, Spot]]:
    """Where the pieces of coasts stand: just inside the middle of the shore that is theirs."""
    coasts = told.keys[len(told.places) :]
    near = {
        key: {told.place(to).name for names in told.borders(key).values() for to in names}
        for key in coasts
    }
    for key in coasts:
        name = told.place(key).name
        others = (
            near[other] for other in coasts if other != key and told.place(other).name == name
        )
        alone = near[key].difference(*others) or near[key]
        own = [line for pair, line in lines if name in pair and pair - {name} <= alone]
        shore = max(own, key=len) if own else np.array(shapes[name].exterior.coords)
        inland = shapes[name].buffer(-PIECE * 0.42)
        spot = shapely.Point(shore[len(shore) // 2])
        nearest = shapely.shortest_line(inland, spot) if not inland.is_empty else None
        x, y = nearest.coords[0] if nearest is not None else spot.coords[0]
        yield key, (x, y)
