"""A process killed between storing and confirming loses no update and stores none twice."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pbem.demo.telegram import TelegramStandIn
from pbem.telegram.updates import Said, read_update

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def receiving(
    telegram: TelegramStandIn, path: Path, step: str, how: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The process, killed with no warning at the end."""
    arguments = (
        "-m",
        "tests.telegram.receiver",
        telegram.api_url,
        telegram.token,
        str(path),
        step,
        how,
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(60):
            yield process
    finally:
        process.kill()
        await process.communicate()


def stored(path: Path) -> list[str]:
    with sqlite3.connect(path) as database:
        updates = [
            read_update(raw)
            for (raw,) in database.execute("SELECT raw FROM inbox ORDER BY update_id")
        ]
    database.close()
    return [update.text for update in updates if isinstance(update, Said)]


@pytest.mark.parametrize(("how", "committed"), [("each", 1), ("together", 3)])
async def test_f14_kills_before_and_after_the_commit_lose_nothing_and_double_nothing(
    telegram: TelegramStandIn, tmp_path: Path, how: str, committed: int
) -> None:
    """F-14 stores the updates of an answer together; a kill leaves none confirmed that is not
    stored.
    """
    anna, path = telegram.user("Anna"), tmp_path / "inbox.sqlite"
    words = ["P1: fortify", "P2: march", "P3: work"]
    for word in words:
        await anna.says(word)
    for step, kept in (("before", []), ("after", words[:committed])):
        async with receiving(telegram, path, step, how) as process:
            assert process.stdout is not None
            assert (await process.stdout.readline()).decode().strip() == step
        assert (stored(path), telegram.waiting) == (kept, 3)
    async with receiving(telegram, path, "none", how):
        await telegram.emptied()
    assert stored(path) == words
