"""A game master's own map: read, refused with the place of every fault, drawn (PR-1.6)."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon, box

from engine.map_files import LONGEST_FILE, MapError, MapProblem
from pbem.board.paths import unpack_line
from pbem.board.shared_edges import chains, trace
from pbem.games.protectors.board.map_edges import draw_map
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.shores import CORNERS
from tests.rows import each_row


def refused(text: str) -> list[tuple[str, int, str | int | None]]:
    with pytest.raises(MapError) as caught:
        parse_map(text)
    return [(problem.code, problem.line, problem.place) for problem in caught.value.problems]


def problem(text: str) -> MapProblem:
    with pytest.raises(MapError) as caught:
        parse_map(text)
    (only,) = caught.value.problems
    return only


def test_a_good_map_becomes_a_plan_and_outlines(crescent: str) -> None:
    own = parse_map(crescent)
    assert own.name == "The Crescent"
    assert own.plan.provinces == 6
    assert own.plan.rings == ()
    assert own.plan.borders == ((1, 2), (1, 6), (2, 3), (3, 4), (4, 5), (5, 6))
    assert own.plan.starts == (1, 3, 5)
    assert own.labels == ((2, (80.0, 22.0)),)


def test_it_is_drawn_so_that_neighbours_fit_and_corners_stay_free(crescent: str) -> None:
    own = parse_map(crescent)
    land = draw_map(own, 4)
    assert {(border.a, border.b) for border in land.borders} == set(own.plan.borders)
    shapes = {p: Polygon(land.outline(p)) for p in range(1, 7)}
    assert all(shape.is_valid for shape in shapes.values())
    for border in land.borders:
        for line in border.lines:
            points = {tuple(point) for point in unpack_line(line).tolist()}
            assert len(points) > 5, "hand-drawn, not straight"
            assert points <= {tuple(point) for point in land.outline(border.a).tolist()}
            assert points <= {tuple(point) for point in land.outline(border.b).tolist()}
    assert not any(
        shape.intersects(box(*corner)) for shape in shapes.values() for corner in CORNERS
    )
    assert land.reach > 60, "the bay is the Sea"
    assert draw_map(own, 4) == land


def test_a_label_the_game_master_chose_is_kept(crescent: str) -> None:
    low = draw_map(parse_map(crescent), 4).label(2)
    high = draw_map(parse_map(crescent.replace("label: [80, 22]", "label: [80, 12]")), 4).label(2)
    assert high.x == low.x
    assert high.y < low.y


def test_a_map_without_an_inner_sea_is_drawn_and_an_island_finds_water() -> None:
    text = "map: 1\nprovinces:\n- {number: 1, outline: [[0,0],[40,0],[40,30],[0,30]], borders: [2]}\n- {number: 2, outline: [[40,0],[80,0],[80,30],[40,30]], borders: [1]}\nstarts: [1, 2]\n"
    own = parse_map(text)
    assert draw_map(own, 1).reach == 0
    isle = draw_map(own, 1, island=True)
    ground = [Polygon(isle.outline(p)) for p in (1, 2)]
    assert all(shape.distance(Polygon(unpack_line(isle.island))) > 5 for shape in ground)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("borders: [1, 5]}", "borders: [5]}", ("asymmetric-border", 5, 1)),
        ("number: 6", "number: 8", ("number-gap", 5, 6)),
        ("borders: [2, 6]}", "borders: [2, 6, 1]}", ("self-border", 5, 1)),
        ("borders: [2, 6]}", "borders: [2, 6, 9]}", ("unknown-neighbour", 5, 1)),
        (
            "[80, 115], [80, 90]], borders",
            "[80, 90], [80, 115]], borders",
            ("outline-crosses-itself", 8, 4),
        ),
        ("[5, 90]], borders", "[5, 90], [60, 100], [5, 95]], borders", ("outlines-overlap", 10, 6)),
        ("starts: [1, 3, 5]", "starts: [1, 3, 7]", ("start-unknown", 11, 7)),
        ("starts: [1, 3, 5]", "starts: [1, 3, 3]", ("start-twice", 11, 3)),
        ("starts: [1, 3, 5]", "starts: [1]", ("start-count", 11, None)),
        ("label: [80, 22]", "label: [8, 22]", ("label-outside", 6, 2)),
        (
            "number: 6, outline: [[0, 30], [35, 50], [30, 75], [5, 90]]",
            "number: 6, outline: [[0, 30], [35, 50]]",
            ("too-few-points", 10, 6),
        ),
        ("map: 1", "map: 2", ("wrong-form", 2, None)),
        ("starts:", "begin:", ("wrong-form", 2, None)),
        ("[140, 75], [120, 120]", "[140, x], [120, 120]", ("wrong-form", 8, None)),
        ("[140, 75], [120, 120]", "[140, .nan], [120, 120]", ("wrong-form", 8, 4)),
        ("name: The Crescent", "map: 1", ("key-twice", 3, None)),
        ("name: The Crescent", "name: [", ("not-yaml", 5, None)),
        ("name: The Crescent", "name: &a x", None),
        ("name: The Crescent", "name: &a x\nstarts: *a", ("alias", 4, None)),
        ("name: The Crescent", "name: " + "[" * 3000, ("too-deep", 3, None)),
        ("name: The Crescent", "name: !!python/object/apply:os.system [x]", ("not-yaml", 3, None)),
    ],
)
def test_a_bad_map_is_refused_with_the_place(
    crescent: str, old: str, new: str, expected: tuple[str, int, str | int | None] | None
) -> None:
    text = crescent.replace(old, new)
    assert text != crescent
    if expected is None:
        assert parse_map(text).name == "x"
    else:
        assert expected in refused(text)


def test_an_unconnected_land_names_what_cannot_be_reached(crescent: str) -> None:
    text = crescent.replace("borders: [2, 6]", "borders: [2]").replace(
        "borders: [1, 5]", "borders: [5]"
    )
    text = text.replace("borders: [2, 4]", "borders: [2]").replace(
        "borders: [3, 5]", "borders: [5]"
    )
    fault = problem(text)
    assert (fault.code, fault.facts) == ("unconnected", {"provinces": (4, 5, 6)})


def test_a_border_needs_an_edge_and_an_edge_a_border(crescent: str) -> None:
    text = crescent.replace("borders: [2, 6]", "borders: [2, 4, 6]").replace(
        "borders: [3, 5]", "borders: [1, 3, 5]"
    )
    assert (problem(text).code, problem(text).facts) == (
        "border-without-edge",
        {"provinces": (1, 4)},
    )
    text = crescent.replace("borders: [1, 3]", "borders: [1]").replace(
        "borders: [2, 4]", "borders: [4]"
    )
    assert (problem(text).code, problem(text).facts) == (
        "edge-without-border",
        {"provinces": (2, 3)},
    )


def test_an_outline_that_crosses_itself_is_told_with_the_point(crescent: str) -> None:
    fault = problem(
        crescent.replace("[80, 115], [80, 90]], borders", "[80, 90], [80, 115]], borders")
    )
    assert fault.facts.keys() == {"x", "y"}


def test_every_fault_is_told_at_once(crescent: str) -> None:
    codes = {
        code
        for code, _, _ in refused(
            crescent.replace("starts: [1, 3, 5]", "starts: [1, 9]").replace(
                "borders: [2, 6]", "borders: [2]"
            )
        )
    }
    assert codes == {"start-unknown", "asymmetric-border"}


@each_row(
    "text",
    [
        *("", "[]", "just words", "- 1", "map: 1", "\0", "map: 1\nprovinces: {}\nstarts: []\n"),
        "map: 2026-02-30",
    ],
)
def test_what_is_no_map_is_refused(text: str) -> None:
    assert refused(text)


def test_a_file_of_a_megabyte_is_not_even_read() -> None:
    assert refused("#" * (LONGEST_FILE + 1)) == [("too-long", 1, None)]


@given(st.text(max_size=60), st.integers(0, 700), st.integers(0, 40))
def test_a_garbled_map_is_read_or_refused_never_more(garble: str, at: int, gone: int) -> None:
    good = yaml.safe_dump(
        {
            "map": 1,
            "provinces": [
                {"number": 1, "outline": [[0, 0], [4, 0], [4, 3], [0, 3]], "borders": [2]},
                {"number": 2, "outline": [[4, 0], [8, 0], [8, 3], [4, 3]], "borders": [1]},
            ],
            "starts": [1, 2],
        }
    )
    try:
        assert parse_map(good[:at] + garble + good[at + gone :]).plan.provinces == 2
    except MapError as error:
        lines = [problem.line for problem in error.problems]
    else:
        lines = [1]
    assert lines
    assert min(lines) >= 1


def test_edges_are_put_end_to_end() -> None:
    assert chains([(1, 2), (3, 4), (2, 3)]) == [[1, 2, 3, 4]]
    assert chains([(1, 2), (5, 6)]) == [[1, 2], [5, 6]]
    assert chains([(1, 2), (2, 3), (1, 3)]) == [[1, 2, 3, 1]]


def test_corners_that_lie_together_are_one_and_an_edge_is_cut_where_another_begins() -> None:
    tracing = trace(
        {
            1: [(0, 0), (100, 0), (100, 100), (0, 100)],
            2: [(100.1, 0), (200, 0), (200, 50), (100, 50.1)],
        }
    )
    assert list(tracing.shared) == [(1, 2)]
    assert len(tracing.rounds[1]) == 5
