"""`python -m bench workers`: closes and receipts a second with one, two and four worker processes
over a PostgreSQL and a Redis.

The servers are those of the tests, on one core that is theirs by preference, not alone: the
workers run where the system puts them. The PostgreSQL waits for no disk. Boards are not painted:
each worker has painters of its own, which would be measured instead. Letters are queued; a server
that takes each at once stands in for the mail server. The jobs are asked for by a process that does
none, once, and nobody sweeps.
"""

import asyncio
import logging
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from rich.console import Console
from rich.table import Table

from bench.copies import One, copy_table, one_table, put_off
from bench.many import Server
from bench.parts import Figures, Unmeasured
from bench.table import POLICY, StandingClock, StillPainter, write_answer
from pbem.desk.jobs import Job, Jobs
from pbem.desk.messages.intake import store_mail
from pbem.desk.ports import AlwaysDrained, Services, Steps
from pbem.house import settle_memory
from pbem.mail.inbound.reader import prepare_reading
from pbem.mail.ports import StoredMail
from pbem.opening import NoJobs, World, build_services
from pbem.registry import load_games
from pbem.store.copy import copy_database
from pbem.store.database import Database, open_database
from tests.servers.postgres import running_postgres
from tests.servers.redis import Redis, running_redis
from workers.onredis import RedisWorkers

COUNTS, FEW_COUNTS, FEW_GAMES = (1, 2, 4), (1, 2), 50
"""How many workers; two at most where the bench has few games."""
THREADS = 8
WRITING = 20
LOOK_SECONDS = 0.05
DATABASE_CORE = 0
CLOSED = sa.text("SELECT count(*) FROM phases WHERE status = 'closed' AND closed_at >= :since")
HANDLED = sa.text("SELECT count(*) FROM inbox WHERE state = 'handled' AND stored_at <= :since")


class Adjudications:
    """How often this process has adjudicated a phase and painted for it, and how often it kept
    that.
    """

    def __init__(self) -> None:
        self.made, self.kept = 0, 0

    def reached(self, step: str) -> None:
        self.made += step == "close.painted"
        self.kept += step == "close.kept"


@dataclass(frozen=True, slots=True)
class Run:
    """With this number of workers."""

    workers: int
    closes: float
    receipts: float
    made: Sequence[int]
    kept: Sequence[int]


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to do: tables to close, mails to answer."""

    closes: tuple[Job, ...]
    mails: tuple[bytes, ...]
    opened_at: datetime
    due_at: datetime


async def measure(rounds: int, games: int) -> Figures:
    """Once for each number of workers."""
    tables, console = max(2, games // 5), Console(width=110)
    await asyncio.to_thread(prepare_reading)
    with ExitStack() as stack:
        try:
            with on_one_core():
                postgres = stack.enter_context(running_postgres())
                redis = stack.enter_context(running_redis())
        except pytest.skip.Exception as reason:
            raise Unmeasured(str(reason)) from reason
        one = await one_table(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        step = copy_table(one.file, tables + WRITING)
        put_off(one.file, one.game_id + (tables + 1) * step)
        base = postgres.create()
        source = open_database(f"sqlite+aiosqlite:///{one.file}")
        target = open_database(postgres.url(base))
        await copy_database(source, target)
        for database in (source, target):
            await database.dispose()
        work = _work_of(one, tables, step)
        runs = [
            await _run(postgres.url(postgres.create(base)), redis, work, count)
            for count in (COUNTS if games >= FEW_GAMES else FEW_COUNTS)
        ]
    return _tell(console, runs, tables)


@contextmanager
def on_one_core() -> Iterator[None]:
    """What is started in the block stays on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {DATABASE_CORE} & before or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _work_of(one: One, tables: int, step: int) -> Work:
    number = one.prepared.phase_number
    closes = [Job("close_phase", (one.game_id + n * step, number)) for n in range(1, tables + 1)]
    writers = one.writers(range(tables + 1, tables + WRITING + 1), step)[: 2 * tables]
    mails = [write_answer(count, *writer) for count, writer in enumerate(writers, start=1)]
    return Work(tuple(closes), tuple(mails), one.prepared.opened_at, one.prepared.due_at)


async def _run(url: str, redis: Redis, work: Work, count: int) -> Run:
    """Start them, let them read the mails, then close the tables."""
    redis.say("FLUSHALL")
    spawning = multiprocessing.get_context("spawn")
    stop, told = spawning.Event(), spawning.SimpleQueue()
    hands = [
        spawning.Process(target=serve, args=(url, redis.url, work.due_at, stop, told))
        for _ in range(count)
    ]
    for hand in hands:
        hand.start()
    database, asking = open_database(url), RedisWorkers(redis.url)
    try:
        services = await _services(database, work.opened_at, NoJobs(), Adjudications())
        for number, raw in enumerate(work.mails, start=1):
            mail = StoredMail(raw, work.opened_at, 1, number, oversize=False)
            await store_mail(services, mail)
        for _ in hands:
            await asyncio.to_thread(told.get)  # it has begun
        asking.start(services)
        mails = [Job("receive", (number,)) for number in range(1, len(work.mails) + 1)]
        receipts = await _do(database, asking, mails, HANDLED, work.opened_at)
        closes = await _do(database, asking, work.closes, CLOSED, work.due_at)
    finally:
        stop.set()
        found = [await asyncio.to_thread(told.get) for _ in hands]
        for hand in hands:
            hand.join()
        await asking.stop()
        await database.dispose()
    made, kept = zip(*found, strict=True)
    return Run(count, len(work.closes) / closes, len(work.mails) / receipts, made, kept)


async def _do(
    database: Database, asking: RedisWorkers, jobs: Sequence[Job], done: sa.TextClause, at: datetime
) -> float:
    """Ask for them all; after how many seconds all are done."""
    begun = time.perf_counter()
    for job in jobs:
        asking.ask(job)
    while True:
        async with database.read() as work:
            found = (await work.connection.execute(done, {"since": at})).scalar_one()
        if found >= len(jobs):
            return time.perf_counter() - begun
        await asyncio.sleep(LOOK_SECONDS)


async def _services(database: Database, now: datetime, jobs: Jobs, steps: Steps) -> Services:
    clock, games = StandingClock(now), load_games()
    world = World(clock, jobs, AlwaysDrained(clock), Server(), steps)
    return await build_services(database, games, StillPainter(), POLICY, world)


def serve(url: str, broker: str, now: datetime, stop: Event, told: "SimpleQueue[Any]") -> None:
    """One worker, in its own process: it says when it has begun, and at last what it did."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    prepare_reading()
    asyncio.run(_serve(url, broker, now, stop, told))


async def _serve(
    url: str, broker: str, now: datetime, stop: Event, told: "SimpleQueue[Any]"
) -> None:
    counted, database = Adjudications(), open_database(url)
    workers = RedisWorkers(broker, threads=THREADS)
    services = await _services(database, now, workers.jobs, counted)
    workers.start(services)
    settle_memory()
    told.put(None)
    await asyncio.to_thread(stop.wait)
    await workers.stop()
    await database.dispose()
    told.put((counted.made, counted.kept))


def _tell(console: Console, runs: Sequence[Run], tables: int) -> Figures:
    console.print(
        f"{os.cpu_count()} cores; PostgreSQL and Redis on one of them, which the workers use too"
    )
    table = Table(box=None, pad_edge=False)
    headings = ("workers", "closes a second", "receipts a second", "adjudications", "of them kept")
    for heading in headings:
        table.add_column(heading, justify="right")
    for run in runs:
        made, kept = (" + ".join(map(str, counts)) for counts in (run.made, run.kept))
        cells = (f"{run.closes:.1f}", f"{run.receipts:.1f}", f"{made} = {sum(run.made)}", kept)
        table.add_row(str(run.workers), *cells)
    console.print(table)
    by_count = {run.workers: run for run in runs}
    return {
        "workers_2_vs_1": by_count[2].closes / by_count[1].closes,
        "workers_4_vs_1": by_count[4].closes / by_count[1].closes if 4 in by_count else None,
        "workers_1_closes_a_second": by_count[1].closes,
        "workers_2_vs_1_receipts": by_count[2].receipts / by_count[1].receipts,
        "workers_done_twice": max(sum(run.made) for run in runs) - tables,
    }
