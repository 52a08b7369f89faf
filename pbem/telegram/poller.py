"""Updates in by long polling: store every update, and only then confirm it to Telegram."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from pbem.clock import Clock
from pbem.telegram.connection import UPDATES_AT_ONCE, Connection
from pbem.telegram.ports import (
    WITHOUT_NUMBER,
    PolledElsewhere,
    Store,
    StoreAll,
    StoredUpdate,
    TelegramTrouble,
)
from pbem.telegram.updates import WANTED

_log = structlog.get_logger(__name__)
_SILENT_POLLS = 3
_GRACE_SECONDS = 10


class _StoreFailedError(Exception):
    """At least one update of a batch could not be stored."""


class TelegramPoller:
    """The updates of one bot, watched for ever.

    Telegram forgets an update when a later request names a higher offset (and after 24 hours). So
    the offset goes no further than what `store` has returned for: an update may be handed over
    twice, and never be lost. Once a batch is confirmed, no offset is named until the next one has
    come, since after a week of silence Telegram may count from anywhere, also from below.

    `drained_until` is the moment, by `clock`, before which everything that Telegram held is known
    to be stored.
    """

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        jitter: Callable[[], float],
        *,
        on_drained: Callable[[datetime], None] | None = None,
    ) -> None:
        """`jitter` draws from 0 to 1 and spreads the new beginnings after trouble."""
        self._connection = connection
        self._clock = clock
        self._jitter = jitter
        self._on_drained = on_drained
        self._offset: int | None = None
        self._failures = 0
        self._wake = asyncio.Event()
        self._drains: list[asyncio.Future[datetime]] = []
        self._watching_since: datetime | None = None
        self.drained_until: datetime | None = None
        self.last_success_at: datetime | None = None
        self.last_error: str | None = None

    @property
    def is_watching(self) -> bool:
        """Whether `watch` runs. A poller that has died is not."""
        return self._watching_since is not None

    def is_silent(self) -> bool:
        """Whether there has been no good answer for three long polls: dead, hung, or cut off,
        whatever else it may look like.
        """
        since = self.last_success_at or self._watching_since
        return (
            self._watching_since is None
            or since is None
            or self._clock.now() - since > self._patience()
        )

    async def watch(self, store: Store, store_all: StoreAll | None = None) -> None:
        """Run until cancelled, through every trouble of network, Telegram and store; raises
        `PolledElsewhere` on 409 Conflict.

        What comes in one answer is stored by `store_all` at once, and update by update by `store`
        only where that fails.
        """
        self._watching_since = self._clock.now()
        webhook_left = False
        try:
            while True:
                try:
                    if not webhook_left:
                        await self._leave_webhook()
                        webhook_left = True
                    await self._round(store, store_all)
                except PolledElsewhere:
                    raise
                except (TelegramTrouble, _StoreFailedError) as error:
                    self.last_error = str(error)
                    self._failures += 1
                    _log.warning("telegram.trouble", error=str(error), failures=self._failures)
                    await self._back_off(
                        error.seconds if isinstance(error, TelegramTrouble) else None
                    )
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self.last_error = str(error) or type(error).__name__
            _log.error("telegram.poller_died", error=self.last_error, kind=type(error).__name__)
            raise
        finally:
            self._watching_since = None
            for waiting in self._drains:
                if not waiting.done():
                    waiting.set_exception(TelegramTrouble("the poller has ended"))
            self._drains.clear()

    async def drain(self) -> datetime:
        """Look now, and return the new `drained_until`. Waits as long as Telegram cannot be asked;
        the caller sets the limit.

        Raises `TelegramTrouble` when the poller ends meanwhile.
        """
        waiting: asyncio.Future[datetime] = asyncio.get_running_loop().create_future()
        self._drains.append(waiting)
        self._wake.set()
        try:
            return await waiting
        finally:
            if waiting in self._drains:
                self._drains.remove(waiting)

    async def _leave_webhook(self) -> None:
        """While a webhook is set, Telegram refuses to be asked. The updates stay."""
        await self._connection.demand(
            self._connection.bot.delete_webhook(drop_pending_updates=False)
        )

    async def _round(self, store: Store, store_all: StoreAll | None) -> None:
        """Ask once, and store what comes."""
        self._wake.clear()
        asked_at, asking = self._clock.now(), list(self._drains)
        updates = await self._ask(0 if asking else self._connection.settings.poll_seconds)
        if updates is None:
            return
        self._offset = None  # what it confirmed is confirmed
        errors = []
        batch = [
            StoredUpdate(update_id or WITHOUT_NUMBER, raw, self._clock.now())
            for update_id, raw in updates
        ]
        is_stored = await self._stored_together(store_all, batch)
        for (update_id, _), update in zip(updates, batch, strict=True):
            # Whatever the store raises, the next update gets its chance, and this one and all
            # behind it stay unconfirmed.
            (error,) = (
                (None,)
                if is_stored
                else await asyncio.gather(store(update), return_exceptions=True)
            )
            if error is not None:
                _log.error("telegram.store_failed", update_id=update_id, exc_info=error)
                errors.append(error)
            if not errors and update_id is not None:
                self._offset = update_id + 1
        if errors:
            raise _StoreFailedError(
                f"{len(errors)} of {len(updates)} updates could not be stored:"
                f" {type(errors[0]).__name__}"
            )
        if len(updates) < UPDATES_AT_ONCE:
            self._tell_drained(asked_at, asking)
        if (
            updates and self._offset is None
        ):  # stored, but there is no way to confirm them until one with a number comes behind them
            raise TelegramTrouble("updates without a number")
        self._failures = 0
        self.last_error = None
        self.last_success_at = self._clock.now()

    async def _stored_together(
        self, store_all: StoreAll | None, batch: Sequence[StoredUpdate]
    ) -> bool:
        if store_all is None or not batch:
            return False
        (error,) = await asyncio.gather(store_all(batch), return_exceptions=True)
        if error is not None:
            _log.warning("telegram.batch_not_stored", count=len(batch), exc_info=error)
        return error is None

    async def _ask(self, wait_seconds: int) -> list[tuple[int | None, bytes]] | None:
        """None if somebody wants a drain meanwhile: breaking a request off confirms nothing."""
        answer = asyncio.create_task(self._connection.updates(self._offset, wait_seconds, WANTED))
        woken = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait({answer, woken}, return_when=asyncio.FIRST_COMPLETED)
            return answer.result() if answer.done() else None
        finally:
            woken.cancel()
            answer.cancel()
            await asyncio.gather(answer, woken, return_exceptions=True)

    def _tell_drained(self, asked_at: datetime, asking: list[asyncio.Future[datetime]]) -> None:
        self.drained_until = asked_at
        for waiting in asking:
            if not waiting.done():
                waiting.set_result(asked_at)
        if self._on_drained is not None:
            self._on_drained(asked_at)

    async def _back_off(self, wanted_seconds: float | None) -> None:
        settings = self._connection.settings
        growing = min(
            settings.back_off_seconds * 2.0 ** min(self._failures - 1, 30),
            settings.max_back_off_seconds,
        )
        seconds = max(growing * (0.5 + 0.5 * self._jitter()), wanted_seconds or 0.0)
        with contextlib.suppress(TimeoutError):  # a drain that is wanted cuts the waiting short
            await asyncio.wait_for(self._wake.wait(), seconds)

    def _patience(self) -> timedelta:
        return _SILENT_POLLS * timedelta(
            seconds=self._connection.settings.poll_seconds + _GRACE_SECONDS
        )
