"""A worker shows that it lives only while it reaches what it works for (F-47)."""

import asyncio
from pathlib import Path

import pytest

from pbem.config import BrokerSection, Config, DatabaseSection, GmSection, ServiceSection
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from pbem.worker import open_worker
from tests.servers.postgres import Postgres
from tests.servers.redis import running_redis
from workers.onredis import RedisWorkers


@pytest.mark.long(held_by="tests/workers/test_workers.py (a worker at work)")
@pytest.mark.servers
async def test_f47_a_worker_shows_that_it_lives_while_database_and_broker_are_reached(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.url(await asyncio.to_thread(postgres.create))
    database = open_database(url)
    await migrate(database)
    await database.dispose()
    alive = asyncio.Event()
    with running_redis() as redis:
        config = Config.model_construct(
            service=ServiceSection(data_dir=tmp_path / "data", address="orders@house.example"),
            gm=GmSection(),
            database=DatabaseSection(url=url),
            broker=BrokerSection(url=redis.url),
        )
        async with open_worker(config, threads=1, alive=alive.set):
            async with asyncio.timeout(60):
                await alive.wait()
            workers = RedisWorkers(redis.url)
            assert await workers.reaches_broker()
            await asyncio.to_thread(redis.stop)
            assert not await workers.reaches_broker()
            await workers.stop()
