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


class Letterbox:
    """Where mails are posted: the envelope says what it likes, and nothing comes back."""

    def __init__(self, mail: EmbeddedMail, address: str, login: str | None = None) -> None:
        self.address = address
        self._outbound = SmtpOutbound(mail.smtp_settings(login))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._outbound.close()

    @property
    def has_unread(self) -> bool:
        """Whether anything has come that its owner has not taken."""
        return False

    async def take_new(self) -> list[bytes]:
        """Everything that has come since the last time, oldest first."""
        return []

    async def send(self, recipient: str, raw: bytes) -> None:
        """Send a mail as this person. PostageError if it is not taken."""
        delivery = await self._outbound.send(OutboundMail(self.address, recipient, raw))
        if not isinstance(delivery, Sent):
            raise PostageError(f"{self.address} could not write to {recipient}: {delivery.text}")


class Mailbox(Letterbox):
    """One person's mailbox: watched by IMAP IDLE, written from by SMTP with the person's own
    login.
    """

    def __init__(
        self, mail: EmbeddedMail, address: str, clock: Clock, arrivals: Mapping[str, int]
    ) -> None:
        super().__init__(mail, address, address)
        self._arrivals = arrivals
        self._inbox = ImapInbox(mail.imap_settings(address), clock, random.Random(address).random)
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
        await super().__aexit__(*raised)

    async def _store(self, mail: StoredMail) -> None:
        self._stored += 1
        self._new.append(mail.raw)

    @property
    def has_unread(self) -> bool:
        return bool(self._new) or self._stored < self._arrivals[self.address]

    async def take_new(self) -> list[bytes]:
        """Waits until the server has handed it all over."""
        while self._stored < self._arrivals[self.address]:
            await self._inbox.drain()
        new, self._new = self._new, []
        return new


async def open_mailbox(
    stack: AsyncExitStack, mail: EmbeddedMail, address: str, clock: Clock, recorder: Recorder
) -> Mailbox:
    """An account at the embedded server and a client that watches it."""
    await mail.add_account(address, f"pass-{address}")
    return await stack.enter_async_context(Mailbox(mail, address, clock, recorder.arrivals))
