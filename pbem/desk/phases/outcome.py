"""What a close, a start, an act that ends a phase or a roll back leaves behind: one short
transaction, guarded by the phase number; and what is asked next, with the board that is sent with
it.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import msgspec
import structlog

from engine.ruleset import Event, Outcome, encode_sound_state
from pbem.board.board import Picture, TableFacts
from pbem.desk.chat.edits import close_keyboards, list_shown
from pbem.desk.chat.menus import close_menus
from pbem.desk.envelope.answers import RECEIPT
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.letters.calendars import take_back_entries
from pbem.desk.letters.queue import queue_letters
from pbem.desk.letters.results import PhaseResult
from pbem.desk.letters.routes import Reach
from pbem.desk.lobby.herald import tell_names
from pbem.desk.mandate import log_event
from pbem.desk.people.absent_players import look_after_absent, wake_writers
from pbem.desk.people.profiles import book_results
from pbem.desk.phases.ballots import close_lapsed_questions
from pbem.desk.phases.clock import reminders_skipped
from pbem.desk.phases.past import (
    ALL_TOLD,
    BULLETIN,
    Untold,
    began_at,
    encode_events,
    goes_on,
    list_untold,
    within_span,
)
from pbem.desk.ports import Desk, Services, Transaction
from pbem.desk.table import LATER, MovedFor, OpenTable, hours_of, moved_by
from pbem.desk.windows import deadline_of
from pbem.store.life import GameStatus
from pbem.store.repositories.marks import CLOSED, MARK_SPACING, MarkRow
from pbem.store.repositories.phases import NewPhase
from pbem.store.work import Work

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
    untold: Untold = ALL_TOLD,
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
    except ImportError as error:  # what paints is missing: a service says so at its start
        _log.warning("no-picture", game=result.table.game.id, reason=str(error))
        return None
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
        is_first=result.number == 1,
    )


Within = Callable[[Transaction[Desk]], Awaitable[bool]]
"""Looks (and writes) first, when nobody else can change anything any more; False: it is not to
be kept.
"""


@dataclass(frozen=True, slots=True)
class Closed:
    """A result that has been computed and rendered, and waits to be kept; `place` is where the
    stream of chance stands. A table that was paused when this was computed runs on afterwards,
    unless it `stays_paused`. `reach` and `marks` were read before, to spare looking again.
    """

    result: PhaseResult
    place: int
    letters: list[NewLetter]
    picture: Picture | None
    step: str = "close.written"
    stays_paused: bool = False
    rolled_back_to: int | None = None
    looks_after_absent: bool = False
    reach: Reach | None = None
    marks: Mapping[str, MarkRow] = field(default_factory=dict)


async def keep_outcome(services: Desk, closed: Closed, within: Within) -> bool:
    """The one transaction of a close (a start, an act that ends a phase, a roll back). False:
    somebody else was first, or what it was computed from has changed; nothing was written. `within`
    looks (and writes) first, when nobody else can change anything any more.
    """
    result, place, now = closed.result, closed.place, closed.result.now
    table, game, rules = result.table, result.table.game, result.table.kind.ruleset
    status: GameStatus = "over" if result.phase.over is not None else "running"
    async with services.write(gives_way=True) as tx:
        if await tx.work.games.lock(game.id) is None or not await within(tx):
            await tx.work.rollback()
            return False
        if game.status == "paused":
            await tx.work.games.resume(game.id)
        if not await tx.work.games.advance(
            game.id, game.phase_number, result.number, place, status, now
        ):
            await tx.work.rollback()
            return False
        if game.status == "paused" and closed.stays_paused and status == "running":
            await tx.work.games.pause(game.id, now)
        await tx.work.inbox.release(game.id)
        await tx.work.states.put_once(
            game.id, result.number, encode_sound_state(rules, result.state), place, rules.version
        )
        await tx.work.events.add_all(
            game.id, game.phase_number, encode_events(table.kind, result.events)
        )
        opened = result.new_phase(closed.rolled_back_to)
        if opened is not None:
            skipped = reminders_skipped(opened, services.policy.remind_hours)
            await tx.work.phases.open(
                NewPhase(
                    game_id=game.id,
                    number=opened.number,
                    kind=opened.kind,
                    asked=opened.asked,
                    opened_at=opened.opened_at,
                    deadline=opened.deadline,
                    reminders_sent=skipped,
                    label=opened.label,
                )
            )
            for absence in table.away:
                if absence.key in result.moved_for:
                    detail = MovedFor(result.number, absence.key, absence.person_id)
                    cause = moved_by(absence.key, game.id)
                    await log_event(tx, game.id, LATER, detail, cause=cause, public=False)
        before = rules.phase(table.state).turn if table.state is not None else 0
        is_next = result.phase.over is None and result.phase.turn > before
        shown = await list_shown(tx.work, table)
        coming = result.phase.turn if is_next else 0
        await close_menus(tx, table, shown, coming)
        over = await list_untold(tx.work, table)
        instead = {told for letter in closed.letters for told in letter.instead}
        if not await tx.work.outbox.take_back(instead):
            await tx.work.rollback()
            return False
        if table.kind.pages.in_turns:
            await tx.work.outbox.release_held(game.id, RECEIPT, now)
        if closed.rolled_back_to is not None:
            await tx.work.outbox.release_held(game.id, BULLETIN, now)
        letters = take_back_entries(services.policy, table, closed.letters, over, now)
        await keep_table(tx.work, replace(closed, letters=letters))
        await close_keyboards(tx, table, shown, coming)
        if table.phase is not None:
            then = msgspec.structs.replace(game, phase_number=result.number, status=status)
            since = table.phase.opened_at
            await close_lapsed_questions(tx, replace(table, game=then), since)
        if status == "over":
            await book_results(tx.work, table, result.state, now)
            await tell_names(tx, table)
        if closed.looks_after_absent:
            await look_after_absent(tx, table, result.state)
        if closed.rolled_back_to is None:
            await wake_writers(tx, table)
        mark = closed.marks.get(CLOSED)
        if mark is None or mark.at <= now - MARK_SPACING:
            await tx.work.marks.put_at_most_every(MARK_SPACING, CLOSED, now)
        services.steps.reached(closed.step)
    return True


async def keep_table(work: Work, closed: Closed) -> None:
    """Who is still in the game (after a roll back: again), the board as it lies now, and the
    letters that tell of it.
    """
    result, game = closed.result, closed.result.table.game
    active = set(result.table.kind.ruleset.active(result.state))
    for seat in result.table.seats:
        if seat.status == "active" and seat.number not in active:
            await work.seats.change_status(seat.id, "active", "eliminated")
        elif seat.status == "eliminated" and seat.number in active:
            await work.seats.change_status(seat.id, "eliminated", "active")
    await queue_with_picture(
        work, game.id, closed.letters, closed.picture, result.now, closed.reach
    )


async def queue_with_picture(
    work: Work,
    game_id: int,
    letters: Iterable[NewLetter],
    picture: Picture | None,
    now: datetime,
    reach: Reach | None = None,
) -> None:
    """Queue letters, with the board for those that show it; it is stored once."""
    picture_id = None
    if picture is not None:
        digest = hashlib.sha256(picture.png).hexdigest()
        picture_id = await work.pictures.add_once(game_id, digest, picture.png, picture.alt)
    await queue_letters(work, [letter.with_picture(picture_id) for letter in letters], now, reach)
