"""Updates in by long polling: store every update, and only then confirm it to Telegram."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from datetime import timedelta

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
from pbem.watching import Watcher

_log = structlog.get_logger(__name__)
_SILENT_POLLS = 3
_GRACE_SECONDS = 10


class _StoreFailedError(Exception):
    """At least one update of a batch could not be stored."""


class TelegramPoller(Watcher):
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
    ) -> None:
        pauses = connection.settings
        super().__init__(clock, jitter, (pauses.back_off_seconds, pauses.max_back_off_seconds))
        self._connection = connection
        self._offset: int | None = None

    def is_silent(self) -> bool:
        """Whether there has been no good answer for three long polls."""
        seconds = self._connection.settings.poll_seconds + _GRACE_SECONDS
        return self._is_silent_for(_SILENT_POLLS * timedelta(seconds=seconds))

    async def watch(self, store: Store, store_all: StoreAll | None = None) -> None:
        """Run until cancelled, through every trouble of network, Telegram and store; raises
        `PolledElsewhere` on 409 Conflict.

        What comes in one answer is stored by `store_all` at once, and update by update by `store`
        only where that fails.
        """
        webhook_left = False
        with self._watching("telegram.poller_died", TelegramTrouble("the poller has ended")):
            while True:
                try:
                    if not webhook_left:
                        await self._leave_webhook()
                        webhook_left = True
                    await self._round(store, store_all)
                except PolledElsewhere:
                    raise
                except (TelegramTrouble, _StoreFailedError) as error:
                    self._fail(error)
                    _log.warning("telegram.trouble", error=str(error), failures=self._failures)
                    await self._back_off(
                        error.seconds if isinstance(error, TelegramTrouble) else None
                    )

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

    async def _back_off(self, wanted_seconds: float | None) -> None:
        seconds = max(self._back_off_seconds(), wanted_seconds or 0.0)
        with contextlib.suppress(TimeoutError):  # a drain that is wanted cuts the waiting short
            await asyncio.wait_for(self._wake.wait(), seconds)
