"""What somebody means to do, each thing at its moment: mails to be sent, and what is done with a
phone.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from pbem.demo.styles import Sender

Act = Callable[[datetime], Awaitable[object]]
"""Something that is done, told the moment."""


class Agenda:
    """Acts in the order of their moments, and of being thought of."""

    def __init__(self) -> None:
        self._acts: list[tuple[datetime, int, Act]] = []
        self._serial = 0

    def add(self, at: datetime, act: Act) -> None:
        self._serial += 1
        self._acts.append((at.replace(microsecond=0), self._serial, act))

    def next_at(self) -> datetime | None:
        return min((at for at, _, _ in self._acts), default=None)

    def take_due(self, now: datetime) -> list[Act]:
        """Take what is due by now off the list."""
        due = sorted(
            (entry for entry in self._acts if entry[0] <= now), key=lambda entry: entry[:2]
        )
        self._acts = [entry for entry in self._acts if entry[0] > now]
        return [act for _, _, act in due]


@dataclass(frozen=True, slots=True, order=True)
class Planned:
    """A mail that will be sent at a moment."""

    at: datetime
    recipient: str
    raw: bytes


class Writer:
    """Somebody who reads mails and means to write some, and who may have a chat besides."""

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.planned: list[Planned] = []
        self.agenda = Agenda()
        self._written = 0

    def next_at(self) -> datetime | None:
        """When the next mail or act is due."""
        instants = (self.agenda.next_at(), *(mail.at for mail in self.planned))
        return min((at for at in instants if at is not None), default=None)

    def take_due(self, now: datetime) -> list[Planned]:
        """The mails whose time has come, in order; they are off the list."""
        due = sorted(mail for mail in self.planned if mail.at <= now)
        self.planned = [mail for mail in self.planned if mail.at > now]
        return due

    async def act(self, now: datetime) -> None:
        """Do what else is due by now."""
        for act in self.agenda.take_due(now):
            await act(now)

    async def read(self, raw: bytes, now: datetime) -> None:
        """Read a mail that has come, and think of an answer if it wants one."""

    @property
    def has_news(self) -> bool:
        """Whether the bot has written since the last look."""
        return False

    async def look(self, now: datetime) -> None:
        """Read what is new in the chat, and think of what to do."""

    def next_id(self) -> str:
        """The Message-ID of the next mail."""
        self._written += 1
        name, host = self.sender.address, self.sender.address.partition("@")[2]
        serial = hashlib.sha256(f"{name}/{self._written}".encode()).hexdigest()[:20]
        return f"<{serial}@{host}>"
