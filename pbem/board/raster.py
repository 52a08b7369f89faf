"""SVG to PNG in a process of its own, because resvg and shapely hold the interpreter for tenths of
a second.

The process is one and is started when first needed; when it dies it is started anew and the picture
drawn once more.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from engine.ruleset import Event
from pbem.board.board import Board, Picture, TableFacts
from pbem.later import Later

P = ParamSpec("P")
T = TypeVar("T")

_PAINT = Later("pbem.board.painting:picture_of")


class Rasteriser:
    """Draws pictures in its own process. Close it when done; it starts again when asked again."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def land(self, board: Board, view: Any, seed: int, map_text: str) -> bytes:
        """What never changes in a game, as it is stored with it; it may take some seconds.
        ValueError for a map that cannot be drawn.
        """
        return b"" if board.land is None else await self._run(board.land, view, seed, map_text)

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        """The picture of a board: at most 256 colours, under 200 kB."""
        return await self._run(_PAINT, board.draw, board.stage(view, events, facts), land)

    async def process_id(self) -> int:
        """The process as the system knows it; it is started for that."""
        return await self._run(os.getpid)

    async def close(self) -> None:
        """End the process; pictures under way are finished first."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown)

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        pool = await self._started()
        try:
            return await asyncio.wrap_future(pool.submit(work, *args, **kwargs))
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            again = await self._started()
            return await asyncio.wrap_future(again.submit(work, *args, **kwargs))

    async def _started(self) -> ProcessPoolExecutor:
        async with self._starting:
            if self._pool is None:
                self._pool = await asyncio.to_thread(_start)
            return self._pool


def _start() -> ProcessPoolExecutor:
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_serve)
    pool.submit(os.getpid)  # starting a process takes some ms: here, in a thread
    return pool


def _serve() -> None:
    """In the new process: leave interrupts to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(parent: int) -> None:
    wait([parent])
    os._exit(0)
