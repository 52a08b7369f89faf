"""The lands of the board: drawn once, stored, fair, and roomy enough to write on."""

from itertools import combinations

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, Polygon, box

from engine.protectors.lands import LandPlan, generate_land, ring_land
from pbem.board.paths import format_path, pack_line, unpack_line
from pbem.games.protectors.board.land import Land, decode_land, encode_land
from pbem.games.protectors.board.outlines import sketch_rings
from pbem.games.protectors.board.shores import CORNERS, make_land
from tests.games.protectors.board.positions import land_of
from tests.rings import sampled
from tests.rows import each_row

SIZES = [*((n, n) for n in (2, 3, 5, 7, 11, 16)), (2, 4), (9, 18), (8, 40), (2, 26), (13, 52)]


def outlines(land: Land) -> dict[int, Polygon]:
    return {p: Polygon(land.outline(p)) for p in range(1, land.plan.provinces + 1)}


@each_row(("players", "provinces"), sampled(SIZES, 5))
def test_the_borders_of_the_graph_are_exactly_those_of_the_drawn_outlines(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    shapes = outlines(land)
    touching = {
        (a, b)
        for a, b in combinations(shapes, 2)
        if shapes[a].buffer(0.2).intersection(shapes[b].buffer(0.2)).area
        > 0.2 * 15  # more than a point in common
    }
    assert touching == set(land.plan.borders) == {(border.a, border.b) for border in land.borders}


@each_row(("players", "provinces"), SIZES)
def test_neighbours_share_the_points_of_their_border_and_nothing_overlaps(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    shapes = outlines(land)
    assert all(shape.is_valid for shape in shapes.values())
    for border in land.borders:
        for line in border.lines:
            points = {tuple(point) for point in unpack_line(line).tolist()}
            for province in (border.a, border.b):
                assert points <= {tuple(point) for point in land.outline(province).tolist()}
    whole = shapely.union_all([shape.buffer(0.05) for shape in shapes.values()])
    assert whole.geom_type == "Polygon"
    assert abs(whole.area - sum(shape.area for shape in shapes.values())) < 0.004 * whole.area


@each_row(
    ("players", "provinces"),
    [
        *((n, n) for n in range(2, 17)),
        *((2, 2 * k) for k in (2, 13, 25)),
        (3, 51),
        (5, 50),
        (16, 48),
    ],
)
def test_every_land_the_rules_know_can_be_sketched(players: int, provinces: int) -> None:
    plan = generate_land(players, provinces)
    sketch, _ = next(
        made for seed in range(12) if (made := sketch_rings(plan.rings, seed, calm=0.5)) is not None
    )
    assert set(sketch.borders) == set(plan.borders)
    assert set(sketch.outlines) == set(range(1, provinces + 1))


def test_a_pair_of_provinces_meets_in_two_places_and_borders_once() -> None:
    land = land_of(2, 2)
    assert [(border.a, border.b, len(border.lines)) for border in land.borders] == [(1, 2, 2)]


@each_row(("players", "provinces"), SIZES)
def test_the_land_keeps_out_of_the_corners_in_which_the_board_writes(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    ground = shapely.union_all(
        [*outlines(land).values(), *(Polygon(unpack_line(islet)) for islet in land.islets)]
    )
    assert not any(ground.intersects(box(*corner)) for corner in CORNERS)
    assert box(20, 20, 1060, 1060).contains(ground)


def test_the_same_seed_gives_the_same_land_and_another_seed_another() -> None:
    plan = ring_land(5)
    first, again, other = (make_land(plan, seed, drafts=1) for seed in (3, 3, 4))
    assert encode_land(first) == encode_land(again)
    assert first.outlines != other.outlines


def test_more_drafts_give_no_less_room() -> None:
    plan = generate_land(8, 24)
    assert make_land(plan, 2, drafts=6).scale >= make_land(plan, 2, drafts=1).scale * 0.95


@each_row(("players", "provinces"), SIZES)
def test_a_stored_land_comes_back_as_it_was_and_is_small(players: int, provinces: int) -> None:
    land = land_of(players, provinces)
    raw = encode_land(land)
    assert decode_land(raw) == land
    assert len(raw) < 64_000


@pytest.mark.parametrize(
    "raw", [b"", b"no land", encode_land(land_of(3, 3))[:-9], encode_land(land_of(3, 3))[::-1]]
)
def test_bytes_that_are_no_land_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="land"):
        decode_land(raw)


def test_a_plan_without_rings_is_no_matter_for_the_generator() -> None:
    with pytest.raises(ValueError, match="rings"):
        make_land(LandPlan(2, (), ((1, 2),), (1, 2)), 1, drafts=1)


def test_an_island_lies_in_the_sea_away_from_every_shore() -> None:
    land = make_land(ring_land(8), 2, island=True, drafts=2)
    isle = Polygon(unpack_line(land.island))
    assert isle.area > 3000
    assert min(shape.distance(isle) for shape in outlines(land).values()) > 15


def test_path_data_says_the_points_in_tenths() -> None:
    line = np.array([[1.0, 2.0], [3.5, 1.0], [3.5, 4.25]])
    assert format_path([pack_line(line)], close=True) == "M10 20l25-10 0 32z"
    assert np.abs(unpack_line(pack_line(line)) - line).max() <= 0.05


def test_a_border_is_found_from_either_side_and_strangers_have_none() -> None:
    land = land_of(7, 7)
    assert len(land.border(1, 2)) == len(land.border(2, 1)) == 1
    assert LineString(land.border(1, 2)[0]).length > 34
    assert land.border(1, 4) == ()
