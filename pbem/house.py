"""The composition root: it alone knows the concrete classes, and joins the desk with the workers and the world."""

import asyncio
import gc
import random
import secrets
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from pbem.config import Config
from pbem.desk.deliver import free_leases
from pbem.desk.intake import store_mail
from pbem.desk.ports import AlwaysDrained, Clock, EncodedPictures, Games, Jobs, Mailbox, NoSteps, Outbound, Parts, Policy, Steps
from pbem.desk.receive import count_survivor
from pbem.desk.sweep import Job, sweep
from pbem.games import open_games
from pbem.mail.imap import ImapInbox, ImapSettings
from pbem.mail.ports import Deferred, Delivery, OutboundMail, StoredMail
from pbem.mail.reading import prepare_reading
from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from pbem.pages.notices import NoticePages
from pbem.store.database import Database, open_database
from pbem.store.errors import StoreError
from pbem.store.lock import lock_directory
from pbem.store.migrations import migrate
from workers.inprocess import InProcessWorkers

KEY_NAME = "server-key"
SEED_BYTES = 32

_log = structlog.get_logger("house")


class SystemClock:
    """The time of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class NoJobs:
    """For commands beside the service: it finds what they leave by its own sweep, within seconds."""

    def receive(self, inbox_id: int) -> None:
        """Left to the sweep."""

    def close_phase(self, game_id: int, number: int) -> None:
        """Left to the sweep."""

    def deliver(self, outbox_id: int) -> None:
        """Left to the sweep."""

    def remind(self, game_id: int, number: int) -> None:
        """Left to the sweep."""

    def tend_table(self, game_id: int) -> None:
        """Left to the sweep."""

    def keep_house(self) -> None:
        """Left to the sweep."""


class NoOutbound:
    """For commands beside the service: they send nothing themselves."""

    async def send(self, mail: OutboundMail) -> Delivery:
        return Deferred(None, "left to the service")


def policy_of(config: Config) -> Policy:
    """What the desk needs of the configuration."""
    service = config.service
    return Policy(
        address=service.address,
        name=service.name,
        subaddressing=service.subaddressing,
        authserv_id=service.authserv_id,
        zone=service.zone,
        hold_minutes=service.hold_minutes,
        remind_hours=service.remind_hours,
        gm_addresses=config.gm.addresses,
        rules_url=service.rules_url,
        open_days=service.open_days,
        keep_raw_days=service.keep_raw_days,
    )


@dataclass(frozen=True, slots=True)
class World:
    """What stands around the desk: injected, so that a demonstration or a test brings its own."""

    clock: Clock
    jobs: Jobs
    mailbox: Mailbox
    outbound: Outbound
    steps: Steps = field(default_factory=NoSteps)
    new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES)


async def open_store(config: Config) -> Database:
    """Make the data directory and the database ready, at their newest version."""
    config.service.data_dir.mkdir(parents=True, exist_ok=True)
    database = open_database(config.database_url())
    await migrate(database)
    return database


async def build_parts(database: Database, games: Games, policy: Policy, world: World) -> Parts:
    """Join what every use case works with."""
    async with database.write() as work:
        key = bytes.fromhex(await work.secrets.get_or_create(KEY_NAME, lambda: secrets.token_hex(SEED_BYTES)))
    return Parts(
        database=database,
        clock=world.clock,
        jobs=world.jobs,
        games=games,
        notices=NoticePages(),
        policy=policy,
        key=key,
        mailbox=world.mailbox,
        outbound=world.outbound,
        new_seed=world.new_seed,
        pictures=EncodedPictures(),
        steps=world.steps,
        intake=asyncio.Lock(),
    )


@asynccontextmanager
async def open_desk(config: Config) -> AsyncIterator[Parts]:
    """The desk for one command beside the service: nothing watched, nothing sent."""
    async with AsyncExitStack() as stack:
        database = await open_store(config)
        stack.push_async_callback(database.dispose)
        games = await stack.enter_async_context(open_games())
        clock = SystemClock()
        yield await build_parts(database, games, policy_of(config), World(clock, NoJobs(), AlwaysDrained(clock), NoOutbound()))


def imap_settings(config: Config) -> ImapSettings:
    imap = config.imap
    return ImapSettings(
        host=imap.host, port=imap.port, tls="tls" if imap.tls == "implicit" else imap.tls, user=imap.user, password=imap.secret(),
        mailbox=imap.mailbox, poll_seconds=imap.poll_seconds,
    )  # fmt: skip


def smtp_settings(config: Config) -> SmtpSettings:
    smtp = config.smtp
    return SmtpSettings(
        host=smtp.host, port=smtp.port, tls="tls" if smtp.tls == "implicit" else smtp.tls, user=smtp.user or None,
        password=smtp.secret() or None,
    )  # fmt: skip


class Service:
    """The running service: a watched mailbox, a worker, and the sweep that finds what is due."""

    def __init__(self, parts: Parts, workers: InProcessWorkers, inbox: ImapInbox) -> None:
        self.parts = parts
        self.workers = workers
        self.inbox = inbox
        self._watcher: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch and to work; the sweep is the caller's (`run`, or a demonstration's own pace)."""
        self.workers.start(self.parts)
        self._watcher = asyncio.create_task(self.inbox.watch(self._store))

    async def _store(self, mail: StoredMail) -> None:
        await store_mail(self.parts, mail)

    async def run(self, sweep_seconds: float, stop: asyncio.Event) -> None:
        """Sweep until told to stop. A database that cannot be used just now is tried again with the next sweep."""
        while not stop.is_set():
            try:
                await sweep(self.parts)
            except (OSError, StoreError) as error:
                _log.warning("sweep-failed", reason=str(error))
            self.workers.prune()
            self._watch_again()
            try:
                await asyncio.wait_for(stop.wait(), sweep_seconds)
            except TimeoutError:
                continue

    def _watch_again(self) -> None:
        """The watcher runs through every trouble that it knows; should another one end it, it is told and begins anew."""
        watcher = self._watcher
        if watcher is not None and watcher.done() and not watcher.cancelled():
            _log.error("watcher-ended", exc_info=watcher.exception())
            self._watcher = asyncio.create_task(self.inbox.watch(self._store))

    async def settle(self) -> None:
        """Sweep and work until nothing is due at this moment, or nothing of it can be done now (a held close, say)."""
        before: frozenset[Job] = frozenset()
        while True:
            asked = await sweep(self.parts)
            if not self.workers.underway.busy and asked == before:
                return
            before = asked
            await self.workers.underway.wait_until_none()

    async def stop(self) -> None:
        """Let the running jobs end, and only then the watcher: a close under way must not find its mailbox shut."""
        await self.workers.stop()
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
            self._watcher = None


@asynccontextmanager
async def open_service(
    config: Config,
    clock: Clock,
    *,
    imap: ImapSettings,
    smtp: SmtpSettings,
    steps: Steps | None = None,
    new_seed: Callable[[], bytes] | None = None,
) -> AsyncIterator[Service]:
    """The whole service, started; it stops with the block. One process a data directory."""
    config.service.data_dir.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        stack.enter_context(lock_directory(config.service.data_dir))
        database = await open_store(config)
        stack.push_async_callback(database.dispose)
        games = await stack.enter_async_context(open_games())
        workers = InProcessWorkers()
        inbox = ImapInbox(imap, clock, random.Random().random)
        outbound = await stack.enter_async_context(SmtpOutbound(smtp))
        defaults = World(clock, workers.jobs, inbox, outbound)
        world = World(clock, workers.jobs, inbox, outbound, steps or NoSteps(), new_seed or defaults.new_seed)
        await asyncio.to_thread(prepare_reading)
        parts = await build_parts(database, games, policy_of(config), world)
        await count_survivor(parts)
        await free_leases(parts)
        service = Service(parts, workers, inbox)
        service.start()
        stack.push_async_callback(service.stop)
        yield service


def settle_memory() -> None:
    """What was loaded at the start stays, so the garbage collector need not look through it again: that would hold the loop for 0.1 s."""
    gc.collect()
    gc.freeze()


async def serve(config: Config) -> None:
    """Run the service until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with open_service(config, SystemClock(), imap=imap_settings(config), smtp=smtp_settings(config)) as service:
        settle_memory()
        _log.info("serving", address=config.service.address, database=service.parts.database.file is not None)
        await service.run(config.service.sweep_seconds, stop)
    _log.info("stopped")
