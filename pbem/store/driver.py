"""aiosqlite with one trip to its thread for each statement that writes or takes its time, and none
for short reads.

A plain aiosqlite cursor goes there and back four times (open, execute, fetch, close), and each trip
wakes two threads: with statements as small as ours that is most of the time. Here a statement is
run, its rows are fetched and its cursor is closed in one; what begins a transaction goes along with
its first statement, and a transaction without one costs no trip at all.

A read waits for nobody in SQLite's write-ahead mode, and nearly all of ours end before a thread
would have woken. So a read is begun in the loop's own thread, with a bound on its steps; one that
comes to the bound is interrupted, and done in the connection's thread instead.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar

import aiosqlite

P = ParamSpec("P")
T = TypeVar("T")

_CHUNK_ROWS = 64
_SHORT_READ_STEPS = 10_000
"""Of SQLite's virtual machine, which takes less than a millisecond for them."""
BEGIN_READING = "BEGIN"
"""It takes no lock."""


class Connection(aiosqlite.Connection):
    """A connection whose cursors hold the rows of their last statement."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        opened: list[sqlite3.Connection] = []

        def open_and_keep() -> sqlite3.Connection:
            opened.append(connector())
            return opened[0]

        super().__init__(open_and_keep, _CHUNK_ROWS)
        self._opened = opened
        self._thread.daemon = (
            True  # as SQLAlchemy does it: a connection nobody closed must not keep the process
        )
        self._begin: tuple[str, ...] = ()
        self._is_open = self._has_written = False
        self._is_stopped = False
        self._sent = self._done = 0

    # SQLAlchemy wants a cursor that can be entered; ours needs no trip for it
    def cursor(self) -> "Cursor":  # type: ignore[override]
        return Cursor(self)

    def begin(self, *statements: str) -> None:
        """Let the next statement begin a transaction by these."""
        self._begin = statements

    def take_begin(self) -> tuple[str, ...]:
        """What is to begin the transaction before the next statement, which is sent now: whatever
        becomes of it, there is something to be ended from here on.
        """
        begin, self._begin = self._begin, ()
        if begin:
            self._is_open = True
        return begin

    async def commit(self) -> None:
        await self._end(super().commit)

    async def rollback(self) -> None:
        await self._end(super().rollback)

    async def _end(self, end: Callable[[], Awaitable[None]]) -> None:
        self._begin = ()
        if not self._is_open:
            return
        if self._has_written or not self._is_at_rest:
            await end()
        else:
            self._conn.rollback()
        self._is_open = self._has_written = False

    # Who is cancelled while a connection closes stops it, too. What aiosqlite sends its thread
    # behind that is never answered, and would be waited for until the process is killed.
    def stop(self) -> asyncio.Future[Any] | None:
        """Let the thread finish its work, and close the connection; None: that was asked before."""
        if self._is_stopped:
            return None
        self._is_stopped = True
        if self._connection is None:  # who opens it was cancelled, and it may be open anyway
            self._tx.put_nowait((None, partial(_close_all, self._opened)))
        # aiosqlite leaves it untyped
        stopped: asyncio.Future[Any] | None = super().stop()
        return stopped

    async def close(self) -> None:
        """Stop, and wait until that is done."""
        stopped = self.stop() if self._connection is not None else None
        if stopped is not None:
            await stopped

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in the connection's thread."""
        self._has_written = True
        return await self._in_thread(function, *args, **kwargs)

    async def read(
        self, begin: tuple[str, ...], statement: str, parameters: Sequence[Any]
    ) -> "_Done":
        """Run a statement that only reads: here, or in the connection's thread if that is at
        something, or the read takes long.
        """
        if self._is_at_rest and begin in ((), (BEGIN_READING,)):
            done = self._read_here(begin, statement, parameters)
            await asyncio.sleep(0)  # many short reads in a row hold up nobody
            if done is not None:
                return done
            begin = ()
        return await self._in_thread(_execute, self._conn, begin, statement, parameters)

    def _read_here(
        self, begin: tuple[str, ...], statement: str, parameters: Sequence[Any]
    ) -> "_Done | None":
        """None: it takes too long; its transaction has begun."""
        self._conn.set_progress_handler(_interrupt, _SHORT_READ_STEPS)
        try:
            return _execute(self._conn, begin, statement, parameters)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            return None
        finally:
            self._conn.set_progress_handler(None, 0)

    @property
    def _is_at_rest(self) -> bool:
        """Whether the thread has done all that it was sent, also what nobody waits for any more."""
        return self._sent == self._done and not self._is_stopped

    async def _in_thread(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await self._execute(function, *args, **kwargs)
        return result

    async def _execute(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        self._sent += 1
        # aiosqlite leaves it untyped
        return await super()._execute(self._count, fn, *args, **kwargs)  # type: ignore[no-untyped-call]

    def _count(self, function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        try:
            return function(*args, **kwargs)
        finally:
            self._done += 1

    @property
    def plain(self) -> sqlite3.Connection:
        """The connection below; to be used in its thread, or while that is at rest. ValueError once
        it is closed.
        """
        return self._conn


class Cursor:
    """What SQLAlchemy needs of a cursor. After a statement it holds rows and facts, and nothing
    stays open.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Self:
        """Run a statement and fetch all its rows."""
        self._keep(await self._run(_execute, statement, parameters))
        return self

    async def executemany(self, statement: str, parameters: Sequence[Sequence[Any]]) -> Self:
        """Run a statement once for each set of parameters."""
        self._keep(await self._run(_execute_many, statement, parameters))
        return self

    async def fetchall(self) -> list[Any]:
        """The rows not fetched yet."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Forget the rows."""
        self._rows = []

    async def _run(self, execute: "_Execute", statement: str, parameters: Sequence[Any]) -> "_Done":
        connection = self._connection
        begin = connection.take_begin()
        if execute is _execute and statement.startswith("SELECT"):
            return await connection.read(begin, statement, parameters)
        return await connection.run(execute, connection.plain, begin, statement, parameters)

    def _keep(self, done: "_Done") -> None:
        self._rows, self.description, self.rowcount, self.lastrowid = done


_Done = tuple[list[Any], Any, int, int | None]
_Execute = Callable[[sqlite3.Connection, tuple[str, ...], str, Sequence[Any]], _Done]


def _execute(
    connection: sqlite3.Connection,
    begin: tuple[str, ...],
    statement: str,
    parameters: Sequence[Any],
) -> _Done:
    for first in begin:
        connection.execute(first)
    return _drain(connection.execute(statement, parameters))


def _execute_many(
    connection: sqlite3.Connection,
    begin: tuple[str, ...],
    statement: str,
    parameters: Sequence[Sequence[Any]],
) -> _Done:
    for first in begin:
        connection.execute(first)
    return _drain(connection.executemany(statement, parameters))


def _close_all(connections: Sequence[sqlite3.Connection]) -> None:
    for connection in connections:
        connection.close()


def _interrupt() -> bool:
    return True


def _drain(cursor: sqlite3.Cursor) -> _Done:
    try:
        rows = cursor.fetchall() if cursor.description is not None else []
        return rows, cursor.description, cursor.rowcount, cursor.lastrowid
    finally:
        cursor.close()


def connect(database: str, **options: Any) -> Connection:
    """A connection to be awaited; the arguments are those of `sqlite3.connect`."""
    # Two threads use it, never at the same time: SQLAlchemy says so to sqlite3.
    return Connection(lambda: sqlite3.connect(database, **options))
