"""Lines and areas as every board draws them: roughened and rounded as if by hand, packed small, and
written as SVG path data.

Coordinates are px on a map square of 1080 x 1080; packed they are tenths of a px as 16-bit pairs,
so that neighbours that share a border share these very numbers.
"""

import math
from collections.abc import Iterable

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

Points = NDArray[np.float64]
SIDE = 1080
"""Side of the map square, px."""
MIDDLE = SIDE / 2

Line = bytes
"""Points in tenths of a px, little-endian 16-bit pairs; an outline is closed by itself."""


def displaced(line: Points, swing: float, rough: float, chance: np.random.Generator) -> Points:
    """A line of 2^n + 1 points roughened by midpoint displacement, `swing` being a share of its
    length.
    """
    steps = len(line) - 1
    off, step, size = np.zeros(steps + 1), steps, 1.0
    while step > 1:
        half = step // 2
        off[half::step] = (off[0:-1:step] + off[step::step]) / 2 + chance.normal(
            0, size, steps // step
        ).clip(-1.6 * size, 1.6 * size)
        step, size = half, size * rough
    ahead = np.gradient(line, axis=0)
    normal = (
        np.stack([-ahead[:, 1], ahead[:, 0]], 1)
        / np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-9)[:, None]
    )
    return line + normal * (off * swing * min(length_of(line), 340.0))[:, None]


def length_of(line: Points) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def thinned(line: Points) -> Points:
    """Round off the corners (Chaikin), then drop the points nobody would miss."""
    cut = np.empty((2 * len(line) - 2, 2))
    cut[0::2], cut[1::2] = line[:-1] * 0.75 + line[1:] * 0.25, line[:-1] * 0.25 + line[1:] * 0.75
    return np.asarray(LineString(np.vstack([line[:1], cut, line[-1:]])).simplify(0.45).coords)


def pack_line(points: Points) -> Line:
    return np.rint(points * 10).astype("<i2").tobytes()


def unpack_line(line: Line) -> Points:
    return tenths(line) / 10.0


def tenths(line: Line) -> NDArray[np.int64]:
    return np.frombuffer(line, "<i2").reshape(-1, 2).astype(np.int64)


def format_path(lines: Iterable[Line], *, close: bool) -> str:
    """SVG path data in tenths of a px, in relative steps: short to write and quick to read."""
    parts = []
    for line in lines:
        points = tenths(line)
        if len(points) > 1:
            steps = str(np.diff(points, axis=0).ravel().tolist())[1:-1]
            steps = steps.replace(", -", "-").replace(", ", " ")
            parts.append(f"M{points[0, 0]} {points[0, 1]}l{steps}{'z' if close else ''}")
    return "".join(parts)


def scatter(
    region: BaseGeometry, chance: np.random.Generator, tries: int, gap: float, most: int
) -> list[tuple[float, float]]:
    """Random places in a region, no two nearer than `gap` px, from top to bottom."""
    if region.is_empty:
        return []
    shapely.prepare(region)
    x0, y0, x1, y1 = region.bounds
    xs, ys = chance.uniform(x0, x1, tries), chance.uniform(y0, y1, tries)
    put: list[tuple[float, float]] = []
    for x, y in zip(
        xs[shapely.contains_xy(region, xs, ys)],
        ys[shapely.contains_xy(region, xs, ys)],
        strict=True,
    ):
        if len(put) < most and all(math.hypot(x - u, (y - v) * 1.3) > gap for u, v in put):
            put.append((float(x), float(y)))
    return sorted(put, key=lambda spot: spot[1])
