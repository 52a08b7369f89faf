"""`python -m bench growth`: what a close and a message cost at an old table, and in a full store,
against the same table young and alone.

Each is measured at copies of one table, the three stores in turn, in CPU time of this process,
SQLite's threads included; the figure is the least of the rounds. No pictures: they cost the same
everywhere. The old table has its own past behind it several times; an ended game keeps its rows,
and its long columns are cut to what a page of SQLite can hold.
"""

import asyncio
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.copies import LAST_LETTERS, WORDS, One, copy_table, lengthen, one_table, put_off
from bench.parts import Figures
from bench.statements import counted
from bench.table import StandingClock, StillPainter, open_services, write_answer
from pbem.desk.messages.intake import store_mail
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.sweep import sweep
from pbem.desk.ports import Painting, Services
from pbem.desk.upkeep.housekeeping import keep_differences
from pbem.house import settle_memory
from pbem.mail.inbound.reader import prepare_reading
from pbem.mail.ports import StoredMail
from pbem.registry import load_games
from pbem.store.database import open_database
from pbem.store.migrations import migrate

OLD_TIMES, OLD_FROM = 16, 100
"""The young table is in its third turn, and so often what lies behind it is what lies behind one in
its fiftieth; with fewer games than `OLD_FROM` in the bench, twice.
"""
ENDED_EACH, RUNNING_EACH = 20, 2
CLOSE, MESSAGE = "a close", "a message"


@dataclass
class Store:
    """Tables 1 to `rounds` are closed, those after them written to."""

    name: str
    file: Path
    step: int
    phase_number: int
    cpu: dict[str, list[float]] = field(default_factory=lambda: {CLOSE: [], MESSAGE: []})
    statements: dict[str, int] = field(default_factory=dict)
    services: Services | None = None
    sweep_ms: float = 0.0

    async def take(self, what: str, work: Callable[[], Awaitable[object]]) -> None:
        with counted() as count:
            begun = time.process_time()
            await work()
            self.cpu[what].append((time.process_time() - begun) * 1e3)
        self.statements[what] = count.statements


async def disk_of(one: One, folder: Path) -> dict[str, object]:
    """What a table adds to an empty store for each phase, in kB, when a day has passed: while it is
    played, and for good, when the words of all but each seat's last letters are gone.
    """
    empty, full = folder / "empty.sqlite", Path(shutil.copy(one.file, folder / "disk.sqlite"))
    for file in (empty, full):
        database = open_database(f"sqlite+aiosqlite:///{file}")
        await migrate(database)
        await keep_differences(database, one.prepared.opened_at)
        await database.dispose()
    size = _used(full) - _used(empty)
    with closing(sqlite3.connect(full)) as connection:
        (words,) = connection.execute(
            f"SELECT sum(length(letter)) FROM outbox WHERE id NOT IN ({LAST_LETTERS})"  # noqa: S608
        ).fetchone()
    phases = one.prepared.phase_number
    return {
        "disk_kb_a_phase": size / phases / 1e3,
        "kept_kb_a_phase": (size - words) / phases / 1e3,
    }


def _used(file: Path) -> int:
    """How many bytes of it are in use."""
    with closing(sqlite3.connect(file)) as connection:
        told = ("page_count", "freelist_count", "page_size")
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in told)
        return int((pages - free) * size)


async def measure(rounds: int, games: int) -> Figures:
    """Three stores of the same tables."""
    await asyncio.to_thread(prepare_reading)
    console, rounds = Console(width=110), rounds + 1  # the first is for warming up
    with tempfile.TemporaryDirectory() as folder:
        one = await one_table(Path(folder))
        young, old, full = _make_stores(one, Path(folder), rounds, games)
        settle_memory()
        async with AsyncExitStack() as stack:
            for store in (young, old, full):
                clock = StandingClock(one.prepared.opened_at)
                opened = open_services(store.file, load_games(), clock)
                services = await stack.enter_async_context(opened)
                store.services = replace(services, painting=Painting(StillPainter()))
            for number in range(1, rounds + 1):
                for store in (young, old, full):
                    await _round(one, store, number, rounds)
            for store in (young, full):
                await _sweep(one, store)
        for store in (young, old, full):
            megabytes = store.file.stat().st_size / 1e6
            console.print(f"{store.name}: {megabytes:.0f} MB; a sweep {store.sweep_ms:.1f} ms")
        disk = await disk_of(one, Path(folder))
    return {**_tell(console, young, old, full), **disk}


def _make_stores(one: One, folder: Path, rounds: int, games: int) -> tuple[Store, Store, Store]:
    number, measured = one.prepared.phase_number, 2 * rounds
    files = [folder / f"{name}.sqlite" for name in ("young", "old", "full")]
    for file in files:
        shutil.copyfile(one.file, file)
    young = Store("a young table", files[0], copy_table(files[0], measured), number)
    later = lengthen(files[1], OLD_TIMES if games >= OLD_FROM else 2)
    old = Store("an old table", files[1], copy_table(files[1], measured), later)
    running, ended = RUNNING_EACH * games, ENDED_EACH * games
    words = dict(WORDS) | {
        place: f"iif(n > {measured + running}, {value}, {WORDS.get(place, place[1])})"
        for place, value in {
            ("games", "status"): "'ended'",
            ("games", "over_at"): "created_at",
            ("games", "land"): "substr(land, 1, 2000)",
            ("phases", "status"): "'closed'",
            ("phases", "closed_at"): "deadline",
            ("states", "body"): "substr(body, 1, 500)",
            ("outbox", "letter"): "CAST('{}' AS BLOB)",
            ("pictures", "png"): "substr(png, 1, 500)",
        }.items()
    }
    step = copy_table(files[2], measured + running + ended, words)
    full = Store(f"with {running} running and {ended} ended", files[2], step, number)
    for store in (young, old, full):
        put_off(store.file, one.game_id + (rounds + 1) * store.step)
        with closing(sqlite3.connect(store.file)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
    return young, old, full


async def _round(one: One, store: Store, number: int, rounds: int) -> None:
    """A message to one table, the close of another."""
    services = store.services
    assert services is not None
    clock = services.clock
    assert isinstance(clock, StandingClock)
    clock.instant = one.prepared.opened_at
    if store.phase_number == one.prepared.phase_number:
        writer = one.writers((rounds + number,), store.step)[0]
        raw, now = write_answer(number, *writer), clock.instant
        mail = StoredMail(raw, now, 1, number, oversize=False)

        async def read() -> None:
            await store_mail(services, mail)
            await receive(services, number)

        await store.take(MESSAGE, read)
    clock.instant = one.prepared.due_at
    game_id = one.game_id + number * store.step
    await store.take(CLOSE, lambda: close_phase(services, game_id, store.phase_number))
    async with services.database.read() as work:
        game = await work.games.find(game_id)
        assert game is not None
        assert game.phase_number == store.phase_number + 1, "it was not closed"


async def _sweep(one: One, store: Store) -> None:
    """The second of two: the first looks at every table once."""
    services = store.services
    assert services is not None
    assert isinstance(services.clock, StandingClock)
    services.clock.instant = one.prepared.opened_at
    for _ in range(2):
        begun = time.process_time()
        await sweep(services)
        store.sweep_ms = (time.process_time() - begun) * 1e3


def _tell(console: Console, young: Store, old: Store, full: Store) -> Figures:
    table = Table(box=None, pad_edge=False)
    for heading in ("", "", "ms of CPU", "ratio", "statements"):
        table.add_column(heading, justify="right" if heading else "left")

    def ratio(what: str, store: Store) -> float:
        least, beside = min(store.cpu[what][1:]), min(young.cpu[what][1:])
        cells = (f"{least:.1f}", f"{least / beside:.2f}", str(store.statements[what]))
        table.add_row(what, store.name, *cells)
        return least / beside

    for what in (CLOSE, MESSAGE):
        ratio(what, young)
    turns, close, message = ratio(CLOSE, old), ratio(CLOSE, full), ratio(MESSAGE, full)
    console.print(table)
    return {
        "growth_turns": turns,
        "growth_store": max(close, message),
        "growth_store_close": close,
        "growth_store_message": message,
        "growth_turns_statements": old.statements[CLOSE] - young.statements[CLOSE],
        "growth_sweep_ms": full.sweep_ms,
    }
