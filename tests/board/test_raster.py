"""Painters beside one another: as many as there may be, each for itself."""

import asyncio
import os
import signal

from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.board.raster import Rasteriser, missing_libraries

FACTS = TableFacts("Heron", "orders")
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    '<rect width="40" height="40" fill="#c3d6d2"/></svg>'
)


def drawn_by_whom(scene: object, land: bytes) -> Drawing:
    return Drawing(SVG, str(os.getpid()))


def fatal(scene: object, land: bytes) -> Drawing:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody survives this")


def board(draw: object) -> Board:
    return Board(lambda view, events, facts: view, draw)  # type: ignore[arg-type]  # one of the above


async def paint(rasteriser: Rasteriser, draw: object = drawn_by_whom) -> Picture:
    return await rasteriser.board(board(draw), None, (), b"", FACTS)


async def test_painters_work_beside_one_another_and_no_more_than_may() -> None:
    async with Rasteriser(2) as rasteriser:
        pictures = await asyncio.gather(*(paint(rasteriser) for _ in range(12)))
        assert len({picture.alt for picture in pictures}) == 2
        assert len({picture.png for picture in pictures}) == 1


async def test_one_is_enough_for_one_after_the_other() -> None:
    async with Rasteriser(4) as rasteriser:
        assert len({(await paint(rasteriser)).alt for _ in range(5)}) == 1


async def test_a_picture_that_kills_its_painter_takes_no_other_with_it() -> None:
    async with Rasteriser(2) as rasteriser:
        first, *others = await asyncio.gather(
            paint(rasteriser, fatal),
            *(paint(rasteriser) for _ in range(8)),
            return_exceptions=True,
        )
        assert isinstance(first, RuntimeError), "it was drawn once more, and killed that one too"
        assert all(isinstance(other, Picture) for other in others)
        assert isinstance(await paint(rasteriser), Picture)


async def test_a_picture_nobody_waits_for_gives_its_turn_back() -> None:
    async with Rasteriser(1) as rasteriser:
        await paint(rasteriser)
        left = asyncio.create_task(paint(rasteriser))
        await asyncio.sleep(0)
        left.cancel()
        assert isinstance(await paint(rasteriser), Picture)


def test_a_machine_without_the_painters_libraries_is_told_what_to_install_f_101() -> None:
    def load(name: str) -> None:
        raise OSError(name)

    assert missing_libraries(load) == (
        "libEGL.so.1 and libGL.so.1 missing: apt install libegl1 libgl1"
    )
    assert missing_libraries(lambda name: name) == ""
