"""Whose turn it is to write to an SQLite database, of the tasks of one process."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

MOST_PASSES = 20
"""The most others that may go before one that gives way."""

_Waiting = deque["asyncio.Future[None]"]


class Turns:
    """A lock that is fair among tasks, except that a task which gives way lets some others go
    first.
    """

    def __init__(self, most_passes: int = MOST_PASSES) -> None:
        self._most_passes = most_passes
        self._passes = 0
        self._holder: asyncio.Task[object] | None = None
        self._is_held = False
        self._waiting: tuple[_Waiting, _Waiting] = deque(), deque()

    @asynccontextmanager
    async def take(self, *, gives_way: bool = False) -> AsyncIterator[None]:
        """One turn. A task that has it already would wait for itself for ever, so that is a
        RuntimeError.
        """
        task = asyncio.current_task()
        if task is not None and self._holder is task:
            raise RuntimeError(
                "a unit of work that writes was opened within another one of the same task"
            )
        if self._is_held:
            await self._wait(self._waiting[gives_way])
        self._is_held, self._holder = True, task
        try:
            yield
        finally:
            self._holder = None
            self._pass_on()

    async def _wait(self, queue: _Waiting) -> None:
        mine = asyncio.get_running_loop().create_future()
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if (
                mine.done() and not mine.cancelled()
            ):  # it became ours in the very moment in which we were called off
                self._pass_on()
            else:
                with suppress(ValueError):
                    queue.remove(mine)
            raise

    def _pass_on(self) -> None:
        """The lock stays held while it goes from one to the next, so that nobody who comes now is
        quicker.
        """
        first, giving_way = self._waiting
        while first or giving_way:
            goes_before = bool(first) and (not giving_way or self._passes < self._most_passes)
            following = (first if goes_before else giving_way).popleft()
            if not following.done():
                self._passes = self._passes + 1 if goes_before and giving_way else 0
                following.set_result(None)
                return
        self._is_held = False
