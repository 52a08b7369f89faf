"""The buttons that a ruler of States & Sovereigns looks for lead to the very order that was meant, in
the real menu.
"""

import random

from engine.chance import Chance
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.menu import MENU
from pbem.games.sovereigns.play.script import PLAY
from pbem.games.sovereigns.play.strategy import plan
from pbem.play import Seen, Temper
from tests.games.sovereigns.engine.playing import Play, new_game, play
from tests.pages.tapping import tapped

PHASES = 25


def seen_by(state: State, number: int) -> Seen:
    return Seen(number, view_of(state, number), tuple(SOVEREIGNS.legal(state, number)))


def test_every_way_through_the_buttons_ends_in_its_order() -> None:
    game = Play(new_game(5), Chance(b"taps"))
    kinds: set[str] = set()
    for phase in range(PHASES):
        if game.state.stage == "over":
            break
        for number in game.state.living:
            seen = seen_by(game.state, number)
            wanted = plan(seen, Temper(0.6), random.Random(f"{phase}/{number}"))
            for order in wanted:
                if steps := PLAY.taps(seen, order):
                    assert parse_order(game.state, tapped(MENU, seen, steps)) == order
                    kinds.add(order.ways[0].kind if isinstance(order, o.Do) else str(type(order)))
            ruler = game.state.kingdom(number).ruler
            game.say(ruler, *(SOVEREIGNS.format_order(game.state, order) for order in wanted))
        game.close()
    assert kinds >= {"Attack", "Expedition", "Increase", str(o.Year), str(o.Pass), str(o.Build)}


def test_what_has_words_of_its_own_is_written() -> None:
    seen = seen_by(play({"Ann": {}, "Ben": {}}).state, 1)
    steel = o.Proposal("steel", "STAT-ROLL M")
    assert PLAY.taps(seen, o.Do((o.Action("Research", "R", 2, proposal=steel),))) == ()
    assert PLAY.taps(seen, o.Do((o.Action("Try", "R", 2, words="a feast"),))) == ()
    assert PLAY.taps(seen, o.Claim()) == ("For the table", "Claim victory", "Take it")
    assert PLAY.taps(seen, o.Year((o.Way(),))) == ()
