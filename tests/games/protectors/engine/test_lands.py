"""The graph of a land: PR-1.3, PR-1.5, PR-1.6."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.maps import GraphFault
from engine.protectors.lands import (
    MOST_PROVINCES,
    LandPlan,
    both_ways,
    check_borders,
    generate_land,
    ring_land,
)
from tests.rows import each_row

GRAND = [
    (players, players * share)
    for players in range(2, 17)
    for share in range(2, MOST_PROVINCES // players + 1)
]
ALL = [*((players, players) for players in range(2, 17)), *GRAND]


def rotate(plan: LandPlan, players: int) -> dict[int, int]:
    """Where each province comes to lie when the land is turned by one player."""
    return {
        ring.first + j: ring.first + (j + ring.count // players) % ring.count
        for ring in plan.rings
        for j in range(ring.count)
    }


def overlaps(plan: LandPlan) -> set[tuple[int, int]]:
    """The borders as the angles of the rings tell them, in floating point: an independent count."""
    found = set()
    for ring in plan.rings:
        found |= {
            tuple(sorted((ring.first + j, ring.first + (j + 1) % ring.count)))
            for j in range(ring.count)
        }
    for inner, outer in pairwise(plan.rings):
        for i in range(inner.count):
            for j in range(outer.count):
                a, b = (i + inner.turn) / inner.count, (j + outer.turn) / outer.count
                for whole in (-1, 0, 1):
                    if (
                        min(a + 1 / inner.count, b + whole + 1 / outer.count) - max(a, b + whole)
                        > 1e-9
                    ):
                        found.add(tuple(sorted((inner.first + i, outer.first + j))))
    return {(a, b) for a, b in found}


@pytest.mark.sample(30)
@pytest.mark.parametrize(("players", "provinces"), ALL)
def test_turning_the_land_by_one_player_is_a_symmetry_of_its_graph(
    players: int, provinces: int
) -> None:
    plan = generate_land(players, provinces)
    turned = rotate(plan, players)
    assert {tuple(sorted((turned[a], turned[b]))) for a, b in plan.borders} == set(plan.borders)
    assert [turned[start] for start in plan.starts] == [*plan.starts[1:], plan.starts[0]], (
        "every start sees the same graph"
    )


@pytest.mark.sample(30)
@pytest.mark.parametrize(("players", "provinces"), ALL)
def test_a_land_is_whole_and_numbered_clockwise_from_the_outermost_ring(
    players: int, provinces: int
) -> None:
    plan = generate_land(players, provinces)
    assert plan.provinces == provinces
    assert check_borders(range(1, provinces + 1), both_ways(plan.borders)) == ()
    assert list(plan.borders) == sorted(set(plan.borders))
    assert [ring.first for ring in reversed(plan.rings)] == [
        1 + sum(ring.count for ring in plan.rings[place:])
        for place in range(len(plan.rings), 0, -1)
    ]
    assert all(ring.count % players == 0 for ring in plan.rings)
    assert len(plan.starts) == players
    assert set(plan.starts) <= set(range(1, plan.rings[-1].count + 1))


@each_row(("players", "provinces"), ALL)
def test_the_borders_are_those_of_the_angles(players: int, provinces: int) -> None:
    plan = generate_land(players, provinces)
    assert set(plan.borders) == overlaps(plan)


@pytest.mark.sample(30)
@pytest.mark.parametrize(("players", "provinces"), GRAND)
def test_no_four_provinces_meet_in_one_point(players: int, provinces: int) -> None:
    plan = generate_land(players, provinces)
    for inner, outer in pairwise(plan.rings):
        angles = [(i + inner.turn) / inner.count % 1 for i in range(inner.count)] + [
            (j + outer.turn) / outer.count % 1 for j in range(outer.count)
        ]
        assert min(b - a for a, b in pairwise(sorted(angles))) > 1e-3


def test_the_lands_of_the_style_guide_come_out_as_it_tells() -> None:
    assert [(r.count, r.turn, r.first) for r in generate_land(9, 18).rings] == [
        (9, 0, 10),
        (9, 0.5, 1),
    ]
    assert [(r.count, r.turn, r.first) for r in generate_land(8, 40).rings] == [
        (8, 0.25, 33),
        (16, 0, 17),
        (16, 0.5, 1),
    ]
    assert generate_land(8, 40).starts == tuple(range(1, 17, 2))
    assert generate_land(7, 7).rings == ring_land(7).rings
    assert ring_land(4).borders == ((1, 2), (1, 4), (2, 3), (3, 4))


def test_two_provinces_border_each_other_once() -> None:
    plan = ring_land(2)
    assert plan.borders == ((1, 2),)
    assert plan.neighbours(1) == (2,)
    assert plan.neighbours(2) == (1,)


def test_neighbours_are_told_lowest_first() -> None:
    assert ring_land(7).neighbours(1) == (2, 7)
    assert generate_land(9, 18).neighbours(1) == (2, 9, 10, 11)


@each_row(("players", "provinces"), [(1, 1), (17, 17), (7, 8), (7, 56), (16, 64), (5, 4), (2, 0)])
def test_other_sizes_than_the_rules_allow_are_refused(players: int, provinces: int) -> None:
    with pytest.raises(ValueError, match="players"):
        generate_land(players, provinces)


@pytest.mark.parametrize("provinces", [-1, 0, 1, 53])
def test_a_ring_of_one_or_of_too_many_is_refused(provinces: int) -> None:
    with pytest.raises(ValueError, match="ring"):
        ring_land(provinces)


def test_a_plan_survives_being_stored() -> None:
    plan = generate_land(5, 15)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(plan), type=LandPlan) == plan


@each_row(
    ("provinces", "pairs", "fault"),
    [
        ([], [], GraphFault("no-provinces")),
        ([1, 2, 4], [(1, 2), (2, 1), (2, 4), (4, 2)], GraphFault("number-gap", (3, 4))),
        ([1, 2, 2], [(1, 2), (2, 1)], GraphFault("number-gap", (2, 3))),
        ([1, 2], [(1, 2)], GraphFault("asymmetric-border", (1, 2))),
        ([1, 2], [(1, 2), (2, 1), (2, 2)], GraphFault("self-border", (2,))),
        ([1, 2], [(1, 2), (2, 1), (2, 3)], GraphFault("unknown-neighbour", (2, 3))),
        ([1, 2, 3, 4], [(1, 2), (2, 1), (3, 4), (4, 3)], GraphFault("unconnected", (3, 4))),
        (
            list(range(1, 54)),
            both_ways((n, n + 1) for n in range(1, 53)),
            GraphFault("too-many-provinces", (53,)),
        ),
    ],
)
def test_a_bad_graph_is_refused_with_the_provinces_it_is_wrong_about(
    provinces: list[int], pairs: list[tuple[int, int]], fault: GraphFault[int]
) -> None:
    assert check_borders(provinces, pairs) == (fault,)


def test_every_fault_is_told_at_once() -> None:
    codes = [fault.code for fault in check_borders([1, 2, 3], [(1, 1), (1, 2), (3, 9)])]
    assert codes == ["self-border", "asymmetric-border", "unknown-neighbour", "unconnected"]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=20))
def test_a_graph_is_whole_exactly_when_a_walk_reaches_all(pairs: list[tuple[int, int]]) -> None:
    stated = both_ways((a, b) for a, b in pairs if a != b)
    reached = {1}
    for _ in range(6):
        reached |= {b for a, b in stated if a in reached}
    faults = check_borders(range(1, 7), stated)
    assert (faults == ()) == (reached == set(range(1, 7)))
