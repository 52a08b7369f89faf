"""The buttons a correspondent looks for lead to the very order that was meant, in the real menu."""

import pytest

from engine.protectors import orders as o
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Stage
from engine.protectors.view_of import view_of
from pbem.games.protectors.pages.menu import MENU
from pbem.games.protectors.play.phrases import names_of
from pbem.games.protectors.play.taps import taps_of
from pbem.play import Seen
from tests.games.protectors.play.positions import landed
from tests.pages.tapping import tapped

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")


@pytest.mark.parametrize("stage", ["orders", "dragon"])
def test_every_way_through_the_menu_ends_in_its_order(stage: Stage) -> None:
    state = landed(NAMES, stage)
    seen = Seen(1, view_of(state, 1), tuple(PROTECTORS.legal(state, 1)))
    names = names_of(seen.view.players)
    kinds = set()
    for order in PROTECTORS.legal(state, 1):
        if steps := taps_of(order, names):
            assert tapped(MENU, seen, steps) == o.format_order(
                order, {number: named.name for number, named in names.items()}
            )
            kinds.add(type(order))
    assert kinds == (
        {o.Fortify, o.March, o.Support, o.Work, o.Hold} if stage == "orders" else {o.Commit}
    )


def test_what_has_no_way_of_its_own_is_written() -> None:
    assert taps_of(o.Bid(17), {}) == ()
    assert taps_of(o.March(30, 1, 2), {}) == ()
