"""The buttons a player of live Realm-Master looks for lead to the very answer that was meant, in
the real menu.
"""

import random

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.view_of import view_of
from engine.realm_master.wording import format_order
from pbem.games.realm_master.pages.menu import MENU
from pbem.games.realm_master.play.strategy import plan
from pbem.games.realm_master.play.taps import taps_of
from pbem.play import Seen, Temper
from tests.games.realm_master.engine.playing import new_game
from tests.pages.tapping import tapped

WINDOWS = 120
TEMPER = Temper(0.9, 0.5, 0.2)


def test_every_way_through_the_buttons_ends_in_its_answer() -> None:
    state, place = new_game(4, mode="interactive"), 0
    kinds = set()
    for window in range(WINDOWS):
        if state.stage == "over":
            break
        orders = {}
        for number in state.asked:
            seen = Seen(number, view_of(state, number), tuple(REALM_MASTER.legal(state, number)))
            wanted = plan(seen, TEMPER, random.Random(window))
            for order in wanted:
                if steps := taps_of(order, seen.view):
                    assert tapped(MENU, seen, steps) == format_order(order)
                    kinds.add(type(order))
            orders[number] = tuple(order for order in wanted if not isinstance(order, o.BuyNow))
        stream = Chance(b"taps", place)
        state, place = REALM_MASTER.adjudicate(state, orders, stream).state, stream.place
    assert kinds >= {o.Reroll, o.Faces, o.Choose, o.Enter, o.BuyNow, o.GoOn}


def test_the_plan_of_a_round_is_written() -> None:
    view = view_of(new_game(3), 1)
    assert taps_of(o.PickHero(("elf",)), view) == ()
    assert taps_of(o.Reroll((o.DieRule("-", reroll=True),)), view) == ()
