"""Questions that make one whole (`engine.ruleset.Span`): told of once, at the end, and lasting only
so long together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.ruleset import Event, Phase
from pbem.desk.labels import parse_label
from pbem.desk.table import OpenTable
from pbem.game import Game
from pbem.store.repositories.phases import PhaseRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Untold:
    """What happened in closes of which the table has not been told yet, each event with those who
    may know.
    """

    events: tuple[Event, ...] = ()


def goes_on(open_phase: PhaseRow | None, phase: Phase) -> bool:
    """Whether the next question is of the span of the open one, so that the table is told later."""
    return (
        open_phase is not None
        and phase.span is not None
        and phase.over is None
        and parse_label(open_phase).span == phase.span.key
    )


def began_at(open_phase: PhaseRow | None, phase: Phase, opened_at: datetime) -> datetime | None:
    """When the span of the next question began; None: it is of none."""
    if phase.span is None:
        return None
    if open_phase is None or not goes_on(open_phase, phase):
        return opened_at
    return parse_label(open_phase).span_began_at or open_phase.opened_at


def within_span(
    deadline: datetime, phase: Phase, span_began_at: datetime | None, opened_at: datetime
) -> datetime:
    """The deadline, not later than the whole span may last, and not before the question was
    asked.
    """
    if phase.span is None or span_began_at is None:
        return deadline
    return max(opened_at, min(deadline, span_began_at + timedelta(hours=phase.span.hours)))


async def read_untold(work: Work, table: OpenTable) -> Untold:
    """What led to the open question since the table was told last."""
    if table.phase is None or not parse_label(table.phase).is_untold:
        return Untold()
    first = _first_untold(await work.phases.list_of_game(table.game.id), table.phase.number)
    rows = await work.events.list_of_game(table.game.id, first)
    return Untold(
        tuple(
            _decode(table.kind, row.body)
            for row in rows
            if first <= row.phase_number < table.phase.number
        )
    )


async def list_untold(work: Work, table: OpenTable) -> list[PhaseRow]:
    """The open phase, with those before it of whose closes the table has not been told yet."""
    if table.phase is None or not parse_label(table.phase).is_untold:
        return [table.phase] if table.phase is not None else []
    phases = await work.phases.list_of_game(table.game.id)
    first = _first_untold(phases, table.phase.number)
    return [phase for phase in phases if first <= phase.number <= table.phase.number]


def _first_untold(phases: Sequence[PhaseRow], number: int) -> int:
    """The first of the phases in a row whose closes are untold; `number` is the open one."""
    untold = {phase.number for phase in phases if parse_label(phase).is_untold}
    while number in untold:
        number -= 1
    return number


def _decode(kind: Game, body: str) -> Event:
    event: Event = kind.ruleset.decode_event(body.encode())
    return event
