"""The shapes of a map's places: what is wrong with outlines that were drawn by hand."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from shapely import is_valid_reason
from shapely.geometry import Point, Polygon

from engine.map_files import Fact, MapProblem
from pbem.board.shared_edges import Corner, trace

NameT = TypeVar("NameT", bound=int | str)
OVERLAP = 0.003
"""Two outlines may overlap by this share of the smaller: drawn by hand, they never fit exactly."""


@dataclass(frozen=True, slots=True)
class Outlined:
    """A place with the names of those it borders on land or water; `line` is that of its outline
    in the file.
    """

    outline: tuple[Corner, ...]
    borders: tuple[int, ...] | tuple[str, ...]
    line: int = 1
    label: Corner | None = None


def outline_faults(places: Mapping[NameT, Outlined], what: str = "places") -> list[MapProblem]:
    """Outlines that cross themselves or each other; borders and shared edges that do not agree;
    labels outside. Each kind is looked for only where there is none of those before.

    Codes: `outline-crosses-itself`, `outlines-overlap`, `border-without-edge`,
    `edge-without-border`, `label-outside`; the fact `what` names the places.
    """
    shapes = {name: Polygon(place.outline) for name, place in sorted(places.items())}
    return (
        [*_crossing(places, shapes)]
        or [*_overlapping(places, shapes, what)]
        or [*_edges(places, what), *_labels(places, shapes)]
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


def _edges(places: Mapping[NameT, Outlined], what: str) -> Iterator[MapProblem]:
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

    yield from faults("border-without-edge", stated - shared)
    yield from faults("edge-without-border", shared - stated)


def _labels(
    places: Mapping[NameT, Outlined], shapes: Mapping[NameT, Polygon]
) -> Iterator[MapProblem]:
    for name, place in places.items():
        if place.label is not None and not shapes[name].contains(Point(place.label)):
            facts: dict[str, Fact] = dict(zip("xy", place.label, strict=True))
            yield MapProblem("label-outside", place.line, name, facts)
