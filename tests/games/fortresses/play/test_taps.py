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
from pbem.games.fortresses.play.strategy import plan
from pbem.games.fortresses.play.taps import taps_of
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
            steps = taps_of(order, seen)
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


def test_what_a_counter_cannot_say_at_one_tap_is_written() -> None:
    state = FORTRESSES.setup({}, seats(2), Chance(b"taps")).state
    seen = Seen(1, view_of(state, 1), tuple(FORTRESSES.legal(state, 1)))
    assert taps_of(o.Keep(True, "Kiev"), seen) == ()
    assert taps_of(o.Done(), seen) == ()
