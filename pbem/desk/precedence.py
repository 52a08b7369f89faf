"""Who goes first in this process: a message or a letter in hand goes before a close.

A close costs the most of all that the desk does, and nobody waits for it to the second. So before each of its pieces it lets whatever is
more urgent end, though only so long in all that no flood of messages can stop it.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

MOST_SECONDS = 5.0
"""So long one close gives way in all."""


class Precedence:
    """Counts what is in hand that others give way to."""

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self._most_seconds = most_seconds
        self._in_hand = 0
        self._none = asyncio.Event()
        self._none.set()

    @contextmanager
    def urgent(self) -> Iterator[None]:
        """What happens in the block goes first."""
        self._in_hand += 1
        self._none.clear()
        try:
            yield
        finally:
            self._in_hand -= 1
            if not self._in_hand:
                self._none.set()

    def courtesy(self) -> "Courtesy":
        """For one close."""
        return Courtesy(self._none, self._most_seconds)


class Courtesy:
    """What one close has left of the time in which it gives way."""

    def __init__(self, none_in_hand: asyncio.Event, seconds: float) -> None:
        self._none_in_hand = none_in_hand
        self._seconds = seconds

    async def give_way(self) -> None:
        """Go on once nothing urgent is in hand, or the time for that is used up."""
        if self._seconds <= 0 or self._none_in_hand.is_set():
            return
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(self._seconds):
                await self._none_in_hand.wait()
            self._seconds -= loop.time() - begun
        except TimeoutError:
            self._seconds = 0.0
