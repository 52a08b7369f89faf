"""Whole games as the demonstration plays them, with every letter that its players get: rulers who
trade, invent and attack.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Literal

from engine.chance import Chance
from engine.ruleset import Event, Seat, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from pbem.demo.cast import whole_cast
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.play.script import PLAY
from pbem.pages.archive import Close
from pbem.pages.page import (
    Page,
    ReceiptFacts,
    ReceiptItem,
    RecordFacts,
)
from pbem.play import ScriptedQuestion, Seen
from tests.games.sovereigns.pages.played import (
    COLOURS,
    COMMITMENT,
    NAMES,
    SEED,
    Step,
    reader,
    table,
)
from tests.pages import sample

_EARLY, _LATER, _LAST = 6, 20, 47
"""Hours of a phase at which rulers trade, answer each other, and let the clock run."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A close, or the start: what was asked and ordered before it, and what came of it."""

    before: State | None
    orders: Mapping[int, tuple[o.Order, ...]]
    step: Step


class _Script:
    def __init__(self, players: int, seed: int, years: int) -> None:
        self.rng, self.chance = random.Random(seed), Chance(str(seed).encode())
        self.people = whole_cast()
        seats = [Seat(n, NAMES[n - 1], COLOURS[n - 1]) for n in range(1, players + 1)]
        outcome = SOVEREIGNS.setup({"max_years": years}, seats, self.chance)
        self.state, self.events = outcome.state, list(outcome.events)

    def question(self, player: int) -> ScriptedQuestion:
        seen = Seen(
            player, SOVEREIGNS.view(self.state, player), tuple(SOVEREIGNS.legal(self.state, player))
        )
        kind = SOVEREIGNS.phase(self.state).kind
        until = sample.NOW + timedelta(hours=48)
        return ScriptedQuestion(self.people[player], seen, kind, 1, 1, sample.NOW, until)

    def act(self, actor: int | Literal["gm"], told: Mapping[str, object]) -> None:
        try:
            outcome = SOVEREIGNS.act(self.state, actor, told, self.chance)
        except Refused:
            return
        self.state = outcome.state
        self.events += outcome.events

    def meanwhile(self) -> None:
        for hour in (_EARLY, _LATER, _LAST):
            if hour > self.state.hour:
                self.act("gm", {"act": "clock", "hour": hour})
            for player in SOVEREIGNS.active(self.state):
                for order in self.deeds(player, hour):
                    act = SOVEREIGNS.act_of(order)
                    if act is not None:
                        self.act(player, act)

    def deeds(self, player: int, hour: int) -> Sequence[o.Order]:
        if hour == _EARLY:
            return PLAY.plan_looks(self.question(player), self.rng)
        return PLAY.plan_after_look(self.question(player).seen, self.rng) if hour == _LATER else ()

    def orders(self, player: int) -> tuple[o.Order, ...]:
        wanted = PLAY.plan(self.question(player), self.rng)
        mine = [order for order in wanted if not isinstance(order, o.Deed)]
        return tuple(SOVEREIGNS.check(self.state, player, Standing(), mine).standing.orders)

    def close(self) -> Closed:
        before = self.state
        given = {player: self.orders(player) for player in SOVEREIGNS.active(before)}
        outcome = SOVEREIGNS.adjudicate(before, given, self.chance)
        told = Step(outcome.state, (*self.events, *outcome.events))
        self.state, self.events = outcome.state, []
        return Closed(before, given, told)


@lru_cache(maxsize=4)
def play_script(players: int = 5, seed: int = 1, years: int = 2) -> tuple[Closed, ...]:
    """The start and every close."""
    script = _Script(players, seed, years)
    found = [Closed(None, {}, Step(script.state, tuple(script.events)))]
    script.events = []
    while SOVEREIGNS.phase(script.state).over is None:
        script.meanwhile()
        if SOVEREIGNS.phase(script.state).over is None:
            found.append(script.close())
    return tuple(found)


def closes_of(
    closes: Sequence[Closed], events: Sequence[tuple[Event, ...]] | None = None
) -> tuple[Close, ...]:
    """The same as an archive asks about it; `events` in place of those that everybody saw."""
    told = events or [closed.step.told(None) for closed in closes]
    return tuple(
        Close(number, *_kind(closed.before), closed.step.view(None), told[number])
        for number, closed in enumerate(closes)
    )


def _kind(before: State | None) -> tuple[int, str]:
    if before is None:
        return 0, "start"
    phase = SOVEREIGNS.phase(before)
    return phase.turn, phase.kind


# ----------------------------------------------------------------------------------- the letters
def letters_of(closes: Sequence[Closed]) -> Iterator[tuple[str, Page]]:
    """Turns, reminders, receipts, bulletins and the ending, by their kinds."""
    for closed in closes:
        if closed.before is not None:
            yield from _receipts(closed.before, closed.orders)
        step = closed.step
        view = step.view(None)
        if view.stage == "over":
            record = RecordFacts("heron-record.json", "5" * 64, closes_of(closes))
            told = step.told(None)
            at = table(deadline=None)
            yield "ending", PAGES.ending(at, view, told, SEED, COMMITMENT, record)
            return
        yield "bulletin", PAGES.bulletin(table(), view, step.told(None))
        for number in view.asked:
            own, who = step.view(number), reader(number)
            yield "turn", PAGES.turn(table(), who, own, step.told(number), Standing())
            yield "reminder", PAGES.reminder(table(), who, own, Standing())


def _receipts(
    before: State, given: Mapping[int, tuple[o.Order, ...]]
) -> Iterator[tuple[str, Page]]:
    for number, orders in given.items():
        view = Step(before, ()).view(number)
        texts = tuple(PAGES.format_order(view, order) for order in orders)
        items = tuple(
            ReceiptItem(n, text.lower(), None, (text,)) for n, text in enumerate(texts, 1)
        )
        if items:
            facts = ReceiptFacts(items, texts, orders, False, 1, sample.NOW)
            yield "receipt", PAGES.receipt(table(), reader(number), view, facts)
