"""The buttons that a ruler of States & Sovereigns looks for lead to the very order that was meant, in
the real menu.
"""

import random

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.reading import parse_order
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from pbem.games.sovereigns.pages.menu import MENU
from pbem.games.sovereigns.play.strategy import plan
from pbem.games.sovereigns.play.taps import taps_of
from pbem.pages.menu import MenuButton
from pbem.play import Seen, Temper
from tests.games.sovereigns.engine.playing import Play, new_game, play
from tests.pages.sample import reader, table

PHASES = 25
NOTHING: Standing[o.Order] = Standing()


def seen_by(state: State, number: int) -> Seen:
    return Seen(number, view_of(state, number), tuple(SOVEREIGNS.legal(state, number)))


def tapped(seen: Seen, steps: tuple[str, ...]) -> str:
    """The order that these taps end in."""
    buttons = list(MENU.entries(seen.view, seen.legal, NOTHING))
    last: MenuButton | None = None
    for step in steps:
        words = step.removesuffix("?")
        found = next(
            (
                button
                for button in buttons
                if (text := button.text.removeprefix("• ")) == words or text.startswith(f"{words} ")
            ),
            None,
        )
        if found is None and step.endswith("?"):
            continue
        assert found is not None, f"{step!r} is not among {[button.text for button in buttons]}"
        last = found
        if not found.takes:
            look = MENU.step(
                table(), reader(seen.number), seen.view, seen.legal, NOTHING, found.path
            )
            buttons = [button for line in look.lines for button in line]
    assert last is not None
    return last.takes


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
                if steps := taps_of(order, seen):
                    assert parse_order(game.state, tapped(seen, steps)) == order
                    kinds.add(order.ways[0].kind if isinstance(order, o.Do) else str(type(order)))
            ruler = game.state.kingdom(number).ruler
            game.say(ruler, *(SOVEREIGNS.format_order(game.state, order) for order in wanted))
        game.close()
    assert kinds >= {"Attack", "Expedition", "Increase", str(o.Year), str(o.Pass), str(o.Build)}


def test_what_has_words_of_its_own_is_written() -> None:
    seen = seen_by(play({"Ann": {}, "Ben": {}}).state, 1)
    steel = o.Proposal("steel", "STAT-ROLL M")
    assert taps_of(o.Do((o.Action("Research", "R", 2, proposal=steel),)), seen) == ()
    assert taps_of(o.Do((o.Action("Try", "R", 2, words="a feast"),)), seen) == ()
    assert taps_of(o.Claim(), seen) == ()
    assert taps_of(o.Year((o.Way(),)), seen) == ()
