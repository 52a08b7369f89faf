"""Games of every kind that scripted players play to their end, without a store: the state after each
close, and what happened in it.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from engine.chance import Chance
from engine.ruleset import Event, Seat, Standing
from pbem.demo.stage import play_of
from pbem.game import Game
from pbem.pages.archive import Close
from pbem.play import Person as Correspondent
from pbem.play import ScriptedQuestion, Seen
from pbem.record.replay import is_another_phase
from tests.played import GAMES

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
BEGUN = datetime(2026, 11, 16, 17, tzinfo=UTC)
BETWEEN = timedelta(hours=40)
_MIND = Correspondent("Anna", "anna@players.example", "UTC", (), "lines", 0.0, 0.6, 0.6, 0.6)


Act = tuple[int, tuple[tuple[str, object], ...]]
"""What a game master does after the close of this number."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The start (number 0) or a close: `turn` and `kind` are those of the phase that it closed,
    `orders` what counted, `state` what came of it.
    """

    number: int
    turn: int
    kind: str
    state: Any
    orders: Mapping[int, tuple[Any, ...]]
    events: tuple[Event, ...]

    @property
    def public(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.is_for(None))


@dataclass(frozen=True, slots=True)
class Whole:
    """A game with all its moments."""

    game: Game
    options: Mapping[str, object]
    seats: tuple[Seat, ...]
    moments: tuple[Moment, ...]
    acts: tuple[Act, ...] = ()

    @property
    def undone(self) -> frozenset[int]:
        """The closes that the game master took back right after them."""
        return frozenset(number for number, _ in self.acts if number < self.moments[-1].number)

    def before(self, number: int) -> Moment:
        """The moment before a close, as the game counts."""
        return next(
            (one for one in reversed(self.moments[:number]) if one.number not in self.undone),
            self.moments[0],
        )

    @property
    def is_over(self) -> bool:
        return self.game.ruleset.phase(self.moments[-1].state).over is not None

    @property
    def closes(self) -> tuple[Close, ...]:
        """The same as an archive asks about it."""
        view = self.game.ruleset.view
        return tuple(
            Close(one.number, one.turn, one.kind, view(one.state, None), one.public)
            for one in self.moments
        )


def key_of(seed: int) -> bytes:
    return bytes([seed]) * 32


@cache
def whole(
    game_id: str,
    seed: int,
    players: int,
    closes: int,
    options: tuple[tuple[str, object], ...] = (),
    acts: tuple[Act, ...] = (),
) -> Whole:
    """A game that was played to its end, or that still runs after so many closes; an act may
    close the phase that is open then.
    """
    game, luck, chance = GAMES[game_id], random.Random(seed), Chance(key_of(seed))
    rules = game.ruleset
    seats = tuple(
        Seat(number, name, game.colours[number - 1])
        for number, name in enumerate(NAMES[:players], start=1)
    )
    outcome = rules.setup(dict(options), seats, chance)
    found = [Moment(0, 0, "start", outcome.state, {}, outcome.events)]
    while rules.phase(outcome.state).over is None and len(found) <= closes:
        phase = rules.phase(outcome.state)
        events: tuple[Event, ...] = ()
        orders: dict[int, tuple[Any, ...]] = {}
        for act in (dict(act) for number, act in acts if number == found[-1].number):
            outcome = rules.act(outcome.state, "gm", act, chance)
            events = outcome.events
        if not acts or not is_another_phase(phase, rules.phase(outcome.state)):
            phase, state = rules.phase(outcome.state), outcome.state
            orders = {number: _plan(game, state, number, luck) for number in phase.asked}
            outcome = rules.adjudicate(state, orders, chance)
            events = (*events, *outcome.events)
        found.append(Moment(len(found), phase.turn, phase.kind, outcome.state, orders, events))
    return Whole(game, dict(options), seats, tuple(found), acts)


def _plan(game: Game, state: Any, number: int, luck: random.Random) -> tuple[Any, ...]:
    rules, play = game.ruleset, play_of(game)
    view: Any = rules.view(state, number)
    seen = Seen(number, view, tuple(rules.legal(state, number)), names=dict(enumerate(NAMES, 1)))
    question = ScriptedQuestion(_MIND, seen, play.stage_of(view), 1, 1, BEGUN, BEGUN + BETWEEN)
    wanted = play.plan(question, luck)
    orders: tuple[Any, ...] = rules.check(state, number, Standing(), wanted).standing.orders
    return orders
