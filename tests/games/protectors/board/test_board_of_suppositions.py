"""A supposed board can be taken for no real one: in its picture, in whatever part of it is passed
on, and in its words.
"""

import io

from PIL import Image

from engine.protectors.state import State
from engine.protectors.suppositions import suppose
from engine.protectors.view_of import view_of
from pbem.board.board import TableFacts
from pbem.board.foot import FOOT
from pbem.board.painting import render
from pbem.board.paths import SIDE
from pbem.games.protectors.board.alt import describe
from pbem.games.protectors.board.drawing import draw, lay_board, texts_of
from pbem.games.protectors.board.margins import STRIP
from pbem.games.protectors.board.scene import Scene
from pbem.games.protectors.board.scene_of import build_scene
from tests.games.protectors.board.positions import land_of
from tests.games.protectors.board.test_board_of_protectors import ORDERS, RED, before

__all__ = ["before"]


def scene_of(state: State, *, hypothesis: bool) -> Scene:
    outcome = suppose(state, RED, ORDERS)
    facts = TableFacts("Heron", "consolidation", None, "Europe/Berlin", hypothesis)
    return build_scene(view_of(outcome.state, None), outcome.events, facts)


def test_it_says_so_in_a_ribbon_in_its_corner_and_in_its_words(before: State) -> None:
    scene = scene_of(before, hypothesis=True)
    board = lay_board(scene, land_of(7, 7))
    assert board.height == SIDE + STRIP + FOOT
    said = {words.text: where for where, words in texts_of(board)}
    assert said["What if? This is only a test"] == "foot"
    assert {"Heron", "What if?"} <= said.keys() or "Heron · What if?" in said
    assert not any("due" in text for text in said)
    assert describe(scene).startswith(
        "What if? This is only a test: it has not happened and orders nothing. Map of Heron,"
    )
    assert ". ." not in describe(scene)


def test_a_real_board_says_nothing_of_the_kind(before: State) -> None:
    scene = scene_of(before, hypothesis=False)
    svg = draw(scene, land_of(7, 7))
    assert "What if" not in svg
    assert "What if" not in describe(scene)
    assert lay_board(scene, land_of(7, 7)).height == SIDE + STRIP


def test_each_quarter_of_the_picture_differs_from_the_real_one_in_ink(before: State) -> None:
    """Letters across the map and a broken red frame: whoever cuts the ribbon off has not cut off
    the warning.
    """
    pictures = []
    for hypothesis in (True, False):
        drawn = Image.open(
            io.BytesIO(render(draw(scene_of(before, hypothesis=hypothesis), land_of(7, 7))))
        ).convert("RGB")
        side = drawn.width
        pictures.append(
            drawn.crop((0, 0, side, side)).resize((SIDE, SIDE), Image.Resampling.NEAREST)
        )
    supposed, real = pictures

    def reds_of(picture: Image.Image) -> int:
        return sum(
            1
            for r, g, b in zip(*(channel.tobytes() for channel in picture.split()), strict=True)
            if r > 110 and g < 60 and b < 60
        )

    for box in ((0, 0, 540, 540), (540, 0, SIDE, 540), (0, 540, 540, SIDE), (540, 540, SIDE, SIDE)):
        assert reds_of(supposed.crop(box)) > reds_of(real.crop(box)) + 3000


def test_the_ribbon_lies_below_the_ranking(before: State) -> None:
    board = lay_board(scene_of(before, hypothesis=True), land_of(7, 7))
    assert board.foot is not None
    assert (board.foot.top, board.height) == (SIDE + STRIP, SIDE + STRIP + FOOT)
