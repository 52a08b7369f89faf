"""Closing a phase: adjudicate and render outside any lock, then one short transaction guarded by
the phase number.

A second run is a no-op. A close waits until the mailbox is read past the deadline and every message
received in time has been handled (a stranger's for a short while only, see `lanes`); if the mailbox
cannot be read the close is held, at most `hold_minutes`, and everybody is told.
"""

import asyncio
import hashlib
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Literal

import msgspec
import structlog

from engine.ruleset import Event, Standing, encode_sound_state
from pbem.board.board import Picture
from pbem.desk.authentication.tenures import is_idle
from pbem.desk.chat.menus import close_menus
from pbem.desk.chat.over import close_keyboards
from pbem.desk.correlation import correlated
from pbem.desk.envelope.addressing import SeatAt, letter_to_seat
from pbem.desk.envelope.lanes import STRANGERS, STRANGERS_HOLD, leave_strangers
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.jobs import Job
from pbem.desk.labels import format_label
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.posting import (
    PhaseResult,
    Recipients,
    everybody_letters,
    gm_letters,
    next_phase_letters,
    read_recipients,
)
from pbem.desk.people.absent_players import look_after_absent, wake_writers
from pbem.desk.people.reliability import UNREAD, log_planned
from pbem.desk.people.results import book_results
from pbem.desk.phases.acts import keep_act, log_act
from pbem.desk.phases.ballots import close_lapsed_questions
from pbem.desk.phases.ending import end_phase, ends_by_act
from pbem.desk.phases.grace import give_grace
from pbem.desk.phases.past import read_events_before
from pbem.desk.phases.results import make_result, opened_at, paint
from pbem.desk.phases.retries import (
    count_try,
    forget_tries,
    may_try,
    tell_masters,
    without_counting,
)
from pbem.desk.phases.spans import read_untold
from pbem.desk.phases.timekeeping import is_behind
from pbem.desk.ports import Context, Desk, Services
from pbem.desk.precedence import Courtesy, Rank
from pbem.desk.table import (
    LATER,
    MovedFor,
    OpenTable,
    encode_events,
    load_table,
    moved_by,
    page_table,
    standing_of,
)
from pbem.desk.upkeep.recording import RecordFile, record_ending
from pbem.mail.ports import ImapError
from pbem.pages.page import Page, Reader
from pbem.store.errors import StoreError
from pbem.store.life import GameStatus
from pbem.store.repositories.marks import CLOSED, MARK_SPACING
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.work import Work

DRAIN_SECONDS = 30.0

_log = structlog.get_logger("close")


@dataclass(frozen=True, slots=True)
class Closing:
    """Everything a close is computed from, read in one look. `versions` are the ids of the orders
    that count, `acts` how many acts of this phase have taken effect.
    """

    table: OpenTable
    standings: dict[int, Standing[object]]
    versions: tuple[int, ...]
    acts: int
    seed: bytes
    land: bytes
    before: tuple[Event, ...]
    untold: tuple[Event, ...]


def end_of_deadline(deadline: datetime) -> datetime:
    """The first instant that is too late: mail servers stamp whole seconds, and the deadline's own
    second is in time.
    """
    return deadline.replace(microsecond=0) + timedelta(seconds=1)


def may_close_early(table: OpenTable, standings: dict[int, Standing[object]]) -> bool:
    """Whether the rules wait for nobody who must answer, and nobody wants the window to stay open.
    A vacant seat is not waited for, but where only vacant ones are asked the window stays open:
    somebody may take one over.
    """
    if table.phase is None or not table.settings.early_close or table.waiting:
        return False
    vacant = {seat.number for seat in table.seats if seat.status == "left" or is_idle(table, seat)}
    answering = [number for number in table.phase.asked if number not in vacant]
    is_ready = table.kind.ruleset.is_ready
    return bool(answering) and all(
        is_ready(table.state, number, standings.get(number, Standing())) for number in answering
    )


async def read_standings(work: Work, table: OpenTable) -> dict[int, Standing[object]]:
    """What stands for each active seat, of what came in time."""
    deadline = table.phase.deadline if table.phase is not None else None
    latest = await work.orders.latest(table.game.id, table.game.phase_number, deadline=deadline)
    return _standings(table, latest)


def _standings(table: OpenTable, latest: Sequence[OrdersRow]) -> dict[int, Standing[object]]:
    rows = {row.seat_id: row for row in latest}
    return {
        seat.number: standing_of(table.kind, rows.get(seat.id), seat)
        for seat in table.seats
        if seat.status == "active"
    }


@correlated("c")
async def close_phase(services: Services, game_id: int, number: int) -> None:
    """Close phase `number` of a game if it is open and due, or everyone is final; not while it
    waits after tries that went wrong.
    """
    if not await may_try(services, game_id, services.clock.now()):
        await ask_for_delivery(services, services.clock.now())
        return
    closing = await _read(services, game_id, number)
    if closing is None:
        return
    table = closing.table
    assert table.phase is not None  # noqa: S101 - _read gives open phases only
    now = services.clock.now()
    is_blind = False
    if not may_close_early(table, closing.standings) and not await asyncio.to_thread(
        ends_by_act, table, closing.standings, closing.seed, now
    ):
        if now < end_of_deadline(table.phase.deadline):
            return
        mailbox = await _look_into_mailbox(services, table, now)
        if mailbox == "wait":
            return
        is_blind = mailbox == "unread"
        closing = await _read(services, game_id, number)  # the mailbox may have brought more
        if closing is None:
            return
        counts_from = opened_at(table.phase.deadline, now)
        if not is_blind and await give_grace(
            services, closing.table, closing.standings, closing.versions, counts_from, now
        ):
            await ask_for_delivery(services, now)
            return
    courtesy = services.precedence.courtesy(Rank.CLOSE)
    await courtesy.give_way()
    await count_try(services, game_id, now)
    services.steps.reached("close.counted")
    try:
        await _close(services, closing, now, courtesy, is_blind=is_blind)
    except StoreError:  # no fault of this game: the sweep comes back as often as it takes
        await forget_tries(services, game_id)
        raise
    except Exception as error:
        _log.error(
            "close-failed",
            game=game_id,
            phase=number,
            attempt=table.game.attempts + 1,
            exc_info=error,
        )
        await tell_masters(services, game_id, type(error).__name__)
        raise


async def _read(services: Desk, game_id: int, number: int) -> Closing | None:
    async with services.database.read() as work:
        game = await work.games.find(game_id)
        if (
            game is None
            or game.status != "running"
            or game.phase_number != number
            or is_behind(await work.marks.read(), services.clock.now())
        ):
            return None
        table = await load_table(work, services.games, game)
        if table.phase is None or table.phase.status == "closed":
            return None
        latest = await work.orders.latest(game_id, number)
        seed = bytes.fromhex(await work.games.read_seed(game_id))
        land = await work.games.read_land(game_id) or b""
        acts = len(await work.acts.list_of_phase(game_id, number))
        before = await read_events_before(work, table.kind, game_id, number, with_acts=True)
        untold = await read_untold(work, table)
    versions = tuple(row.id for row in latest)
    return Closing(
        table, _standings(table, latest), versions, acts, seed, land, before, untold.events
    )


async def _look_into_mailbox(
    services: Services, table: OpenTable, now: datetime
) -> Literal["read", "unread", "wait"]:
    """Whether everything received in time is read and handled, or was waited for long enough. If
    not: hold the close, and say so once.
    """
    phase = table.phase
    assert phase is not None  # noqa: S101 - the caller has looked
    end = end_of_deadline(phase.deadline)
    read_until = services.intake.mailbox.drained_until
    if read_until is None or read_until < end:
        try:
            read_until = await asyncio.wait_for(services.intake.mailbox.drain(), DRAIN_SECONDS)
        except (OSError, ImapError) as error:  # a time-out is an OSError
            _log.warning("mailbox-unreadable", game=table.game.id, reason=str(error))
            read_until = None
    async with services.database.read() as work:
        has_known = await work.inbox.has_known(STRANGERS)
    if has_known:
        await leave_strangers(services.database)
    async with services.database.read() as work:
        waiting = await work.inbox.count_new_received_by(
            phase.deadline, below=None if now < end + STRANGERS_HOLD else STRANGERS
        )
    if read_until is not None and read_until >= end:
        if waiting == 0:
            return "read"
        async with services.database.read() as work:
            for row in await work.inbox.next_new(100):
                services.jobs.ask(Job("receive", (row.id,)))
        return "wait"
    if (
        read_until is not None and now < end + STRANGERS_HOLD
    ):  # all is read but for a flood of strangers: nothing to write to anybody
        return "wait"
    if now >= phase.deadline + timedelta(minutes=services.policy.hold_minutes):
        _log.warning("close-without-mailbox", game=table.game.id, phase=phase.number)
        return "unread"
    await _hold(services, table, now)
    return "wait"


async def _hold(services: Desk, table: OpenTable, now: datetime) -> None:
    """Say once to everybody that the close waits."""
    phase = table.phase
    assert phase is not None  # noqa: S101 - the caller has looked
    if phase.status == "held":
        return
    async with services.database.read() as work:
        desk = await read_recipients(work, services, table)
    letters = await asyncio.to_thread(_hold_letters, services, table, phase, desk, now)
    async with services.database.write() as work:
        game = await work.games.lock(table.game.id)
        if (
            game is None
            or game.status != "running"
            or not await work.phases.hold(table.game.id, phase.number, now)
        ):
            return
        await queue_letters(work, letters, now)
        services.steps.reached("hold.written")
    services.steps.reached("hold.kept")
    await ask_for_delivery(services, now)


def _hold_letters(
    context: Context, table: OpenTable, phase: PhaseRow, desk: Recipients, now: datetime
) -> list[NewLetter]:
    facts = page_table(table, context.policy, now)

    def page_for(reader: Reader) -> Page:
        return context.pages.notices.close_held(
            facts, reader, phase.deadline, context.policy.hold_minutes
        )

    key = f"held:{table.game.id}:{phase.number}:{phase.ics_sequence}"
    letters = [
        letter_to_seat(
            page_for(reader),
            to=SeatAt(game=table.game, seat=seat, phase_number=phase.number, address=address),
            kind="held",
            dedupe_key=f"{key}:{seat.id}",
            policy=context.policy,
            key=context.key,
        )
        for reader, seat, address in desk.readers(context)
    ]
    return [*letters, *gm_letters(context, table, desk, page_for, kind="held", dedupe_key=key)]


def _blind_letters(
    context: Context, table: OpenTable, desk: Recipients, now: datetime
) -> Iterator[NewLetter]:
    """To the game masters: the close went on though the mailbox could not be read, so that orders
    may be missing.
    """
    facts = page_table(table, context.policy, now)
    key = f"unread:{table.game.id}:{table.game.phase_number}"
    yield from gm_letters(
        context,
        table,
        desk,
        lambda reader: context.pages.announcements.closed_unread(
            facts, reader, table.game.phase_number, facts.deadline
        ),
        kind="closed-unread",
        dedupe_key=key,
    )


async def _close(
    services: Services, closing: Closing, now: datetime, courtesy: Courtesy, *, is_blind: bool
) -> None:
    table = closing.table
    assert table.phase is not None  # noqa: S101 - the caller has looked
    game, rules = table.game, table.kind.ruleset
    ended = await asyncio.to_thread(end_phase, table, closing.standings, closing.seed, now)
    outcome, told = ended.outcome, ended.told
    phase = rules.phase(outcome.state)
    opening = opened_at(table.phase.deadline, now)
    result = make_result(
        table,
        outcome,
        phase,
        game.phase_number + 1,
        opening,
        now,
        untold=(*closing.untold, *(told.outcome.events if told is not None else ())),
        may_wait=True,
    )
    async with services.database.read() as work:
        desk = await read_recipients(work, services, table)
    await courtesy.give_way()
    picture = await without_counting(
        services, game.id, now, paint(services, result, closing.land, closing.before)
    )
    services.steps.reached("close.painted")
    record = await record_ending(services, table, *ended.acts) if phase.over is not None else None
    writing = chain(
        _letters(services, result, desk, closing.seed, record, has_picture=picture is not None),
        _blind_letters(services, table, desk, now) if is_blind else (),
    )
    letters = [letter async for letter in _one_by_one(writing, courtesy)]
    services.steps.reached("close.rendered")
    await courtesy.give_way()

    async def is_unchanged(work: Work) -> bool:
        """Whether the close still answers what was asked: no orders or acts came since, nobody was
        replaced, no deadline moved, and nobody wants a close before the deadline to wait.
        """
        phase_now = await work.phases.find(game.id, game.phase_number)
        latest = await work.orders.latest(game.id, game.phase_number)
        same_deadline = (
            phase_now is not None
            and table.phase is not None
            and phase_now.deadline == table.phase.deadline
        )
        same_seats = tuple(await work.seats.list_of_game(game.id)) == table.seats
        same_acts = len(await work.acts.list_of_phase(game.id, game.phase_number)) == closing.acts
        if table.phase is not None and now < end_of_deadline(table.phase.deadline):
            waiting = await work.waits.list_of_phase(game.id, game.phase_number)
            if any(seat.id in waiting and seat.status == "active" for seat in table.seats):
                return False
        return (
            same_deadline
            and same_seats
            and same_acts
            and tuple(row.id for row in latest) == closing.versions
        )

    async def within(work: Work) -> bool:
        if not await is_unchanged(work):
            return False
        if told is not None:
            ordinal = await log_act(work, game, "gm", told.act, now)
            await keep_act(work, table, told.outcome, ordinal, game.chance_place, told.place)
        if ended.by is not None:
            await log_act(work, game, ended.by.actor, ended.by.act or {}, now)
        await log_planned(work, table, closing.standings, services.policy.name, now)
        if is_blind:  # nobody can be said to have missed that window
            detail = msgspec.json.encode({"phase": game.phase_number}).decode()
            await work.log.add(
                game_id=game.id,
                actor=services.policy.name,
                command=UNREAD,
                at=now,
                detail=detail,
                public=True,
            )
        return True

    if not await keep_outcome(
        services, result, ended.place, letters, picture, now, within, looks_after_absent=True
    ):
        _log.info("close-overtaken", game=game.id, phase=game.phase_number)
        await forget_tries(services, game.id)
        return
    services.steps.reached("close.kept")
    lateness = (now - table.phase.deadline).total_seconds()
    services.tally.closed(table.phase.kind, lateness)
    _log.info(
        "phase-closed",
        game=game.id,
        phase=game.phase_number,
        kind=table.phase.kind,
        lateness_seconds=lateness,
    )
    await ask_for_delivery(services, now)


def _letters(
    context: Context,
    result: PhaseResult,
    desk: Recipients,
    seed: bytes,
    record: RecordFile | None,
    *,
    has_picture: bool,
) -> Iterator[NewLetter]:
    """All letters of a close: the bulletin (or the ending) to everybody, the next question to whom
    it is asked.
    """
    yield from everybody_letters(
        context, result, desk, seed, has_picture=has_picture, record=record
    )
    yield from next_phase_letters(context, result, desk, has_picture=has_picture)


async def _one_by_one(writing: Iterator[NewLetter], courtesy: Courtesy) -> AsyncIterator[NewLetter]:
    """Render the letters of a close in a thread, each by itself, so that what is more urgent waits
    for one at most.
    """
    await courtesy.give_way()
    while (letter := await asyncio.to_thread(next, writing, None)) is not None:
        yield letter
        await courtesy.give_way()


async def keep_outcome(
    services: Desk,
    result: PhaseResult,
    place: int,
    letters: list[NewLetter],
    picture: Picture | None,
    now: datetime,
    within: Callable[[Work], Awaitable[bool]],
    *,
    step: str = "close.written",
    stays_paused: bool = False,
    rolled_back_to: int | None = None,
    looks_after_absent: bool = False,
) -> bool:
    """The one transaction of a close (a start, an act that ends a phase, a roll back). False:
    somebody else was first, or what it was computed from has changed; nothing was written. `within`
    looks (and writes) first, when nobody else can change anything any more.

    A table that was paused when this was computed runs on afterwards, unless it `stays_paused`.
    """
    table, game, rules = result.table, result.table.game, result.table.kind.ruleset
    status: GameStatus = "over" if result.phase.over is not None else "running"
    async with services.database.write(gives_way=True) as work:
        if await work.games.lock(game.id) is None or not await within(work):
            await work.rollback()
            return False
        if game.status == "paused":
            await work.games.resume(game.id)
        if not await work.games.advance(
            game.id, game.phase_number, result.number, place, status, now
        ):
            await work.rollback()
            return False
        if game.status == "paused" and stays_paused and status == "running":
            await work.games.pause(game.id, now)
        await work.inbox.release(game.id)
        await work.states.put_once(
            game.id, result.number, encode_sound_state(rules, result.state), place, rules.version
        )
        await work.events.add_all(
            game.id, game.phase_number, encode_events(table.kind, result.events)
        )
        if result.deadline is not None:
            await work.phases.open(
                game_id=game.id,
                number=result.number,
                kind=result.phase.kind,
                asked=result.phase.asked,
                opened_at=result.opened_at,
                deadline=result.deadline,
                label=format_label(result.label(rolled_back_to)),
            )
            for absence in table.away:
                if absence.key in result.moved_for:
                    detail = msgspec.json.encode(
                        MovedFor(result.number, absence.key, absence.person_id)
                    ).decode()
                    cause = moved_by(absence.key, game.id)
                    await work.log.add(
                        game_id=game.id,
                        actor=services.policy.name,
                        command=LATER,
                        at=now,
                        detail=detail,
                        cause=cause,
                    )
        before = rules.phase(table.state).turn if table.state is not None else 0
        is_next = result.phase.over is None and result.phase.turn > before
        await close_menus(work, services, table, result.phase.turn if is_next else 0, now)
        await keep_table(work, result, letters, picture)
        await close_keyboards(work, table, now)
        if table.phase is not None:
            then = msgspec.structs.replace(game, phase_number=result.number, status=status)
            since = table.phase.opened_at
            await close_lapsed_questions(work, services, replace(table, game=then), since, now)
        if status == "over":
            await book_results(work, table, result.state, now)
        if looks_after_absent:
            await look_after_absent(work, services, table, result.state)
        if rolled_back_to is None:
            await wake_writers(work, services, table)
        await work.marks.put_at_most_every(MARK_SPACING, CLOSED, now)
        services.steps.reached(step)
    return True


async def keep_table(
    work: Work, result: PhaseResult, letters: Iterable[NewLetter], picture: Picture | None
) -> None:
    """Who is still in the game (after a roll back: again), the board as it lies now, and the
    letters that tell of it.
    """
    game, active = result.table.game, set(result.table.kind.ruleset.active(result.state))
    for seat in result.table.seats:
        if seat.status == "active" and seat.number not in active:
            await work.seats.change_status(seat.id, "active", "eliminated")
        elif seat.status == "eliminated" and seat.number in active:
            await work.seats.change_status(seat.id, "eliminated", "active")
    await queue_with_picture(work, game.id, letters, picture, result.now)


async def queue_with_picture(
    work: Work, game_id: int, letters: Iterable[NewLetter], picture: Picture | None, now: datetime
) -> None:
    """Queue letters, with the board for those that show it; it is stored once."""
    picture_id = None
    if picture is not None:
        digest = hashlib.sha256(picture.png).hexdigest()
        picture_id = await work.pictures.add_once(game_id, digest, picture.png, picture.alt)
    await queue_letters(work, (letter.with_picture(picture_id) for letter in letters), now)
