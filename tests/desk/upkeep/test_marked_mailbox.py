"""A worker without a watcher learns from the serving process how far the mailbox is read."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.desk.upkeep.mailbox import DRAIN_WANTED, DrainTeller, MarkedMailbox
from pbem.store.database import Database
from pbem.store.repositories.marks import DRAINED
from tests.desk.dates import NOON
from tests.desk.harness import StandingClock, open_desk


class Watched:
    """A mailbox that counts how often it is read."""

    def __init__(self, clock: StandingClock) -> None:
        self._clock = clock
        self.drained_until: datetime | None = None
        self.drains = 0
        self.broken = False

    async def drain(self) -> datetime:
        self.drains += 1
        if self.broken:
            raise OSError("the mailbox cannot be read")
        self.drained_until = self._clock.now()
        return self._clock.now()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_desk(tmp_path) as desk:
        yield desk.services.database


async def mark(database: Database, name: str) -> datetime | None:
    async with database.read() as work:
        found = await work.marks.find(name)
    return found.at if found is not None else None


async def test_a_worker_that_waits_is_told_once_the_mailbox_is_read_past_its_asking(
    database: Database,
) -> None:
    clock = StandingClock()
    watched, asking = Watched(clock), MarkedMailbox(database, clock)
    serving = asyncio.create_task(DrainTeller(database, watched, clock).run())
    async with asyncio.timeout(20):
        assert await asking.drain() == NOON
    assert (asking.drained_until, watched.drains) == (NOON, 1)
    clock.forward(hours=1)
    async with asyncio.timeout(20):
        assert await asking.drain() == NOON + timedelta(hours=1)
    assert watched.drains == 2
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


async def test_two_workers_that_wait_are_both_told(database: Database) -> None:
    clock = StandingClock()
    serving = asyncio.create_task(DrainTeller(database, Watched(clock), clock).run())
    async with asyncio.timeout(20):
        assert await asyncio.gather(
            *(MarkedMailbox(database, clock).drain() for _ in range(2))
        ) == [NOON, NOON]
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


async def test_nobody_is_told_what_is_not_read(database: Database) -> None:
    clock = StandingClock()
    watched = Watched(clock)
    watched.broken = True
    teller = DrainTeller(database, watched, clock)
    async with database.write() as work:
        await work.marks.put(DRAIN_WANTED, NOON)
    with pytest.raises(OSError, match="cannot be read"):
        await teller.look()
    assert await mark(database, DRAINED) is None
    watched.broken = False
    await teller.look()
    assert await mark(database, DRAINED) == NOON


async def test_what_is_read_anyway_is_told_now_and_then(database: Database) -> None:
    clock = StandingClock()
    watched = Watched(clock)
    teller = DrainTeller(database, watched, clock)
    await teller.look()
    assert await mark(database, DRAINED) is None
    watched.drained_until = NOON
    await teller.look()
    watched.drained_until = NOON + timedelta(seconds=1)
    await teller.look()
    assert await mark(database, DRAINED) == NOON
    watched.drained_until = NOON + timedelta(seconds=9)
    await teller.look()
    assert await mark(database, DRAINED) == NOON + timedelta(seconds=9)
    assert watched.drains == 0


async def test_a_worker_whose_clock_is_far_ahead_is_told_in_the_log_and_keeps_nobody_busy(
    database: Database,
) -> None:
    clock = StandingClock()
    watched = Watched(clock)
    async with database.write() as work:
        await work.marks.put(DRAIN_WANTED, NOON + timedelta(hours=3))
    with capture_logs() as logs:
        await DrainTeller(database, watched, clock).look()
    assert [line["event"] for line in logs] == ["clock-ahead"]
    assert watched.drains == 0
