"""Nothing in a picture of the court lies on anything else, however many sit there and whatever they
did: measured on what is drawn.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest

from pbem.games.sovereigns.board.charters import MOST_ROWS
from pbem.games.sovereigns.board.drawing import Board, lay_board
from pbem.games.sovereigns.board.parts import TOKEN, Layer, Rect, meet
from pbem.games.sovereigns.board.seats import PEG, SEATS, lay_hall
from tests.games.sovereigns.board.positions import by_lot, duel, samples, twelve, year_start
from tests.rows import each_row

LOTS = 44
SCENES = samples() | {f"lot {lot}": by_lot(lot) for lot in range(LOTS)}
TOUCH = -1.0
"""What only touches does not lie on it, px."""
MOST_TOKENS_ASTRAY = 0.01
"""Of the tokens of ribbons by lot, where all twelve may set upon one."""

laid = cache(lay_board)


@pytest.mark.sample(20)
@pytest.mark.parametrize("of", SCENES)
def test_nothing_on_a_charter_a_roll_or_the_head_lies_on_anything_else_there(of: str) -> None:
    for layer in laid(SCENES[of]).layers:
        for a, b in combinations(layer.rects(), 2):
            assert not meet(a, b, TOUCH), (layer.where, a, b)


@each_row("of", SCENES)
def test_every_text_stays_on_its_card(of: str) -> None:
    board = laid(SCENES[of])
    for layer in (*board.charters, *board.alone, *board.rolls[1:], *board.margins[1:]):
        card = max((box.rect for box in layer.boxes[:2]), key=lambda rect: rect[2] - rect[0])
        for words in layer.texts:
            left, top, right, bottom = words.box
            assert card[0] < left < right < card[2], (layer.where, words)
            assert card[1] < top < bottom < card[3], (layer.where, words)
    for layer in board.layers:
        for words in layer.texts:
            assert 18 < words.box[0] < words.box[2] < board.width - 18, words
            assert words.size > 11, words


@each_row("of", SCENES)
def test_charters_slips_pegs_and_tokens_keep_apart(of: str) -> None:
    board = laid(SCENES[of])
    cards = [(f"charter {i}", seat.rect) for i, seat in enumerate(board.hall.seats)]
    cards += [(layer.where, layer.boxes[1].rect) for layer in board.margins[1:]]
    cards += [("head", rect) for rect in board.margins[0].rects()]
    for (one, a), (other, b) in combinations(cards, 2):
        assert "head" == one == other or not meet(a, b, TOUCH), (one, other)
    for _, rect in cards:
        assert 18 < rect[1] < rect[3] < board.hall.end - 18
    pegs = [_around(*seat.peg, PEG, PEG) for seat in board.hall.seats]
    for a, b in combinations(pegs, 2):
        assert not meet(a, b)
    assert not any(meet(peg, rect) for peg in pegs for _, rect in cards)


@each_row("of", SCENES)
def test_a_token_on_a_charter_covers_nothing_that_is_written_there(of: str) -> None:
    board = laid(SCENES[of])
    pegs = [_around(*seat.peg, PEG, PEG) for seat in board.hall.seats]
    for layer in board.alone:
        token = layer.boxes[0].rect
        for charter in board.charters:
            assert not any(meet(token, rect, TOUCH) for rect in charter.rects()), layer.where
            assert not any(meet(token, rect, TOUCH) for rect in _emblems(charter)), layer.where
        assert not any(meet(token, peg) for peg in pegs)


@each_row("of", samples())
def test_a_token_of_a_ribbon_lies_on_the_table_and_on_nothing_else(of: str) -> None:
    assert list(astray(laid(SCENES[of]))) == []


def test_so_it_is_by_lot_but_for_a_few_where_all_set_upon_one() -> None:
    boards = [laid(by_lot(lot)) for lot in range(LOTS)]
    lost = [where for board in boards for where in astray(board)]
    assert len(lost) <= MOST_TOKENS_ASTRAY * sum(len(board.ribbons) for board in boards), lost


def astray(board: Board) -> Iterator[str]:
    tokens = [ribbon.token.boxes[0].rect for ribbon in board.ribbons]
    others = [seat.rect for seat in board.hall.seats]
    others += [_around(*seat.peg, PEG - 3, PEG - 3) for seat in board.hall.seats]
    others += [layer.boxes[0].rect for layer in board.alone]
    left, top, right, bottom = board.hall.table
    for i, token in enumerate(tokens):
        assert token[2] - token[0] == pytest.approx(TOKEN[0])
        clear = not any(meet(token, other) for other in [*tokens[:i], *others])
        if not (clear and left < token[0] and token[2] < right and top < token[1] < bottom - 38):
            yield board.ribbons[i].where


@each_row("of", SCENES)
def test_emblems_lie_side_by_side_below_the_support_bar(of: str) -> None:
    for i, charter in enumerate(laid(SCENES[of]).charters):
        seat = laid(SCENES[of]).hall.seats[i]
        for a, b in combinations(_emblems(charter), 2):
            assert not meet(a, b, TOUCH), charter.where
        for rect in _emblems(charter):
            assert seat.x < rect[0] < rect[2] < seat.x + seat.width
            assert rect[3] < seat.y + seat.height - 10


@each_row("count", SEATS)
def test_the_table_runs_clockwise_and_a_kingdom_keeps_its_seat(count: int) -> None:
    hall = lay_hall(count, 158, 1)
    middle = hall.middle
    assert len(hall.seats) == count == sum(SEATS[count])
    tops = [seat.x for seat in hall.seats if seat.side == "top"]
    bottoms = [seat.x for seat in hall.seats if seat.side == "bottom"]
    assert tops == sorted(tops)
    assert bottoms == sorted(bottoms, reverse=True)
    for seat in hall.seats:
        assert seat.side != "left" or seat.x < middle[0]
        assert seat.side != "right" or seat.x > middle[0]
    for rows in range(MOST_ROWS + 1):
        assert [(seat.side, seat.x) for seat in lay_hall(count, 300, rows).seats] == [
            (seat.side, seat.x) for seat in hall.seats
        ]


def test_two_that_do_something_to_each_other_have_ribbons_side_by_side() -> None:
    """Section 8 of the style page: neither lies on the other."""
    one, other = lay_board(duel()).ribbons
    assert abs(one.token.boxes[0].y - other.token.boxes[0].y) > TOKEN[1] + 6


def test_the_ribbons_of_a_season_are_drawn_all() -> None:
    contested = [roll for roll in twelve().rolls if roll.target is not None]
    board = lay_board(twelve())
    assert len(board.ribbons) == len(contested) == 6
    assert len(board.alone) == len(twelve().rolls) - 6


def _around(x: float, y: float, dx: float, dy: float) -> Rect:
    return x - dx, y - dy, x + dx, y + dy


def _emblems(charter: Layer) -> list[Rect]:
    """Boxes with rounded or square frames below the support bar; what lasts has a second one in
    it.
    """
    return [
        box.rect
        for box in charter.boxes
        if 30 < box.height < 45 and box.line == 2.2 and box.width < 200
    ]


@each_row("of", SCENES)
def test_dice_of_a_year_start_lie_on_the_table_apart_from_all_else(of: str) -> None:
    board = laid(SCENES[of])
    left, top, right, bottom = board.hall.open
    for layer in board.cast:
        assert {pips for roll in SCENES[of].rolls for pips in roll.dice}
        for die in layer.dice:
            assert left <= die.rect[0] < die.rect[2] <= right
            assert top <= die.rect[1] < die.rect[3] <= bottom
    dice = [die.rect for layer in board.cast for die in layer.dice]
    for a, b in combinations([*dice, *(seat.rect for seat in board.hall.seats)], 2):
        assert not meet(a, b, TOUCH) or a not in dice


def test_the_dice_of_a_year_start_lie_on_the_oak_and_not_in_the_lines() -> None:
    """F.10: they stood on the strip below the table."""
    board = laid(year_start())
    thrown = [pips for roll in year_start().rolls for pips in roll.dice]
    assert sorted(die.pips for layer in board.cast for die in layer.dice) == sorted(thrown)
    assert not any(layer.dice for layer in board.rolls)
