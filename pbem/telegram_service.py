"""The service's line to Telegram: the bot's updates in, its messages out, its name and its menus;
and a warning when it breaks.

It belongs to the house. The desk knows only the messenger, and the marks left in the database.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

import structlog

from pbem.clock import Clock
from pbem.desk.chat.commands import IN_GROUPS, IN_PRIVATE, OF_MASTERS, OfferedCommand
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.messages.intake import read_journal_again, store_updates
from pbem.desk.ports import Services
from pbem.desk.updates.take import tell_stopped
from pbem.store.repositories.marks import BOT, MARK_SPACING, TELEGRAM_HEARD, TELEGRAM_STOPPED
from pbem.telegram.connection import Connection
from pbem.telegram.journal import KEPT, ChatJournal
from pbem.telegram.poller import TelegramPoller
from pbem.telegram.ports import (
    Command,
    Messenger,
    PolledElsewhere,
    Scope,
    StoredUpdate,
    TelegramTrouble,
)
from pbem.telegram.sender import TelegramSender
from pbem.telegram.settings import Line
from pbem.telegram.webhook import TelegramWebhook

GREET_EVERY = timedelta(minutes=1)

_log = structlog.get_logger("telegram_service")


@asynccontextmanager
async def sending(line: Line) -> AsyncIterator[Messenger]:
    """For a process that writes and does not read."""
    async with Connection(line.settings) as connection:
        yield TelegramSender(connection)


class TelegramService:
    """`async with TelegramService(line, clock) as telegram_service:`, then `start` once the desk
    stands, and `look` every now and then.
    """

    def __init__(self, line: Line, clock: Clock, journal_folder: Path) -> None:
        self._connection = Connection(line.settings)
        self._clock = clock
        self._folder = journal_folder
        self._journal: ChatJournal | None = None
        self.messenger: Messenger = TelegramSender(self._connection)
        jitter = random.Random().random
        self.watcher: TelegramPoller | TelegramWebhook = (
            TelegramPoller(self._connection, clock, jitter)
            if line.webhook is None
            else TelegramWebhook(self._connection, line.webhook, clock, jitter)
        )
        self._parts: Services | None = None
        self._watching: asyncio.Task[None] | None = None
        self._greeted: tuple[str, ...] | None = None
        self._greet_at: datetime | None = None
        self._marked_at: datetime | None = None
        self.is_stopped = False

    async def __aenter__(self) -> Self:
        await self._connection.__aenter__()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._connection.close()

    def start(self, services: Services) -> None:
        """Begin to take updates in."""
        self._parts = services
        self._watching = asyncio.create_task(self._watch())

    async def read_journal_again(self, services: Services, restored_since: datetime | None) -> None:
        """To be called before anything new is taken in: what a restored database has lost comes
        back, in the order in which it came.
        """
        count = await read_journal_again(services, self._open_journal(services), restored_since)
        if count:
            _log.warning("telegram-read-again", count=count)

    def _open_journal(self, services: Services) -> ChatJournal:
        kept = min(KEPT, timedelta(days=services.policy.keep_raw_days))
        self._journal = self._journal or ChatJournal(self._folder, services.key, kept=kept)
        return self._journal

    async def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
            self._watching = None

    async def look(self) -> None:
        """See whether the watcher lives, leave the marks, and introduce the bot where that has not
        been done.

        A watcher ended by other trouble than a second poller begins again; that one stays ended,
        and we tell the operator.
        """
        services, watching = self._parts, self._watching
        if services is None or watching is None:
            return
        if watching.done() and not watching.cancelled() and not self.is_stopped:
            error = watching.exception()
            if isinstance(error, PolledElsewhere):
                self.is_stopped = True
                _log.error("telegram-stopped", reason=str(error))
                await tell_stopped(services, str(error))
            else:
                _log.error("telegram-watcher-ended", exc_info=error)
                self._watching = asyncio.create_task(self._watch())
        await self._leave_marks(services)
        await self._greet(services)

    async def _watch(self) -> None:
        if isinstance(self.watcher, TelegramPoller):
            await self.watcher.watch(self._store, self._store_all)
        else:
            await self.watcher.watch(self._store)

    async def _store(self, update: StoredUpdate) -> None:
        await self._store_all([update])

    async def _store_all(self, updates: Sequence[StoredUpdate]) -> None:
        if self._parts is not None:
            await store_updates(self._parts, updates)
            await asyncio.to_thread(self._open_journal(self._parts).append, *updates)

    async def _leave_marks(self, services: Services) -> None:
        now = self._clock.now()
        if self._marked_at is not None and now - self._marked_at < MARK_SPACING:
            return
        async with services.database.write() as work:
            if self._marked_at is None:
                await work.marks.put(TELEGRAM_HEARD, now)
                await work.marks.remove(TELEGRAM_STOPPED)
            elif self.watcher.drained_until is not None:
                await work.marks.put_at_most_every(
                    MARK_SPACING, TELEGRAM_HEARD, self.watcher.drained_until
                )
        self._marked_at = now

    async def _greet(self, services: Services) -> None:
        """Learn our name, and show the menus of commands: everywhere once, and to each game master
        who has come to us since.
        """
        now = self._clock.now()
        if self._greet_at is not None and now < self._greet_at:
            return
        self._greet_at = now + GREET_EVERY
        async with services.database.read() as work:
            masters = [row.person_id for row in await work.masters.list_all()]
            rows = await work.people.list_addresses_of(masters) if masters else []
        chats = tuple(
            row.address for row in rows if row.channel == TELEGRAM and row.state == "confirmed"
        )
        if chats == self._greeted:
            return
        try:
            me = await self.messenger.me()
            async with services.database.write() as work:
                await work.marks.put(BOT, now, me.username)
            await self._show("private", IN_PRIVATE)
            await self._show("group", IN_GROUPS)
            for chat in chats:
                await self._show(int(chat), (*OF_MASTERS, *IN_PRIVATE))
        except TelegramTrouble as error:  # the next look tries again
            _log.warning("telegram-not-greeted", reason=str(error))
            return
        self._greeted = chats

    async def _show(self, scope: Scope, commands: Sequence[OfferedCommand]) -> None:
        await self.messenger.set_commands(
            scope, [Command(command.name, command.about) for command in commands]
        )
