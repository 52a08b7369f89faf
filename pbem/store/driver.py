"""aiosqlite with one trip to its thread for each statement.

A plain aiosqlite cursor goes there and back four times (open, execute, fetch, close), and each trip
wakes two threads: with statements as small as ours that is most of the time. Here a statement is
run, its rows are fetched and its cursor is closed in one.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, Self, TypeVar

import aiosqlite

P = ParamSpec("P")
T = TypeVar("T")

_CHUNK_ROWS = 64


class Connection(aiosqlite.Connection):
    """A connection whose cursors hold the rows of their last statement."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, _CHUNK_ROWS)
        self._thread.daemon = (
            True  # as SQLAlchemy does it: a connection nobody closed must not keep the process
        )

    # SQLAlchemy wants a cursor that can be entered; ours needs no trip for it
    def cursor(self) -> "Cursor":  # type: ignore[override]
        return Cursor(self)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in the connection's thread."""
        # aiosqlite leaves it untyped
        result: T = await self._execute(function, *args, **kwargs)  # type: ignore[no-untyped-call]
        return result

    @property
    def plain(self) -> sqlite3.Connection:
        """The connection below; to be used in its thread only. ValueError once it is closed."""
        return self._conn


class Cursor:
    """What SQLAlchemy needs of a cursor. After a statement it holds its rows and facts; nothing of
    it stays open.
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
        self._keep(
            await self._connection.run(_execute, self._connection.plain, statement, parameters)
        )
        return self

    async def executemany(self, statement: str, parameters: Sequence[Sequence[Any]]) -> Self:
        """Run a statement once for each set of parameters."""
        self._keep(
            await self._connection.run(_execute_many, self._connection.plain, statement, parameters)
        )
        return self

    async def fetchall(self) -> list[Any]:
        """The rows not fetched yet."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Forget the rows."""
        self._rows = []

    def _keep(self, done: "_Done") -> None:
        self._rows, self.description, self.rowcount, self.lastrowid = done


_Done = tuple[list[Any], Any, int, int | None]


def _execute(connection: sqlite3.Connection, statement: str, parameters: Sequence[Any]) -> _Done:
    return _drain(connection.execute(statement, parameters))


def _execute_many(
    connection: sqlite3.Connection, statement: str, parameters: Sequence[Sequence[Any]]
) -> _Done:
    return _drain(connection.executemany(statement, parameters))


def _drain(cursor: sqlite3.Cursor) -> _Done:
    try:
        rows = cursor.fetchall() if cursor.description is not None else []
        return rows, cursor.description, cursor.rowcount, cursor.lastrowid
    finally:
        cursor.close()


def connect(database: str, **options: Any) -> Connection:
    """A connection to be awaited; the arguments are those of `sqlite3.connect`."""
    return Connection(lambda: sqlite3.connect(database, **options))
