"""Jobs over a Redis: names and ids, each once at a time, and nothing that the sweep would not ask
for again.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbem.desk.jobs import Job
from pbem.desk.ports import Services
from tests.desk.harness import changed, open_desk
from tests.servers.redis import Redis, running_redis
from workers import onredis
from workers.jobs import QUEUES
from workers.onredis import AskedLately, RedisWorkers, open_broker

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def server() -> Iterator[Redis]:
    with running_redis() as running:
        yield running


@pytest.fixture
def redis(server: Redis) -> Redis:
    server.say("FLUSHALL")
    return server


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        desk.clock.forward(hours=25)
        yield desk.services


def queued(redis: Redis) -> list[Any]:
    """The messages in the queues, as they lie there."""
    client: Any = open_broker(redis.url).client
    found = []
    for queue in QUEUES:
        ids = client.lrange(f"{onredis.NAMESPACE}:{queue}", 0, -1)
        found += [
            json.loads(str(client.hget(f"{onredis.NAMESPACE}:{queue}.msgs", each), "utf-8"))
            for each in ids
        ]
    client.close()
    return found


async def hand_over(workers: RedisWorkers) -> None:
    """What `start` does from time to time."""
    await workers._put_in()


def test_the_broker_is_set_so_that_a_dead_workers_jobs_wait_for_seconds_and_not_for_minutes(
    redis: Redis,
) -> None:
    broker = open_broker(redis.url)
    assert (broker.heartbeat_timeout, broker.maintenance_chance, broker.namespace) == (
        5000,
        1_000_000,
        "pbem",
    )


async def test_a_job_on_the_wire_is_a_name_and_ids_and_nothing_else(redis: Redis) -> None:
    workers = RedisWorkers(redis.url)
    workers.jobs.ask(Job("receive", (7,)))
    workers.jobs.ask(Job("close_phase", (1, 2)))
    workers.jobs.ask(Job("keep_house"))
    await hand_over(workers)
    messages = await asyncio.to_thread(queued, redis)
    assert [
        (message["actor_name"], message["args"], message["kwargs"]) for message in messages
    ] == [("receive", [7], {}), ("close_phase", [1, 2], {}), ("keep_house", [], {})]
    assert {key for message in messages for key in message["options"]} == {"redis_message_id"}
    await workers.stop()


async def test_a_job_that_waits_is_not_put_in_twice_until_the_queue_was_emptied(
    redis: Redis,
) -> None:
    workers = RedisWorkers(redis.url)
    for _ in range(3):
        workers.jobs.ask(Job("deliver", (3,)))
        await hand_over(workers)
    assert len(await asyncio.to_thread(queued, redis)) == 1
    redis.say("FLUSHALL")
    await hand_over(workers)
    assert not workers.busy
    workers.jobs.ask(Job("deliver", (3,)))
    await hand_over(workers)
    assert len(await asyncio.to_thread(queued, redis)) == 1
    await workers.stop()


async def test_a_queue_that_nobody_empties_does_not_grow_for_ever(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onredis, "MOST_WAITING", 5)
    workers = RedisWorkers(redis.url)
    for outbox_id in range(8):
        workers.jobs.ask(Job("deliver", (outbox_id,)))
    with capture_logs() as logs:
        await hand_over(workers)
    assert [line for line in logs if line["event"] == "queue-full"] == [
        {"event": "queue-full", "count": 3, "log_level": "warning"}
    ]
    assert len(await asyncio.to_thread(queued, redis)) == 5
    await workers.stop()


def test_a_job_asked_for_long_ago_may_be_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = AskedLately()
    job = Job("deliver", (1,))
    assert asked.begin(job)
    assert not asked.begin(job), "it is on its way into the queue"
    asked.put_in(job)
    assert not asked.begin(job)
    monkeypatch.setattr(onredis, "ASK_AGAIN_SECONDS", 0.0)
    assert asked.begin(job)
    asked.forget([job])
    assert not asked.busy


async def test_a_broker_that_is_away_stops_nobody_and_is_told_once(
    redis: Redis, services: Services
) -> None:
    workers = RedisWorkers(redis.url)
    redis.stop()
    with capture_logs() as logs:
        for _ in range(3):
            workers.jobs.ask(Job("deliver", (3,)))
            await hand_over(workers)
        assert not workers.busy, "nothing is thought to wait: the sweep asks again"
        redis.start()
        workers.jobs.ask(Job("deliver", (3,)))
        await hand_over(workers)
    assert [line["event"] for line in logs] == ["broker-away", "broker-back"]
    assert len(await asyncio.to_thread(queued, redis)) == 1
    await workers.stop()


async def test_jobs_run_on_the_loop_of_the_worker_and_twice_is_no_more_than_once(
    redis: Redis, services: Services
) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    class Looking:
        def reached(self, step: str) -> None:
            loops.append(asyncio.get_running_loop())

    asking, doing = RedisWorkers(redis.url), RedisWorkers(redis.url, threads=4)
    asking.start(services)
    asking.jobs.ask(Job("close_phase", (1, 1)))
    doing.jobs.ask(Job("close_phase", (1, 1)))
    doing.start(replace(services, steps=Looking(), jobs=doing.jobs))
    async with asyncio.timeout(30):
        await doing.wait_until_none()
        await asking.wait_until_none()
        await doing.stop()
        await asking.stop()
    assert set(loops) == {asyncio.get_running_loop()}
    async with services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    assert (game.phase_number, game.attempts) == (2, 0)


async def test_a_worker_that_stops_hands_back_what_it_has_not_begun(
    redis: Redis, services: Services
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    class Waiting:
        async def __aenter__(self) -> None:
            begun.set()
            await go_on.wait()

        async def __aexit__(self, *failure: object) -> None:
            """Nothing is held."""

    workers = RedisWorkers(redis.url, threads=1)
    for inbox_id in range(1, 4):
        workers.jobs.ask(Job("receive", (inbox_id,)))
    await hand_over(workers)
    workers.start(changed(services, jobs=workers.jobs, turn=Waiting()))
    async with asyncio.timeout(30):
        await begun.wait()
        stopping = asyncio.create_task(workers.stop())
        await asyncio.sleep(0)
        go_on.set()
        await stopping
    assert len(await asyncio.to_thread(queued, redis)) in {1, 2}, (
        "at least the one it had begun is done, and nothing is lost"
    )
