"""SVG to PNG in processes of their own, because laying out and painting hold the interpreter for
tenths of a second.

There are as many painters as cores, each started when it is first needed, and each does one thing
at a time: when one dies, only its own picture is drawn once more.
"""

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, ParamSpec, Self, TypeVar

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.later import Later

P = ParamSpec("P")
T = TypeVar("T")

_PAINT = Later("pbem.board.painting:picture_of")
_IMAGE = Later("pbem.board.painting:image_of")
_SHEET = Later("pbem.board.painting:sheet_of")
_KEPT_FREE = 32_000_000
"""Bytes of freed memory that a painter keeps for its next picture; the most that may be asked."""
LINKED = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}
"""What Skia is linked with on Linux, and Debian's packages; `deploy/before.py` has the same."""


class Rasteriser:
    """Draws pictures in processes of its own, at most this many at once: as many as there are cores
    for this process. Close it when done; it starts again when asked again.
    """

    def __init__(self, most: int | None = None) -> None:
        self._turns = asyncio.Semaphore(most or _cores())
        self._idle: list[ProcessPoolExecutor] = []
        self._painters: set[ProcessPoolExecutor] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
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

    async def drawing(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Drawing:
        """The same board as SVG."""
        return await self._run(board.draw, board.stage(view, events, facts), land)

    async def image(self, svg: str) -> bytes:
        """A drawing as WebP. ValueError for what the easel does not draw."""
        return await self._run(_IMAGE, svg)

    async def sheet(self, svg: str, wide: float) -> tuple[bytes, bytes]:
        """A drawing for paper: a PDF, `wide` points wide, and a PNG."""
        return await self._run(_SHEET, svg, wide)

    async def process_id(self) -> int:
        """A painter's process as the system knows it; it is started for that."""
        return await self._run(os.getpid)

    async def close(self) -> None:
        """End the processes; pictures under way are finished first."""
        self._idle = []
        while self._painters:
            await asyncio.to_thread(self._painters.pop().shutdown)

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await self._asked(partial(work, *args, **kwargs), anew=False)
        except BrokenProcessPool:
            return await self._asked(partial(work, *args, **kwargs), anew=True)

    async def _asked(self, work: Callable[[], T], *, anew: bool) -> T:
        """By a painter that has nothing else to do, and has just been started if `anew`. It has its
        turn until it is ready, even when nobody waits for that any more.
        """
        await self._turns.acquire()
        painter = self._idle.pop() if self._idle else None
        if painter is not None and anew:
            self._dismiss(painter)
        if painter is None or anew:
            painter = ProcessPoolExecutor(1, get_context("spawn"), initializer=_serve)
            self._painters.add(painter)
        asked = asyncio.create_task(self._turn(painter, work))
        return await asyncio.shield(asked)

    async def _turn(self, painter: ProcessPoolExecutor, work: Callable[[], T]) -> T:
        try:
            # Starting a process takes some ms: in a thread.
            future = await asyncio.to_thread(painter.submit, work)
            picture = await asyncio.wrap_future(future)
        except BrokenProcessPool:
            self._dismiss(painter)
            raise
        finally:
            if painter in self._painters:
                self._idle.append(painter)
            self._turns.release()
        return picture

    def _dismiss(self, painter: ProcessPoolExecutor) -> None:
        self._painters.discard(painter)
        painter.shutdown(wait=False)


def missing_libraries(load: Callable[[str], object] = ctypes.CDLL) -> str:
    """What this machine lacks to paint boards, and what to install; "": nothing. Without a painter
    games continue, and no picture goes out.
    """
    missing = []
    for library in LINKED if sys.platform == "linux" else ():
        try:
            load(library)
        except OSError:
            missing.append(library)
    packages = " ".join(LINKED[library] for library in missing)
    return f"{' and '.join(missing)} missing: apt install {packages}" if missing else ""


def _cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _serve() -> None:
    """In the new process: leave interrupts to the parent, and do not outlive it; one thread, since
    there is a painter for every core.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there
    keep_memory()
    parent = parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(parent: int) -> None:
    wait([parent])
    os._exit(0)


def keep_memory() -> None:
    """Have the C library keep what a picture frees: asking the system for its pages again takes a
    tenth of the time of a picture. Where there is no such setting, nothing is set.
    """
    trim_threshold, mmap_threshold = -1, -3
    setting = getattr(ctypes.CDLL(None), "mallopt", None)
    if setting is not None:
        setting(mmap_threshold, _KEPT_FREE)
        setting(trim_threshold, _KEPT_FREE)
