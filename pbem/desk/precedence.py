"""Who goes first in this process, and how many letters are sent at a time: a message in hand before
a close, both before letters with news, and nobody who hangs holds up anybody else.

A close costs the most of all that the desk does, and people who wrote wait for an answer. So before
each of its pieces a close lets every message end, though only so long in all that no flood of them
can stop it; so does every letter. Where many tables are due at once all of them are closed first,
and then everybody is told: news wait for closes, though not for ever either. The daily tidying
waits for both.

A channel has several slots, an address one (its letters go one after the other, in their order),
and a mail domain half of its channel's. Domains on which a letter has hung of late share one slot:
however many there are, and however long each letter to them takes, all the other slots are for the
others.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.desk.envelope.message import TELEGRAM

MOST_SECONDS = 5.0
"""So long one close gives way to messages in all, and so long some letters."""
MOST_CLOSING_SECONDS = 30.0
"""So long news wait for closes that follow one upon the other."""
MOST_TIDYING_SECONDS = 120.0
"""So long the tidying of a day gives way to messages and closes in all."""


class Precedence:
    """Counts what is in hand that others give way to."""

    def __init__(
        self,
        most_seconds: float = MOST_SECONDS,
        most_closing_seconds: float = MOST_CLOSING_SECONDS,
    ) -> None:
        self._most_seconds = most_seconds
        self._most_closing_seconds = most_closing_seconds
        self._messages = self._closes = 0
        self._closing_since = 0.0
        self._no_message, self._nothing = asyncio.Event(), asyncio.Event()
        self._note()

    @contextmanager
    def urgent(self) -> Iterator[None]:
        """What happens in the block is about a message, and goes before all else."""
        self._messages += 1
        self._note()
        try:
            yield
        finally:
            self._messages -= 1
            self._note()

    @contextmanager
    def closing(self) -> Iterator[None]:
        """What happens in the block is a close, and goes before news."""
        if not self._closes:
            self._closing_since = asyncio.get_running_loop().time()
        self._closes += 1
        self._note()
        try:
            yield
        finally:
            self._closes -= 1
            self._note()

    @property
    def holds_news(self) -> bool:
        """Whether news wait just now. Who ends the last close asks for their delivery."""
        closing_seconds = asyncio.get_running_loop().time() - self._closing_since
        return self._closes > 0 and closing_seconds < self._most_closing_seconds

    def courtesy(self) -> "Courtesy":
        """For one close, or some letters: the time in which they give way to messages."""
        return Courtesy(self._no_message, self._most_seconds)

    def tidying(self) -> "Courtesy":
        """For what nobody waits for: the time in which it gives way to messages and closes."""
        return Courtesy(self._nothing, MOST_TIDYING_SECONDS)

    def _note(self) -> None:
        for event, count in (
            (self._no_message, self._messages),
            (self._nothing, self._messages + self._closes),
        ):
            event.clear() if count else event.set()


class Courtesy:
    """What is left of the time in which one gives way."""

    def __init__(self, nobody_else: asyncio.Event, seconds: float) -> None:
        self._nobody_else = nobody_else
        self._seconds = seconds

    @property
    def is_free(self) -> bool:
        """Whether nothing is in hand that goes first."""
        return self._nobody_else.is_set()

    async def give_way(self) -> None:
        """Return once nothing is in hand that goes first, or the time for that is used up."""
        if self._seconds <= 0 or self.is_free:
            return
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(self._seconds):
                await self._nobody_else.wait()
            self._seconds -= loop.time() - begun
        except TimeoutError:
            self._seconds = 0.0


AT_ONCE = 8
CHATS_AT_ONCE = 4
"""Of messages to chats fewer: Telegram knows no message that it has taken before, so each of those
that are under way when the process ends may be read twice.
"""
FOR_ANSWERS = 2
"""This number of slots of each channel is kept for answers: an answer finds one free however many
news go out.
"""
WARY_FOR = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Full:
    """Where letters must wait just now."""

    channels: frozenset[str] = frozenset()
    for_news: frozenset[str] = frozenset()
    """Channels by which answers may go, and no news."""
    addresses: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()


@dataclass(slots=True)
class Slot:
    """A letter under way; at the end its sender says whether it hung (None: nobody found out)."""

    domain: str
    hung: bool | None = None


class Slots:
    """The letters under way in this process."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        for_answers: int = FOR_ANSWERS,
        chats_at_once: int = CHATS_AT_ONCE,
    ) -> None:
        self._at_once = at_once
        self._of_chats = min(at_once, chats_at_once)
        self._for_answers = for_answers
        self._channels = Counter[str]()
        self._domains = Counter[str]()
        self._addresses: set[str] = set()
        self._hung_at: dict[str, datetime] = {}

    def full(self, now: datetime) -> Full:
        """Where letters must wait now."""
        self._forget_old(now)
        domains = {*self._domains, *self._hung_at}
        return Full(
            frozenset(name for name in self._channels if self._is_full(name, is_answer=True)),
            frozenset(name for name in self._channels if self._is_full(name, is_answer=False)),
            frozenset(self._addresses),
            frozenset(domain for domain in domains if self._is_crowded(domain)),
        )

    def bars(self, channel: str, address: str, now: datetime, *, is_answer: bool) -> bool:
        """Whether a letter that would go there must wait now."""
        self._forget_old(now)
        return (
            address in self._addresses
            or self._is_full(channel, is_answer=is_answer)
            or self._is_crowded(domain_of(address))
        )

    def _forget_old(self, now: datetime) -> None:
        if self._hung_at:
            self._hung_at = {
                domain: at for domain, at in self._hung_at.items() if now - at < WARY_FOR
            }

    def _is_full(self, channel: str, *, is_answer: bool) -> bool:
        slots = self._of_chats if channel == TELEGRAM else self._at_once
        return self._channels[channel] >= max(1, slots - (0 if is_answer else self._for_answers))

    def _is_crowded(self, domain: str) -> bool:
        if not domain:
            return False
        if self._domains[domain] >= max(1, self._at_once // 2):
            return True
        return domain in self._hung_at and any(self._domains[hung] for hung in self._hung_at)

    @contextmanager
    def take(
        self, channel: str, address: str, now: datetime, *, is_answer: bool = False
    ) -> Iterator[Slot | None]:
        """Take a slot for the block; None: there is none."""
        if self.bars(channel, address, now, is_answer=is_answer):
            yield None
            return
        slot = Slot(domain_of(address))
        self._channels[channel] += 1
        self._domains[slot.domain] += 1
        self._addresses.add(address)
        try:
            yield slot
        finally:
            self._channels[channel] -= 1
            self._domains[slot.domain] -= 1
            if not self._domains[slot.domain]:
                del self._domains[slot.domain]
            self._addresses.discard(address)
            if slot.hung:
                self._hung_at[slot.domain] = now
            elif slot.hung is False:
                self._hung_at.pop(slot.domain, None)


def domain_of(address: str) -> str:
    """The domain of a mail address; "" for the id of a chat."""
    return address.rpartition("@")[2] if "@" in address else ""
