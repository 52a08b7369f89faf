"""What follows what: the open question of a state, and the close of a phase."""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.ruleset import Outcome, Over, Phase
from engine.sovereigns import events as e
from engine.sovereigns.acts import do_again
from engine.sovereigns.checking.messages import refusal_of
from engine.sovereigns.orders import Order, Pass, Split, Year
from engine.sovereigns.requests import SILENT_SEASONS
from engine.sovereigns.seasons.running_phase import WINDOWS, deadline, redo, verdict, waits
from engine.sovereigns.seasons.seasons import abdicate, close_season
from engine.sovereigns.seasons.year import start_year
from engine.sovereigns.setup import close_setup
from engine.sovereigns.state import State
from engine.sovereigns.table import Table

REMINDERS = (0.5, 0.85)
"""Shares of a window (SS-12.12)."""
_RULE_OF = {"setup": "SS-12.1", "year-start": "SS-12.2", "season": "SS-12.3", "redo": "SS-12.6"}

Given = Mapping[int, Sequence[Order]]


def phase(state: State) -> Phase:
    """The open question. `turn` is the year; set-up is 0."""
    turn = 0 if state.stage == "setup" else state.year
    if state.undone is not None and state.stage == "over":
        return _phase("redo", turn, (state.undone.player,), state)
    if state.stage == "over":
        return Phase(
            "over",
            turn,
            (),
            0,
            ("SS-11.3",),
            over=Over(state.winners, state.ended_by),
            question=state.question,
        )
    return _phase(state.stage, turn, tuple(sorted(state.living)), state)


def _phase(kind: str, turn: int, asked: tuple[int, ...], state: State) -> Phase:
    hours = WINDOWS[kind] if kind == "redo" else deadline(state) + waits(state)
    return Phase(
        kind, turn, asked, hours, (_RULE_OF[kind],), question=state.question, reminders=REMINDERS
    )


def adjudicate(state: State, orders: Given, chance: Chance) -> Outcome[State]:
    """Close the open phase and continue to the next question. ValueError if the game is over.

    The phase closes at the hour that the clock was told last. An objection without a verdict
    lapses, an open redo is a pass.
    """
    table = Table(state, chance)
    if state.stage == "over":
        if state.undone is None:
            raise ValueError("the game is over")
        redo(table, Pass(), do_again)
        return _stop(table, state)
    for objection in table.state.objections:
        verdict(table, objection, upheld=False)
    if table.state.undone is not None:
        redo(table, Pass(), do_again)
    if not table.is_over:
        _close(table, orders)
    return _stop(table, state)


def _stop(table: Table, before: State) -> Outcome[State]:
    if not table.is_over:
        table.tell(
            e.WindowOpened(table.state.stage, WINDOWS[table.state.stage]),
            [_RULE_OF[table.state.stage]],
        )
    elif table.state.question == before.question:
        table.put(question=before.question + 1)
    return table.outcome()


def _close(table: Table, orders: Given) -> None:
    stage = table.state.stage
    spoken = {number for number, told in orders.items() if told} | {
        entry.actor for entry in table.state.log
    }
    table.put(played=(), log=())
    if stage == "season":
        _count_silence(table, spoken)
        close_season(table, orders)
        return
    if stage == "setup":
        close_setup(
            table, {number: _sound(table.state, number, told) for number, told in orders.items()}
        )
    else:
        abdicate(table)
        if not table.is_over:
            start_year(
                table,
                {
                    number: year
                    for number, told in orders.items()
                    for year in told
                    if isinstance(year, Year)
                },
            )
    if not table.is_over:
        table.put(hour=0, paused=0, question=table.state.question + 1)


def _sound(state: State, number: int, orders: Sequence[Order]) -> tuple[Order, ...]:
    """A missing or illegal split becomes the default (SS-1.3)."""
    return tuple(
        order
        for order in orders
        if isinstance(order, Split) and refusal_of(state, number, order, (), ()) is None
    )


def _count_silence(table: Table, spoken: set[int]) -> None:
    for number in table.state.living:
        missed = 0 if number in spoken else table.of(number).missed + 1
        table.change(number, missed=missed)
        if missed == SILENT_SEASONS:
            table.tell(e.ReplacementWanted(number, missed), ["SS-11.9"])
