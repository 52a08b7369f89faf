"""A worker process: takes jobs from the broker and does them, on this host or any other that reaches the database and the broker.

It watches no mailbox and sweeps nothing; that is for the one `pbem serve` of the database. Killed at any moment it loses nothing: the
broker hands its jobs to another worker, and what that does not know, the sweep finds.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from pbem.config import Config, ConfigError
from pbem.desk.health import look_at_health
from pbem.desk.mailbox import MarkedMailbox
from pbem.desk.ports import NoSteps, Parts, Steps
from pbem.games import open_games
from pbem.house import SystemClock, World, build_parts, open_store, policy_of, settle_memory
from pbem.mail.reading import prepare_reading
from pbem.mail.smtp import SmtpOutbound
from pbem.mailservers import smtp_settings
from pbem.metrics import counting
from pbem.telegraph import line_of, sending
from workers.inprocess import WORKER_THREADS
from workers.onredis import RedisWorkers

_log = structlog.get_logger("worker")


@asynccontextmanager
async def open_worker(config: Config, *, threads: int = WORKER_THREADS, steps: Steps | None = None) -> AsyncIterator[Parts]:
    """A worker that works until the block ends, and then finishes what it has begun. ConfigError where there can be none."""
    broker = config.broker.address()
    if not broker:
        raise ConfigError("broker.url: a worker needs to know the Redis that the service puts its jobs in")
    async with AsyncExitStack() as stack:
        clock = SystemClock()
        database, _ = await stack.enter_async_context(open_store(config, clock))
        if database.file is not None:
            raise ConfigError("database.url: worker processes cannot share an SQLite file; it must name a PostgreSQL")
        games = await stack.enter_async_context(open_games())
        outbound = await stack.enter_async_context(SmtpOutbound(smtp_settings(config)))
        workers = RedisWorkers(broker, threads=threads)
        metrics = counting(config.metrics.host, config.metrics.port, lambda: look_at_health(database, clock.now()))
        tally = await stack.enter_async_context(metrics)
        line = line_of(config.telegram)
        messenger = await stack.enter_async_context(sending(line)) if line is not None else None
        mailbox = MarkedMailbox(database, clock)
        world = World(clock, workers.jobs, mailbox, outbound, steps or NoSteps(), tally=tally, messenger=messenger)
        await asyncio.to_thread(prepare_reading)
        parts = await build_parts(database, games, policy_of(config), world)
        workers.start(parts)
        stack.push_async_callback(workers.stop)
        yield parts


async def work(config: Config, *, threads: int = WORKER_THREADS, steps: Steps | None = None) -> None:
    """Do jobs until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with open_worker(config, threads=threads, steps=steps):
        settle_memory()
        _log.info("working", threads=threads)
        await stop.wait()
    _log.info("stopped")
