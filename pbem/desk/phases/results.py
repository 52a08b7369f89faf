"""What is asked next, and how the board looks that is sent with it."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog

from engine.ruleset import Event, Outcome
from pbem.board.board import Picture, TableFacts
from pbem.desk.letters.results import PhaseResult
from pbem.desk.phases.spans import began_at, goes_on, within_span
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, hours_of
from pbem.desk.windows import deadline_of

PAINT_SECONDS = 60.0

_log = structlog.get_logger("close")


def opened_at(deadline: datetime, now: datetime) -> datetime:
    """A phase closed at its deadline hands its hour of day on; otherwise the next full minute
    counts.
    """
    if timedelta(0) <= now - deadline < timedelta(hours=1):
        return deadline
    return next_minute(now)


def next_minute(now: datetime) -> datetime:
    """The full minute from which a window counts that no deadline has opened."""
    return (
        now
        if now.second == 0 and now.microsecond == 0
        else now.replace(second=0, microsecond=0) + timedelta(minutes=1)
    )


def make_result(
    table: OpenTable,
    outcome: Outcome[Any],
    opened_at: datetime,
    now: datetime,
    *,
    untold: tuple[Event, ...] = (),
    may_wait: bool = False,
) -> PhaseResult:
    """What just happened, and what is asked next. `untold` came before and is told with it;
    `may_wait`: not before its span ends.
    """
    phase, number = table.kind.ruleset.phase(outcome.state), table.game.phase_number + 1
    if phase.over is not None:
        return PhaseResult(
            table, outcome.state, outcome.events, phase, number, opened_at, None, now, untold=untold
        )
    asked = {table.seat(number).person_id for number in phase.asked}
    away = [absence for absence in table.away if absence.person_id in asked]
    hours = table.settings.hours.get(phase.kind, phase.hours)
    window = deadline_of(
        opened_at, hours, hours_of(table.settings), away, table.settings.absence_days
    )
    since = began_at(table.phase if may_wait else None, phase, opened_at)
    deadline = within_span(window.deadline, phase, since, opened_at)
    return PhaseResult(
        table,
        outcome.state,
        outcome.events,
        phase,
        number,
        opened_at,
        deadline,
        now,
        moved_for=window.moved_for if deadline == window.deadline else (),
        untold=untold,
        is_told=not (may_wait and goes_on(table.phase, phase)),
        span_began_at=since,
    )


async def paint(
    services: Services, result: PhaseResult, land: bytes, before: Sequence[Event] = ()
) -> Picture | None:
    """The board as it lies now, with what was done last. `before` are the public events of the
    phases before.

    A board that cannot be drawn does not hold up the game: the text says everything.
    """
    view = result.table.kind.ruleset.view(result.state, None)
    public = [*before, *(event for event in result.events if event.is_for(None))]
    try:
        return await asyncio.wait_for(
            services.painting.painter.board(
                result.table.kind.board, view, public, land, picture_facts(result)
            ),
            PAINT_SECONDS,
        )
    # whatever went wrong with a picture, the game continues
    except Exception as error:  # noqa: BLE001
        _log.error("picture-failed", game=result.table.game.id, exc_info=error)
        return None


def picture_facts(result: PhaseResult) -> TableFacts:
    return TableFacts(
        title=result.table.game.title,
        phase=result.phase.kind,
        deadline=result.deadline,
        zone=result.table.settings.zone,
    )
