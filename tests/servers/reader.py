"""Somebody who reads a mailbox, by the production client: knows of every mail as soon as the server
tells of it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email.message import EmailMessage

from pbem.clock import Clock
from pbem.mail.imap import ImapInbox
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.ports import StoredMail
from tests.desk.harness import parse

PATIENCE_SECONDS = 120.0


class Reader:
    """What has come so far."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self._news = asyncio.Condition()

    async def keep(self, mail: StoredMail) -> None:
        async with self._news:
            self.mails.append(parse(mail.raw))
            self._news.notify_all()

    async def wait_for(self, wanted: Callable[[EmailMessage], bool]) -> EmailMessage:
        """The first mail that is wanted, whether or not it is here yet. TimeoutError when it does
        not come.
        """
        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(lambda: any(map(wanted, self.mails)))
            return next(filter(wanted, self.mails))


@asynccontextmanager
async def reading(settings: ImapSettings, clock: Clock) -> AsyncIterator[Reader]:
    reader = Reader()
    watcher = asyncio.create_task(ImapInbox(settings, clock, lambda: 0.5).watch(reader.keep))
    try:
        yield reader
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)


__all__ = ["Reader", "reading"]
