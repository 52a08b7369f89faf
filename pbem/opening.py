"""The store and the desk, put together: for a command next to the service, and for the service.

The caller brings what stands around the desk (`World`).
"""

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from pbem.board.raster import Rasteriser
from pbem.clock import Clock
from pbem.config import Config, ConfigError
from pbem.desk.jobs import Job, Jobs
from pbem.desk.people.masters import enrol_configured
from pbem.desk.ports import (
    AlwaysDrained,
    Apart,
    Dispatch,
    Intake,
    InThread,
    Mailbox,
    NoSteps,
    Outbound,
    Painter,
    Painting,
    Policy,
    Proposing,
    Services,
    Steps,
    Tally,
)
from pbem.game import Games
from pbem.mail.ports import Deferred, Delivery, OutboundMail
from pbem.registry import load_games
from pbem.store.claims import Claim
from pbem.store.database import Database, open_database
from pbem.store.errors import StoreConflict
from pbem.store.lock import FileLock, lock_database, refuse_far_holder, sign_database
from pbem.store.upgrade import make_ready
from pbem.telegram.ports import Messenger

KEY_NAME = "server-key"
SERVE = "serve"
INTAKE = "intake"
SEED_BYTES = 32

_log = structlog.get_logger("house")


class SystemClock:
    """The time of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class NoJobs:
    """For commands next to the service: it finds what they leave by its own sweep, within
    seconds.
    """

    def ask(self, job: Job) -> None:
        """Left to the sweep."""


class NoOutbound:
    """For commands next to the service: they send nothing themselves."""

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
        archive_url=config.archive.url,
    )


def random_seed() -> bytes:
    """The secret of a new game's chance."""
    return secrets.token_bytes(SEED_BYTES)


@dataclass(frozen=True, slots=True)
class World:
    """What stands around the desk: injected, so that a demonstration or a test brings its own."""

    clock: Clock
    jobs: Jobs
    mailbox: Mailbox
    outbound: Outbound
    steps: Steps = field(default_factory=NoSteps)
    new_seed: Callable[[], bytes] = random_seed
    tally: Tally = field(default_factory=Tally)
    messenger: Messenger | None = None
    apart: Apart = field(default_factory=InThread)
    proposing: Proposing = field(default_factory=Proposing)


@asynccontextmanager
async def open_store(
    config: Config, clock: Clock, *, alone: bool = False
) -> AsyncIterator[tuple[Database, Claim | None]]:
    """The database, ready and of today's version; the data directory is made for one that lies in
    it. With `alone` it is claimed.

    Raises `AlreadyServed` or `StoreConflict` when another service has it.
    """
    async with AsyncExitStack() as stack:
        database = database_of(config)
        stack.push_async_callback(database.dispose)
        if database.file is not None:
            config.service.data_dir.mkdir(parents=True, exist_ok=True)
        held = (
            await stack.enter_async_context(alone_with(database, config, clock)) if alone else None
        )
        backup = await make_ready(database, clock.now(), ask=config.database.upgrade == "ask")
        if backup is not None and alone:  # a command prints what was asked for, and nothing else
            _log.warning("database-upgraded", reason=f"as it was it is kept as {backup.name}")
        claim = (
            await stack.enter_async_context(sign_database(database, held, clock.now))
            if isinstance(held, FileLock)
            else held
        )
        yield database, claim


@asynccontextmanager
async def alone_in(config: Config) -> AsyncIterator[Database]:
    """The database as it is, of whatever version, claimed as if it were served."""
    database = database_of(config)
    try:
        async with alone_with(database, config, SystemClock()):
            yield database
    finally:
        await database.dispose()


def database_of(config: Config) -> Database:
    """The database of the configuration, not connected yet. ConfigError for one that we do not
    know.
    """
    with needing_scale("database.url"):
        try:
            return open_database(config.database_url())
        except ValueError as error:
            raise ConfigError(f"database.url: {error}") from error


@contextmanager
def needing_scale(key: str) -> Iterator[None]:
    """What PostgreSQL and Redis need is in a lock of its own; ConfigError where it is not
    installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"{key}: {error}; install it with"
            " `make venv LOCK='requirements-serve.lock requirements-scale.lock'`"
        ) from error


@asynccontextmanager
async def alone_with(
    database: Database, config: Config, clock: Clock
) -> AsyncIterator[FileLock | Claim]:
    """The one service of this database: by the lock next to its file, or by the server that all
    hosts share.
    """
    if database.file is not None:
        config.service.data_dir.mkdir(parents=True, exist_ok=True)
        with lock_database(database.file) as lock:
            await refuse_far_holder(database, clock.now())
            yield lock
        return
    async with database.claims.attempt(SERVE) as claim:
        if claim is None:
            raise StoreConflict(
                "the database is already served by"
                f" {await database.claims.holder(SERVE) or 'another process'}"
            )
        yield claim


async def build_services(
    database: Database, games: Games, painter: Painter, policy: Policy, world: World
) -> Services:
    """Join what every use case works with."""
    async with (
        database.claims.turn("begin"),
        database.write() as work,
    ):  # several processes may begin at once
        key = bytes.fromhex(
            await work.secrets.get_or_create(KEY_NAME, lambda: secrets.token_hex(SEED_BYTES))
        )
        await enrol_configured(work, policy, world.clock.now())
    return Services(
        database=database,
        clock=world.clock,
        jobs=world.jobs,
        games=games,
        policy=policy,
        key=key,
        new_seed=world.new_seed,
        steps=world.steps,
        tally=world.tally,
        apart=world.apart,
        intake=Intake(world.mailbox, database.claims.turn(INTAKE)),
        dispatch=Dispatch(world.outbound, world.messenger),
        painting=Painting(painter),
        proposing=world.proposing,
    )


@asynccontextmanager
async def open_desk(config: Config, painters: int | None = None) -> AsyncIterator[Services]:
    """The desk for one command next to the service: it watches and sends nothing, and paints this
    many boards at a time (None: as many as there are cores).
    """
    async with AsyncExitStack() as stack:
        clock = SystemClock()
        database, _ = await stack.enter_async_context(open_store(config, clock))
        games = load_games(config.games.enabled)
        painter = await stack.enter_async_context(Rasteriser(painters))
        world = World(clock, NoJobs(), AlwaysDrained(clock), NoOutbound())
        yield await build_services(database, games, painter, policy_of(config), world)
