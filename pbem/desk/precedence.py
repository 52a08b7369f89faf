"""Who goes first in this process: a message in hand before a close, and both before letters with
news.

A close costs the most of all that the desk does, and people who wrote wait for an answer. So before
each of its pieces a close lets every message end, though only so long in all that no flood of them
can stop it; so does every letter. Where many tables are due at once all of them are closed first,
and then everybody is told: news wait for closes, though not for ever either.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

MOST_SECONDS = 5.0
"""So long one close gives way to messages in all, and so long some letters."""
MOST_CLOSING_SECONDS = 30.0
"""So long news wait for closes that follow one upon the other."""


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
        self._no_message = asyncio.Event()
        self._no_message.set()

    @contextmanager
    def urgent(self) -> Iterator[None]:
        """What happens in the block is about a message, and goes before all else."""
        self._messages += 1
        self._no_message.clear()
        try:
            yield
        finally:
            self._messages -= 1
            if not self._messages:
                self._no_message.set()

    @contextmanager
    def closing(self) -> Iterator[None]:
        """What happens in the block is a close, and goes before news."""
        if not self._closes:
            self._closing_since = asyncio.get_running_loop().time()
        self._closes += 1
        try:
            yield
        finally:
            self._closes -= 1

    @property
    def holds_news(self) -> bool:
        """Whether news wait just now. Who ends the last close asks for their delivery."""
        closing_seconds = asyncio.get_running_loop().time() - self._closing_since
        return self._closes > 0 and closing_seconds < self._most_closing_seconds

    def courtesy(self) -> "Courtesy":
        """For one close, or some letters: the time in which they give way to messages."""
        return Courtesy(self._no_message, self._most_seconds)


class Courtesy:
    """What is left of the time in which one gives way."""

    def __init__(self, no_message: asyncio.Event, seconds: float) -> None:
        self._no_message = no_message
        self._seconds = seconds

    @property
    def is_free(self) -> bool:
        """Whether no message is in hand."""
        return self._no_message.is_set()

    async def give_way(self) -> None:
        """Return once no message is in hand, or the time for that is used up."""
        if self._seconds <= 0 or self.is_free:
            return
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(self._seconds):
                await self._no_message.wait()
            self._seconds -= loop.time() - begun
        except TimeoutError:
            self._seconds = 0.0
