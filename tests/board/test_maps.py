"""Boards of games on a map: drawn from the file alone, legible on a phone, every place clickable."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
import shapely

from engine.map_files import MapError
from engine.maps import Map, NoFacts, parse_map
from pbem.board.board import Chronicle, TableFacts
from pbem.board.map_ground import BEYOND, ground_of
from pbem.board.map_shapes import map_faults, outlines_of
from pbem.board.maps import (
    SMALLEST,
    MapArrow,
    MapPiece,
    MapScene,
    MapSeat,
    draw_map,
    lay_map,
)
from pbem.board.painting import render
from pbem.board.paths import SIDE

POINTS = """map: 1
places:
  Holm: {code: HOL, kind: land, at: [40, 20], borders: {army: [Lund], fleet: [The Sound, Far Sea]}}
  Lund: {kind: land, at: [10, 20], borders: {army: [Holm]}, coasts: {
    nc: {name: north coast, borders: {fleet: [The Sound]}}, sc: {name: south coast, borders: {fleet: [Far Sea]}}}}
  The Sound: {kind: sea, at: [15, 0], borders: {fleet: [Holm, Lund/nc]}}
  Far Sea: {kind: sea, at: [15, 40], borders: {fleet: [Holm, Lund/sc]}}
"""
FOUR = """map: 1
places:
  A: {kind: land, at: [0, 0], borders: {army: [B, C]}}
  B: {kind: land, at: [9, 0], borders: {army: [A, D]}}
  C: {kind: land, at: [0, 9], borders: {army: [A, D]}}
  D: {kind: land, at: [9, 9], borders: {army: [B, C]}}
"""
OUTLINES = """map: 1
places:
  Holm: {kind: land, outline: [[0, 0], [40, 0], [40, 30], [0, 30]], borders: {army: [Lund]}}
  Lund: {kind: land, outline: [[40, 0], [80, 0], [80, 30], [40, 30]], label: [70, 20], borders: {army: [Holm]}}
"""
WATER = frozenset({"sea"})
SCENE = MapScene.of(
    TableFacts("Heron", "orders", datetime(2026, 11, 23, 18, tzinfo=UTC), is_first=True),
    "Year 1",
    holders={"Holm": "red", "Lund": "white"},
    pieces=(
        MapPiece("Holm", "red", "shield", "army"),
        MapPiece("Lund/nc", "black", "ship", "fleet"),
        MapPiece("Lund", "red", "disc", "camp", is_out=True),
        MapPiece("Lund", "yellow", "shield", "army"),
    ),
    arrows=(
        MapArrow("Holm", "Lund", "red", fails=True),
        MapArrow("Lund/nc", "Lund", "black", is_help=True, of="Holm"),
    ),
    seats=(MapSeat("red", "Anna", "1 port"), MapSeat("black", "Ben", "out", is_out=True)),
    marked=("Holm",),
    legend=(("shield", "an army"), ("ship", "a fleet"), ("mark", "a port"), ("go", "goes there")),
)


def read(text: str) -> Map[NoFacts]:
    return parse_map(text, NoFacts, kinds=("land", "sea"), borders=("army", "fleet"))


def test_cells_around_points_agree_with_the_borders() -> None:
    """Places that meet in a point may border each other or not."""
    assert map_faults(read(POINTS)) == []
    assert map_faults(read(FOUR)) == []
    crossed = FOUR.replace("{army: [B, C]}", "{army: [B, C, D]}", 1)
    assert (
        map_faults(
            read(crossed.replace("[9, 9], borders: {army: [", "[9, 9], borders: {army: [A, "))
        )
        == []
    )


@pytest.mark.parametrize(
    ("here", "there", "code", "line", "pair"),
    [
        (
            ("[Holm, Lund/nc]", "[Lund/nc]"),
            ("[The Sound, Far Sea]", "[Far Sea]"),
            "edge-without-border",
            3,
            ("Holm", "The Sound"),
        ),
        (
            ("[Holm, Lund/nc]", "[Holm, Lund/nc, Far Sea]"),
            ("[Holm, Lund/sc]", "[Holm, Lund/sc, The Sound]"),
            "border-without-edge",
            7,
            ("Far Sea", "The Sound"),
        ),
    ],
)
def test_borders_and_edges_that_do_not_agree_are_told(
    here: tuple[str, str], there: tuple[str, str], code: str, line: int, pair: tuple[str, str]
) -> None:
    (fault,) = map_faults(read(POINTS.replace(*here).replace(*there)))
    assert (fault.code, fault.line, fault.facts) == (code, line, {"places": pair})


def test_what_lies_round_a_closed_place_does_not_border_it() -> None:
    text = FOUR.replace("D: {kind: land", "D: {kind: wild").replace("[A, D]", "[A]")
    text = text.replace('army: [B, C]}}\n"', "x").replace(
        "[9, 9], borders: {army: [B, C]}", "[9, 9]"
    )
    told = parse_map(text, NoFacts, kinds=("land",), borders=("army",), closed=("wild",))
    assert map_faults(told) == []


def test_a_name_that_fits_nowhere_stays_in_the_picture() -> None:
    points = "".join(
        f"  P{i}: {{code: XXXXXXXXX, kind: land, at: [{i % 12 * 9}, {i // 12 * 9}]}}\n".replace(
            "XXXXXXXXX", f"X{i:08}"
        )
        for i in range(120)
    )
    told = parse_map(f"map: 1\nplaces:\n{points}", NoFacts, kinds=(), borders=(), closed=("land",))
    ground = ground_of(told, WATER)
    for site in ground.sites.values():
        left, top, right, bottom = site.words[0].box
        assert 0 < left < right < SIDE
        assert 0 < top < bottom < ground.high


def test_a_place_without_outline_and_point_is_told() -> None:
    with pytest.raises(MapError) as caught:
        outlines_of(read(POINTS.replace("at: [40, 20], ", "")))
    assert [(one.code, one.place) for one in caught.value.problems] == [("no-outline", "Holm")]


def test_names_and_pieces_lie_in_their_places_and_in_the_picture() -> None:
    for text in (POINTS, OUTLINES):
        told = read(text)
        ground = ground_of(told, WATER)
        frame = shapely.box(0, 0, SIDE, ground.high)
        for name, site in ground.sites.items():
            for words in site.words:
                assert words.size >= SMALLEST
                assert ground.shapes[name].contains(shapely.box(*words.box)), words.text
                assert frame.contains(shapely.box(*words.box))
        for key, spot in ground.pieces.items():
            place = told.place(key).name
            assert ground.shapes[place].contains(shapely.Point(spot)), key
    low, high = (ground_of(read(POINTS), WATER).pieces[f"Lund/{coast}"] for coast in ("sc", "nc"))
    assert low[1] > high[1] + 60, "pieces stand at their coasts"


def test_neighbours_share_their_lines_and_the_ground_reaches_beyond_the_edge() -> None:
    shapes = ground_of(read(POINTS), WATER).shapes
    assert shapes["Holm"].intersection(shapes["Lund"]).area < 0.5
    assert shapes["Holm"].boundary.intersection(shapes["Lund"].boundary).length > 100
    assert shapely.union_all([*shapes.values()]).bounds[0] < -BEYOND / 2


def test_a_scene_is_drawn_and_painted_always_alike() -> None:
    told = read(POINTS)
    drawing = draw_map(told, SCENE, water=WATER)
    assert drawing == draw_map(read(POINTS), SCENE, water=WATER)
    areas = {one.attrib.get("data-area") for one in ET.fromstring(drawing.svg).iter()}  # noqa: S314
    assert areas - {None} == {place.area for place in told.places.values()}
    assert {"HOL", "The-Sound"} <= areas
    assert len(render(drawing.svg)) > 10_000
    picture = lay_map(SCENE, ground_of(told, WATER))
    assert min(words.size for words in (*picture.words, *picture.names)) >= SMALLEST
    assert drawing.alt == (
        "Table of Heron. Year 1. Anna (red): 1 port; holds Holm; army in Holm, beaten camp in Lund."
        " Ben (black): out; fleet in Lund (north coast). Holm goes to Lund in vain."
        " Lund/nc helps Holm to Lund."
    )


def test_a_chronicle_names_its_step_and_what_is_supposed_says_so() -> None:
    told = Chronicle(3, "Year 3", "Orders", "Year 3: Anna takes Holm")
    scene = MapScene.of(TableFacts("Heron", "orders", chronicle=told), "Year 4")
    assert (scene.heading, scene.due, scene.legend) == ("Year 3: Orders", ("", "", ""), ())
    assert "Anna takes Holm" in draw_map(read(POINTS), scene, water=WATER).svg
    supposed = MapScene.of(TableFacts("Heron", "orders", hypothesis=True), "Year 4")
    assert "What if?" in draw_map(read(POINTS), supposed, water=WATER).svg
