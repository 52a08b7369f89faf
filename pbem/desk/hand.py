"""The letters of this process between the database and the wire: those taken ahead of their turn,
so that no connection waits for the database, and those sent but not on record yet, so that one
transaction records several.

If the process dies, the former are due again, and the latter may go out twice; so both are few.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.desk.precedence import Full, domain_of
from pbem.store.repositories.post.outbox import Due, OutboxRow

AHEAD = 64
LOW = 32
"""With so few letters left up to `AHEAD` more are taken; if as many are left, answers alone."""
OF_A_DOMAIN = AHEAD // 2
"""The most letters to one domain that are taken at a time; one that hangs leaves others room."""
MOST_IN_DOUBT = 32
"""With this many letters sent and not on record we begin no other; those under way come on top."""
RECORD_WITHIN_SECONDS = 0.1
"""We record a sent letter within this time, also when every letter behind it is slow."""
STALE_AFTER = timedelta(seconds=2)
"""A letter that was taken this long ago is given back and taken again: somebody may have withheld
it, or its address, meanwhile.
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """A letter that is ours to be sent."""

    due: Due
    row: OutboxRow
    at: datetime

    @classmethod
    def take(cls, row: OutboxRow, at: datetime) -> "Taken":
        return cls(Due(row.id, row.channel, row.address, row.lane), row, at)


@dataclass(frozen=True, slots=True)
class Found:
    """A letter that is due, and nobody's yet."""

    due: Due


@dataclass(frozen=True, slots=True)
class Answered:
    """A letter that the next server has taken over, and its words."""

    row: OutboxRow
    at: datetime
    answer: str


class Hand:
    """What is in hand. `looking` is held while the database is looked at and written; `looks`
    counts how often that was begun, `turns` how many are sending.
    """

    def __init__(self) -> None:
        self.looking = asyncio.Lock()
        self.looks = 0
        self.turns = 0
        self.is_closing = False
        """Nobody begins another letter: the service stops."""
        self.answered: list[Answered] = []
        self.marked_at: datetime | None = None
        """When it was last put on record that letters go out."""
        self._waiting: list[Taken | Found] = []
        self._more = False
        self._timer: asyncio.TimerHandle | None = None
        self._recording: asyncio.Task[None] | None = None

    @property
    def is_low(self) -> bool:
        """Whether little is left, and there was more."""
        return self._more and len(self._waiting) <= LOW

    @property
    def is_doubtful(self) -> bool:
        """Whether what was sent must be on record before we send another."""
        return len(self.answered) >= MOST_IN_DOUBT

    def full(self, full: Full, channel: str) -> Full:
        """What not to look for, with `channel` the one whose letters are taken ahead: that its
        slots are in use is no reason.
        """
        held = [letter.row.address for letter in self._waiting if isinstance(letter, Taken)]
        return Full(
            full.channels - {channel},
            full.for_news - {channel} | ({channel} if len(held) >= AHEAD else set()),
            full.addresses.union(held),
            full.domains,
        )

    def put(self, taken: Iterable[Taken], found: Sequence[Due], channel: str) -> None:
        """What a look came to: letters that are ours now, and all that it found."""
        held = [letter for letter in self._waiting if isinstance(letter, Taken)]
        others = [Found(due) for due in found if due.channel != channel]
        self._waiting = sorted([*held, *taken, *others], key=lambda letter: letter.due.lane)
        self._more = len(found) >= AHEAD

    def pop(self, waits: Callable[[Due], bool], now: datetime) -> Taken | Found | None:
        """The first letter that may go now. None: there is none, or it is time to look again."""
        fresh = now - STALE_AFTER
        for index, letter in enumerate(self._waiting):
            is_stale = isinstance(letter, Taken) and letter.at < fresh
            if not is_stale and not waits(letter.due):
                return self._waiting.pop(index)
        return None

    def leave(self, channel: str, address: str) -> None:
        """What was found for this address waits, and is found again when its time comes."""
        self._waiting = [
            letter
            for letter in self._waiting
            if isinstance(letter, Taken)
            or (letter.due.channel, letter.due.address) != (channel, address)
        ]

    def stale(self, now: datetime, *, all_of_them: bool = False) -> list[int]:
        """The letters to be given back."""
        return [
            letter.row.id
            for letter in self._waiting
            if isinstance(letter, Taken) and (all_of_them or now - letter.at > STALE_AFTER)
        ]

    def drop(self, outbox_ids: Sequence[int], recorded: Sequence[Answered]) -> None:
        """They are given back, or on record."""
        if outbox_ids:
            self._waiting = [x for x in self._waiting if x.due.id not in outbox_ids]
            self._more = True
        self.answered = self.answered[len(recorded) :]
        if not self.answered and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def note(self, answered: Answered, record: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A server took the letter over. The next look records it, or `record` does soon."""
        self.answered.append(answered)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(
                RECORD_WITHIN_SECONDS, self._record, record
            )

    def _record(self, record: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._timer = None
        self._recording = asyncio.get_running_loop().create_task(record())


def choose(due: Iterable[Due], channel: str) -> list[int]:
    """Which of these letters to take: by this channel, the first to each address, and not too many
    to one domain.
    """
    addresses: set[str] = set()
    domains: Counter[str] = Counter()
    chosen = []
    for letter in due:
        if letter.channel == channel and letter.address not in addresses:
            addresses.add(letter.address)
            domains[domain_of(letter.address)] += 1
            if domains[domain_of(letter.address)] <= OF_A_DOMAIN:
                chosen.append(letter.id)
    return chosen
