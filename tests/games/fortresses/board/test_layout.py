"""Nothing on a board of Fortresses lies on anything else, whatever happened: measured on the shapes
themselves, not on what the layout believes.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest
import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from engine.fortresses.atlas import zones
from pbem.games.fortresses.board.drawing import Board, lay_board, texts_of
from pbem.games.fortresses.board.ground import HIGH
from pbem.games.fortresses.board.pieces import WIDTHS
from pbem.games.fortresses.board.scene import Scene
from pbem.games.fortresses.board.seals import Seal
from tests.games.fortresses.board.positions import battles, by_lot, crowded, end, scene

DRAWN = {
    "fortress": (4 - 1.06 * 24, 4 + 1.06 * 17),
    "castle": (4 - 1.1 * 20, 4 + 1.1 * 17),
    "shield": (-1.08 * 13, 1.08 * 15),
    "city": (8 - 1.06 * 14, 8 + 1.06 * 10),
    "tile": (-25, 25),
    "wide-tile": (-25, 25),
}
"""From the top to the bottom of each shape of the template, at size 1 around its middle."""
LOTS = 16
SCENES = {
    "start": scene(),
    "battles": battles(),
    "end": end(),
    "crowded and fought over": crowded(
        "France", marches=battles().marches, battles=battles().battles
    ),
} | {f"lot {lot}": by_lot(lot) for lot in range(LOTS)}
MOST_LEFT_OUT = 0.12
"""Of strokes and seals by lot; they fall on each other's Lands more often than in any game."""


laid = cache(lay_board)


def marks_of(board: Board) -> Iterator[tuple[str, BaseGeometry]]:
    """All that is drawn over the ground, by what it belongs to."""
    for words in board.corners.words:
        yield "corner", box(*words.box)
    for words in board.notes:
        yield "corner", box(*words.box)
    for name in board.names:
        yield f"name {name.zone}", box(*name.box)
    for i, piece in enumerate(board.pieces):
        half = WIDTHS[piece.kind] * piece.k / 2 - 0.5
        above, below = DRAWN[piece.kind]
        top, bottom = piece.y + above * piece.k, piece.y + below * piece.k
        yield f"piece {i}", box(piece.x - half, top, piece.x + half, bottom)
    for i, stroke in enumerate(board.strokes):
        yield f"stroke {i}", drawn(stroke.path)
        if stroke.capsule:
            yield f"stroke {i}", box(*stroke.capsule.box)
        if stroke.ship:
            yield f"stroke {i}", shapely.Point(stroke.ship.x, stroke.ship.y).buffer(23)
    for seal in board.seals:
        for part in parts(seal):
            yield f"seal {seal.zone}", part


def drawn(path: str) -> BaseGeometry:
    """A path of straight lines with its cream edge."""
    rings = []
    for ring in path.split("Z")[:-1]:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", ring)]
        rings.append(Polygon(list(zip(numbers[::2], numbers[1::2], strict=True))).buffer(0))
    return MultiPolygon([part for ring in rings for part in shapely.get_parts(ring)]).buffer(2.5)


def parts(seal: Seal) -> Iterator[BaseGeometry]:
    x, y, k = seal.x, seal.y, seal.k
    if seal.words is None:
        yield shapely.Point(x, y).buffer(27 * k)
    elif seal.shape == "tall":
        yield shapely.Point(x, y - 12 * k).buffer(27 * k)
        yield box(x - 37 * k, y + 10 * k, x + 37 * k, y + 38 * k)
    else:
        yield box(x - 55 * k, y - 15 * k, x + 55 * k, y + 15 * k)
    if seal.retreated:
        dx, dy = (27, -29) if seal.shape == "tall" else (51, -19)
        yield shapely.Point(x + dx * k, y + dy * k).buffer(13 * k)


def clashes(board: Board) -> list[tuple[str, str, float]]:
    """What lies on what, and how much of it, in square px."""
    found: list[tuple[str, str, float]] = []
    marks = list(marks_of(board))
    for (one, a), (other, b) in combinations(marks, 2):
        if one != other and a.intersects(b):
            area = a.intersection(b).area
            if area > 1:
                found.append((one, other, round(area)))
    return found


@pytest.mark.sample(6)
@pytest.mark.parametrize("of", SCENES.values(), ids=SCENES.keys())
def test_nothing_lies_on_anything_else(of: Scene) -> None:
    assert clashes(laid(of)) == []


@pytest.mark.sample(16)
@pytest.mark.parametrize("zone", zones())
def test_five_types_of_two_allies_and_a_flight_find_room_in_every_zone(zone: str) -> None:
    board = lay_board(crowded(zone))
    assert clashes(board) == []
    shown = [piece for piece in board.pieces if piece.count]
    there = sum(len(force.counts) for z in crowded(zone).zones for force in z.forces)
    assert len(shown) == there
    assert min(piece.k for piece in shown) >= 0.5


def test_every_attack_of_the_told_battles_is_drawn_and_few_of_those_by_lot_are_not() -> None:
    assert lay_board(battles()).left_out <= 1
    assert lay_board(end()).left_out == 0
    boards = [laid(by_lot(lot)) for lot in range(LOTS)]
    assert sum(board.left_out for board in boards) <= MOST_LEFT_OUT * LOTS * 14


@pytest.mark.parametrize("of", [battles(), end(), by_lot(3)], ids=["battles", "end", "lot"])
def test_pieces_and_names_stand_where_they_stand_at_the_start(of: Scene) -> None:
    """They move in a crowded zone only."""
    first = {name.zone: name.box for name in lay_board(scene()).names}
    assert {name.zone: name.box for name in lay_board(of).names} == first


@pytest.mark.parametrize(
    "of", [scene(), battles(), end(), by_lot(5)], ids=["start", "battles", "end", "lot"]
)
def test_every_text_is_in_the_picture_and_touches_no_other_of_its_part(of: Scene) -> None:
    board = lay_board(of)
    texts = texts_of(board)
    for where, words in texts:
        left, top, right, bottom = words.box
        assert 18 <= left <= right <= board.width - 18, (where, words)
        assert 18 <= top <= bottom <= board.height - 10, (where, words)
        assert words.size >= (30 if where in {"corner", "strip", "note"} else 12), "READING-22"
    strip = [words for where, words in texts if where == "strip"]
    assert all(words.box[1] > HIGH for words in strip)
    for a, b in combinations(strip, 2):
        assert not box(*a.box).intersects(box(*b.box)), (a, b)


@pytest.mark.parametrize("of", [scene(), battles(), end()], ids=["start", "battles", "end"])
def test_names_and_numbers_of_units_can_be_read_on_a_phone(of: Scene) -> None:
    """9 px where the board of 1080 px is shown 360 px wide; less only where a Land is crowded."""
    board = lay_board(of)
    assert min(words.size for name in board.names for words in name.words) >= 27
    counts = [piece.count.size for piece in board.pieces if piece.count]
    assert sum(size < 27 for size in counts) <= len(counts) / 10
