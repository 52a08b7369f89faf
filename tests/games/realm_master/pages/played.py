"""Whole games of scripted players, with what each close told: for tests of news, letters and the
archive.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from engine.chance import Chance
from engine.realm_master.orders import Order
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.view import TableView
from engine.realm_master.view_of import view_of
from engine.ruleset import Event
from pbem.games.realm_master.play.strategy import plan
from pbem.pages.archive import Close
from pbem.play import Seen, Temper
from tests.games.realm_master.engine.playing import new_game

MOST_CLOSES = 1500
TEMPERS = (
    Temper(0.9, 0.5, 0.2),
    Temper(0.2, 0.9, 0.9),
    Temper(0.5, 0.5, 0.8),
    Temper(0.7, 0.1, 0.5),
)


@dataclass(frozen=True, slots=True)
class Closed:
    """A close: the state before and after it, the orders that counted, and all that happened."""

    before: State
    orders: dict[int, tuple[Order, ...]]
    after: State
    events: tuple[Event, ...]

    def told(self, player: int | None) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.is_for(player))


@cache
def game(seed: int, players: int, mode: str = "standing") -> tuple[Closed, ...]:
    """A game from its first question to its end."""
    return tuple(_play(seed, players, mode))


def _play(seed: int, players: int, mode: str) -> Iterator[Closed]:
    state, place = new_game(players, mode=mode), 0
    for _ in range(MOST_CLOSES):
        if state.stage == "over":
            return
        rng = random.Random(f"{seed}/{place}/{state.question}")
        orders = {number: _orders(state, number, rng) for number in state.asked}
        stream = Chance(seed.to_bytes(4, "big"), place)
        outcome = REALM_MASTER.adjudicate(state, orders, stream)
        yield Closed(state, orders, outcome.state, outcome.events)
        state, place = outcome.state, stream.place
    raise AssertionError("the game has no end")


def _orders(state: State, number: int, rng: random.Random) -> tuple[Order, ...]:
    seen = Seen(number, REALM_MASTER.view(state, number), tuple(REALM_MASTER.legal(state, number)))
    return tuple(plan(seen, TEMPERS[number % len(TEMPERS)], rng))


def public(state: State) -> TableView:
    return view_of(state, None)


def closes_of(played: tuple[Closed, ...]) -> tuple[Close, ...]:
    """The same as an archive asks about it: the start, then each close."""
    start = public(played[0].before)
    return (
        Close(0, 0, "start", start, ()),
        *(
            Close(number, closed.before.round, closed.before.stage, public(closed.after), told)
            for number, closed in enumerate(played, start=1)
            for told in (closed.told(None),)
        ),
    )
