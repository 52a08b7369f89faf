"""Work in a process of its own: what it may take, and what becomes of what comes after."""

import asyncio
import math
import os
import signal
import time

import pytest

from pbem.apart import Allowance, OverLimit, OwnProcess, ProcessEnded
from pbem.desk.ports import Apart, InThread

SMALL = Allowance(seconds=1, octets=1 << 30)


@pytest.mark.parametrize("kind", [InThread, lambda: OwnProcess(SMALL)])
async def test_what_work_comes_to_is_handed_back_and_so_is_its_exception(
    kind: type[InThread],
) -> None:
    apart: Apart = kind()
    assert await apart.run(math.factorial, 5) == 120
    assert await apart.run(sorted, [1, 3, 2], reverse=True) == [3, 2, 1]
    with pytest.raises(ValueError, match="invalid literal"):
        await apart.run(int, "x")
    if isinstance(apart, OwnProcess):
        await apart.close()


async def test_it_is_one_process_that_is_not_this_one() -> None:
    async with OwnProcess(SMALL) as apart:
        first = await apart.run(os.getpid)
        assert first != os.getpid()
        assert await apart.run(os.getpid) == first
    async with apart:
        assert await apart.run(os.getpid) != first


async def test_too_many_seconds_end_the_work_and_not_the_next() -> None:
    async with OwnProcess(Allowance(seconds=0.2)) as apart:
        with pytest.raises(OverLimit, match=r"0\.2 seconds"):
            await apart.run(_never_end)
        assert await apart.run(math.factorial, 5) == 120


async def test_too_much_memory_ends_the_work_and_not_the_next() -> None:
    async with OwnProcess(SMALL) as apart:
        with pytest.raises(OverLimit, match="memory"):
            await apart.run(bytes, 1 << 31)
        assert await apart.run(math.factorial, 5) == 120


async def test_a_process_that_died_is_started_anew_and_the_work_done_once_more() -> None:
    async with OwnProcess(SMALL) as apart:
        os.kill(await apart.run(os.getpid), signal.SIGKILL)
        assert await apart.run(math.factorial, 5) == 120
        with pytest.raises(ProcessEnded):
            await apart.run(os.abort)
        assert await apart.run(math.factorial, 5) == 120


async def test_work_that_is_called_off_does_not_answer_for_the_next() -> None:
    async with OwnProcess(SMALL) as apart:
        await apart.run(os.getpid)
        asked = asyncio.create_task(apart.run(time.sleep, 3600))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert await apart.run(math.factorial, 5) == 120


def _never_end() -> None:
    while True:
        pass
