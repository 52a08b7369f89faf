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
from pbem.games.realm_master.play.script import PLAY
from pbem.games.realm_master.play.strategy import plan
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
                if steps := PLAY.taps(seen, order):
                    assert tapped(MENU, seen, steps) == format_order(order)
                    kinds.add(type(order))
            orders[number] = tuple(order for order in wanted if not isinstance(order, o.BuyNow))
        stream = Chance(b"taps", place)
        state, place = REALM_MASTER.adjudicate(state, orders, stream).state, stream.place
    assert kinds >= {o.Reroll, o.Faces, o.Choose, o.Enter, o.BuyNow, o.GoOn}


def test_the_plan_of_a_round_is_written() -> None:
    state = new_game(3)
    seen = Seen(1, view_of(state, 1), tuple(REALM_MASTER.legal(state, 1)))
    assert seen.view.stage == "heroes"
    heroes = PLAY.taps(seen, o.PickHero(("elf",)))
    assert tapped(MENU, seen, heroes) == "Hero: elf"
    state = REALM_MASTER.adjudicate(state, {}, Chance(b"taps")).state
    round_ = Seen(1, view_of(state, 1), tuple(REALM_MASTER.legal(state, 1)))
    reroll = next(order for order in round_.legal if isinstance(order, o.Reroll))
    assert round_.view.stage == "round"
    assert PLAY.taps(round_, reroll) == ()
