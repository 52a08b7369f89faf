"""The ground of the map, which never changes: zones as areas, the lines between them, and the path
data all pictures share. Read and cut to size once.

Coordinates are px on a map of 1080 x 1150; in the file they are tenths of a px.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
import numpy as np
import shapely
from shapely.geometry import Polygon

from pbem.board.paths import Points, format_path, pack_line, scatter
from pbem.board.relief import LandShape, Shallow, area_path, land_shape, shallow_of

WIDE, HIGH = 1080, 1150
FRAME = (20.0, 20.0, WIDE - 20.0, HIGH - 20.0)
LEAST_LINE = 9.0
"""What is shorter is no border but a point where two zones meet, px."""
WILD_SCENERY: Mapping[str, tuple[str, float, int]] = {
    "Alps": ("peak", 27.0, 9),
    "Carpathians": ("peak", 25.0, 9),
    "Dinaric Alps": ("peak", 25.0, 9),
    "Wales": ("peak", 25.0, 9),
    "Sahara": ("dune", 62.0, 12),
    "Arabia": ("dune", 44.0, 5),
    "East": ("fir", 46.0, 14),
}
"""What grows there, how far apart, and how often at most."""
Flat = tuple[int, ...]


class _Edge(msgspec.Struct, frozen=True):
    of: tuple[str, ...]
    line: Flat
    kind: Literal["coast", "border", "edge", "sea", "bridge", "ford"] = "sea"


class Outlines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The drawing as it is stored: rings `x,y,x,y,...`, the outer one first, and lines with the
    zones they lie between.
    """

    size: tuple[int, int]
    lands: dict[str, tuple[Flat, ...]]
    seas: dict[str, tuple[Flat, ...]]
    wilds: dict[str, tuple[Flat, ...]]
    islets: dict[str, tuple[Flat, ...]]
    arcs: tuple[_Edge, ...]
    sea_borders: tuple[_Edge, ...]
    bridges: tuple[_Edge, ...]
    fords: tuple[_Edge, ...]


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a zone's name and pieces stand, by their middles, and their size `k`; the name is
    turned by `turn` degrees. `apart`: structure and city stand there.
    """

    name: tuple[float, float]
    turn: float
    pieces: tuple[float, float]
    k: float
    apart: tuple[float, float] | None = None
    scenery: str = ""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A Bridge or a ford: where it begins, its direction in degrees and its length."""

    x: float
    y: float
    turn: float
    length: float


@dataclass(frozen=True, slots=True)
class Sprig:
    """A bit of scenery, and the Land it belongs to (empty: the wilds or the water)."""

    kind: str
    x: float
    y: float
    k: float
    land: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """All that never changes. `seas` are for clicks alone, and not painted."""

    zones: Mapping[str, Polygon]
    crossings: Mapping[frozenset[str], Points]
    shallow: Shallow
    solid: str
    wild: str
    lands: Mapping[str, LandShape]
    seas: Mapping[str, str]
    borders: str
    coasts: str
    sea_borders: str
    bridges: tuple[Crossing, ...]
    fords: tuple[Crossing, ...]
    scenery: tuple[Sprig, ...]


def _data(name: str) -> bytes:
    return files("pbem.games.fortresses.board").joinpath("data", name).read_bytes()


@lru_cache(maxsize=1)
def outlines() -> Outlines:
    return msgspec.json.decode(_data("outlines.json"), type=Outlines)


@lru_cache(maxsize=1)
def places() -> Mapping[str, Place]:
    return msgspec.json.decode(_data("places.json"), type=dict[str, Place])


@lru_cache(maxsize=1)
def ground() -> Ground:
    drawn = outlines()
    lands = {name: _area(rings) for name, rings in drawn.lands.items()}
    seas = {name: _area(rings) for name, rings in drawn.seas.items()}
    wilds = {name: _area(rings) for name, rings in drawn.wilds.items()}
    islets = [_area(rings) for rings in drawn.islets.values()]
    zones = lands | seas
    shapely.prepare(list(zones.values()))
    dry = shapely.union_all([*lands.values(), *wilds.values(), *islets])
    return Ground(
        zones=zones,
        crossings={
            frozenset(edge.of): _points(edge.line) for edge in (*drawn.bridges, *drawn.fords)
        },
        shallow=shallow_of(dry),
        solid=area_path(dry),
        wild="".join(map(area_path, (*wilds.values(), *islets))),
        lands={name: land_shape(area) for name, area in lands.items()},
        seas={name: area_path(area.simplify(2)) for name, area in seas.items()},
        borders=_lines(edge for edge in drawn.arcs if edge.kind == "border"),
        coasts=_lines(edge for edge in drawn.arcs if edge.kind == "coast"),
        sea_borders=_lines(drawn.sea_borders),
        bridges=tuple(map(_crossing, drawn.bridges)),
        fords=tuple(map(_crossing, drawn.fords)),
        scenery=tuple(_scenery(lands, seas, wilds)),
    )


@lru_cache(maxsize=256)
def lines_between(one: str, other: str) -> tuple[Points, ...]:
    """The lines which two zones share, in px; none for those that are not neighbours."""
    zones = ground().zones
    shared = shapely.line_merge(zones[one].boundary.intersection(zones[other].boundary))
    parts = shapely.get_parts(shared)
    return tuple(np.asarray(part.coords) for part in parts if part.length > LEAST_LINE)


def _points(flat: Flat) -> Points:
    return np.array(flat, float).reshape(-1, 2) / 10


def _area(rings: Sequence[Flat]) -> Polygon:
    first, *holes = map(_points, rings)
    return Polygon(first, holes)


def _lines(edges: Iterable[_Edge]) -> str:
    return format_path((pack_line(_points(edge.line)) for edge in edges), close=False)


def _crossing(edge: _Edge) -> Crossing:
    (x, y), (u, v) = _points(edge.line)
    return Crossing(
        x, y, float(np.degrees(np.arctan2(v - y, u - x))), float(np.hypot(u - x, v - y))
    )


def _scenery(
    lands: Mapping[str, Polygon], seas: Mapping[str, Polygon], wilds: Mapping[str, Polygon]
) -> Iterable[Sprig]:
    """Everything that could be seen somewhere; a picture shows what is free of pieces and marks."""
    chance = np.random.default_rng(7)
    frame = shapely.box(*FRAME)
    for name, (kind, gap, most) in WILD_SCENERY.items():
        k = {"peak": 0.82 if name == "Alps" else 0.6, "dune": 0.9}.get(kind, 0.95)
        for x, y in scatter(
            wilds[name].intersection(frame).buffer(-9 if kind == "peak" else -15),
            chance,
            900,
            gap,
            most,
        ):
            yield Sprig(kind, x, y, k)
    for area in seas.values():
        for x, y in scatter(area.intersection(frame).buffer(-30), chance, 500, 74, 12):
            yield Sprig("wave", x, y, 1.0)
    for name, area in lands.items():
        kind = places()[name].scenery
        for x, y in scatter(area.buffer(-30), chance, 600, 36, 7):
            yield Sprig(kind, x, y, 0.62 if kind == "peak" else 0.7, name)
