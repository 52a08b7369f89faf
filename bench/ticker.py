"""How long the event loop was held: a callback that wants to run all the time sees how late it
comes.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

PAUSE_SECONDS = 0.0005


@dataclass(slots=True)
class Held:
    """The longest time between two turns of the loop, in ms.

    `by_clock`: beyond the pause asked for, for any reason (other threads, other processes of a busy
    machine). `by_us`: the processor time that the loop's own thread spent in between.
    """

    by_clock: float = 0.0
    by_us: float = 0.0


@asynccontextmanager
async def ticking(held: Held | None) -> AsyncIterator[None]:
    """Tick while the block runs, if there is somebody to be told."""
    if held is None:
        yield
        return

    async def tick() -> None:
        while True:
            before, spent = time.perf_counter(), time.thread_time()
            await asyncio.sleep(PAUSE_SECONDS)
            held.by_clock = max(held.by_clock, (time.perf_counter() - before - PAUSE_SECONDS) * 1e3)
            held.by_us = max(held.by_us, (time.thread_time() - spent) * 1e3)

    ticker = asyncio.create_task(tick())
    await asyncio.sleep(0)
    try:
        yield
    finally:
        await asyncio.sleep(0)
        ticker.cancel()
        await asyncio.gather(ticker, return_exceptions=True)
