"""The arms within a mail are those of the board (READING-15)."""

import io

import pytest
from PIL import Image

from pbem.board.painting import render
from pbem.board.palette import ARMS as ON_BOARDS
from pbem.board.palette import CREAM, INK, WHITE, Arms
from pbem.pages.kit.arms import ARMS, SIDE, badge_png, badges_in, with_badges
from pbem.pages.kit.arms import Arms as InMails


def badge_svg(arms: Arms | InMails) -> str:
    """The symbol on its colour, with a rim that is seen on light and on dark paper."""
    rim = CREAM if arms.on == WHITE else INK
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}"'
        f' viewBox="0 0 {SIDE} {SIDE}"><rect x="0" y="0" width="{SIDE}" height="{SIDE}"'
        f' fill="{rim}"/><rect x="3" y="3" width="{SIDE - 6}" height="{SIDE - 6}"'
        f' fill="{arms.full}"/><g transform="translate({SIDE // 2},{SIDE // 2}) scale(1.7)">'
        f'<path d="{arms.path}" fill="{arms.on}" fill-rule="evenodd"/></g></svg>'
    )


@pytest.mark.parametrize("arms", ON_BOARDS, ids=lambda arms: arms.colour)
def test_reading_15_a_badge_is_painted_from_the_symbol_of_the_board(arms: Arms) -> None:
    with Image.open(io.BytesIO(badge_png(arms.colour))) as kept:
        assert kept.size == (SIDE, SIDE)
    assert badge_png(arms.colour) == render(badge_svg(arms))
    assert len(badge_png(arms.colour)) < 1500


def test_every_colour_of_mails_has_one() -> None:
    assert {arms.colour for arms in ON_BOARDS} == set(ARMS)


def test_a_page_says_which_arms_it_shows() -> None:
    html = '<img src="cid:board"><img src="cid:arms-red"><img src="cid:arms-sky">cid:arms-blue'
    twice = html + '<img src="cid:arms-red"><img src="cid:arms-unknown">'
    assert badges_in(twice) == ("red", "sky")
    assert 'src="cid:arms-red@realm.example"' in with_badges(html, "cid:arms-{}@realm.example")
    assert 'src="cid:board"' in with_badges(html, "x/{}")
