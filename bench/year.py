"""`python -m bench.year`, or `make year`: two hundred tables for a year, on a clock that jumps from
one thing to the next.

People join tables that open, and write as people do (`people`); a game that ended makes room for
another one. The desk does its own jobs, one after the other, in this process; a mail server and a
Telegram that take everything stand outside. No board is painted: one picture of the size of a board
stands for all. What a month has cost is told by CPU time and by statements, and compared: the
second month with the last.
"""

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from array import array
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import sqlalchemy as sa
import structlog
from rich.console import Console
from rich.table import Table

from bench.machine import empty_caches, resident_mb
from bench.people import BOT_NAME, Crowd, Phones, Writing, as_mail, as_update
from bench.statements import Count, counted
from bench.table import (
    POLICY,
    StandingClock,
    StillPainter,
    start_of_time,
)
from bench.timing import COLUMNS, LIMITS, Kind, Month, at, cells_of, growth, yardstick
from bench.undone import undone
from pbem.board.board import Board, Picture
from pbem.demo.stage import play_of
from pbem.desk import gm
from pbem.desk.jobs import Job
from pbem.desk.messages.intake import store_mail, store_update
from pbem.desk.phases.sweep import sweep
from pbem.desk.ports import AlwaysDrained, Services, Tally
from pbem.house import settle_memory
from pbem.mail.inbound.reader import prepare_reading
from pbem.mail.ports import StoredMail
from pbem.opening import World, build_services
from pbem.registry import load_games
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from pbem.store.repositories.marks import BOT
from pbem.telegram.ports import StoredUpdate
from workers.actors import use_cases

LOOK = timedelta(minutes=30)
"""So often the desk looks what is due; a letter that waits for its turn is sent when that comes."""
FILLED = 0.8
"""The tables open one after the other within so much of the first month."""
PEOPLE_A_TABLE = 3
LONG_AFTER = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, and how many tables run at a time."""

    tables: int = 200
    days: int = 365
    month_days: int = 30
    keep_raw_days: int = POLICY.keep_raw_days
    seed: int = 1
    board_octets: int = 88_000


class Tallied(Tally):
    """How the last message and the last close ended."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.outcome = self.kind = ""

    def received(self, outcome: str, lag_seconds: float) -> None:
        self.outcome = outcome
        self.outcomes[outcome] += 1

    def closed(self, kind: str, lateness_seconds: float) -> None:
        self.kind = kind


class OnePicture(StillPainter):
    """Boards that all differ, and are as large as boards are."""

    def __init__(self, octets: int) -> None:
        self._rng, self._octets = random.Random(3), octets

    async def board(self, board: Board, view: object, *about: object) -> Picture:
        return Picture(b"\x89PNG\r\n\x1a\n" + self._rng.randbytes(self._octets), "the realm")


class Asking:
    """Jobs asked for, each once, in their order."""

    def __init__(self) -> None:
        self.jobs = dict[Job, None]()

    def ask(self, job: Job) -> None:
        self.jobs.setdefault(job)

    def next(self) -> Job | None:
        job = next(iter(self.jobs), None)
        if job is not None:
            del self.jobs[job]
        return job


class Year:
    """The desk, the people, and what lies ahead of them."""

    def __init__(self, plan: Plan, tell: Callable[[int, Month], None]) -> None:
        self.plan, self._tell = plan, tell
        self.clock, self.rng = StandingClock(start_of_time()), random.Random(plan.seed)
        self.begun, self.months = self.clock.now(), [Month()]
        self.hours = [array("d") for _ in range(24)]
        self.tally, self.asking, self.phones = Tallied(), Asking(), Phones()
        self.crowd = Crowd(plan.tables * PEOPLE_A_TABLE, self.clock, self.rng)
        self._opened = self.written = 0

    async def live(self, services: Services, count: Count) -> None:
        """From the first day to the last. What remains behind the last whole month counts for
        none.
        """
        self.services, self._count, self._does = services, count, use_cases(services)
        end = self.begun + timedelta(days=self.plan.days)
        while self.clock.instant < end:
            look = self.clock.instant + LOOK
            await self._until(min(look, end))
            await self._look()
        self.months.pop()

    async def _until(self, look: datetime) -> None:
        """What people write until then, and the letters that wait for their turn."""
        while True:
            letter, writes = await self._next_letter(), self.crowd.next_at()
            first = min(look, letter, writes or look)
            self.clock.instant = max(self.clock.instant, first)
            if writes is not None and writes <= self.clock.instant:
                await self._write(self.crowd.next())
            elif first == look:
                return
            else:
                self.asking.ask(Job("deliver", (0,)))
            await self._work()

    async def _next_letter(self) -> datetime:
        """When a letter that waits may go; one that could have gone is left to the next look."""
        async with self.services.database.read() as work:
            due = await work.outbox.next_due_at()
        return due if due is not None and due > self.clock.instant else LONG_AFTER

    async def _look(self) -> None:
        """What a service does every few seconds."""
        await self._measure("look", lambda: "", sweep(self.services))
        await self._work()
        await self.crowd.consider(self.services)
        now = self.clock.instant
        if now.minute < LOOK.seconds // 60:
            await self._fill_tables()
            if now.hour % 6 == 0:
                self.months[-1].yardstick.append(yardstick())
        if now >= self.begun + timedelta(days=self.plan.month_days * len(self.months)):
            await self._turn_month()

    async def _work(self) -> None:
        while (job := self.asking.next()) is not None:
            sent = self._sent
            self.tally.kind = ""
            await self._measure(
                {"close_phase": "close", "deliver": "letter"}.get(job.name, "other"),
                partial(self._result_of, job, sent),
                self._does[job.name](*job.ids),
            )
            self.months[-1].sent += self._sent - sent

    @property
    def _sent(self) -> int:
        return self.crowd.letters + self.phones.letters

    def _result_of(self, job: Job, sent: int) -> str:
        results = {"close_phase": self.tally.kind, "deliver": f"{self._sent - sent} sent"}
        return results.get(job.name, job.name)

    async def _measure(self, what: str, told: Callable[[], str], work: Awaitable[object]) -> float:
        """What it takes is noted under its result; CPU ms."""
        self._count.begin()
        begun = time.process_time()
        await work
        spent = (time.process_time() - begun) * 1e3
        kind = self.months[-1].done.setdefault((what, told()), Kind())
        kind.cpu.append(spent)
        kind.statements.append(self._count.statements)
        return spent

    # ------------------------------------------------------------------------------- the people
    async def _write(self, writing: Writing) -> None:
        """It is stored, and handled, and its answer queued: all of that is measured."""
        self.written += 1
        number, now, services = self.written, self.clock.now(), self.services
        if writing.in_chat:
            update = StoredUpdate(number, as_update(number, writing), now)
            store = store_update(services, update)
        else:
            raw = await as_mail(services, writing, number)
            mail = StoredMail(raw, now.replace(microsecond=0), 1, number, oversize=False)
            store = store_mail(services, mail)
        self.tally.outcome = ""
        way = "chat" if writing.in_chat else "mail"
        spent = await self._measure(
            "message", lambda: f"{way} {writing.about} {self.tally.outcome}", self._take(store)
        )
        if self.tally.outcome:
            self.hours[now.hour].append(spent)

    async def _take(self, store: Awaitable[None]) -> None:
        await store
        job = self.asking.next()
        if job is not None:
            await self._does[job.name](*job.ids)

    # ------------------------------------------------------------------------------- the tables
    async def _fill_tables(self) -> None:
        """A table for each that is missing, and the people who will join it."""
        filled = timedelta(days=self.plan.month_days * FILLED)
        share = min(1.0, (self.clock.instant - self.begun) / filled + 0.02)
        async with self.services.database.read() as work:
            there = len(await work.games.list_by_status("open", "running", "paused"))
        for _ in range(round(self.plan.tables * share) - there):
            await self._open_table()

    async def _open_table(self) -> None:
        self._opened += 1
        kinds = list(self.services.games.values())
        kind = kinds[self._opened % len(kinds)]
        slug, players = f"heron-{self._opened}", play_of(kind).usual_players
        new = gm.NewTable(
            slug,
            slug.capitalize(),
            kind.ruleset.id,
            {},
            POLICY.zone,
            "Greta",
            seed=self.rng.randbytes(32),
            least_players=players,
            most_players=players,
            starts="full",
        )
        await gm.open_table(self.services, new, gm.By("bench"))
        async with self.services.database.read() as work:
            game = await work.games.find_by_slug(slug)
        assert game is not None
        self.crowd.join(players, game.join_code or "")

    # ------------------------------------------------------------------------------- the figures
    async def _turn_month(self) -> None:
        """Note what there is, and begin the next month."""
        month = self.months[-1]
        empty_caches()
        month.blocks = sys.getallocatedblocks()
        month.resident_mb = resident_mb()
        async with self.services.database.read() as work:
            there = Counter(game.status for game in await work.games.list_by_status())
            month.running, month.ended = there["running"], there["over"] + there["ended"]
            month.idle = there["paused"] + there["open"]
            size = [
                (await work.connection.execute(sa.text(f"PRAGMA {what}"))).scalar_one()
                for what in ("page_count", "freelist_count", "page_size")
            ]
        month.file_mb, month.used_mb = size[0] * size[2] / 1e6, (size[0] - size[1]) * size[2] / 1e6
        self._tell(len(self.months), month)
        self.months.append(Month())


@asynccontextmanager
async def lived(
    plan: Plan, folder: Path, tell: Callable[[int, Month], None] = lambda number, month: None
) -> AsyncIterator[Year]:
    """A year that was lived, its services still open; `tell` hears of each month at its end."""
    database = open_database(f"sqlite+aiosqlite:///{folder}/year.sqlite")
    year = Year(plan, tell)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(database.dispose)
        await migrate(database)
        world = World(
            year.clock,
            year.asking,
            AlwaysDrained(year.clock),
            year.crowd,
            tally=year.tally,
            messenger=year.phones,
            new_seed=lambda: year.rng.randbytes(32),
        )
        policy = replace(POLICY, keep_raw_days=plan.keep_raw_days)
        services = await build_services(
            database, load_games(), OnePicture(plan.board_octets), policy, world
        )
        async with database.write() as work:
            await work.marks.put(BOT, year.begun, BOT_NAME)
        count = stack.enter_context(counted())
        await year.live(services, count)
        yield year


def main() -> None:
    """Live it, print a table, and fail where it grows or leaves something undone."""
    given = argparse.ArgumentParser(prog="python -m bench.year", description=__doc__)
    usual = Plan()
    given.add_argument("--tables", type=int, default=usual.tables, help="that run at a time")
    given.add_argument("--days", type=int, default=usual.days, help="from the first to the last")
    given.add_argument("--month-days", type=int, default=usual.month_days)
    given.add_argument("--keep-raw-days", type=int, default=usual.keep_raw_days)
    plan = Plan(**vars(given.parse_args()))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    sys.exit("\n".join(asyncio.run(_live(plan, Console(width=190)))) or None)


async def _live(plan: Plan, console: Console) -> list[str]:
    """What is wrong."""
    prepare_reading()
    settle_memory()
    console.print(f"{plan}\n{'; '.join(COLUMNS)}")

    def tell(number: int, month: Month) -> None:
        console.print("; ".join(cells_of(number, month)))

    with tempfile.TemporaryDirectory() as folder:
        async with lived(plan, Path(folder), tell) as year:
            left = await undone(year.services, LOOK)
    hours = Table(box=None, pad_edge=False)
    for heading in ("hour (UTC)", "messages", "p50 ms", "p99 ms"):
        hours.add_column(heading, justify="right")
    for hour, taken in enumerate(year.hours):
        shares = [f"{at(taken, share):.1f}" for share in (0.5, 0.99)] if taken else ["-", "-"]
        hours.add_row(str(hour), str(len(taken)), *shares)
    console.print(hours)
    console.print(f"results of messages: {dict(year.tally.outcomes.most_common())}\n{left}")
    wrong = [] if left.is_nothing else ["something was left undone"]
    if len(year.months) > 2:
        for name, times in growth(year.months[1], year.months[-1]).items():
            console.print(f"{name}: {times:.3f} times as much in the last month as in the second")
            wrong += [] if times <= LIMITS[name] else [f"{name} grows: {times:.2f} times"]
    return wrong


if __name__ == "__main__":
    main()
