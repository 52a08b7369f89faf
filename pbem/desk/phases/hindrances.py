"""What keeps a phase from closing: a mailbox that is not yet read, a machine's clock that has gone
back, and tries that went wrong.

A stranger's mail is waited for a short while only (see `Lane`). If the mailbox cannot be read the
close is held, at most `hold_minutes`, and everybody is told.

A phase closed by a clock that is behind would hand on a deadline that has long gone by once the
clock is set right. Whatever the mail server dates itself is not touched: messages are taken and
answered all the while.

A try is counted before it begins and forgotten when it ends in order, so what stays counted are
failures and processes that ended in the middle of one. After three of them the table waits ten
minutes, then an hour, and then each hour; `game close` tries at once.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal, Protocol

import structlog

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import STRANGERS, STRANGERS_HOLD, leave_strangers
from pbem.desk.jobs import Job
from pbem.desk.letters.post import Masters, Post, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.phases.standings import end_of_deadline
from pbem.desk.ports import Desk, Services
from pbem.desk.table import load_table
from pbem.mail.ports import ImapError
from pbem.pages.announcements import ClosedUnread
from pbem.pages.notice import notice_page
from pbem.pages.notices import CloseFailed, CloseHeld
from pbem.store.database import Database
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.marks import CLOCK, CLOSED, DELIVERED, DRAINED, SERVED, SWEPT, MarkRow
from pbem.store.repositories.phases import PhaseRow

DRAIN_SECONDS = 30.0

_log = structlog.get_logger("close")


async def look_into_mailbox(
    services: Services, post: Post, phase: PhaseRow, now: datetime, *, holds: bool = True
) -> Literal["read", "unread", "wait"]:
    """Whether everything received in time is read and handled, or was waited for long enough. If
    not: hold the close, and say so once, unless it just waits (`holds`).
    """
    table, end = post.table, end_of_deadline(phase.deadline)
    read_until = services.intake.mailbox.drained_until
    if read_until is None or read_until < end:
        try:
            read_until = await asyncio.wait_for(services.intake.mailbox.drain(), DRAIN_SECONDS)
        except (OSError, ImapError) as error:  # a time-out is an OSError
            _log.warning("mailbox-unreadable", game=table.game.id, reason=str(error))
            read_until = None
    async with services.database.read() as work:
        waiting = await work.inbox.count_new_received_by(phase.deadline)
        has_known = waiting > 0 and await work.inbox.has_known(STRANGERS)
    if has_known:
        await leave_strangers(services.database)
    if waiting and now >= end + STRANGERS_HOLD:
        async with services.database.read() as work:
            waiting = await work.inbox.count_new_received_by(phase.deadline, below=STRANGERS)
    if read_until is not None and read_until >= end:
        if waiting == 0:
            return "read"
        async with services.database.read() as work:
            for row in await work.inbox.next_new(100, now=now):
                services.jobs.ask(Job("receive", (row.id,)))
        return "wait"
    if not holds or (
        read_until is not None and now < end + STRANGERS_HOLD
    ):  # all is read except a flood of strangers: nothing to write to anybody
        return "wait"
    if now >= phase.deadline + timedelta(minutes=services.policy.hold_minutes):
        _log.warning("close-without-mailbox", game=table.game.id, phase=phase.number)
        return "unread"
    await _hold(services, replace(post, now=now), phase)
    return "wait"


async def _hold(services: Desk, post: Post, phase: PhaseRow) -> None:
    """Say once to everybody that the close waits."""
    if phase.status == "held":
        return
    table, now, facts, minutes = post.table, post.now, post.facts(), services.policy.hold_minutes
    letters = await asyncio.to_thread(
        lambda: list(
            post.to(
                at_table(),
                lambda _facts, reader: notice_page(
                    CloseHeld(phase.deadline, minutes), facts, reader
                ),
                "held",
                f"held:{table.game.id}:{phase.number}:{phase.ics_sequence}",
            )
        )
    )
    async with services.database.write() as work:
        game = await work.games.lock(table.game.id)
        if (
            game is None
            or game.status != "running"
            or not await work.phases.hold(table.game.id, phase.number, now)
        ):
            return
        await post.send(work, letters)
        services.steps.reached("hold.written")
    services.steps.reached("hold.kept")
    await ask_for_delivery(services, now)


def blind_letters(post: Post) -> Iterator[NewLetter]:
    """To the game masters: the close happened though the mailbox could not be read, so that orders
    may be missing.
    """
    game = post.table.game
    return post.to(
        Masters(),
        lambda facts, reader: ClosedUnread(game.phase_number, facts.deadline),
        "closed-unread",
        f"unread:{game.id}:{game.phase_number}",
    )


TOLERANCE = timedelta(minutes=5)

_log = structlog.get_logger("clock")


def is_behind(marks: Mapping[str, MarkRow], now: datetime) -> bool:
    """Whether the clock shows clearly less than at the last sweep; once it did, until it shows as
    much again.
    """
    last = marks.get(SWEPT)
    if last is None or last.at <= now:
        return False
    return last.at - now > TOLERANCE or CLOCK in marks


async def tell_of_clock(database: Database, marks: Mapping[str, MarkRow], now: datetime) -> None:
    """Say in the log and by the mark CLOCK when the clock begins to be behind, and when that
    ends.
    """
    behind, last = is_behind(marks, now), marks.get(SWEPT)
    if behind and CLOCK not in marks and last is not None:
        async with database.write() as work:
            await work.marks.put(CLOCK, now, last.at.isoformat())
        _log.error("clock-went-back", now=now.isoformat(), last=last.at.isoformat())
    elif CLOCK in marks and not behind:
        async with database.write() as work:
            await work.marks.remove(CLOCK)
        _log.warning("clock-caught-up", now=now.isoformat())


async def accept_clock(database: Database, now: datetime) -> bool:
    """Take the clock as it is: it was ahead before, and is right now. Forgets the marks of a time
    to come; False: there was none.
    """
    async with database.write() as work:
        future = [
            row.name
            for row in (await work.marks.read()).values()
            if row.name in (SWEPT, DRAINED, CLOSED, DELIVERED, SERVED) and row.at > now
        ]
        for name in future:
            await work.marks.remove(name)
        await work.marks.remove(CLOCK)
    return bool(future)


MAX_ATTEMPTS = 3
PAUSES = (timedelta(minutes=10), timedelta(hours=1))
"""After the third try, and after each later one."""
TOLD_EVERY = 24
"""Game masters hear of the third and the fourth try, and then of one in this many."""
KIND = "close-failed"
ENDED = "the service ended during each try"


class Tried(Protocol):
    """What is known of a game's closes."""

    @property
    def attempts(self) -> int: ...

    @property
    def tried_at(self) -> datetime | None: ...


def next_try_at(game: Tried) -> datetime | None:
    """When a game whose closes went wrong is tried again by itself; None: whenever it is due."""
    if game.attempts < MAX_ATTEMPTS or game.tried_at is None:
        return None
    return game.tried_at + PAUSES[min(game.attempts - MAX_ATTEMPTS, len(PAUSES) - 1)]


async def may_try(services: Desk, game: GameRow, now: datetime) -> bool:
    """Whether a close may be tried now. If not, its game masters know why: nobody could tell them
    when the process ended.
    """
    again_at = next_try_at(game)
    if again_at is None or again_at <= now:
        return True
    await tell_masters(services, game.id, ENDED)
    return False


class Trial:
    """One try of a close, counted while it runs: should the process end meanwhile, the game may
    have ended it.
    """

    def __init__(self, services: Desk, game_id: int, now: datetime) -> None:
        self._services, self._game_id, self._now = services, game_id, now
        self._is_counted = False

    async def begin(self) -> None:
        """One more try begins."""
        async with self._services.database.write(gives_way=True, durable=False) as work:
            await work.games.count_attempt(self._game_id, self._now)
        self._is_counted = True

    async def rest(self) -> None:
        """What the game could go wrong by is done: the rest waits for other processes, and for the
        database.
        """
        async with self._services.database.write(gives_way=True, durable=False) as work:
            await work.games.take_back_attempt(self._game_id)
        self._is_counted = False

    async def fail(self) -> None:
        """It has ended with an error, which counts in any case."""
        if not self._is_counted:
            await self.begin()


async def forget_tries(services: Desk, game_id: int) -> None:
    """What ended the try was no fault of the game."""
    async with services.database.write() as work:
        await work.games.forget_attempts(game_id)


async def tell_masters(services: Desk, game_id: int, error: str) -> None:
    """Tell a stopped table's game masters, once for each try that they must hear of, what went
    wrong and when it is tried again.
    """
    async with services.read() as tx:
        game = await tx.work.games.find(game_id)
        if (
            game is None
            or (again_at := next_try_at(game)) is None
            or game.tried_at is None
            or not _is_told_of(game.attempts)
        ):
            return
        key = f"{KIND}:{game.id}:{game.phase_number}:{game.attempts}:{game.tried_at.isoformat()}"
        table = await load_table(tx, game)
        post = await read_post(tx, table)
    async with services.database.write() as work:
        await post.tell(
            work,
            Masters(),
            CloseFailed(error, game.attempts, again_at),
            KIND,
            key,
        )


def _is_told_of(attempts: int) -> bool:
    return attempts == MAX_ATTEMPTS or (attempts - MAX_ATTEMPTS - 1) % TOLD_EVERY == 0
