"""Which points lie in a zone: by a lattice of cells, and by the outline itself only where it
passes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from pbem.board.paths import Points
from pbem.games.fortresses.board.ground import ground

CELL = 4.0
"""px."""
OUT, IN, UNSURE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Area:
    """A shape, and for every cell of a lattice from `left`, `top` whether it lies in it; the
    outermost cells lie out of it, and stand for all beyond.
    """

    shape: Polygon
    left: float
    top: float
    cells: NDArray[np.int8]

    def has(self, points: Points) -> NDArray[np.bool_]:
        """Which of these points (n x 2)."""
        high, wide = self.cells.shape
        x = ((points[:, 0] - self.left) / CELL).clip(0, wide - 1).astype(np.intp)
        y = ((points[:, 1] - self.top) / CELL).clip(0, high - 1).astype(np.intp)
        told = self.cells[y, x]
        inside = told == IN
        unsure = np.flatnonzero(told == UNSURE)
        inside[unsure] = shapely.contains_xy(self.shape, points[unsure, 0], points[unsure, 1])
        return np.asarray(inside)


@lru_cache(maxsize=128)
def _area(zone: str, beach: float) -> Area:
    shape = ground().zones[zone]
    shape = shape.buffer(beach) if beach else shape
    shapely.prepare(shape)
    left, top, right, bottom = shape.bounds
    left, top = left - 2 * CELL, top - 2 * CELL
    xs, ys = np.meshgrid(
        np.arange(left, right + 2 * CELL, CELL), np.arange(top, bottom + 2 * CELL, CELL)
    )
    boxes = shapely.box(xs, ys, xs + CELL, ys + CELL)
    cells = np.where(shapely.intersects(shape, boxes), UNSURE, OUT)
    cells[shapely.contains_properly(shape, boxes)] = IN
    return Area(shape, left, top, cells.astype(np.int8))


def within(zone: str, points: Points, beach: float = 0.0) -> NDArray[np.bool_]:
    """Which points lie in a zone, or no farther from it than `beach`."""
    return _area(zone, beach).has(points.reshape(-1, 2)).reshape(points.shape[:-1])


def within_any(zones: Iterable[str], points: Points) -> NDArray[np.bool_]:
    """Which points lie in one of these zones."""
    flat = points.reshape(-1, 2)
    inside = np.zeros(len(flat), bool)
    for zone in zones:
        rest = np.flatnonzero(~inside)
        inside[rest] = within(zone, flat[rest])
    return inside.reshape(points.shape[:-1])
