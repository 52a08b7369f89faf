"""The arms of the kingdoms in mails are those of the board."""

import pytest

from engine.fortresses.atlas import KINGDOMS, Kingdom
from pbem.board.painting import render
from pbem.games.fortresses.board.banners import BANNERS
from pbem.games.fortresses.coats import COATS
from pbem.pages.kit.arms import badge_png, badges_in
from tests.pages.test_badges import badge_svg


@pytest.mark.parametrize("kingdom", KINGDOMS)
def test_a_badge_is_painted_from_the_banner_of_the_board(kingdom: Kingdom) -> None:
    coat, banner = COATS[kingdom], BANNERS[kingdom]
    assert (coat.full, coat.on, coat.path) == (banner.full, banner.on, banner.charge)
    assert badge_png(coat.badge) == render(badge_svg(coat))
    assert badges_in(f'<img src="cid:arms-{coat.badge}">') == (coat.badge,)
