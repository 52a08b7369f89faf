"""The hours that the open phase has been open, as rules know them that let offers, ballots or
rulings run out (`Ruleset.next_hour`). While the clock of a table is stopped none passes.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from engine.chance import SEED_BYTES, Chance
from pbem.desk.table import OpenTable
from pbem.store.repositories.phases import PhaseRow, parse_label

HOUR = timedelta(hours=1)


def hours_open(table: OpenTable, at: datetime) -> int:
    """For how many whole hours the phase has been open at that instant."""
    if table.phase is None:
        return 0
    stopped = table.game.paused_at if table.game.status == "paused" else None
    until = at if stopped is None else min(at, stopped)
    return max(0, int((until - opened_at(table.phase)) / HOUR))


def opened_at(phase: PhaseRow) -> datetime:
    """When it would have been opened if its clock had never been stopped."""
    return phase.opened_at + timedelta(minutes=parse_label(phase).stopped_minutes)


def runs_out_at(table: OpenTable) -> datetime | None:
    """When something of the open phase runs out by itself; None: nothing does, or the clock is
    stopped.
    """
    if table.state is None or table.phase is None or table.game.status != "running":
        return None
    hour = table.kind.ruleset.next_hour(table.state)
    return None if hour is None else opened_at(table.phase) + hour * HOUR


def act_due(table: OpenTable, at: datetime) -> Mapping[str, object] | None:
    """The act by which what has run out runs out; None: nothing has."""
    instant = runs_out_at(table)
    return act_of_time(table, at) if instant is not None and instant <= at else None


def state_at(table: OpenTable, at: datetime) -> Any:
    """The state with as many hours left as there are at that instant. What has run out is in it
    until its act has been done.
    """
    act = act_of_time(table, at)
    if act is None or act_due(table, at) is not None:
        return table.state
    return table.kind.ruleset.act(table.state, "gm", act, Chance(bytes(SEED_BYTES))).state


def view_at(table: OpenTable, number: int | None, at: datetime) -> Any:
    """What a player (None: everybody) may know at that instant."""
    return table.kind.ruleset.view(state_at(table, at), number)


def act_of_time(table: OpenTable, at: datetime) -> Mapping[str, object] | None:
    """The act that tells the rules the hour, where they keep hours and do not know it yet."""
    if table.state is None:
        return None
    return table.kind.ruleset.act_of_hour(table.state, hours_open(table, at))
