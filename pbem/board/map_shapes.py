"""The shapes of a map's places: their outlines, or cells around points where a file has only these;
and what is wrong with outlines that were drawn by hand.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from shapely import get_coordinates, get_parts, intersection, is_valid_reason, voronoi_polygons
from shapely.geometry import MultiPoint, Point, Polygon, box

from engine.map_files import Fact, MapError, MapProblem
from engine.maps import Map
from pbem.board.shared_edges import Corner, trace

NameT = TypeVar("NameT", bound=int | str)
OVERLAP = 0.003
"""Two outlines may overlap by this share of the smaller: drawn by hand, they never fit exactly."""
LEAST = 0.02
"""A shared edge of less than this share of the map's extent looks like a point."""


@dataclass(frozen=True, slots=True)
class Outlined:
    """A place with the names of those it borders on land or water; `line` is that of its outline
    in the file. One that `is_closed` borders nothing, whatever lies around it.
    """

    outline: tuple[Corner, ...]
    borders: tuple[int, ...] | tuple[str, ...]
    line: int = 1
    label: Corner | None = None
    is_closed: bool = False


def outlines_of(told: Map[Any]) -> dict[str, tuple[Corner, ...]]:
    """The outlines of all places. Where not every place has one, each has what is nearer to its
    point than to all others. MapError: some have neither.
    """
    if all(place.outline for place in told.places.values()):
        return {name: place.outline for name, place in told.places.items()}
    spots = {name: place.at for name, place in told.places.items() if place.at is not None}
    bare = [place for name, place in told.places.items() if name not in spots]
    if bare or len(spots) < 2:
        missing = (MapProblem("no-outline", place.line, place.name) for place in bare)
        raise MapError([*missing] or [MapProblem("no-outline", 1)], told.source)
    points = MultiPoint(list(spots.values()))
    step = math.sqrt(points.envelope.area / len(spots)) / 2
    frame = box(*points.buffer(step).bounds)
    cells = get_parts(voronoi_polygons(points, extend_to=frame, ordered=True))
    parts = (get_coordinates(intersection(cell, frame)).tolist()[:-1] for cell in cells)
    return {name: tuple(map(tuple, part)) for name, part in zip(spots, parts, strict=True)}


def map_faults(told: Map[Any]) -> list[MapProblem]:
    """What is wrong with the outlines of a map; those of `outline_faults`. A border that is as
    short as a point may be stated or not.
    """
    outlines = outlines_of(told)
    places = {}
    for name, place in told.places.items():
        keys = (name, *(f"{name}/{coast}" for coast in place.coasts))
        near = (to for key in keys for names in told.borders(key).values() for to in names)
        borders = tuple({told.place(to).name for to in near} - {name})
        label = place.label if place.outline else None
        places[name] = Outlined(
            outlines[name], borders, place.line, label, place.kind in told.closed
        )
    return outline_faults(places, least=LEAST)


def outline_faults(
    places: Mapping[NameT, Outlined], what: str = "places", least: float = 0.0
) -> list[MapProblem]:
    """Outlines that cross themselves or each other; borders and shared edges that do not agree;
    labels outside. Each kind is looked for only where there is none of those before.

    Codes: `outline-crosses-itself`, `outlines-overlap`, `border-without-edge`,
    `edge-without-border`, `label-outside`; the fact `what` names the places.
    Borders may say what they like of places that meet in a point, or in an edge shorter than the
    share `least` of the map.
    """
    shapes = {name: Polygon(place.outline) for name, place in sorted(places.items())}
    return (
        [*_crossing(places, shapes)]
        or [*_overlapping(places, shapes, what)]
        or [*_edges(places, what, least), *_labels(places, shapes)]
    )


def _crossing(
    places: Mapping[NameT, Outlined], shapes: Mapping[NameT, Polygon]
) -> Iterator[MapProblem]:
    for name, shape in shapes.items():
        if not shape.is_valid or shape.area <= 0:
            where = re.search(r"\[([^\s\[\]]+) ([^\s\[\]]+)\]", is_valid_reason(shape))
            facts: dict[str, Fact] = {}
            if where and all(math.isfinite(float(part)) for part in where.groups()):
                facts = {"x": round(float(where[1]), 2), "y": round(float(where[2]), 2)}
            yield MapProblem("outline-crosses-itself", places[name].line, name, facts)


def _overlapping(
    places: Mapping[NameT, Outlined], shapes: Mapping[NameT, Polygon], what: str
) -> Iterator[MapProblem]:
    names = list(shapes)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            common = shapes[a].intersection(shapes[b]).area
            if common > OVERLAP * min(shapes[a].area, shapes[b].area):
                yield MapProblem("outlines-overlap", places[b].line, b, {what: (a, b)})


def _edges(places: Mapping[NameT, Outlined], what: str, least: float) -> Iterator[MapProblem]:
    stated: set[tuple[Any, Any]] = {
        (min(name, near), max(name, near))
        for name, place in places.items()
        for near in place.borders
    }
    tracing = trace({name: place.outline for name, place in places.items()})
    shared: set[tuple[NameT, NameT]] = set(tracing.shared)

    def faults(code: str, pairs: Iterable[tuple[NameT, NameT]]) -> Iterator[MapProblem]:
        for a, b in sorted(pairs):
            yield MapProblem(code, places[a].line, a, {what: (a, b)})

    short = least * float(np.ptp(tracing.corners, axis=0).max())
    long = {
        pair
        for pair in shared
        if tracing.length(pair) > short and not any(places[name].is_closed for name in pair)
    }
    if least:
        rounds = {name: frozenset(corners) for name, corners in tracing.rounds.items()}
        stated = {(a, b) for a, b in stated if (a, b) in shared or not rounds[a] & rounds[b]}
    yield from faults("border-without-edge", stated - shared)
    yield from faults("edge-without-border", long - stated)


def _labels(
    places: Mapping[NameT, Outlined], shapes: Mapping[NameT, Polygon]
) -> Iterator[MapProblem]:
    for name, place in places.items():
        if place.label is not None and not shapes[name].contains(Point(place.label)):
            facts: dict[str, Fact] = dict(zip("xy", place.label, strict=True))
            yield MapProblem("label-outside", place.line, name, facts)
