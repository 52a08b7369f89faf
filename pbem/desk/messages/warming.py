"""Making ready, when a service begins, what reading messages makes at its first use: else it would
be made while a message is in hand.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from pbem.desk.messages.opening import prepare_words, try_everything
from pbem.desk.ports import Apart
from pbem.game import Games

LINE = "bid 1"

_log = structlog.get_logger("warming")


@asynccontextmanager
async def warming_readers(apart: Apart, games: Games) -> AsyncIterator[None]:
    """Begin to have a line read by every reader, without waiting for it: the first message is
    opened when that is done. Words of the house are read by the desk itself, too.
    """
    readers = [(game.ruleset, game.read, game.colours) for game in games.values()]
    warming = asyncio.gather(
        apart.run(try_everything, readers, LINE), asyncio.to_thread(prepare_words)
    )
    warming.add_done_callback(_log_failure)
    try:
        yield
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)


def _log_failure(warming: "asyncio.Future[tuple[None, None]]") -> None:
    if (
        not warming.cancelled() and (error := warming.exception()) is not None
    ):  # the first message will tell whom it concerns
        _log.error("readers-not-ready", exc_info=error)
