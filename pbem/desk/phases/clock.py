"""A table's clock: the open deadline is moved within a unit of work, with everything that hangs on
it, and the rules about time are shown.
"""

import math
from datetime import datetime, timedelta

import msgspec

from pbem.desk.ports import Policy
from pbem.desk.table import OpenTable, Settings
from pbem.desk.windows import WEEK_DAYS
from pbem.grammar.clock_rules import format_clock, parse_clock, parse_days, parse_quiet
from pbem.pages.time import ClockFacts
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow, format_label, parse_label
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


def reminders_of(phase: PhaseRow, remind_hours: tuple[float, ...]) -> tuple[datetime, ...]:
    """When who is missing is reminded, the first first: after the shares of the window that the
    game names, else that many hours before the deadline.
    """
    shares = parse_label(phase).remind_at
    if shares:
        return tuple(
            phase.opened_at + (phase.deadline - phase.opened_at) * share for share in sorted(shares)
        )
    return tuple(
        phase.deadline - timedelta(hours=hours) for hours in sorted(remind_hours, reverse=True)
    )


def reminders_skipped(phase: PhaseRow, remind_hours: tuple[float, ...]) -> int:
    """How many reminders of a new phase would follow the question at once: nobody gets those."""
    at_once = (phase.deadline - phase.opened_at) / 10
    return sum(instant - phase.opened_at < at_once for instant in reminders_of(phase, remind_hours))


async def move_deadline(
    work: Work, policy: Policy, phase: PhaseRow, deadline: datetime, now: datetime
) -> PhaseRow | None:
    """Move it, send again whatever reminder is ahead again, and let in what is in time now. The
    phase as it is then, its calendar entry one further; None if the deadline was moved, or the
    phase closed, at the same moment. The game is locked by the caller.
    """
    moved = phase
    if deadline != phase.deadline:
        moved = msgspec.structs.replace(
            phase, deadline=deadline, ics_sequence=phase.ics_sequence + 1
        )
        if not await work.phases.move_deadline(
            phase.game_id, phase.number, phase.deadline, deadline
        ):
            return None
    if phase.status == "held":
        await work.phases.reopen(phase.game_id, phase.number)
    passed = sum(instant <= now for instant in reminders_of(moved, policy.remind_hours))
    await work.phases.arm_reminders(phase.game_id, phase.number, passed)
    await work.games.forget_attempts(phase.game_id)
    await work.inbox.release(phase.game_id)  # what came too late may now be in time
    return moved


async def stop_clock(
    work: Work, game: GameRow, phase: PhaseRow, now: datetime, until: datetime | None = None
) -> GameRow | None:
    """Nothing closes, is held or reminded of. We take orders anyway, and what waited for
    the close is answered now. A game that still stands `until` then is broken off.

    The game as it is then; None if it does not run.
    """
    if not await work.games.pause(game.id, now, until):
        return None
    if phase.status == "held":
        await work.phases.reopen(game.id, phase.number)
    await work.inbox.release(game.id)
    return msgspec.structs.replace(game, status="paused", paused_at=now, expires_at=until)


def deadline_resumed(game: GameRow, phase: PhaseRow, now: datetime) -> datetime | None:
    """The deadline once the clock runs again: moved by the time it stood, in whole minutes and real
    time. One that had passed when the clock was stopped comes at once. None: the clock runs.
    """
    if game.paused_at is None or game.status != "paused":
        return None
    return max(phase.deadline, game.paused_at) + timedelta(minutes=_minutes_stopped(game, now))


async def resume_clock(work: Work, game: GameRow, phase: PhaseRow, now: datetime) -> bool:
    """Let the clock of a table run again, and keep for how long it was stopped. False: it runs."""
    if not await work.games.resume(game.id):
        return False
    label = parse_label(phase)
    minutes = label.stopped_minutes + _minutes_stopped(game, now)
    kept = format_label(msgspec.structs.replace(label, stopped_minutes=minutes))
    await work.phases.set_label(game.id, phase.number, kept)
    return True


def _minutes_stopped(game: GameRow, now: datetime) -> int:
    return 0 if game.paused_at is None else math.ceil((now - game.paused_at) / timedelta(minutes=1))


async def start_clock(
    work: Work, policy: Policy, game: GameRow, phase: PhaseRow, now: datetime
) -> tuple[GameRow, PhaseRow] | None:
    """Let the clock run again; the game and the phase as they are then. None: it runs, or the
    deadline was moved at the same moment.
    """
    deadline = deadline_resumed(game, phase, now)
    if deadline is None or not await resume_clock(work, game, phase, now):
        return None
    moved = await move_deadline(work, policy, phase, deadline, now)
    return (
        None
        if moved is None
        else (msgspec.structs.replace(game, status="running", paused_at=None), moved)
    )


def clock_facts(table: OpenTable, seat: SeatRow | None = None, used: int = 0) -> ClockFacts:
    """The settings of a table's time as a page shows them; for a seat, how often it is still waited
    for.
    """
    settings: Settings = table.settings
    windows = {**table.kind.ruleset.windows, **settings.hours}
    quiet = parse_quiet(settings.quiet) if settings.quiet else None
    days = parse_days(settings.days) if settings.days else frozenset(range(7))
    return ClockFacts(
        windows=tuple((name, float(hours)) for name, hours in windows.items()),
        clock=format_clock(parse_clock(settings.clock)) if settings.clock else "",
        days=tuple(WEEK_DAYS[day] for day in sorted(days)) if len(days) < 7 else (),
        quiet=(format_clock(quiet[0]), format_clock(quiet[1])) if quiet is not None else None,
        zone=settings.zone,
        absence_days=settings.absence_days,
        graces=settings.graces,
        grace_hours=settings.grace_hours,
        votes=settings.extensions == "vote",
        tells_names=settings.tells_names,
        left=max(0, settings.graces - used) if seat is not None and settings.graces else None,
        settled_hours=settings.settled_hours,
    )
