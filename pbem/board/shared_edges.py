"""Which edges the outlines of a map share: corners that lie together are made one, so
that neighbours fit exactly.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
import shapely
from shapely.geometry import Polygon

from pbem.board.paths import Points, displaced, thinned

NameT = TypeVar("NameT", bound=int | str)
Corner = tuple[float, float]
Edge = tuple[int, int]
TOLERANCE = 0.004
"""Of the map's extent: corners nearer than this are the same corner, and a corner this near an edge
lies on it.
"""
CALMER = (1.0, 0.7, 0.45, 0.25, 0.1)
SWING, ROUGH = 0.07, 0.56


@dataclass(frozen=True, slots=True)
class Tracing(Generic[NameT]):
    """Corners with one place each, outlines as rounds of corner numbers, and the edges each pair of
    places shares.
    """

    corners: Points
    rounds: dict[NameT, tuple[int, ...]]
    shared: dict[tuple[NameT, NameT], tuple[Edge, ...]]

    def owners(self) -> dict[Edge, list[NameT]]:
        """The places on each edge, an edge naming its lower corner first."""
        found: dict[Edge, list[NameT]] = {}
        for name in sorted(self.rounds):
            for edge in edges_of(self.rounds[name]):
                found.setdefault(edge, []).append(name)
        return found

    def length(self, pair: tuple[NameT, NameT]) -> float:
        """How long the edges are that two places share."""
        ends = self.corners[np.array(self.shared[pair])]
        return float(np.hypot(*(ends[:, 1] - ends[:, 0]).T).sum())


def trace(outlines: Mapping[NameT, Sequence[Corner]]) -> Tracing[NameT]:
    """Join corners and cut edges at the corners of others that lie on them."""
    every = np.array([corner for outline in outlines.values() for corner in outline], float)
    near = TOLERANCE * float((every.max(0) - every.min(0)).max())
    corners: list[Corner] = []
    cells: dict[tuple[int, int], list[int]] = {}
    rounds = {
        name: [_corner(point, corners, cells, near) for point in outline]
        for name, outline in outlines.items()
    }
    places = np.array(corners, float)
    cut = {name: _cut(tuple(numbers), places, near) for name, numbers in rounds.items()}
    tracing = Tracing(places, cut, {})
    for edge, owners in tracing.owners().items():
        if len(owners) == 2:
            pair = (min(owners), max(owners))
            tracing.shared[pair] = (*tracing.shared.get(pair, ()), edge)
    return tracing


def edges_of(corners: Sequence[int]) -> list[Edge]:
    return [
        (min(a, b), max(a, b)) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]


def chains(edges: Sequence[Edge]) -> list[list[int]]:
    """Edges put end to end: as few runs of corners as they make."""
    links: dict[int, list[int]] = {}
    for a, b in edges:
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    runs = []
    while links:
        here = min(links, key=lambda corner: (len(links[corner]) != 1, corner))
        run = [here]
        while links.get(here):
            following = links[here].pop(0)
            links[following].remove(here)
            run.append(following)
            here = following
        links = {corner: ends for corner, ends in links.items() if ends}
        if len(run) > 1:
            runs.append(run)
    return runs


@dataclass(frozen=True, slots=True)
class Rough(Generic[NameT]):
    """Edges as lines from the lower corner to the higher, and the outlines that they make."""

    edges: dict[Edge, Points]
    outlines: dict[NameT, Points]

    def joined(self, corners: Sequence[int]) -> Points:
        """The line along these corners."""
        return _joined(corners, self.edges)


def roughened(tracing: Tracing[NameT], places: Points, seed: int) -> Rough[NameT]:
    """The edges between corners at these places, px, roughened as far as no outline crosses
    another. The same seed gives the same lines.
    """
    for calm in CALMER:
        drawn = {edge: _edge(edge, places, seed, calm) for edge in tracing.owners()}
        outlines = {
            name: _joined([*corners, corners[0]], drawn)[:-1]
            for name, corners in tracing.rounds.items()
        }
        if is_sound(list(outlines.values())):
            return Rough(drawn, outlines)
    drawn = {edge: places[list(edge)] for edge in tracing.owners()}
    outlines = {name: places[list(corners)] for name, corners in tracing.rounds.items()}
    return Rough(drawn, outlines)


def is_sound(outlines: Sequence[Points]) -> bool:
    """No outline crosses itself and no two overlap."""
    shapes = [Polygon(line) for line in outlines]
    if not all(shape.is_valid for shape in shapes):
        return False
    whole = shapely.union_all([shape.buffer(0.05, quad_segs=1) for shape in shapes])
    return bool(abs(whole.area - sum(shape.area for shape in shapes)) <= 0.004 * whole.area)


def _edge(edge: Edge, places: Points, seed: int, calm: float) -> Points:
    a, b = places[edge[0]], places[edge[1]]
    length = float(np.hypot(*(b - a)))
    steps = 2 ** int(np.clip(np.rint(np.log2(max(length, 1) / 6)), 0, 6))
    line: Points = a + (b - a) * np.linspace(0, 1, steps + 1)[:, None]
    if steps < 4:
        return line
    return thinned(displaced(line, SWING * calm, ROUGH, np.random.default_rng([seed, 17, *edge])))


def _joined(corners: Sequence[int], drawn: Mapping[Edge, Points]) -> Points:
    parts = []
    for a, b in pairwise(corners):
        line = drawn[edges_of((a, b))[0]]
        parts.append(line if a < b else line[::-1])
    return np.vstack([*(part[:-1] for part in parts[:-1]), parts[-1]])


def _corner(
    point: Corner, corners: list[Corner], cells: dict[tuple[int, int], list[int]], near: float
) -> int:
    column, row = math.floor(point[0] / near), math.floor(point[1] / near)
    around = [
        number
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        for number in cells.get((column + i, row + j), ())
    ]
    close = [number for number in around if math.dist(corners[number], point) <= near]
    if close:
        return min(close, key=lambda number: math.dist(corners[number], point))
    corners.append(point)
    cells.setdefault((column, row), []).append(len(corners) - 1)
    return len(corners) - 1


def _cut(round_: tuple[int, ...], places: Points, near: float) -> tuple[int, ...]:
    out: list[int] = []
    for a, b in zip(round_, (*round_[1:], round_[0]), strict=True):
        if a == b:
            continue
        way = places[b] - places[a]
        length = float(np.hypot(*way))
        from_a = places - places[a]
        along = from_a @ way / length
        aside = np.abs(from_a[:, 0] * way[1] - from_a[:, 1] * way[0]) / length
        between = np.nonzero((aside <= near) & (along > near) & (along < length - near))[0]
        out += [
            a,
            *(
                int(number)
                for number in between[np.argsort(along[between])]
                if number not in {a, b}
            ),
        ]
    return tuple(out)
