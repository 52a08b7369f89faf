"""The buttons that a player of Fortresses looks for lead to the very order that was meant, in the
real menu.
"""

import random

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.orders import parse_order
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.view import view_of
from engine.ruleset import Standing
from pbem.games.fortresses.pages.menu import MENU
from pbem.games.fortresses.play.script import PLAY
from pbem.games.fortresses.play.strategy import plan
from pbem.play import Seen, Temper
from tests.games.fortresses.engine.playing import seats
from tests.pages.tapping import tapped

WINDOWS = 40


def test_every_way_through_the_buttons_ends_in_its_order() -> None:
    state, place = FORTRESSES.setup({}, seats(2), Chance(b"taps")).state, 0
    kinds = set()
    for window in range(WINDOWS):
        if state.stage == "over":
            break
        (number,) = FORTRESSES.phase(state).asked
        seen = Seen(number, view_of(state, number), tuple(FORTRESSES.legal(state, number)))
        wanted = plan(seen, Temper(0.6), random.Random(window))
        for order in wanted:
            steps = PLAY.taps(seen, order)
            if steps:
                text = tapped(MENU, seen, steps)
                (checked,) = FORTRESSES.check(
                    state, number, Standing(), (parse_order(text),)
                ).accepted
                (meant,) = FORTRESSES.check(state, number, Standing(), (order,)).accepted
                assert checked == meant
                kinds.add(type(order))
        stream = Chance(b"taps", place)
        state = FORTRESSES.adjudicate(state, {number: wanted}, stream).state
        place = stream.place
    assert kinds >= {o.Attack, o.Carry, o.Move, o.Buy, o.NoAttacks}


def test_what_the_menu_does_not_lead_to_is_written() -> None:
    state = FORTRESSES.setup({}, seats(2), Chance(b"taps")).state
    number = FORTRESSES.phase(state).asked[0]
    seen = Seen(number, view_of(state, number), tuple(FORTRESSES.legal(state, number)))
    assert PLAY.taps(seen, o.Keep(True, "Kiev")) == ()
    assert PLAY.taps(seen, o.BuyNothing()) == ("Buy nothing", "Take it")
