"""The workers: thin jobs, on the application's own loop, each once in the queue, and nothing lost
when the queue is.
"""

import asyncio
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import dramatiq
import pytest
from dramatiq.brokers.stub import StubBroker

from pbem.desk.jobs import Job
from pbem.desk.phases.sweep import sweep
from pbem.mail.ports import Delivery, OutboundMail
from tests.desk.harness import ReadableMailbox, changed, open_desk, parse, text_of
from tests.postbox import Postbox
from workers.crew import threads_of
from workers.inprocess import WORKER_THREADS, InProcessWorkers
from workers.jobs import CLOSES, LETTERS, QUEUES, QueuedJobs, Underway


def broker_of(workers: InProcessWorkers) -> StubBroker:
    return workers._broker


def queued(broker: StubBroker) -> list[tuple[str, list[int]]]:
    messages = [
        json.loads(data)
        for data in [data for queue in QUEUES for data in broker.queues[queue].queue]
    ]
    return [(message["actor_name"], message["args"]) for message in messages]


async def test_a_job_is_a_name_and_ids_and_nothing_else() -> None:
    workers = InProcessWorkers()
    workers.jobs.ask(Job("receive", (7,)))
    workers.jobs.ask(Job("close_phase", (1, 2)))
    workers.jobs.ask(Job("deliver", (3,)))
    workers.jobs.ask(Job("remind", (1, 2)))
    broker = broker_of(workers)
    assert queued(broker) == [
        ("receive", [7]),
        ("deliver", [3]),
        ("close_phase", [1, 2]),
        ("remind", [1, 2]),
    ]
    for data in [data for queue in QUEUES for data in broker.queues[queue].queue]:
        message = json.loads(data)
        assert (message["kwargs"], message["options"]) == ({}, {})


async def test_a_job_that_waits_is_not_queued_twice() -> None:
    workers = InProcessWorkers()
    for _ in range(5):
        workers.jobs.ask(Job("deliver", (3,)))
    workers.jobs.ask(Job("deliver", (4,)))
    assert queued(broker_of(workers)) == [("deliver", [3]), ("deliver", [4])]


async def test_an_emptied_queue_loses_nothing_for_long() -> None:
    workers = InProcessWorkers()
    workers.jobs.ask(Job("deliver", (3,)))
    broker_of(workers).flush(LETTERS)
    workers.jobs.ask(Job("deliver", (3,)))
    assert queued(broker_of(workers)) == [], "it is still thought to wait"
    workers.prune()
    assert not workers.underway.busy
    workers.jobs.ask(Job("deliver", (3,)))
    assert queued(broker_of(workers)) == [("deliver", [3])]


async def test_pruning_does_not_forget_jobs_that_really_wait() -> None:
    workers = InProcessWorkers()
    workers.jobs.ask(Job("deliver", (3,)))
    workers.prune()
    workers.jobs.ask(Job("deliver", (3,)))
    assert queued(broker_of(workers)) == [("deliver", [3])]


async def test_a_running_job_is_not_forgotten_with_the_waiting_ones() -> None:
    underway = Underway(asyncio.get_running_loop())
    broker = StubBroker(middleware=[])
    broker.declare_queue(LETTERS)
    jobs = QueuedJobs(broker, underway)
    jobs.ask(Job("deliver", (1,)))
    jobs.ask(Job("deliver", (2,)))
    message: Any = dramatiq.Message(
        queue_name=LETTERS, actor_name="deliver", args=(1,), kwargs={}, options={}
    )
    underway.before_process_message(broker, message)
    assert underway.forget_waiting() == 1
    assert underway.busy
    assert not underway.begin(Job("deliver", (1,)))
    assert underway.begin(Job("deliver", (2,)))


async def test_jobs_run_on_the_applications_loop_and_the_worker_stops(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        loops: list[asyncio.AbstractEventLoop] = []

        class Looking:
            def reached(self, step: str) -> None:
                loops.append(asyncio.get_running_loop())

        workers = InProcessWorkers()
        workers.start(replace(desk.services, steps=Looking(), jobs=workers.jobs))
        try:
            await desk.write("Anna", "bid 12", work=False)
            workers.jobs.ask(Job("receive", (1,)))
            async with asyncio.timeout(30):
                await workers.underway.wait_until_none()
        finally:
            async with asyncio.timeout(30):
                await workers.stop()
        assert loops
        assert set(loops) == {asyncio.get_running_loop()}
        async with desk.services.database.read() as work:
            assert await work.inbox.count_by_state() == {"handled": 1}


async def test_a_job_that_fails_is_forgotten_and_may_be_asked_for_again(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()

        class Failing:
            def reached(self, step: str) -> None:
                raise ZeroDivisionError(step)

        workers = InProcessWorkers()
        workers.start(replace(desk.services, steps=Failing(), jobs=workers.jobs))
        try:
            desk.clock.forward(hours=25)
            workers.jobs.ask(Job("close_phase", (1, 1)))
            async with asyncio.timeout(30):
                await workers.underway.wait_until_none()
            broker = broker_of(workers)
            async with asyncio.timeout(30):
                await asyncio.to_thread(broker.join, CLOSES, timeout=20_000, fail_fast=False)
            assert len(broker.dead_letters) == 1
            workers.prune()
            assert broker.dead_letters == []
            assert not workers.underway.busy
        finally:
            await workers.stop()


async def test_a_stop_breaks_off_what_takes_long_and_the_next_start_does_it(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        hangs, begun = asyncio.Event(), asyncio.Event()

        class Hanging(ReadableMailbox):
            @property
            def drained_until(self) -> datetime | None:
                return None

            async def drain(self) -> datetime:
                begun.set()
                await hangs.wait()
                return await super().drain()

        async def status() -> str:
            async with desk.services.database.read() as work:
                phase = await work.phases.find(1, 1)
            assert phase is not None
            return phase.status

        desk.clock.forward(hours=25)
        mailbox = Hanging(desk.clock)
        for is_over in (False, True):
            workers = InProcessWorkers()
            workers.start(changed(desk.services, jobs=workers.jobs, mailbox=mailbox))
            workers.jobs.ask(Job("close_phase", (1, 1)))
            async with asyncio.timeout(30):
                await begun.wait()
                if is_over:
                    hangs.set()
                    await workers.underway.wait_until_none()
                await workers.stop()
            assert (await status() == "closed") == is_over
            assert not workers.underway.busy


@pytest.mark.long(held_by="tests/desk/messages/test_lanes.py (players first)")
async def test_f53_receipts_and_letters_pass_while_every_close_that_may_run_stands_still(
    tmp_path: Path,
) -> None:
    """F-53: closes wait in a queue of their own, so many at a time; what stands still there holds
    up nobody else.
    """
    async with open_desk(tmp_path) as desk:
        tables = [f"table{number}" for number in range(threads_of(WORKER_THREADS)[CLOSES] + 2)]
        for slug in tables:
            await desk.open_game(slug=slug)
        begun: list[str] = []
        closes_begun, go_on = asyncio.Event(), asyncio.Event()
        at_once = threads_of(WORKER_THREADS)[CLOSES]

        class Held(ReadableMailbox):
            """Stands still in the middle of each close until told."""

            @property
            def drained_until(self) -> datetime | None:
                return None

            async def drain(self) -> datetime:
                begun.append("close")
                if len(begun) == at_once:
                    closes_begun.set()
                await go_on.wait()
                return await super().drain()

        class Watched(Postbox):
            """Tells when the next letter comes."""

            written_to = asyncio.Event()

            async def send(self, mail: OutboundMail) -> Delivery:
                self.written_to.set()
                return await super().send(mail)

        workers, anna = InProcessWorkers(), Watched()
        services = changed(
            desk.services, jobs=workers.jobs, mailbox=Held(desk.clock), outbound=anna
        )
        workers.start(services)
        try:
            desk.clock.forward(hours=25)
            await sweep(services)
            async with asyncio.timeout(30):
                await closes_begun.wait()
                assert len(begun) == at_once < len(tables), "so many closes at a time and no more"
                await desk.write(
                    "Anna", "bid 3", work=False, received_at=desk.clock.now() - timedelta(hours=2)
                )
                workers.jobs.ask(Job("receive", (1,)))
                await anna.written_to.wait()
            assert len(begun) == at_once, "every close that has begun stands still yet"
            assert "Bid 3" in text_of(parse(anna.mails[-1].raw))
        finally:
            go_on.set()
            async with asyncio.timeout(60):
                await workers.underway.wait_until_none()
                await workers.stop()
