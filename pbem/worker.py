"""A worker process: takes jobs from the broker and does them, on this host or any other that
reaches the database and the broker.

It watches no mailbox and sweeps nothing; that is for the one `pbem serve` of the database. Killed
at any moment it loses nothing: the broker hands its jobs to another worker, and what that does not
know, the sweep finds.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import structlog

from pbem.apart import OwnProcess
from pbem.board.raster import Rasteriser
from pbem.config import Config, ConfigError
from pbem.desk.messages.opening import warming_readers
from pbem.desk.ports import NoSteps, Services, Steps
from pbem.desk.upkeep.health import look_at_health
from pbem.desk.upkeep.mailbox import MarkedMailbox
from pbem.house import READING, leave_off, settle_memory
from pbem.language_model import open_proposing
from pbem.mail.smtp import SmtpOutbound
from pbem.metrics import counting
from pbem.opening import SystemClock, World, build_services, open_store, policy_of
from pbem.registry import load_games
from pbem.servers import line_of, smtp_settings
from pbem.store.errors import StoreError
from pbem.store.repositories.marks import SWEPT
from pbem.watchdog import Watchdog
from workers.inprocess import WORKER_THREADS
from workers.onredis import RedisWorkers

BEAT_SECONDS = 10.0

_log = structlog.get_logger("worker")


@asynccontextmanager
async def open_worker(
    config: Config,
    *,
    threads: int = WORKER_THREADS,
    steps: Steps | None = None,
    alive: Callable[[], None] = lambda: None,
) -> AsyncIterator[Services]:
    """A worker that works until the block ends, and then finishes what it has begun. ConfigError
    where there can be none.

    `alive` is called whenever database and broker have just been reached.
    """
    broker = config.broker.address()
    if not broker:
        raise ConfigError(
            "broker.url: a worker needs to know the Redis that the service puts its jobs in"
        )
    async with AsyncExitStack() as stack:
        clock = SystemClock()
        database, _ = await stack.enter_async_context(open_store(config, clock))
        if database.file is not None:
            raise ConfigError(
                "database.url: worker processes cannot share an SQLite file; it must name a"
                " PostgreSQL"
            )
        games = load_games(config.games.enabled, tried=True)
        painter = await stack.enter_async_context(Rasteriser())
        outbound = await stack.enter_async_context(SmtpOutbound(smtp_settings(config)))
        workers = RedisWorkers(broker, threads=threads)
        metrics = counting(
            config.metrics.host, config.metrics.port, lambda: look_at_health(database, clock.now())
        )
        tally = await stack.enter_async_context(metrics)
        line = line_of(config.telegram)
        messenger = None
        if line is not None:
            from pbem.telegram_service import sending  # most houses have no bot

            messenger = await stack.enter_async_context(sending(line))
        mailbox = MarkedMailbox(database, clock)
        world = World(
            clock,
            workers.jobs,
            mailbox,
            outbound,
            steps or NoSteps(),
            tally=tally,
            messenger=messenger,
            apart=await stack.enter_async_context(OwnProcess(READING)),
            proposing=await stack.enter_async_context(open_proposing(config.reading)),
        )
        await stack.enter_async_context(warming_readers(world.apart, games))
        services = await build_services(database, games, painter, policy_of(config), world)
        workers.start(services)
        stack.push_async_callback(workers.stop)
        stack.callback(leave_off, services, outbound)
        beating = asyncio.create_task(_beat(services, workers, alive))
        try:
            yield services
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)


async def _beat(services: Services, workers: RedisWorkers, alive: Callable[[], None]) -> None:
    while True:
        try:
            async with services.database.read() as work:
                await work.marks.find(SWEPT)
            is_reached = await workers.reaches_broker()
        except (OSError, StoreError) as error:
            _log.warning("database-away", reason=str(error))
            is_reached = False
        if is_reached:
            alive()
        await asyncio.sleep(BEAT_SECONDS)


async def work(
    config: Config,
    *,
    threads: int = WORKER_THREADS,
    steps: Steps | None = None,
    alive_file: Path | None = None,
) -> None:
    """Do jobs until SIGTERM or SIGINT, and tell the service manager how we are; `alive_file` is
    touched for a monitor.
    """
    stop = asyncio.Event()
    watchdog = Watchdog.from_environment()

    def alive() -> None:
        watchdog.alive()
        if alive_file is not None:
            alive_file.touch()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with open_worker(config, threads=threads, steps=steps, alive=alive):
        settle_memory()
        _log.info("working", threads=threads)
        watchdog.ready("working")
        await stop.wait()
        watchdog.stopping()
    _log.info("stopped")
