"""The board of a game's first mail says what its signs mean; later boards leave that out (F.3)."""

from xml.etree import ElementTree as ET

import pytest

from pbem.board.board import TableFacts
from pbem.board.faces import ink_box
from pbem.board.foot import lay_foot
from tests.board.parts import SVG
from tests.moments import whole
from tests.played import GAMES

TITLE = "What the signs mean"


def drawn(game_id: str, *, is_first: bool) -> ET.Element:
    table = whole(game_id, 1, 4, 1)
    board, moment = table.game.board, table.moments[0]
    view = table.game.ruleset.view(moment.state, None)
    land = board.land(view, 1, "") if board.land is not None else b""
    facts = TableFacts(
        "Heron", table.game.ruleset.phase(moment.state).kind, None, is_first=is_first
    )
    svg = board.draw(board.stage(view, moment.public, facts), land).svg
    return ET.fromstring(svg)  # noqa: S314 - our own templates wrote it


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_board_of_each_game_explains_signs_and_a_later_one_does_not(game_id: str) -> None:
    first, later = (drawn(game_id, is_first=is_first) for is_first in (True, False))
    said = [one.text for one in first.iter(f"{SVG}text")]
    assert TITLE in said
    assert TITLE not in [one.text for one in later.iter(f"{SVG}text")]
    assert float(first.attrib["height"]) > float(later.attrib["height"])


@pytest.mark.parametrize("game_id", GAMES)
def test_each_sign_has_its_meaning_in_letters_of_10_px_on_a_phone(game_id: str) -> None:
    texts = list(drawn(game_id, is_first=True).iter(f"{SVG}text"))
    title = next(place for place, one in enumerate(texts) if one.text == TITLE)
    meanings = [one for one in texts[title + 1 :] if one.get("text-anchor") != "middle"]
    assert len(meanings) == 8
    for one in meanings:
        size = float(one.attrib["font-size"])
        right = float(one.attrib["x"]) + ink_box(one.text or "", "sans", size)[2]
        assert size >= 28
        assert right <= (540 if float(one.attrib["x"]) < 540 else 1040), one.text


def test_a_supposed_board_and_a_chronicle_have_no_legend() -> None:
    supposed = lay_foot(0, None, is_supposed=True, meanings=("a", "b"))
    assert supposed is not None
    assert not supposed.spots
    assert lay_foot(0, None, is_supposed=False) is None
