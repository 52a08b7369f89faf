"""Who goes first in this process: a message in hand before a letter with news, and both before a
close.

A close costs the most of all that the desk does, and nobody waits for it to the second. So before
each of its pieces it lets whatever is more urgent end, though only so long in all that no flood of
messages can stop it. News do the same before each letter.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

MOST_SECONDS = 5.0
"""So long one close gives way in all, and so long one turn to send letters."""


class Rank(IntEnum):
    """What there is to do; the lowest goes first."""

    MESSAGE = 0
    """A message and the answer to it."""
    NEWS = 1
    CLOSE = 2


class Precedence:
    """Counts what is in hand that others give way to."""

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self._most_seconds = most_seconds
        self._in_hand = dict.fromkeys(Rank, 0)
        self._none_before = {rank: asyncio.Event() for rank in Rank}
        self._tell()

    @contextmanager
    def urgent(self, rank: Rank = Rank.MESSAGE) -> Iterator[None]:
        """What happens in the block goes before all of a higher rank."""
        self._in_hand[rank] += 1
        self._tell()
        try:
            yield
        finally:
            self._in_hand[rank] -= 1
            self._tell()

    def courtesy(self, rank: Rank) -> "Courtesy":
        """For one close, or one turn to send letters."""
        return Courtesy(self._none_before[rank], self._most_seconds)

    def _tell(self) -> None:
        for rank, none_before in self._none_before.items():
            if any(count for other, count in self._in_hand.items() if other < rank):
                none_before.clear()
            else:
                none_before.set()


class Courtesy:
    """What is left of the time in which one gives way."""

    def __init__(self, none_before: asyncio.Event, seconds: float) -> None:
        self._none_before = none_before
        self._seconds = seconds

    @property
    def is_free(self) -> bool:
        """Whether nothing more urgent is in hand."""
        return self._none_before.is_set()

    async def give_way(self) -> None:
        """Go on once nothing more urgent is in hand, or the time for that is used up."""
        if self._seconds <= 0 or self.is_free:
            return
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(self._seconds):
                await self._none_before.wait()
            self._seconds -= loop.time() - begun
        except TimeoutError:
            self._seconds = 0.0
