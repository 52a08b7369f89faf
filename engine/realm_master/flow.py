"""What follows what: the open question of a state, and playing on from its close to the next
one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.chance import Chance
from engine.realm_master.events import WindowOpened
from engine.realm_master.heroes import take_heroes
from engine.realm_master.orders import Order, Wait
from engine.realm_master.plans import answer_of, enters_plan, merge
from engine.realm_master.state import (
    Begin,
    Blows,
    Check,
    Do,
    EndRound,
    Fall,
    Heroes,
    Pay,
    PlaceRevealed,
    Plans,
    Smoke,
    Stage,
    Stand,
    State,
    Step,
    Task,
    Thorn,
    Yield,
)
from engine.realm_master.table import Closing, Table
from engine.realm_master.turns import attacks, rounds, turns
from engine.realm_master.turns.deaths import check_victory, fall
from engine.realm_master.turns.shop import place_revealed, task_of
from engine.ruleset import Outcome, Over, Phase, Span

Given = Mapping[int, Sequence[Order]]

WINDOWS: Mapping[Stage, int] = {
    "heroes": 24,
    "round": 48,
    "tribute": 8,
    "ultimatum": 8,
    "reroll": 8,
    "second": 8,
    "knuckle": 8,
    "faces": 8,
    "attack": 8,
    "smoke": 8,
    "hit": 8,
    "loot": 8,
    "place": 8,
    "enter": 8,
    "realm": 8,
    "last": 8,
}
"""Hours of each question (RM-9, RM-11.3)."""

TURN_HOURS = 24
"""Hours of a whole turn played decision by decision (RM-11.3)."""

REMINDERS = (0.5, 0.85)
"""Shares of a window (RM-11.6)."""

_RULE_OF: Mapping[Stage, tuple[str, ...]] = {
    "heroes": ("RM-9.1", "RM-1.6"),
    "round": ("RM-11.1", "RM-11.7", "RM-10.1"),
    "tribute": ("RM-9.2",),
    "ultimatum": ("RM-9.3",),
    "reroll": ("RM-9.4",),
    "second": ("RM-9.5", "RM-T17"),
    "knuckle": ("RM-9.5", "RM-B03"),
    "faces": ("RM-9.6",),
    "attack": ("RM-9.7",),
    "smoke": ("RM-9.9",),
    "hit": ("RM-9.8",),
    "loot": ("RM-9.14",),
    "place": ("RM-9.15",),
    "enter": ("RM-9.10",),
    "realm": ("RM-9.11",),
    "last": ("RM-9.12", "RM-9.13"),
}


def phase(state: State) -> Phase:
    """The open question of a state; the turn of a phase is the round."""
    return Phase(
        kind=state.stage,
        turn=state.round,
        asked=state.asked,
        hours=WINDOWS.get(state.stage, 0),
        rules=window_rules(state.stage),
        early=state.options.early_close,
        over=Over(state.winners, state.ended_by) if state.stage == "over" else None,
        question=state.question,
        span=_span(state),
        reminders=REMINDERS,
    )


def _span(state: State) -> Span | None:
    """A turn played decision by decision is one whole, and what all heroes are asked for before the
    turns of a round (RM-11.3).
    """
    if state.stage in ("heroes", "round", "over"):
        return None
    return (
        Span(f"round {state.round}", WINDOWS["round"])
        if state.turn is None
        else Span(f"turn {state.turns}", TURN_HOURS)
    )


def window_rules(stage: Stage) -> tuple[str, ...]:
    if stage == "over":
        return ()
    live = () if stage in ("heroes", "round") else ("RM-11.2", "RM-11.8")
    return (*_RULE_OF[stage], "RM-11.3", "RM-11.4", "RM-11.6", *live)


def adjudicate(state: State, orders: Given, chance: Chance) -> Outcome[State]:
    """Close the open question and play on to the next one, or to the end of the game. ValueError if
    nothing is open.
    """
    if state.stage == "over":
        raise ValueError("nothing can be closed in a game that is over")
    table = Table(state, chance)
    given = {player: tuple(theirs) for player, theirs in orders.items() if player in table.living}
    for player, theirs in given.items():
        open_to_them: Stage = table.stage if player in table.asked else "over"
        kept = [order for order in theirs if enters_plan(open_to_them, order)]
        table.change(player, plan=merge(table.players[player].plan, kept))
    _count_answers(table, given)
    if not _do_deeds(table, given) or _is_answered(table, state, given):
        table.closing = Closing(
            table.stage,
            {player: answer_of(table.stage, given.get(player, ())) for player in table.asked},
        )
        run(table)
    return stop(table)


def _do_deeds(table: Table, given: Given) -> bool:
    """What the only one who is asked does before the answer, in the order told; whether there was
    anything (RM-9.12).
    """
    deeds = [
        task
        for player in table.asked
        for order in given.get(player, ())
        if (task := task_of(order)) is not None
    ]
    if not deeds:
        return False
    table.push(*deeds)
    run(table)
    return True


def _is_answered(table: Table, before: State, given: Given) -> bool:
    """Whether the same question is asked again after the deeds, and already has its answer. Other
    questions of this moment come first.
    """
    if table.is_over or (table.stage, table.asked) != (before.stage, before.asked):
        return False
    return all(answer_of(table.stage, given.get(player, ())) is not None for player in table.asked)


def _count_answers(table: Table, given: Given) -> None:
    """Who has sent nothing (RM-11.5)."""
    for player in table.asked:
        is_silent = not any(not isinstance(order, Wait) for order in given.get(player, ()))
        if table.stage == "round":
            rounds.count_missed(
                table, player, "round", is_missed=is_silent and not table.players[player].plan.auto
            )
        elif not is_silent:
            table.change(player, answered=True)


def run(table: Table) -> None:
    """Do what is on the agenda until somebody must be asked, or the game is over. The answers of a
    close are for its own question.
    """
    while not table.is_over and table.agenda:
        task = table.agenda.pop(0)
        is_asking = _HANDLERS[type(task)](table, task)
        table.closing = None
        if is_asking:
            table.agenda.insert(0, task)
            return


def stop(table: Table, was: tuple[Stage, tuple[int, ...]] | None = None) -> Outcome[State]:
    """Freeze the table and open the window; the one that `was` open before a deed is not opened
    again.
    """
    is_old = was is not None and was[0] == table.stage and set(table.asked) <= set(was[1])
    if not is_old:
        table.question += 1
    if not table.is_over and not is_old:
        table.tell(
            WindowOpened(table.stage, table.asked, WINDOWS[table.stage]), window_rules(table.stage)
        )
    return Outcome(table.freeze(), tuple(table.events))


def _take_heroes(table: Table, _: Heroes) -> bool:
    if table.closing is None:
        return table.ask("heroes", table.living)
    take_heroes(table, table.living, table.closing.answers)
    rounds.begin_round(table)
    return False


def _check(table: Table, _: Check) -> bool:
    check_victory(table)
    return False


def _strike(table: Table, task: Blows) -> bool:
    attacks.strike(table, task)
    return False


def _prick(table: Table, task: Thorn) -> bool:
    attacks.prick(table, task)
    return False


_HANDLERS: Mapping[type[Task], Callable[[Table, Any], bool]] = {
    Heroes: _take_heroes,
    Plans: rounds.wait_for_plans,
    Pay: rounds.pay,
    Yield: rounds.meet_ultimatum,
    Begin: turns.begin_turn,
    Step: turns.step,
    Do: turns.do_line,
    PlaceRevealed: place_revealed,
    Smoke: attacks.smoke,
    Blows: _strike,
    Fall: fall,
    Thorn: _prick,
    Check: _check,
    Stand: attacks.stand,
    EndRound: rounds.end_round,
}
