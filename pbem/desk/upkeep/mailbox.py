"""The mailbox of a worker on another host: only the serving process reads it, and tells by a mark
how far.

A close must know that the mailbox is read past its deadline. The worker that closes leaves the mark
`DRAIN_WANTED`; the serving process looks for it several times a second, reads the mailbox, and
leaves `DRAINED`.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from pbem.clock import Clock
from pbem.desk.ports import Mailbox
from pbem.mail.ports import ImapError
from pbem.store.database import Database
from pbem.store.errors import StoreError
from pbem.store.repositories.marks import DRAINED
from pbem.telegram.ports import TelegramTrouble

DRAIN_WANTED = "drain-wanted"
"""A worker waits for the mailbox to be read past this instant."""
POLL_SECONDS = 0.25
DRAIN_SECONDS = 20.0
TELL_EVERY = timedelta(seconds=5)
SKEW = timedelta(seconds=60)
"""By so much a worker's clock may be ahead of ours."""

_log = structlog.get_logger("mailbox")


class MarkedMailbox:
    """The desk's `Mailbox` port where there is no watcher: it asks the serving process."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._drained_until: datetime | None = None

    @property
    def drained_until(self) -> datetime | None:
        """As far as was told when we last asked."""
        return self._drained_until

    async def drain(self) -> datetime:
        """Ask for a reading and wait for it, however long; the caller sets the limit."""
        wanted = self._clock.now()
        while True:
            async with self._database.read() as work:
                asked, drained = await work.marks.find(DRAIN_WANTED), await work.marks.find(DRAINED)
            if drained is not None:
                self._drained_until = drained.at
                if drained.at >= wanted:
                    return drained.at
            if asked is None or asked.at < wanted:
                async with self._database.write() as work:
                    await work.marks.put(DRAIN_WANTED, wanted)
            await asyncio.sleep(POLL_SECONDS)


class Drained(Protocol):
    """A reader of updates from a chat's server, as the desk must know it."""

    drained_until: datetime | None

    @property
    def is_watching(self) -> bool: ...

    async def drain(self) -> datetime: ...


class ChatMailbox:
    """A chat's server as a mailbox: what it holds is read past an instant, or cannot be read."""

    def __init__(self, watcher: Drained) -> None:
        self._watcher = watcher

    @property
    def drained_until(self) -> datetime | None:
        return self._watcher.drained_until

    async def drain(self) -> datetime:
        """OSError when nobody watches (any more). Waits as long as its server cannot be asked; the
        caller sets the limit.
        """
        await asyncio.sleep(0)  # a watcher that was started just now begins
        if not self._watcher.is_watching:
            raise OSError("nobody takes the updates of the bot")
        try:
            return await self._watcher.drain()
        except TelegramTrouble as error:
            raise OSError(str(error)) from error


class JoinedMailbox:
    """Several mailboxes as one: it is read as far as the one that is read least."""

    def __init__(self, *mailboxes: Mailbox) -> None:
        self._mailboxes = mailboxes

    @property
    def drained_until(self) -> datetime | None:
        instants = [mailbox.drained_until for mailbox in self._mailboxes]
        return (
            None
            if None in instants
            else min(instant for instant in instants if instant is not None)
        )

    async def drain(self) -> datetime:
        """Read all of them now. Raises what the first raises that cannot be read."""
        async with asyncio.TaskGroup() as reading:
            tasks = [reading.create_task(_drained(mailbox)) for mailbox in self._mailboxes]
        results = [task.result() for task in tasks]
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return min(result for result in results if isinstance(result, datetime))


async def _drained(mailbox: Mailbox) -> datetime | OSError | ImapError:
    try:
        return await mailbox.drain()
    except (OSError, ImapError) as error:
        return error


class DrainTeller:
    """Reads the mailbox when a worker wants it, and tells how far it is read: at once when somebody
    waits, else now and then.
    """

    def __init__(self, database: Database, mailbox: Mailbox, clock: Clock) -> None:
        self._database = database
        self._mailbox = mailbox
        self._clock = clock
        self._told: datetime | None = None

    async def run(self) -> None:
        """Until cancelled, through every trouble of mailbox and database."""
        while True:
            try:
                await self.look()
            except (StoreError, ImapError, OSError) as error:
                _log.warning("drain-not-told", reason=str(error))
            await asyncio.sleep(POLL_SECONDS)

    async def look(self) -> None:
        """Once: read the mailbox if somebody wants it, and tell if there is something new to
        tell.
        """
        async with self._database.read() as work:
            wanted = await work.marks.find(DRAIN_WANTED)
        if wanted is not None and wanted.at - self._clock.now() > SKEW:
            _log.warning("clock-ahead", reason=f"a worker is {wanted.at - self._clock.now()} ahead")
            wanted = None
        until = self._mailbox.drained_until
        if wanted is not None and (until is None or until < wanted.at):
            until = await asyncio.wait_for(self._mailbox.drain(), DRAIN_SECONDS)
        if until is None or not self._is_news(until, wanted.at if wanted is not None else None):
            return
        async with self._database.write() as work:
            await work.marks.put(DRAINED, until)
        self._told = until

    def _is_news(self, until: datetime, wanted: datetime | None) -> bool:
        if self._told is None or (wanted is not None and self._told < wanted):
            return self._told is None or until > self._told
        return until - self._told >= TELL_EVERY
