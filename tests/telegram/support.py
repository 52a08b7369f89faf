"""What the tests of the Telegram room share: a store, settings without patience, pictures."""

import asyncio
import dataclasses
import struct
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pbem.demo.telegram import TelegramStandIn
from pbem.telegram.connection import Connection
from pbem.telegram.poller import TelegramPoller
from pbem.telegram.ports import Store, StoreAll, StoredUpdate
from pbem.telegram.settings import TelegramSettings
from pbem.telegram.updates import Said, read_update
from pbem.telegram.webhook import TelegramWebhook
from tests.servers.telegram import HandClock

DISCARD_PORT = 9
NOBODY = f"http://127.0.0.1:{DISCARD_PORT}"
"""Where no server listens."""


def quick(telegram: TelegramStandIn, **changes: Any) -> TelegramSettings:
    """Begins anew at once after trouble."""
    return dataclasses.replace(
        telegram.settings, **{"back_off_seconds": 0.01, "max_back_off_seconds": 0.02, **changes}
    )


def picture(width: int = 2, height: int = 2) -> bytes:
    """A PNG in one grey."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


class Shelf:
    """A store that keeps what it gets, and can be told to fail or to wait."""

    def __init__(self) -> None:
        self.updates: list[StoredUpdate] = []
        self.failing: set[bytes] = set()
        self.failures = 0
        self.open = asyncio.Event()
        self.open.set()
        self.entered = asyncio.Event()
        self._changed = asyncio.Condition()

    async def __call__(self, update: StoredUpdate) -> None:
        self.entered.set()
        await self.open.wait()
        async with self._changed:
            self._changed.notify_all()
            if any(word in update.raw for word in self.failing):
                self.failures += 1
                raise OSError("no space left on device")
            self.updates.append(update)

    async def holding(self, count: int) -> list[StoredUpdate]:
        """The updates, as soon as there are so many different ones."""
        async with self._changed:
            await self._changed.wait_for(
                lambda: len({update.update_id for update in self.updates}) >= count
            )
        return list(self.updates)

    async def failed(self, count: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self.failures >= count)

    @property
    def texts(self) -> list[str]:
        """What was said, each update once, in the order of coming."""
        once = {update.update_id: read_update(update.raw) for update in self.updates}
        return [said.text for said in once.values() if isinstance(said, Said)]


def poller_of(connection: Connection, clock: HandClock, **more: Any) -> TelegramPoller:
    return TelegramPoller(connection, clock, lambda: 0.5, **more)


@asynccontextmanager
async def watching(
    watcher: TelegramPoller | TelegramWebhook, store: Store, store_all: StoreAll | None = None
) -> AsyncIterator[asyncio.Task[None]]:
    """Watch meanwhile; whatever ends the watching before its time fails the test."""
    task = asyncio.create_task(
        watcher.watch(store, store_all)
        if isinstance(watcher, TelegramPoller)
        else watcher.watch(store)
    )
    try:
        async with asyncio.timeout(30):
            yield task
    finally:
        task.cancel()
        (ending,) = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(ending, asyncio.CancelledError), ending
