"""Making ready, when a service begins, what reading messages makes at its first use: else it would be made while a message is in hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from pbem.desk.opening import try_game, try_readers
from pbem.desk.ports import Apart, Games
from pbem.mail.reading import prepare_reading

LINE = "bid 1"

_log = structlog.get_logger("warming")


@asynccontextmanager
async def warming_readers(apart: Apart, games: Games) -> AsyncIterator[None]:
    """Begin to have a line read by every reader, without waiting for it."""
    warming = asyncio.create_task(_warm(apart, games))
    warming.add_done_callback(_log_failure)
    try:
        yield
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)


async def _warm(apart: Apart, games: Games) -> None:
    """One by one: a message that comes meanwhile waits for one of them, and the process that reads outlives ours by no more than one."""
    await apart.run(try_readers, LINE)
    for game in games.values():
        await apart.run(try_game, game.ruleset, game.read, game.colours, LINE)
    await apart.run(prepare_reading)


def _log_failure(warming: "asyncio.Task[None]") -> None:
    if not warming.cancelled() and (error := warming.exception()) is not None:  # the first message will tell whom it concerns
        _log.error("readers-not-ready", exc_info=error)
