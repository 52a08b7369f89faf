"""Short reads are done in the loop's thread, all else in the connection's."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.store.driver import BEGIN_READING, Connection, connect

HERE = threading.get_ident
LONG = (
    "SELECT {what} FROM (WITH RECURSIVE counted(i) AS"
    " (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 20000) SELECT i FROM counted)"
    " WHERE i > (SELECT min(i) FROM numbers) - 1"
)


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[Connection]:
    """A table with three rows, in write-ahead mode; `place()` tells in which thread it is called."""
    opened = await connect(
        str(tmp_path / "driver.sqlite"), isolation_level=None, check_same_thread=False
    )
    assert isinstance(opened, Connection)
    await run(opened, "PRAGMA journal_mode=WAL")
    await run(opened, "CREATE TABLE numbers (i INTEGER)")
    await run(opened, "INSERT INTO numbers VALUES (1), (2), (3)")
    await opened.commit()
    opened.plain.create_function("place", -1, lambda *_: threading.get_ident())
    yield opened
    await opened.close()


async def run(connection: Connection, statement: str, *parameters: int) -> list[Any]:
    cursor = await connection.cursor().execute(statement, parameters)
    return await cursor.fetchall()


async def test_a_short_read_is_done_in_the_thread_of_the_loop(connection: Connection) -> None:
    connection.begin(BEGIN_READING)
    assert await run(connection, "SELECT i, place() FROM numbers") == [
        (i, HERE()) for i in (1, 2, 3)
    ]
    assert connection.plain.in_transaction
    await connection.commit()
    assert not connection.plain.in_transaction


async def test_a_long_read_is_done_in_the_connections_thread_and_in_the_same_transaction(
    connection: Connection,
) -> None:
    connection.begin(BEGIN_READING)
    ((count, place),) = await run(connection, LONG.format(what="count(*), place()"))
    assert count == 20_000
    assert place != HERE()
    (_, _, file) = connection.plain.execute("PRAGMA database_list").fetchone()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("INSERT INTO numbers VALUES (4)")
    assert len(await run(connection, "SELECT i FROM numbers")) == 3, "one look is one snapshot"
    await connection.commit()
    assert len(await run(connection, "SELECT i FROM numbers")) == 4


async def test_what_writes_is_done_in_the_connections_thread_however_long_it_takes(
    connection: Connection,
) -> None:
    connection.begin("BEGIN IMMEDIATE")
    await run(connection, "SELECT i FROM numbers")
    await run(connection, "SELECT i FROM numbers")
    await run(connection, "INSERT INTO numbers " + LONG.format(what="place(i)"))
    await connection.commit()
    ((places, here),) = await run(
        connection, "SELECT count(*), sum(i = ?) FROM numbers WHERE i > 3", HERE()
    )
    assert places == 20_000
    assert here == 0


async def test_what_takes_a_lock_is_begun_in_the_connections_thread(connection: Connection) -> None:
    connection.begin("BEGIN IMMEDIATE")
    ((place,),) = await run(connection, "SELECT place()")
    assert place != HERE()
    ((place,),) = await run(connection, "SELECT place()")
    assert place == HERE(), "nothing is waited for any more"
    await connection.rollback()
    assert not connection.plain.in_transaction


async def test_a_read_waits_for_what_nobody_waits_for_any_more(connection: Connection) -> None:
    may_end, has_begun = threading.Event(), threading.Event()

    def wait() -> int:
        has_begun.set()
        may_end.wait(20)
        return 7

    connection.plain.create_function("wait", 0, wait)
    writing = asyncio.create_task(run(connection, "INSERT INTO numbers VALUES (wait())"))
    await asyncio.to_thread(has_begun.wait, 20)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    reading = asyncio.create_task(run(connection, "SELECT max(i), place() FROM numbers"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not reading.done()
    may_end.set()
    ((most, place),) = await reading
    assert most == 7
    assert place != HERE()
    assert await run(connection, "SELECT max(i), place() FROM numbers") == [(7, HERE())]


async def test_others_have_their_turn_between_short_reads(connection: Connection) -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    for _ in range(10):
        await run(connection, "SELECT i FROM numbers")
    beside.cancel()
    assert turns >= 10


async def test_what_was_opened_for_somebody_who_was_cancelled_is_closed(tmp_path: Path) -> None:
    """Python 3.13 and later warn of one that is left open."""
    opened: list[sqlite3.Connection] = []

    class Seen(sqlite3.Connection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            opened.append(self)

    file = str(tmp_path / "cancelled.sqlite")
    connection = connect(file, factory=Seen, check_same_thread=False)

    async def wait_for_it() -> None:
        await connection

    task = asyncio.create_task(wait_for_it())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(connection._thread.join)
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        opened[0].execute("SELECT 1")
