"""What the tests of the mail room share: a clock, a store, one mailbox on two servers."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from pbem.demo.servers import EmbeddedMail
from pbem.mail.imap import ImapInbox
from pbem.mail.imap_commands import ImapConnection, ImapSettings
from pbem.mail.ports import OutboundMail, Sent, Store, StoredMail
from pbem.mail.smtp import SmtpOutbound
from tests.servers.dovecot import Dovecot

ADDRESS = "orders@svc.example"
PAST = datetime(2024, 2, 29, 12, 0, 0, tzinfo=UTC)


class HandClock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.moment = PAST

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


class Provider(Protocol):
    """A mail server with one mailbox."""

    @property
    def settings(self) -> ImapSettings: ...

    async def deliver(self, raw: bytes, received_at: datetime) -> None: ...

    async def hang_up(self) -> None: ...

    async def renumber(self) -> None: ...


class EmbeddedProvider:
    def __init__(self, mail: EmbeddedMail, clock: HandClock) -> None:
        self._mail = mail
        self._clock = clock

    @property
    def settings(self) -> ImapSettings:
        return self._mail.imap_settings(ADDRESS)

    async def deliver(self, raw: bytes, received_at: datetime) -> None:
        self._clock.moment = received_at
        async with SmtpOutbound(self._mail.smtp_settings()) as outbound:
            assert isinstance(
                await outbound.send(OutboundMail("anna@players.example", ADDRESS, raw)), Sent
            )

    async def hang_up(self) -> None:
        self._mail.drop_imap()

    async def renumber(self) -> None:
        await self._mail.renumber(ADDRESS)


class DovecotProvider:
    def __init__(self, dovecot: Dovecot) -> None:
        self._dovecot = dovecot

    @property
    def settings(self) -> ImapSettings:
        return self._dovecot.imap_settings(ADDRESS)

    async def deliver(self, raw: bytes, received_at: datetime) -> None:
        await self._dovecot.append(ADDRESS, raw, received_at)

    async def hang_up(self) -> None:
        await self._dovecot.hang_up()
        await asyncio.to_thread(self._dovecot.kick, ADDRESS)

    async def renumber(self) -> None:
        await self._dovecot.hang_up()
        await asyncio.to_thread(self._dovecot.renumber, ADDRESS)


class Shelf:
    """A store that keeps what it gets, and can be told to fail or to wait."""

    def __init__(self) -> None:
        self.mails: list[StoredMail] = []
        self.failing: set[bytes] = set()
        self.failures = 0
        self.open = asyncio.Event()
        self.open.set()
        self.entered = asyncio.Event()
        self._changed = asyncio.Condition()

    async def __call__(self, mail: StoredMail) -> None:
        self.entered.set()
        await self.open.wait()
        async with self._changed:
            self._changed.notify_all()
            if any(word in mail.raw for word in self.failing):
                self.failures += 1
                raise OSError("no space left on device")
            self.mails.append(mail)

    async def holding(self, count: int) -> list[StoredMail]:
        """The mails, as soon as there are so many."""
        async with asyncio.timeout(30), self._changed:
            await self._changed.wait_for(lambda: len(self.mails) >= count)
        return list(self.mails)

    async def failed(self, count: int) -> None:
        async with asyncio.timeout(30), self._changed:
            await self._changed.wait_for(lambda: self.failures >= count)


def inbox_of(
    settings: ImapSettings,
    clock: HandClock,
    *,
    on_back_off: Callable[[], None] | None = None,
    **changes: Any,
) -> ImapInbox:
    """Polls once an hour unless told otherwise: what comes sooner came by IDLE. Reconnects at
    once.
    """
    patience: dict[str, Any] = {"poll_seconds": 3600.0, "back_off_seconds": 0.02, **changes}

    def jitter() -> float:
        if on_back_off is not None:
            on_back_off()
        return 0.5

    return ImapInbox(dataclasses.replace(settings, **patience), clock, jitter)


@asynccontextmanager
async def watching(inbox: ImapInbox, store: Store) -> AsyncIterator[ImapInbox]:
    watcher = asyncio.create_task(inbox.watch(store))
    try:
        async with asyncio.timeout(60):
            yield inbox
    finally:
        watcher.cancel()
        (ending,) = await asyncio.gather(watcher, return_exceptions=True)
        assert isinstance(ending, asyncio.CancelledError), ending


@asynccontextmanager
async def another_client(settings: ImapSettings) -> AsyncIterator[ImapConnection]:
    """Somebody else's program, looking into the same mailbox."""
    client = ImapConnection(settings)
    try:
        await client.open()
        yield client
    finally:
        await client.close()


def mail(word: str, size: int = 0) -> bytes:
    return (
        f"From: Anna <anna@players.example>\r\nTo: {ADDRESS}\r\nSubject: {word}\r\n\r\n{word}\r\n{'x' * 70}\r\n".encode()
        + b"y\r\n" * (size // 3)
    )
