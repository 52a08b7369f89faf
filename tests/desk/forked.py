"""Imported by the process that all killed ones are forked from: what they share is read, compiled
and warm before the first.
"""

import asyncio
import tempfile
from pathlib import Path

import structlog

from tests.desk.harness import open_desk
from tests.desk.scenario import play


async def _play() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_desk(Path(folder)) as desk:
            await play(desk, Path(folder) / "progress")


structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
asyncio.run(_play())  # ends with no thread left, so that forking is safe
