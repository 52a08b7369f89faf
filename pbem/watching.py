"""What all that watch for messages share: who waits until everything is read, and the pauses after
trouble.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import structlog

from pbem.clock import Clock

_log = structlog.get_logger(__name__)


class Watcher:
    """Somebody else's store of messages, watched for ever.

    `drained_until` is the moment, by `clock`, before which everything that was held there is known
    to be stored here.
    """

    def __init__(
        self,
        clock: Clock,
        jitter: Callable[[], float],
        back_off_seconds: tuple[float, float],
    ) -> None:
        """`jitter` draws from 0 to 1 and spreads the new beginnings after trouble; the pause before
        one grows from the first of `back_off_seconds` to the last.
        """
        self._clock = clock
        self._jitter = jitter
        self._least_back_off, self._most_back_off = back_off_seconds
        self._failures = 0
        self._wake = asyncio.Event()
        self._drains: list[asyncio.Future[datetime]] = []
        self._watching_since: datetime | None = None
        self.drained_until: datetime | None = None
        self.last_success_at: datetime | None = None
        self.last_error: str | None = None

    @property
    def is_watching(self) -> bool:
        """Whether `watch` runs. A watcher that has died is not."""
        return self._watching_since is not None

    def _is_silent_for(self, patience: timedelta) -> bool:
        """Whether there has been no good answer for so long: dead, hung, or cut off, whatever else
        it may look like.
        """
        since = self.last_success_at or self._watching_since
        return not self.is_watching or since is None or self._clock.now() - since > patience

    async def drain(self) -> datetime:
        """Look now, and return the new `drained_until`. Waits as long as nothing can be read; the
        caller sets the limit.

        Raises what `_end` is given when the watching ends meanwhile.
        """
        waiting: asyncio.Future[datetime] = asyncio.get_running_loop().create_future()
        self._drains.append(waiting)
        self._wake.set()
        try:
            return await waiting
        finally:
            if waiting in self._drains:
                self._drains.remove(waiting)

    def _fail(self, error: Exception) -> None:
        self.last_error = str(error)
        self._failures += 1

    def _tell_drained(self, until: datetime, asking: Iterable[asyncio.Future[datetime]]) -> None:
        self.drained_until = until
        for waiting in asking:
            if not waiting.done():
                waiting.set_result(until)

    @contextmanager
    def _watching(self, died: str, ended: Exception) -> Iterator[None]:
        """The time in which somebody watches; `died` is what the log says when that breaks off by
        itself, and who waits gets `ended`.
        """
        self._watching_since = self._clock.now()
        try:
            yield
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self.last_error = str(error) or type(error).__name__
            _log.error(died, error=self.last_error, kind=type(error).__name__)
            raise
        finally:
            self._watching_since = None
            self._end(ended)

    def _end(self, error: Exception) -> None:
        """Nobody waits any longer: the watching is over."""
        for waiting in self._drains:
            if not waiting.done():
                waiting.set_exception(error)
        self._drains.clear()

    def _back_off_seconds(self) -> float:
        growing = self._least_back_off * 2.0 ** min(self._failures - 1, 30)
        return min(growing, self._most_back_off) * (0.5 + 0.5 * self._jitter())
