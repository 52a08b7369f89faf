"""Closing a phase: adjudicate and render outside any lock, then one short transaction guarded by
the phase number. A second run is a no-op.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice

import msgspec
import structlog

from engine.ruleset import Event, Standing
from pbem.desk.correlation import correlated
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.letters.post import Post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.letters.results import ResultLetters
from pbem.desk.letters.table_people import table_people_of
from pbem.desk.mandate import log_event
from pbem.desk.people.eligibility import UNREAD, log_planned
from pbem.desk.people.masters import read_around
from pbem.desk.phases.acts import keep_act, log_act
from pbem.desk.phases.first_turn import wait_for_first
from pbem.desk.phases.grace import any_owes, give_grace
from pbem.desk.phases.hindrances import (
    Trial,
    blind_letters,
    forget_tries,
    is_behind,
    look_into_mailbox,
    may_try,
    tell_masters,
)
from pbem.desk.phases.outcome import Closed, keep_outcome, make_result, opened_at, paint
from pbem.desk.phases.past import Untold, read_events_before, read_untold
from pbem.desk.phases.standings import (
    end_of_deadline,
    end_phase,
    ends_by_act,
    may_close_early,
    standings_of,
)
from pbem.desk.ports import Desk, Services, Transaction
from pbem.desk.precedence import Courtesy
from pbem.desk.table import OpenTable, load_table
from pbem.desk.upkeep.records import record_ending
from pbem.store.errors import StoreError
from pbem.store.repositories.marks import BOT, MarkRow
from pbem.store.repositories.phases import PhaseRow, TableVersion
from pbem.store.work import Work

LETTERS_IN_ONE_GO = 3

_log = structlog.get_logger("close")


@dataclass(frozen=True, slots=True)
class Closing:
    """Everything a close is computed from, read in one look. `versions` are the ids of the orders
    that count, `version` is the table's as a whole; `marks` are the service's.
    """

    table: OpenTable
    phase: PhaseRow
    standings: dict[int, Standing[object]]
    versions: tuple[int, ...]
    version: TableVersion
    seed: bytes
    land: bytes
    before: tuple[Event, ...]
    untold: Untold
    post: Post
    marks: Mapping[str, MarkRow]


@correlated("c")
async def close_phase(services: Services, game_id: int, number: int) -> None:
    """Close phase `number` of a game if it is open and due, or everyone is final; not while it
    waits after tries that went wrong. Of several at once the last asks for what they have to tell.
    """
    now = services.clock.now()
    closing = await _read(services, game_id, number, now)
    if closing is None:
        return
    if not await may_try(services, closing.table.game, now):
        await ask_for_delivery(services, now)
        return
    is_blind = False
    if not await _is_over(closing, now):
        if now < end_of_deadline(closing.phase.deadline):
            if await _has_settled(services, closing, now):
                await _close_now(services, closing, now)
            return
        mailbox = await look_into_mailbox(services, closing.post, closing.phase, now)
        if mailbox == "wait":
            return
        is_blind = mailbox == "unread"
        again = await _read_again(services, closing, now)
        if again is None:
            return
        closing, counts_from = again, opened_at(again.phase.deadline, now)
        waits = not is_blind and any_owes(closing.table, closing.standings)
        for wait in (wait_for_first, give_grace) if waits else ():
            seen = (closing.table, closing.standings, closing.versions)
            if await wait(services, *seen, counts_from, now):
                await ask_for_delivery(services, now)
                return
    await _close_now(services, closing, now, is_blind=is_blind)


async def _has_settled(services: Services, closing: Closing, now: datetime) -> bool:
    """Whether everybody has had orders for so long that the phase closes, and nothing that came in
    time changes that. As at a deadline, the mailbox is looked into first.
    """
    at = closing.table.settles_at
    if at is None or now < end_of_deadline(at):
        return False
    phase = msgspec.structs.replace(closing.phase, deadline=at)
    if await look_into_mailbox(services, closing.post, phase, now, holds=False) != "read":
        return False
    return await _read_again(services, closing, now) == closing


async def _close_now(
    services: Services, closing: Closing, now: datetime, *, is_blind: bool = False
) -> None:
    with services.precedence.closing():
        await _try(services, closing, now, is_blind=is_blind)
    if not services.precedence.holds_news:
        await ask_for_delivery(services, now)


async def _try(services: Services, closing: Closing, now: datetime, *, is_blind: bool) -> None:
    courtesy = services.precedence.courtesy()
    await courtesy.give_way()
    game_id, number = closing.table.game.id, closing.phase.number
    trial = Trial(services, game_id, now)
    await trial.begin()
    services.steps.reached("close.counted")
    try:
        await _close(services, closing, now, courtesy, trial, is_blind=is_blind)
    except StoreError:  # no fault of this game: the sweep comes back as often as it takes
        await forget_tries(services, game_id)
        raise
    except Exception as error:
        await trial.fail()
        _log.error(
            "close-failed",
            game=game_id,
            phase=number,
            attempt=closing.table.game.attempts + 1,
            exc_info=error,
        )
        await tell_masters(services, game_id, type(error).__name__)
        raise


async def _is_over(closing: Closing, now: datetime) -> bool:
    """Whether the phase ends though its deadline has not come."""
    return may_close_early(closing.table, closing.standings) or await asyncio.to_thread(
        ends_by_act, closing.table, closing.standings, closing.seed, now
    )


async def _read(services: Desk, game_id: int, number: int, now: datetime) -> Closing | None:
    async with services.read() as tx:
        marks = await tx.work.marks.read()
        found = await tx.work.games.find_open(game_id)
        if found is None or is_behind(marks, now):
            return None
        game, phase = found
        if game.status != "running" or game.phase_number != number or phase is None:
            return None
        if phase.status == "closed":
            return None
        table = await load_table(tx, game, phase)
        latest = await tx.work.orders.latest(game_id, number)
        version = await tx.work.phases.read_version(game_id)
        seed, land = await tx.work.games.read_kept(game_id)
        before = await read_events_before(tx.work, table.kind, game_id, number, with_acts=True)
        untold = await read_untold(tx.work, table, now)
        bot = marks.get(BOT)
        around = await read_around(tx.work, services.policy, game_id)
        name = bot.detail if bot is not None else None
        people = await table_people_of(tx, table, around, name, now)
    return Closing(
        table,
        phase,
        standings_of(table, latest),
        tuple(row.id for row in latest),
        version,
        bytes.fromhex(seed),
        land or b"",
        before,
        untold,
        Post(services, table, people, now, game.phase_number),
        marks,
    )


async def _read_again(services: Desk, closing: Closing, now: datetime) -> Closing | None:
    """What the mailbox may have brought more."""
    game = closing.table.game
    async with services.database.read() as work:
        if await work.phases.read_version(game.id) == closing.version:
            return closing
    return await _read(services, game.id, closing.phase.number, now)


async def _close(
    services: Services,
    closing: Closing,
    now: datetime,
    courtesy: Courtesy,
    trial: Trial,
    *,
    is_blind: bool,
) -> None:
    table, open_phase = closing.table, closing.phase
    game = table.game
    ended = await asyncio.to_thread(end_phase, table, closing.standings, closing.seed, now)
    outcome, told = ended.outcome, ended.told
    result = make_result(
        table,
        outcome,
        opened_at(open_phase.deadline, now),
        now,
        untold=closing.untold if told is None else closing.untold.then(told.outcome.events),
        may_wait=True,
    )
    record = (
        await record_ending(services, table, *ended.acts) if result.phase.over is not None else None
    )

    async def write(*, has_picture: bool) -> list[NewLetter]:
        telling = ResultLetters.of(closing.post, result, has_picture=has_picture)
        writing = chain(
            telling.bulletin(closing.seed, record),
            telling.questions(),
            blind_letters(replace(closing.post, now=now)) if is_blind else (),
        )
        return [letter async for letter in _few_by_few(writing, courtesy)]

    letters = await write(has_picture=True)
    services.steps.reached("close.rendered")
    await courtesy.give_way()
    await trial.rest()  # should the process end while another one paints, the game has not ended it
    picture = await paint(services, result, closing.land, closing.before)
    if picture is None:
        letters = await write(has_picture=False)
    services.steps.reached("close.painted")
    await courtesy.give_way()

    async def is_unchanged(work: Work) -> bool:
        """Whether the close still answers what was asked: no orders or acts came since, nobody was
        replaced, no deadline moved, and nobody wants a close before the deadline to wait.
        """
        phase_now = await work.phases.find(game.id, game.phase_number)
        if phase_now is None or phase_now.deadline != open_phase.deadline:
            return False
        if now < end_of_deadline(open_phase.deadline):
            waiting = await work.waits.list_of_phase(game.id, game.phase_number)
            if any(seat.id in waiting and seat.status == "active" for seat in table.seats):
                return False
        version, then = await work.phases.read_version(game.id), closing.version
        return (version.orders, version.states) == (then.orders, then.states) and tuple(
            await work.seats.list_of_game(game.id)
        ) == table.seats

    async def within(tx: Transaction[Desk]) -> bool:
        if not await is_unchanged(tx.work):
            return False
        if told is not None:
            ordinal = await log_act(tx.work, game, "gm", told.act, now)
            await keep_act(tx.work, table, told.outcome, ordinal, game.chance_place, told.place)
        if ended.by is not None:
            await log_act(tx.work, game, ended.by.actor, ended.by.act or {}, now)
        await log_planned(tx, table, closing.standings)
        if is_blind:  # nobody can be said to have missed that window
            await log_event(tx, game.id, UNREAD, {"phase": game.phase_number})
        return True

    closed = Closed(
        result,
        ended.place,
        letters,
        picture,
        looks_after_absent=True,
        reach=closing.post.people.reach,
        marks=closing.marks,
    )
    if not await keep_outcome(services, closed, within):
        _log.info("close-overtaken", game=game.id, phase=game.phase_number)
        await forget_tries(services, game.id)
        return
    services.steps.reached("close.kept")
    lateness = (now - open_phase.deadline).total_seconds()
    services.tally.closed(open_phase.kind, lateness)
    _log.info(
        "phase-closed",
        game=game.id,
        phase=game.phase_number,
        kind=open_phase.kind,
        lateness_seconds=lateness,
    )


async def _few_by_few(writing: Iterator[NewLetter], courtesy: Courtesy) -> AsyncIterator[NewLetter]:
    """Render the letters of a close in a thread, a few in one go, so that more urgent work waits
    for some thousandths of a second.
    """
    await courtesy.give_way()
    while letters := await asyncio.to_thread(tuple, islice(writing, LETTERS_IN_ONE_GO)):
        for letter in letters:
            yield letter
        await courtesy.give_way()
