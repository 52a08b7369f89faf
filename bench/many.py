"""`python -m bench many`: many tables due in the same second, and how long a player of another
table waits for a receipt meanwhile.

One table is played to a busy phase and copied (`copies`). The service is what `pbem serve` joins:
an SQLite file, workers in its process, painters and the reader of texts in processes of their own.
A server that takes each letter at once stands in for the mail server, so that letters cost what
they cost us. Everything runs in a process of its own, which has prepared nothing.
"""

import asyncio
import logging
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from bench.copies import copy_table, one_table, put_off, remind
from bench.machine import Process, descendants
from bench.parts import Figures
from bench.table import POLICY, StandingClock, message_id_of, write_answer
from bench.timing import at
from pbem.apart import OwnProcess
from pbem.board.raster import Rasteriser
from pbem.desk.messages.intake import store_mail
from pbem.desk.messages.opening import warming_readers
from pbem.desk.phases.sweep import sweep
from pbem.desk.ports import AlwaysDrained, Services
from pbem.house import READING, settle_memory
from pbem.mail.ports import Delivery, OutboundMail, Sent, StoredMail
from pbem.opening import World, build_services
from pbem.registry import load_games
from pbem.store.database import open_database
from workers.inprocess import InProcessWorkers

GAMES = 500
WRITING_TABLES = 20
"""Tables that are not due, whose players write meanwhile: nobody more often than is answered."""
APART_SECONDS = (0.05, 0.2)
SWEEP_SECONDS, LOOK_SECONDS = 2.0, 0.1
QUIET_RECEIPTS = 40
PATIENCE_SECONDS = 1800.0


@dataclass(frozen=True, slots=True)
class Due:
    """A file with this many tables due at `at`, and others that are not; `writers` of them
    (address, reply address, words) write.
    """

    file: Path
    games: int
    at: datetime
    writers: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The result. Receipts in ms, memory in MB, CPU in seconds from due to the last close."""

    seconds: float
    quiet: tuple[float, ...]
    meanwhile: tuple[float, ...]
    unanswered: int
    memory: Mapping[str, float]
    cpu: Mapping[str, float]
    letters: Mapping[str, int]
    deadlines: int
    sent: int


class RunningClock(StandingClock):
    """It stands until it is let run."""

    _since: float | None = None

    def run(self) -> None:
        self._since = time.perf_counter()

    def now(self) -> datetime:
        passed = time.perf_counter() - self._since if self._since is not None else 0.0
        return self.instant + timedelta(seconds=passed)


@dataclass
class Server:
    """Takes every letter at once, and tells when the answer to somebody's mail goes out."""

    awaited: dict[str, asyncio.Future[float]] = field(default_factory=dict)
    sent: int = 0

    async def send(self, mail: OutboundMail) -> Delivery:
        self.sent += 1
        head = mail.raw.partition(b"\r\n\r\n")[0].decode("ascii", "replace")
        answered = head.partition("In-Reply-To: ")[2].split("\r\n", 1)[0]
        waiting = self.awaited.pop(answered.strip(), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(time.perf_counter())
        return Sent("250 taken")


async def measure(rounds: int, games: int = GAMES) -> Figures:
    """Once: it is long enough."""
    console = Console(width=110)
    with tempfile.TemporaryDirectory() as folder:
        due = await prepare_due(Path(folder), games)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found = await asyncio.wrap_future(pool.submit(serve, due))
    tell(console, games, found)
    memory = [mb for name, mb in found.memory.items() if name in ("service", "painter")]
    return {
        "many_games": games,
        "many_seconds": found.seconds,
        "many_receipt_p99_ms": at(found.meanwhile, 0.99),
        "many_receipt_quiet_p99_ms": at(found.quiet, 0.99),
        "many_mb": sum(memory),
        "many_cpu_service": found.cpu.get("service"),
        "many_cpu_painter": found.cpu.get("painter"),
    }


async def prepare_due(folder: Path, games: int) -> Due:
    """Play one table, copy it, and put off the tables whose players write."""
    one = await one_table(folder)
    last = games - 1 + WRITING_TABLES
    step = copy_table(one.file, last)
    put_off(one.file, one.game_id + games * step)
    remind(one.file)
    writers = one.writers(range(games, last + 1), step)
    random.Random(1).shuffle(writers)
    return Due(one.file, games, one.deadline, tuple(writers))


def serve(due: Due) -> Found:
    """In its own process."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    return asyncio.run(_serve(due))


async def _serve(due: Due) -> Found:
    database, clock = open_database(f"sqlite+aiosqlite:///{due.file}"), RunningClock(due.at)
    clock.instant = due.at - timedelta(hours=2)
    server, workers, games = Server(), InProcessWorkers(), load_games()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(database.dispose)
        painter = await stack.enter_async_context(Rasteriser())
        for game in games.values():
            game.load_readers()
        world = World(clock, workers.jobs, AlwaysDrained(clock), server)
        world = replace(world, apart=await stack.enter_async_context(OwnProcess(READING)))
        await stack.enter_async_context(warming_readers(world.apart, games))
        services = await build_services(database, games, painter, POLICY, world)
        workers.start(services)
        stack.push_async_callback(workers.stop)
        settle_memory()
        mails = Mails(services, server, due.writers)
        clock.run()
        await sweep(services)  # as a service has long done that serves these tables
        await mails.warm()
        quiet = await mails.write_until(
            lambda: len(mails.taken) >= min(QUIET_RECEIPTS, 5 * due.games)
        )
        clock.instant += due.at - clock.now() - timedelta(seconds=0.5)
        return await _close_all(due, services, workers, server, mails, quiet)


async def _close_all(
    due: Due,
    services: Services,
    workers: InProcessWorkers,
    server: Server,
    mails: "Mails",
    quiet: Sequence[float],
) -> Found:
    """From the second in which they are due until all are closed."""
    ended = asyncio.Event()

    async def sweeping() -> None:
        while not ended.is_set():
            await sweep(services)
            workers.prune()
            await asyncio.sleep(SWEEP_SECONDS)

    with closing(sqlite3.connect(due.file)) as looking:
        looking.execute("PRAGMA query_only=ON")
        before, sent = descendants(os.getpid()), server.sent
        begun = (
            time.perf_counter()
            + (due.at + timedelta(seconds=1) - services.clock.now()).total_seconds()
        )
        closes = asyncio.create_task(sweeping())
        writing = asyncio.create_task(mails.write_until(ended.is_set))
        left = await _watch(looking, due)
        seconds = time.perf_counter() - begun
        after = descendants(os.getpid())
        ended.set()
        meanwhile = await writing
        await closes
        if left:
            raise RuntimeError(f"{left} tables were not closed in {seconds:.0f} s")
        since = (f"{due.at:%Y-%m-%d %H:%M:%S}",)
        made = "SELECT kind, count(*) FROM outbox WHERE created_at > ? GROUP BY kind"
        letters = dict(looking.execute(made, since))
        told = "SELECT count(DISTINCT deadline) FROM phases WHERE closed_at IS NULL"
        (deadlines,) = looking.execute(f"{told} AND opened_at >= ?", since).fetchone()
    return Found(
        seconds,
        tuple(quiet),
        tuple(meanwhile),
        len(mails.under_way),
        {name: process.peak_mb for name, process in after.items()},
        {name: process.cpu - before.get(name, Process()).cpu for name, process in after.items()},
        letters,
        deadlines,
        server.sent - sent,
    )


async def _watch(looking: sqlite3.Connection, due: Due) -> int:
    """Look often, and return once all are closed, or after too long: how many are left then."""
    before = time.perf_counter()
    while True:
        (left,) = looking.execute(
            "SELECT count(*) FROM phases WHERE status IN ('open', 'held', 'closing')"
            " AND deadline <= ?",
            (f"{due.at:%Y-%m-%d %H:%M:%S.%f}",),
        ).fetchone()
        if not left or time.perf_counter() - before > PATIENCE_SECONDS:
            return int(left)
        await asyncio.sleep(LOOK_SECONDS)


class Mails:
    """Players write, one every `APART_SECONDS`, whether the ones before were answered or not."""

    def __init__(
        self, services: Services, server: Server, writers: Sequence[tuple[str, str, str]]
    ) -> None:
        self._services, self._server = services, server
        self._rng, self._written = random.Random(2), 0
        self._mails = [write_answer(0, *writer) for writer in writers]  # others' work, not ours
        self.under_way = set[asyncio.Task[None]]()
        self.taken: list[float] = []

    async def warm(self) -> None:
        """The first mails find nothing ready."""
        for _ in range(3):
            await self._write()

    async def write_until(self, is_over: Callable[[], bool]) -> list[float]:
        """Write until then; how long each receipt took that came until then, in ms, and how long
        those have waited that did not come.
        """
        self.taken = []
        while not is_over():
            task = asyncio.create_task(self._write())
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)
            await asyncio.sleep(self._rng.uniform(*APART_SECONDS))
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=60)
        return list(self.taken)

    async def _write(self) -> None:
        self._written += 1
        raw = self._mails[self._written % len(self._mails)].replace(
            message_id_of(0).encode(), message_id_of(self._written).encode(), 1
        )
        waiting = asyncio.get_running_loop().create_future()
        self._server.awaited[message_id_of(self._written)] = waiting
        begun, now = time.perf_counter(), self._services.clock.now().replace(microsecond=0)
        await store_mail(self._services, StoredMail(raw, now, 1, self._written, oversize=False))
        self.taken.append((await waiting - begun) * 1e3)


def tell(console: Console, games: int, found: Found) -> None:
    """A few lines."""
    rate = games / found.seconds
    console.print(
        f"{games} tables due at once: all closed, their letters queued, {found.seconds:.1f} s after"
        f" that; {rate:.1f} closes a second; {found.sent} letters were sent meanwhile"
    )
    table = Table(box=None, pad_edge=False)
    for heading in ("receipts", "n", "p50 ms", "p99 ms", "most"):
        table.add_column(heading, justify="left" if heading == "receipts" else "right")
    for name, taken in (("in a quiet hour", found.quiet), ("meanwhile", found.meanwhile)):
        table.add_row(
            name, str(len(taken)), *(f"{at(taken, share):.0f}" for share in (0.5, 0.99, 1.0))
        )
    console.print(table)
    for name, mb in found.memory.items():
        console.print(f"{name}: at most {mb:.0f} MB, {found.cpu[name]:.1f} s of CPU")
    console.print(
        f"letters: {dict(found.letters)}; {found.deadlines} different deadlines told (1: nobody's"
        f" window is shorter for it); {found.unanswered} mails unanswered\n"
    )
