"""Games that are played through the rules alone. Each step keeps what was drawn and ordered, so
that it can be taken again with one thing otherwise.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from engine.chance import SEED_BYTES, Chance, Draw, ScriptEntry
from engine.ruleset import Outcome, Seat, Standing
from pbem.demo.cast import whole_cast
from pbem.game import Game
from pbem.play import ScriptedQuestion, Seen

NOW = datetime(2026, 11, 23, 7, tzinfo=UTC)
LONG_NAME = "Maximiliane O'Hara-Wędrychowska-Ashcroft"
"""Of the last player: as long as a name may be, so that each page has to find room for it."""
MOST_ORDERS = 12
"""The most orders that a player gives at random."""
MOST_LEGAL = 20_000
"""Legal orders of one player in one phase; more of them are not asked for."""

Orders = Mapping[int, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table to play at: the `options` and how many `players` there are."""

    game: Game
    options: Mapping[str, object]
    players: int

    @property
    def seats(self) -> tuple[Seat, ...]:
        names = [person.name for person in whole_cast()[: self.players - 1]] + [LONG_NAME]
        return tuple(
            Seat(number, name, self.game.colours[number - 1])
            for number, name in enumerate(names, start=1)
        )

    def __str__(self) -> str:
        told = [f"{self.players} players", *(f"{k}={v}" for k, v in self.options.items())]
        return ", ".join(told)


@dataclass(frozen=True, slots=True)
class Step:
    """The set-up (`before` None), or one phase that was closed with these orders. `place` is where
    the stream of chance stood.
    """

    table: Table
    seed: bytes
    before: Any
    orders: Orders
    place: int
    draws: tuple[Draw, ...]
    outcome: Outcome[Any]

    @property
    def told(self) -> str:
        """Which step it is, and what was ordered in it."""
        if self.before is None:
            return "after the set-up"
        rules = self.table.game.ruleset
        phase = rules.phase(self.before)
        orders = "; ".join(
            f"player {number}: {', '.join(rules.format_order(self.before, one) for one in given)}"
            for number, given in self.orders.items()
        )
        return f"after the phase `{phase.kind}` of turn {phase.turn} ({orders or 'no orders'})"

    def again(
        self, state: Any = None, orders: Orders | None = None, script: Sequence[ScriptEntry] = ()
    ) -> Outcome[Any]:
        """The same step from another state, with other orders, or with draws as in the script."""
        rules, chance = self.table.game.ruleset, Chance(self.seed, self.place, script)
        if self.before is None:
            return rules.setup(self.table.options, self.table.seats, chance)
        return rules.adjudicate(
            self.before if state is None else state,
            self.orders if orders is None else orders,
            chance,
        )


@dataclass(frozen=True, slots=True)
class Act:
    """An order that took effect at once."""

    before: Any
    player: int
    order: Any
    outcome: Outcome[Any]


@dataclass(frozen=True, slots=True)
class Walk:
    """A game in its steps, the set-up first, and what took effect in between."""

    table: Table
    steps: tuple[Step, ...]
    acts: tuple[Act, ...]
    is_over: bool

    @property
    def origins(self) -> Iterator[tuple[Any, str]]:
        """The states as below, each with what led to it, in words by which it can be repeated."""
        rules = self.table.game.ruleset
        for step in self.steps:
            yield step.outcome.state, step.told
        for act in self.acts:
            text = rules.format_order(act.before, act.order)
            yield act.outcome.state, f'after "{text}" of player {act.player}'

    @property
    def states(self) -> Iterator[Any]:
        for step in self.steps:
            yield step.outcome.state
        for act in self.acts:
            yield act.outcome.state

    @property
    def outcomes(self) -> Iterator[Outcome[Any]]:
        for step in self.steps:
            yield step.outcome
        for act in self.acts:
            yield act.outcome


def walk(table: Table, seed: int, most_phases: int, *, is_scripted: bool) -> Walk:
    """Play until the game is over, or for `most_phases`. `is_scripted`: its players decide as in
    a demonstration; otherwise they order at random what is legal. Whatever the game raises comes
    through.
    """
    walker = _Walker(table, seed, is_scripted and table.game.play is not None)
    rules = table.game.ruleset
    while len(walker.steps) <= most_phases:
        if rules.phase(walker.state).over is not None:
            break
        walker.close()
    is_over = rules.phase(walker.state).over is not None
    return Walk(table, tuple(walker.steps), tuple(walker.acts), is_over)


class _Walker:
    """All players of a game, and the game as far as they have played it."""

    def __init__(self, table: Table, seed: int, is_scripted: bool) -> None:
        self.table, self.rules, self.is_scripted = table, table.game.ruleset, is_scripted
        self.secret, self.rng = seed.to_bytes(SEED_BYTES, "big"), random.Random(seed)
        self.asked: Counter[tuple[int, str]] = Counter()
        chance = Chance(self.secret)
        outcome = self.rules.setup(table.options, table.seats, chance)
        self.steps = [Step(table, self.secret, None, {}, 0, tuple(chance.draws), outcome)]
        self.acts: list[Act] = []
        self.state, self.place, self.events = outcome.state, chance.place, outcome.events

    def close(self) -> None:
        """Everybody orders, and the phase closes."""
        before, orders = self.rules.phase(self.state), dict[int, tuple[Any, ...]]()
        for number in before.asked:
            standing = self._standing(number)
            phase = self.rules.phase(self.state)
            if (phase.kind, phase.turn, phase.question) != (
                before.kind,
                before.turn,
                before.question,
            ):
                return  # what took effect at once has closed it
            if standing.orders:
                orders[number] = standing.orders
        chance = Chance(self.secret, self.place)
        outcome = self.rules.adjudicate(self.state, orders, chance)
        self.steps.append(
            Step(
                self.table,
                self.secret,
                self.state,
                orders,
                self.place,
                tuple(chance.draws),
                outcome,
            )
        )
        self.state, self.place, self.events = outcome.state, chance.place, outcome.events

    def _standing(self, number: int) -> Standing[Any]:
        """What a player orders, one thing after another."""
        standing = Standing[Any]()
        for order in self._wanted(number):
            checked = self.rules.check(self.state, number, standing, (order,))
            act = self.rules.act_of(order)
            if act is not None and order in checked.accepted:
                chance = Chance(self.secret, self.place)
                outcome = self.rules.act(self.state, number, act, chance)
                self.acts.append(Act(self.state, number, order, outcome))
                self.state, self.place = outcome.state, chance.place
            elif act is None:
                standing = checked.standing
        return standing

    def _wanted(self, number: int) -> Sequence[Any]:
        legal = tuple(islice(self.rules.legal(self.state, number), MOST_LEGAL))
        play = self.table.game.play
        if not self.is_scripted or play is None:
            return self.rng.sample(legal, min(len(legal), self.rng.randint(1, MOST_ORDERS)))
        view = self.rules.view(self.state, number)
        events = tuple(event for event in self.events if event.is_for(number))
        names = {seat.number: seat.name for seat in self.table.seats}
        seen = Seen(number, view, legal, events, names)
        stage = play.stage_of(view)
        self.asked[number, stage] += 1
        ordinal = sum(times for (one, _), times in self.asked.items() if one == number)
        person = whole_cast()[(number - 1) % len(whole_cast())]
        return play.plan(
            ScriptedQuestion(
                person,
                seen,
                stage,
                ordinal,
                self.asked[number, stage],
                NOW,
                NOW + timedelta(hours=24),
            ),
            self.rng,
        )
