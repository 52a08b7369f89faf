"""The composition root of the service: it knows the concrete classes, and joins the desk with the
workers and the world.
"""

import asyncio
import gc
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from pbem.apart import Allowance, OwnProcess
from pbem.board.raster import Rasteriser, missing_libraries
from pbem.clock import Clock
from pbem.config import Config, ConfigError
from pbem.desk.chat.inbound import wait_anew
from pbem.desk.chat.links import forget_bot
from pbem.desk.jobs import Job
from pbem.desk.letters.deliver import free_leases
from pbem.desk.messages.intake import mail_lanes, store_mail
from pbem.desk.messages.opening import warming_readers
from pbem.desk.phases.sweep import sweep
from pbem.desk.ports import Mailbox, NoSteps, Services, Steps, Tally
from pbem.desk.upkeep.health import SignsOfLife, look_at_health
from pbem.desk.upkeep.housekeeping import forget_restored, read_again_since
from pbem.desk.upkeep.mailbox import ChatMailbox, DrainTeller, JoinedMailbox
from pbem.language_model import open_proposing
from pbem.mail.imap import ImapInbox
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.library import describe, missing_fixes
from pbem.mail.ports import StoredMail
from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from pbem.opening import (
    SystemClock,
    World,
    build_services,
    needing_scale,
    open_store,
    policy_of,
    random_seed,
)
from pbem.publishing import OwnPress, Publishing
from pbem.registry import load_games
from pbem.servers import imap_settings, line_of, smtp_settings
from pbem.store.claims import Claim, ClaimLost
from pbem.store.database import Database
from pbem.store.errors import StoreError
from pbem.telegram.settings import Line
from pbem.watchdog import Watchdog
from workers.inprocess import InProcessWorkers
from workers.jobs import Workers

if TYPE_CHECKING:
    from pbem.telegram_service import TelegramService

SWITCH_SECONDS = 0.0005
"""A thread that renders a close lets the event loop continue after this time: a receipt often
passes between threads.
"""

_log = structlog.get_logger("house")


LEAVING_SECONDS = 1.0
READING = Allowance(seconds=5, octets=1 << 30)
"""What the reading of one message may take: five times what the largest that is accepted needs."""


def open_workers(config: Config, database: Database) -> Workers:
    """Who does the jobs: this process, or with a broker `pbem worker` on any host. ConfigError
    where that cannot be.
    """
    broker = config.broker.address()
    if not broker:
        return InProcessWorkers()
    if database.file is not None:
        raise ConfigError(
            "broker.url: worker processes cannot share an SQLite file; database.url must name a"
            " PostgreSQL"
        )
    with needing_scale("broker.url"):
        from workers.onredis import RedisWorkers

        return RedisWorkers(broker)


class Service:
    """The running service: a watched mailbox, a worker, and the sweep that finds what is due."""

    def __init__(
        self,
        services: Services,
        workers: Workers,
        inbox: ImapInbox,
        claim: Claim | None = None,
        telegram_service: "TelegramService | None" = None,
        publishing: Publishing | None = None,
    ) -> None:
        self.services = services
        self.workers = workers
        self.inbox = inbox
        self.telegram_service = telegram_service
        self.publishing = publishing
        self.metrics_port: int | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._teller: asyncio.Task[None] | None = None
        self._claim = claim
        self._signs = SignsOfLife(services)

    def start(self) -> None:
        """Begin to watch and to work; the sweep is the caller's (`run`, or a demonstration's own
        pace).
        """
        self.workers.start(self.services)
        self._watcher = asyncio.create_task(
            self.inbox.watch(self._store, mail_lanes(self.services))
        )
        if not isinstance(self.workers, InProcessWorkers):
            self._teller = asyncio.create_task(
                DrainTeller(
                    self.services.database, self.services.intake.mailbox, self.services.clock
                ).run()
            )
        if self.telegram_service is not None:
            self.telegram_service.start(self.services)

    async def _store(self, mail: StoredMail) -> None:
        await store_mail(self.services, mail)

    async def run(
        self, sweep_seconds: float, stop: asyncio.Event, swept: Callable[[], None] = lambda: None
    ) -> None:
        """Sweep until told to stop, and call `swept` after every sweep that succeeded.

        A database that cannot be used just now is tried again with the next one.
        """
        while not stop.is_set():
            try:
                await sweep(self.services)
                if self._claim is not None:
                    await self._claim.renew()
                await self._signs.renew()
                if self.telegram_service is not None:
                    await self.telegram_service.look()
                if self.publishing is not None:
                    self.publishing.look()
            except ClaimLost:
                raise
            except (OSError, StoreError) as error:
                _log.warning("sweep-failed", reason=str(error))
            else:
                swept()
            self.workers.prune()
            self._watch_again()
            try:
                await asyncio.wait_for(stop.wait(), sweep_seconds)
            except TimeoutError:
                continue

    def _watch_again(self) -> None:
        """The watcher survives every trouble that it knows. If another one ends it, we log that,
        and it begins again.
        """
        watcher = self._watcher
        if watcher is not None and watcher.done() and not watcher.cancelled():
            _log.error("watcher-ended", exc_info=watcher.exception())
            self._watcher = asyncio.create_task(
                self.inbox.watch(self._store, mail_lanes(self.services))
            )

    async def settle(self) -> None:
        """Sweep and work until nothing is due at this moment, or can be done now (a held close,
        say).
        """
        before: frozenset[Job] = frozenset()
        while True:
            asked, was_busy = await sweep(self.services), self.workers.underway.busy
            await self.workers.underway.wait_until_none()
            if asked == before and (
                asked or not was_busy
            ):  # the same again: it was tried, and cannot be done now
                return
            before = asked

    async def stop(self) -> None:
        """Let the running jobs end, and only then the watcher: a close under way must not find its
        mailbox shut.
        """
        if self.publishing is not None:
            await self.publishing.stop()
        await self.workers.stop()
        if self.telegram_service is not None:
            await self.telegram_service.stop()
        for task in (self._teller, self._watcher):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self._teller = self._watcher = None


@asynccontextmanager
async def open_service(
    config: Config,
    clock: Clock,
    *,
    imap: ImapSettings,
    smtp: SmtpSettings,
    steps: Steps | None = None,
    new_seed: Callable[[], bytes] | None = None,
    telegram: Line | None = None,
) -> AsyncIterator[Service]:
    """The whole service, started; it stops with the block. One process a database. Without
    `telegram` it has no bot.
    """
    async with AsyncExitStack() as stack:
        database, claim = await stack.enter_async_context(open_store(config, clock, alone=True))
        games = load_games(config.games.enabled, tried=True)
        painter = await stack.enter_async_context(Rasteriser())
        workers = open_workers(config, database)
        restored_since = await read_again_since(database)
        inbox = ImapInbox(
            imap,
            clock,
            random.Random().random,
            again_since=restored_since,
            on_read_again=lambda: forget_restored(database),
        )
        outbound = await stack.enter_async_context(SmtpOutbound(smtp))
        mailbox: Mailbox = inbox
        telegram_service = messenger = None
        if telegram is not None:
            # Only a house that has a bot loads its library.
            from pbem.telegram_service import TelegramService

            journal = config.journal_folder()
            telegram_service = await stack.enter_async_context(
                TelegramService(telegram, clock, journal)
            )
            mailbox = JoinedMailbox(inbox, ChatMailbox(telegram_service.watcher))
            messenger = telegram_service.messenger
        tally, metrics_port = Tally(), None
        if config.metrics.port is not None:
            from pbem.metrics import PrometheusTally, new_registry, serving_metrics

            registry = new_registry()
            looking = serving_metrics(
                registry,
                lambda: look_at_health(database, clock.now()),
                config.metrics.host,
                config.metrics.port,
            )
            metrics_port = (await stack.enter_async_context(looking)).port
            tally = PrometheusTally(registry)
        world = World(
            clock,
            workers.jobs,
            mailbox,
            outbound,
            steps or NoSteps(),
            new_seed or random_seed,
            tally,
            messenger,
            await stack.enter_async_context(OwnProcess(READING)),
            await stack.enter_async_context(open_proposing(config.reading)),
        )
        await stack.enter_async_context(warming_readers(world.apart, games))
        services = await build_services(database, games, painter, policy_of(config), world)
        await free_leases(services)
        await wait_anew(services)
        if telegram_service is None:
            await forget_bot(database)
        publishing = (
            Publishing(services, OwnPress(config, config.archive.folder))
            if config.archive.folder is not None
            else None
        )
        service = Service(services, workers, inbox, claim, telegram_service, publishing)
        service.metrics_port = metrics_port
        if telegram_service is not None:
            await telegram_service.read_journal_again(services, restored_since)
        service.start()
        stack.push_async_callback(service.stop)
        stack.callback(leave_off, services, outbound)
        yield service


def leave_off(services: Services, outbound: SmtpOutbound) -> None:
    """Begin to stop: letters under way have a moment, and all others are left to the next start."""
    services.dispatch.hand.is_closing = True
    outbound.hurry(LEAVING_SECONDS)


def settle_memory() -> None:
    """What was loaded at the start stays, so the garbage collector need not look through it again:
    that would hold the loop for 0.1 s.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)


async def serve(config: Config) -> None:
    """Run the service until SIGTERM or SIGINT, and tell the service manager how it is."""
    stop = asyncio.Event()
    watchdog = Watchdog.from_environment()
    if not watchdog.fits(config.service.sweep_seconds):
        _log.warning(
            "watchdog-too-short",
            limit_seconds=watchdog.limit_seconds,
            sweep_seconds=config.service.sweep_seconds,
        )
    missing = missing_fixes()
    if missing:
        _log.warning("python-outdated", reason=describe(missing))
    unpainted = missing_libraries()
    if unpainted:
        _log.warning("no-pictures", reason=unpainted)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    imap, smtp, telegram = imap_settings(config), smtp_settings(config), line_of(config.telegram)
    async with open_service(
        config, SystemClock(), imap=imap, smtp=smtp, telegram=telegram
    ) as service:
        settle_memory()
        _log.info(
            "serving",
            database=service.services.database.file is not None,
            port=service.metrics_port,
        )
        watchdog.ready("serving")
        await service.run(config.service.sweep_seconds, stop, watchdog.alive)
        watchdog.stopping()
    _log.info("stopped")
