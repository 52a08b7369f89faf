"""How many letters are sent at a time from this process, so that nobody who hangs holds up anybody
else.

A channel has several slots, an address one (its letters go one after the other, in their order),
and a mail domain half of its channel's. Domains on which a letter has hung of late share one slot:
however many there are, and however long each letter to them takes, all the other slots are for the
others.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.desk.envelope.message import TELEGRAM

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

    def bars(self, channel: str, address: str, *, is_answer: bool) -> bool:
        return (
            channel in self.channels
            or (channel in self.for_news and not is_answer)
            or address in self.addresses
            or domain_of(address) in self.domains
        )


@dataclass(slots=True)
class Slot:
    """A letter under way; at the end its sender says whether it hung (None: nobody found out)."""

    channel: str
    address: str
    domain: str
    hung: bool | None = field(default=None, compare=False)


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
        self._taken: list[Slot] = []
        self._hung_at: dict[str, datetime] = {}

    def full(self, now: datetime) -> Full:
        """Where letters must wait now."""
        if self._hung_at:
            self._hung_at = {
                domain: at for domain, at in self._hung_at.items() if now - at < WARY_FOR
            }
        channels = Counter([slot.channel for slot in self._taken])
        domains = Counter([slot.domain for slot in self._taken if slot.domain])
        half = max(1, self._at_once // 2)
        crowded = {domain for domain, count in domains.items() if count >= half}
        wary = set(self._hung_at) if not self._hung_at.keys().isdisjoint(domains) else set()
        return Full(
            frozenset(name for name, count in channels.items() if count >= self._of(name)),
            frozenset(
                name
                for name, count in channels.items()
                if count >= self._of(name) - self._for_answers
            ),
            frozenset(slot.address for slot in self._taken),
            frozenset(crowded | wary),
        )

    def _of(self, channel: str) -> int:
        return self._of_chats if channel == TELEGRAM else self._at_once

    @contextmanager
    def take(
        self, channel: str, address: str, now: datetime, *, is_answer: bool = False
    ) -> Iterator[Slot | None]:
        """Take a slot for the block; None: there is none."""
        if self.full(now).bars(channel, address, is_answer=is_answer):
            yield None
            return
        slot = Slot(channel, address, domain_of(address))
        self._taken.append(slot)
        try:
            yield slot
        finally:
            self._taken = [taken for taken in self._taken if taken is not slot]
            if slot.hung:
                self._hung_at[slot.domain] = now
            elif slot.hung is False:
                self._hung_at.pop(slot.domain, None)


def domain_of(address: str) -> str:
    """The domain of a mail address; "" for the id of a chat."""
    return address.rpartition("@")[2] if "@" in address else ""
