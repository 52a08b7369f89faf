"""The buttons a correspondent looks for lead to the very order that was meant, in the real menu."""

import pytest

from engine.protectors import orders as o
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Stage
from engine.protectors.view_of import view_of
from pbem.games.protectors.pages.menu import MENU
from pbem.games.protectors.play.script import PLAY
from pbem.play import Seen
from tests.games.protectors.play.positions import landed
from tests.pages.tapping import tapped

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")


@pytest.mark.parametrize("stage", ["orders", "dragon"])
def test_every_way_through_the_menu_ends_in_its_order(stage: Stage) -> None:
    state = landed(NAMES, stage)
    seen = Seen(1, view_of(state, 1), tuple(PROTECTORS.legal(state, 1)))
    kinds = set()
    for order in seen.legal:
        if isinstance(order, o.Send) and order.amount > 1:
            continue
        if steps := PLAY.taps(seen, order):
            assert tapped(MENU, seen, steps) == PROTECTORS.format_order(state, order)
            kinds.add(type(order))
    assert kinds == (
        {o.Fortify, o.March, o.Support, o.Work, o.Hold, o.Send, o.Snitch}
        if stage == "orders"
        else {o.Commit, o.CommitNothing, o.Burn}
    )


def test_what_takes_many_taps_is_written() -> None:
    state = landed(NAMES, "orders")
    seen = Seen(1, view_of(state, 1), tuple(PROTECTORS.legal(state, 1)))
    assert PLAY.taps(seen, o.Send(133, 2)) == ()
    assert PLAY.taps(seen, o.March(30, 1, 2)) == ()
