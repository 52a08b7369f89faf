"""What holds for SQLite alone: its settings, other processes, a full disk."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from threading import Event

import pytest
import sqlalchemy as sa

from pbem.store import Database, StoreBusy, StoreUnwritable, migrate, open_database
from pbem.store.driver import connect
from pbem.store.repositories.post.inbox import NewMessage

from .samples import NOW, add_message

HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""

WRITER = """
import asyncio, sys
from datetime import UTC, datetime
from pbem.store import open_database
from pbem.store.repositories.post.inbox import NewMessage

async def main():
    now = datetime(2026, 3, 2, tzinfo=UTC)
    database = open_database(sys.argv[1])
    async with database.write() as work:
        message = NewMessage(channel="mail", message_key="half", raw=b"", received_at=now, stored_at=now)
        await work.inbox.add_once(message)
        print("written", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@asynccontextmanager
async def another_process(script: str, argument: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that runs the script; it has said its first line, and is killed at the end."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, argument, stdin=pipe, stdout=pipe
    )
    assert process.stdout is not None
    assert await process.stdout.readline() in {b"held\n", b"written\n"}
    try:
        yield process
    finally:
        process.kill()
        await process.communicate()


@pytest.fixture
async def hasty(sqlite_url: str) -> AsyncIterator[Database]:
    """A database that does not wait long for others."""
    opened = open_database(sqlite_url, busy_timeout_seconds=0.05)
    await migrate(opened)
    yield opened
    await opened.dispose()


async def pragma(database: Database, name: str) -> object:
    async with database.write() as work:
        return (await work.connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()


async def test_the_settings_that_keep_data_safe_are_really_set(hasty: Database) -> None:
    full = 2
    assert await pragma(hasty, "journal_mode") == "wal"
    assert await pragma(hasty, "synchronous") == full
    assert await pragma(hasty, "foreign_keys") == 1
    assert await pragma(hasty, "busy_timeout") == 50


async def test_a_write_takes_the_lock_with_its_first_statement_though_it_only_reads(
    hasty: Database,
) -> None:
    assert hasty.file is not None
    with closing(sqlite3.connect(hasty.file, isolation_level=None, timeout=0)) as other:
        async with hasty.write() as work:
            await work.games.find(1)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")


async def begin_to_write(database: Database) -> None:
    async with database.write() as work:
        await work.games.find(1)


async def test_a_database_locked_by_another_process_is_busy_and_can_still_be_read(
    hasty: Database,
) -> None:
    assert hasty.file is not None
    async with another_process(HOLDER, str(hasty.file)):
        with pytest.raises(StoreBusy, match="locked"):
            await begin_to_write(hasty)
        async with hasty.read() as work:
            assert await work.inbox.next_new(1) == []
    async with hasty.write() as work:
        await add_message(work)


async def test_a_process_killed_while_it_writes_leaves_nothing(
    hasty: Database, sqlite_url: str
) -> None:
    async with another_process(WRITER, sqlite_url):
        pass
    async with hasty.write() as work:
        assert await work.inbox.count_by_state() == {}
        await add_message(work)


async def test_a_full_disk_is_told_and_nothing_is_kept(hasty: Database) -> None:
    async def fill() -> None:
        async with hasty.write() as work:
            pages = (await work.connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
            await work.connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            await add_message(work, "small")
            await work.inbox.add_once(
                NewMessage(
                    channel="mail",
                    message_key="big",
                    raw=bytes(1 << 20),
                    received_at=NOW,
                    stored_at=NOW,
                )
            )

    with pytest.raises(StoreUnwritable, match="full"):
        await fill()
    async with hasty.read() as work:
        assert await work.inbox.count_by_state() == {}


async def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'nowhere' / 'pbem.db'}")
    with pytest.raises(StoreUnwritable, match="nowhere"):
        await migrate(database)
    with pytest.raises(StoreUnwritable, match="nowhere"):
        async with database.read():
            pytest.fail("there is nothing to read")
    await database.dispose()


async def test_a_unit_of_work_within_another_is_refused_instead_of_waiting_for_ever(
    hasty: Database,
) -> None:
    with pytest.raises(RuntimeError, match="within another"):
        async with hasty.write(), hasty.write():
            pytest.fail("the inner one cannot have begun")
    async with hasty.write() as work:
        await add_message(work)


async def test_a_new_database_is_its_owners_alone(hasty: Database) -> None:
    assert hasty.file is not None
    assert hasty.file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "url",
    [
        *("sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:"),
        *("sqlite+aiosqlite:///a.db?mode=ro", "sqlite:///a.db", "mysql+aiomysql://host/db"),
    ],
)
def test_an_address_of_no_use_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"file of its own|does not know"):
        open_database(url)


def test_nothing_is_connected_before_the_first_unit_of_work(
    sqlite_url: str, tmp_path: Path
) -> None:
    open_database(sqlite_url)
    assert list(tmp_path.iterdir()) == []


async def test_a_database_that_was_migrated_while_it_was_open_keeps_its_log_when_another_process_leaves(
    sqlite_url: str,
) -> None:
    database = open_database(sqlite_url)
    await migrate(database)
    async with database.write() as work:
        await work.marks.put("kept", NOW)
    await migrate(database)
    assert database.file is not None
    log = database.file.with_name(f"{database.file.name}-wal")
    look = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT count(*) FROM marks').fetchall(); c.close()"
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", look, str(database.file))
    assert await other.wait() == 0
    assert log.exists()
    await database.dispose()


async def test_a_transaction_that_asks_nothing_makes_no_trip_to_the_database(
    hasty: Database,
) -> None:
    async with hasty.write() as work:
        await work.games.find(1)
    assert hasty.file is not None
    with closing(sqlite3.connect(hasty.file, isolation_level=None, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with hasty.write(), hasty.read():
            pass
        other.execute("ROLLBACK")


async def test_what_is_cancelled_in_its_first_statement_leaves_no_transaction_open(
    hasty: Database,
) -> None:
    """The statement runs on in the connection's thread, and begins a transaction there; it ends."""
    patient = open_database(f"sqlite+aiosqlite:///{hasty.file}", busy_timeout_seconds=60)
    slow = sa.text(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
        " SELECT max(i) FROM n"
    )

    async def count() -> None:
        async with patient.write() as work:
            await work.connection.execute(slow)

    for _ in range(3):
        task = asyncio.create_task(count())
        while not task.done():
            await asyncio.sleep(0)
            if patient.writer.pool.checkedout():  # type: ignore[attr-defined]
                task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await begin_to_write(patient)
    await patient.dispose()


async def test_a_connection_that_is_stopped_while_it_closes_is_closed(tmp_path: Path) -> None:
    """Else the task that closes it waits for ever, and so does who ends the loop."""
    connection = connect(str(tmp_path / "store.db"))
    await connection
    held = Event()
    busy = asyncio.create_task(connection.run(held.wait))
    closing = asyncio.create_task(connection.close())
    await asyncio.sleep(0)
    assert connection.stop() is None
    held.set()
    async with asyncio.timeout(60):
        await asyncio.gather(busy, closing)
        await connection.close()
