"""SVG to PNG in a process of its own, because resvg and shapely hold the interpreter for tenths of
a second.

The process is one and is started when first needed; when it dies it is started anew and the picture
drawn once more.
"""

import asyncio
import io
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

import resvg_py
from PIL import Image

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.board.faces import font_paths

MOST_BYTES = 200_000
COLOURS = (256, 192, 128, 64)
QUICK, SMALL = 6, 9

P = ParamSpec("P")
T = TypeVar("T")


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
        return await self._run(picture_of, board.draw, board.stage(view, events, facts), land)

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


def picture_of(draw: Callable[[Any, bytes], Drawing], scene: object, land: bytes) -> Picture:
    """Draw here and now, in this process."""
    drawing = draw(scene, land)
    return Picture(render(drawing.svg), drawing.alt)


@lru_cache(maxsize=1)
def _fonts() -> list[str]:
    return font_paths()


def render(svg: str) -> bytes:
    """A PNG in 256 colours by median cut, undithered; packed harder, then in fewer colours, when it
    would be too large.
    """
    drawn = bytes(
        resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=_fonts())
    )
    image = Image.open(io.BytesIO(drawn)).convert("RGB")
    png = b""
    for colours in COLOURS:
        reduced = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        for level in (QUICK, SMALL) if colours == COLOURS[0] else (SMALL,):
            out = io.BytesIO()
            reduced.save(out, "PNG", compress_level=level)
            png = out.getvalue()
            if len(png) < MOST_BYTES:
                return png
    return png
