"""Land and water as areas of colour: the rim and the band of a land, and the lines of a shore."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from pbem.board.palette import OCEAN, WATER, mix
from pbem.board.paths import Line, format_path, pack_line

REACH, SHARE = 15, 0.22
"""How far from the shore water is shallow, and how much darker it is there."""
RIM, BAND = 6.5, 18.0
"""How far from its border a Land's rim ends, and its band."""


@dataclass(frozen=True, slots=True)
class Shallow:
    path: str
    fill: str


@dataclass(frozen=True, slots=True)
class LandShape:
    """Path data of a land: its outline, and what is left of it inside the rim and inside the
    band.
    """

    outline: str
    inner: str
    deep: str


def parts_of(shape: BaseGeometry) -> list[Polygon]:
    """The areas of a shape; its points and lines are left out."""
    parts = getattr(shape, "geoms", [shape])
    return [part for part in parts if isinstance(part, Polygon) and not part.is_empty]


def rings_of(shape: BaseGeometry) -> Iterator[Line]:
    """The outlines of an area and of its holes."""
    for part in parts_of(shape):
        for ring in (part.exterior, *part.interiors):
            yield pack_line(np.asarray(ring.coords)[:-1])


def area_path(shape: BaseGeometry) -> str:
    """Path data of an area, in tenths of a px."""
    return format_path(rings_of(shape), close=True)


def land_shape(area: Polygon) -> LandShape:
    """A land as it is filled."""
    return LandShape(
        area_path(area),
        area_path(area.buffer(-RIM).simplify(0.8)),
        area_path(area.buffer(-BAND).simplify(1)),
    )


def shallow_of(dry: BaseGeometry) -> Shallow:
    """The water along all that is dry."""
    return Shallow(area_path(dry.buffer(REACH, quad_segs=4).simplify(2)), mix(WATER, OCEAN, SHARE))
