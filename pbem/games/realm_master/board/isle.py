"""The Realm as it is drawn: one island of four lands in two rows, and the shore where those stay
who are outside.

It is the same in every game, made once in a process from noise with a fixed seed; four places,
filled in row order.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from pbem.board.palette import OCEAN, WATER, mix
from pbem.board.paths import Points, displaced, format_path, length_of, pack_line, scatter, thinned
from pbem.board.relief import LandShape, area_path

WIDE, HIGH = 1080, 964
"""The chart, px."""
MIDDLE = (540.0, 452.0)
REACH = (490.0, 272.0)
"""From the middle to the coast, px."""
SQUARENESS = 5.5
SHORE = 764.0
"""Where the shore of those outside begins, px from the top."""
RIM, WASH = 7, 20
SHALLOWS = (34, 24, 15, 7)
SEED = 31
HEADER = 168.0
"""What is written above the island."""


@dataclass(frozen=True, slots=True)
class Shallow:
    path: str
    fill: str
    stroke: str
    width: int


@dataclass(frozen=True, slots=True)
class Isle:
    """Path data in tenths of a px; `waves` in px."""

    grounds: tuple[LandShape, ...]
    borders: str
    coast: str
    solid: str
    shadow: str
    shore: str
    shallows: tuple[Shallow, ...]
    waves: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1)
def isle() -> Isle:
    """The island and the shore."""
    chance = np.random.default_rng([SEED, 1])
    x, y = MIDDLE
    nodes = {
        "n": (x + 12, y - REACH[1]),
        "e": (x + REACH[0], y - 6),
        "s": (x - 14, y + REACH[1]),
        "w": (x - REACH[0], y + 8),
    }
    quarters = {
        way: thinned(_coast(nodes[way[0]], nodes[way[1]], way, chance))
        for way in ("wn", "ne", "es", "sw")
    }
    spokes = {
        way: thinned(displaced(_straight(nodes[way], MIDDLE), 0.05, 0.58, chance)) for way in "nesw"
    }
    outlines = (
        _joined(quarters["wn"], spokes["n"], spokes["w"][::-1]),
        _joined(quarters["ne"], spokes["e"], spokes["n"][::-1]),
        _joined(quarters["sw"], spokes["w"], spokes["s"][::-1]),
        _joined(quarters["es"], spokes["s"], spokes["e"][::-1]),
    )
    shapes = [Polygon(line) for line in outlines]
    island = shapely.union_all([shape.buffer(0.3, quad_segs=1) for shape in shapes])
    shore = _shore(chance)
    solid = shapely.union_all([island, shore])
    return Isle(
        grounds=tuple(
            LandShape(
                area_path(shape),
                area_path(shape.buffer(-RIM)),
                area_path(shape.buffer(-WASH).simplify(0.9)),
            )
            for shape in shapes
        ),
        borders=format_path(map(pack_line, spokes.values()), close=False),
        coast=format_path(map(pack_line, quarters.values()), close=False),
        solid=area_path(island),
        shadow=mix("#16303a", OCEAN, 0.42),
        shore=area_path(shore),
        shallows=tuple(_shallows(solid)),
        waves=_waves(solid.buffer(40), np.random.default_rng([SEED, 2])),
    )


def _straight(a: tuple[float, float], b: tuple[float, float]) -> Points:
    t = np.linspace(0, 1, 65)[:, None]
    line: Points = np.array(a) * (1 - t) + np.array(b) * t
    return line


def _coast(
    a: tuple[float, float], b: tuple[float, float], way: str, chance: np.random.Generator
) -> Points:
    """A quarter of the coast, from node to node round a full corner; its ends stay put."""
    start = {"wn": 180.0, "ne": 270.0, "es": 0.0, "sw": 90.0}[way]
    turn = np.radians(np.linspace(start, start + 90, 400))
    cos, sin = np.cos(turn), np.sin(turn)
    power = 2 / SQUARENESS
    line = (
        np.stack(
            [
                np.sign(cos) * np.abs(cos) ** power * REACH[0],
                np.sign(sin) * np.abs(sin) ** power * REACH[1],
            ],
            1,
        )
        + MIDDLE
    )
    t = np.linspace(0, 1, len(line))[:, None]
    line = line + (np.array(a) - line[0]) * (1 - t) ** 4 + (np.array(b) - line[-1]) * t**4
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, length_of(line), 129)
    even = np.stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])], 1)
    return displaced(even, 0.042, 0.66, chance)


def _joined(*lines: Points) -> Points:
    return np.vstack([line[:-1] for line in lines])


def _shore(chance: np.random.Generator) -> Polygon:
    """The land at the lower edge of the chart."""
    line = displaced(_straight((-40.0, SHORE + 8), (WIDE + 40.0, SHORE - 6)), 0.055, 0.62, chance)
    return Polygon(np.vstack([thinned(line), [(WIDE + 40.0, HIGH + 60.0), (-40.0, HIGH + 60.0)]]))


def _shallows(solid: BaseGeometry) -> Iterable[Shallow]:
    fill = OCEAN
    for depth, strength, wide in zip(
        SHALLOWS, (0.2, 0.3, 0.45, 0.75), (17, 19, 21, 25), strict=True
    ):
        fill = mix(WATER, fill, 0.05)
        yield Shallow(
            area_path(solid.buffer(depth, quad_segs=4).simplify(0.9)),
            fill,
            mix(WATER, fill, strength),
            wide,
        )


def _waves(shallow: BaseGeometry, chance: np.random.Generator) -> tuple[tuple[int, int], ...]:
    """Waves on open water, where nothing is written."""
    water = box(40, HEADER, WIDE - 40, HIGH - 40).difference(shallow)
    return tuple((round(x), round(y)) for x, y in scatter(water, chance, 200, 74, 14))
