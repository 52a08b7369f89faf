"""The correspondents' side of the wire: the same IMAP and SMTP clients that the service uses, one
login a person.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from pbem.clock import Clock
from pbem.demo.servers import EmbeddedMail
from pbem.mail.imap import ImapInbox
from pbem.mail.ports import OutboundMail, Sent, StoredMail
from pbem.mail.smtp import SmtpOutbound


class PostageError(RuntimeError):
    """The embedded server would not take a correspondent's mail."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A mail as it arrived in a mailbox, numbered from 1 over the whole demonstration."""

    number: int
    at: datetime
    mailbox: str
    raw: bytes


class Recorder:
    """Writes down every mail that is delivered, and counts them by mailbox."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.mails: list[Recorded] = []
        self.arrivals: Counter[str] = Counter()

    def __call__(self, mailbox: str, raw: bytes) -> None:
        self.arrivals[mailbox] += 1
        self.mails.append(Recorded(len(self.mails) + 1, self._clock.now(), mailbox, raw))


class Mailbox:
    """One person's mailbox: watched by IMAP IDLE, written from by SMTP with the person's own
    login.
    """

    def __init__(
        self, mail: EmbeddedMail, address: str, clock: Clock, arrivals: Mapping[str, int]
    ) -> None:
        self.address = address
        self._arrivals = arrivals
        self._inbox = ImapInbox(mail.imap_settings(address), clock, random.Random(address).random)
        self._outbound = SmtpOutbound(mail.smtp_settings(address))
        self._new: list[bytes] = []
        self._stored = 0
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._watching = asyncio.create_task(self._inbox.watch(self._store))
        return self

    async def __aexit__(self, *raised: object) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self._outbound.close()

    async def _store(self, mail: StoredMail) -> None:
        self._stored += 1
        self._new.append(mail.raw)

    @property
    def has_unread(self) -> bool:
        """Whether anything has come that its owner has not taken."""
        return bool(self._new) or self._stored < self._arrivals[self.address]

    async def take_new(self) -> list[bytes]:
        """Everything that has come since the last time, oldest first; waits until the server has
        handed it all over.
        """
        while self._stored < self._arrivals[self.address]:
            await self._inbox.drain()
        new, self._new = self._new, []
        return new

    async def send(self, recipient: str, raw: bytes) -> None:
        """Send a mail as this person. PostageError if it is not taken."""
        await _send(self._outbound, OutboundMail(self.address, recipient, raw))


class Letterbox:
    """Where mails are posted without a login: the envelope says what it likes."""

    def __init__(self, mail: EmbeddedMail, address: str) -> None:
        self.address = address
        self._outbound = SmtpOutbound(mail.smtp_settings(None))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._outbound.close()

    @property
    def has_unread(self) -> bool:
        """Nobody answers a stranger, and there is no mailbox to answer to."""
        return False

    async def take_new(self) -> list[bytes]:
        return []

    async def send(self, recipient: str, raw: bytes) -> None:
        await _send(self._outbound, OutboundMail(self.address, recipient, raw))


async def _send(outbound: SmtpOutbound, mail: OutboundMail) -> None:
    delivery = await outbound.send(mail)
    if not isinstance(delivery, Sent):
        raise PostageError(
            f"{mail.envelope_from} could not write to {mail.recipient}: {delivery.text}"
        )


async def open_mailbox(
    stack: AsyncExitStack, mail: EmbeddedMail, address: str, clock: Clock, recorder: Recorder
) -> Mailbox:
    """An account at the embedded server and a client that watches it."""
    await mail.add_account(address, f"pass-{address}")
    return await stack.enter_async_context(Mailbox(mail, address, clock, recorder.arrivals))
