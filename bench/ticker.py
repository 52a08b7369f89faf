"""How long the event loop was held: a callback that wants to run all the time sees how late it comes."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

PAUSE_SECONDS = 0.0005


@dataclass(slots=True)
class Held:
    """The longest time between two turns of the loop beyond the pause asked for, in ms."""

    longest: float = 0.0


@asynccontextmanager
async def ticking() -> AsyncIterator[Held]:
    """Tick while the block runs."""
    held = Held()

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(PAUSE_SECONDS)
            held.longest = max(held.longest, (time.perf_counter() - before - PAUSE_SECONDS) * 1e3)

    ticker = asyncio.create_task(tick())
    await asyncio.sleep(0)
    try:
        yield held
    finally:
        await asyncio.sleep(0)
        ticker.cancel()
        await asyncio.gather(ticker, return_exceptions=True)
