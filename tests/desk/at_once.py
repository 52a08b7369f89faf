"""SQLite in the thread of the event loop, without waiting for any disk, for desks of tests.

Such a desk is alone on its file, and that lives no longer than the machine: to hand each small
statement to a thread and to be woken again takes longer than the statement, and there is no loss of
power to be ready for. The driver and the engine are those of the service in all else.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection

from pbem.store.database import Database
from pbem.store.driver import Connection

_Wanted = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


class _Here:
    """In place of the queue to a connection's thread: what is put into it is done, and told in the
    loop's next turn, so that others have theirs as ever.
    """

    def put_nowait(self, wanted: _Wanted) -> None:
        future, function = wanted
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            if future is not None:
                future.get_loop().call_soon(_tell, future, None, error)
        else:
            if future is not None:
                future.get_loop().call_soon(_tell, future, result, None)


def _tell(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():  # whoever waited was cancelled
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)


class _Connection(Connection):
    """Its thread is never started."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector)
        self._tx = _Here()  # type: ignore[assignment]

    def __await__(self) -> Generator[Any, None, Self]:
        yield from self._connect().__await__()
        return self

    def begin(self, *statements: str) -> None:
        """A transaction does not ask for the disk again."""
        super().begin(*(one for one in statements if "synchronous" not in one))


def _connect(database: str, **options: Any) -> _Connection:
    return _Connection(lambda: sqlite3.connect(database, **options))


def at_once(database: Database) -> Database:
    """The same database, of which nothing is connected yet."""

    def choose(_dialect: Any, _entry: Any, _arguments: Any, options: dict[str, Any]) -> None:
        options["async_creator_fn"] = _connect

    def hurry(connection: DBAPIConnection, _entry: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=OFF")
        cursor.close()

    for engine in (database.writer.sync_engine, database._reader.sync_engine):
        sa.event.listen(engine, "do_connect", choose)
        sa.event.listen(engine, "connect", hurry)
    return database
