"""The drawing has every border of the map and no other, and what crosses water crosses nothing
else.
"""

from itertools import combinations

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString

from engine.fortresses.atlas import zones
from pbem.games.fortresses.board.ground import (
    FRAME,
    HIGH,
    WIDE,
    ground,
    lines_between,
    outlines,
    places,
)

LEAST = 28.0
"""A border that can be seen is at least so long, px."""


def test_every_zone_is_drawn_once_inside_the_map_and_has_a_place() -> None:
    assert set(ground().zones) == set(zones()) == set(places())
    assert outlines().size == (WIDE, HIGH)
    frame = shapely.box(0, 0, WIDE, HIGH)
    for name, area in ground().zones.items():
        assert area.is_valid, name
        assert frame.contains(area), name
        for point in (places()[name].name, places()[name].pieces):
            assert shapely.box(*FRAME).contains(shapely.Point(point)), name


def test_fw_2_2_every_border_of_the_map_is_one_in_the_drawing_and_no_other() -> None:
    drawn = set()
    for one, other in combinations(ground().zones, 2):
        a, b = ground().zones[one], ground().zones[other]
        assert a.intersection(b).area < 0.5, (one, other)
        shared = a.boundary.intersection(b.boundary).length
        assert shared < 1 or shared >= LEAST, (one, other, shared)
        if shared >= LEAST:
            drawn.add(frozenset((one, other)))
    crossed = set(ground().crossings)
    assert crossed.isdisjoint(drawn)
    wanted = {
        frozenset((name, near))
        for name, zone in zones().items()
        for near in (*zone.ways, *zone.coast)
    }
    assert drawn | crossed == wanted
    assert len(wanted) == 116
    for pair in wanted - crossed:
        assert lines_between(*sorted(pair)), pair


def test_fw_2_2_the_bridges_are_those_of_the_map_and_one_ford_stands_for_a_land_border() -> None:
    bridged = {frozenset((name, far)) for name, zone in zones().items() for far in zone.bridges}
    assert {frozenset(edge.of) for edge in outlines().bridges} == bridged
    assert [sorted(edge.of) for edge in outlines().fords] == [["Bulgaria", "Cumania"]]


@pytest.mark.parametrize("pair", sorted(map(sorted, ground().crossings)), ids=" - ".join)
def test_a_bridge_or_ford_touches_both_its_lands_and_crosses_water_only(pair: list[str]) -> None:
    line = LineString(ground().crossings[frozenset(pair)])
    for name, area in ground().zones.items():
        if zones()[name].is_land:
            near = area.distance(line)
            assert near < 1 if name in pair else near > 5, name
            assert area.intersection(line).length < 12, name


def test_every_land_has_a_rim_a_band_and_where_it_is_wide_enough_an_inside() -> None:
    for name, land in ground().lands.items():
        assert land.outline, name
        assert land.inner, name
    narrow = {name for name, land in ground().lands.items() if not land.deep}
    assert narrow <= {"Crete", "Cyprus"}


def test_scenery_stands_on_dry_ground_and_waves_on_water() -> None:
    dry = shapely.union_all(
        [area for name, area in ground().zones.items() if zones()[name].is_land]
    )
    for sprig in ground().scenery:
        spot = shapely.Point(sprig.x, sprig.y)
        if sprig.land:
            assert ground().zones[sprig.land].contains(spot)
        elif sprig.kind == "wave":
            assert not dry.contains(spot)
    assert {sprig.land for sprig in ground().scenery} >= {"Poland", "France", "Tunis"}
    assert np.isfinite([(sprig.x, sprig.y) for sprig in ground().scenery]).all()
