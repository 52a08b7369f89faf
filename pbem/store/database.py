"""The database and its units of work: SQLite in one process by default, PostgreSQL when that is
outgrown.

On SQLite one connection writes, one task at a time (`turns`), and each write transaction takes
SQLite's own write lock with its first statement (BEGIN IMMEDIATE): a transaction that reads and
then writes can then never find the lock taken half-way. Readers have connections of their own, see
one snapshot each, and wait for nobody.
"""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from pbem.store.claims import Claims, LocalClaims, PostgresClaims
from pbem.store.driver import BEGIN_READING, Connection, connect
from pbem.store.errors import StoreUnwritable, store_errors
from pbem.store.turns import Turns
from pbem.store.work import Work

_READING_CONNECTIONS = 8
_CONNECT_SECONDS = 10.0
_DURABLE = "pbem_durable"
_TURN_SECONDS = 60.0
"""How long to wait for another host's turn to end (`Claims.turn`)."""
_KEEPALIVES = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""By these the server finds out within half a minute that a host has vanished, and lets go of what
it held.
"""


def open_database(url: str, *, busy_timeout_seconds: float = 5.0) -> "Database":
    """Make ready to use the database at `url` (`sqlite+aiosqlite:///FILE` or
    `postgresql+asyncpg://...`); nothing is connected yet.

    `busy_timeout_seconds` is how long to wait for another process's lock before `StoreBusy`. An
    SQLite database lies in a file, whose folder must exist; an unknown scheme or a database in
    memory is a ValueError.
    """
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise ValueError("this is no address of a database") from error
    if parsed.drivername == "sqlite+aiosqlite":
        return _open_sqlite(parsed, busy_timeout_seconds)
    if parsed.drivername == "postgresql+asyncpg":
        return _open_postgres(parsed, busy_timeout_seconds)
    raise ValueError(f"the store does not know databases of the kind {parsed.drivername!r}")


class Database:
    """One database. Every use of it is a unit of work: `async with database.write() as work` or
    `database.read()`.
    """

    def __init__(
        self,
        writer: AsyncEngine,
        reader: AsyncEngine,
        *,
        same_file: "SameFile | None" = None,
        claims: Claims | None = None,
    ) -> None:
        self.file = same_file.file if same_file is not None else None
        """The file of an SQLite database; None elsewhere."""
        self.claims: Claims = claims or LocalClaims()
        """What one task (on PostgreSQL: of one process) at a time may do."""
        self.writer = writer
        self._reader = reader
        self._turns = Turns() if self.file is not None else None
        self._same = same_file or SameFile(None)
        self._secrets: dict[str, str | None] = {}

    @asynccontextmanager
    async def write(self, *, gives_way: bool = False, durable: bool = True) -> AsyncIterator[Work]:
        """One transaction: kept when the block ends, taken back on any exception (and on
        cancellation) or by `await work.rollback()`.

        On SQLite, where one writes at a time, one that `gives_way` lets others of this process go
        first, within bounds (`Turns`). What is not `durable` outlives this process, but perhaps not
        a failure of the power: so it does not wait for the disk.

        Raises `StoreBusy`, `StoreUnwritable` or `StoreConflict`, each with nothing kept. Not to be
        nested: on SQLite the inner one would wait for the outer for ever, so that is a
        RuntimeError.
        """
        async with (
            self._turn_to_write(gives_way),
            _transaction(self.writer, self._secrets, durable=durable) as work,
        ):
            yield work

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Work]:
        """One consistent look at the database, which writers do not disturb and which cannot
        write.
        """
        self._same.check()
        async with _transaction(self._reader, self._secrets) as work:
            yield work

    async def dispose(self) -> None:
        """Close every connection; units of work under way keep theirs to their end. What lies there
        afterwards is nobody's matter.
        """
        await self.claims.dispose()
        await self._reader.dispose()
        await self.writer.dispose()
        self._same.forget()

    @asynccontextmanager
    async def _turn_to_write(self, gives_way: bool) -> AsyncIterator[None]:
        if self._turns is None:
            yield
            return
        async with self._turns.take(gives_way=gives_way):
            self._same.check()  # it may have been lost while we waited
            yield


@asynccontextmanager
async def _transaction(
    engine: AsyncEngine, secrets: dict[str, str | None], *, durable: bool = True
) -> AsyncIterator[Work]:
    with store_errors():
        async with AsyncExitStack() as stack:
            try:
                connection = await stack.enter_async_context(engine.connect())
            except (
                OSError
            ) as error:  # the server cannot be reached: the driver tells that in the system's words
                raise StoreUnwritable(str(error)) from error
            if not durable:
                await connection.execution_options(**{_DURABLE: False})
            await stack.enter_async_context(connection.begin())
            yield Work(connection, secrets)


def _open_sqlite(url: sa.URL, busy_timeout_seconds: float) -> Database:
    if url.database in {None, "", ":memory:"} or url.query:
        raise ValueError(
            "an SQLite database needs a file of its own: sqlite+aiosqlite:///FILE, without options"
        )
    file = Path(str(url.database))
    arguments = {"timeout": busy_timeout_seconds, "async_creator_fn": connect}
    writer = create_async_engine(url, connect_args=arguments, pool_size=1, max_overflow=0)
    reader = create_async_engine(
        url, connect_args=arguments, pool_size=_READING_CONNECTIONS, max_overflow=0
    )
    same_file = SameFile(file)
    for engine in (writer, reader):
        _look_first(engine, file)
        same_file.watch(engine)
    _prepare_sqlite(
        writer,
        begin="BEGIN IMMEDIATE",
        pragmas=("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"),
    )
    _prepare_sqlite(reader, begin=BEGIN_READING, pragmas=("journal_mode=WAL", "query_only=ON"))
    return Database(writer, reader, same_file=same_file)


class SameFile:
    """Checks that the file of an SQLite database stays the one that was opened.

    If someone deletes or replaces it meanwhile, we hold a file without a name, and what we write is
    lost with this process.
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._opened: tuple[int, int] | None = None

    def watch(self, engine: AsyncEngine) -> None:
        sa.event.listen(engine.sync_engine, "do_connect", lambda *_connecting: self.check())
        sa.event.listen(engine.sync_engine, "connect", lambda *_connected: self._note())

    def check(self) -> None:
        """Raise `StoreUnwritable` when it is not the same any more."""
        if self._opened is not None and self._identity() != self._opened:
            raise StoreUnwritable(
                f"the database file {self.file} was deleted or replaced while it was in use:"
                " nothing more is taken; stop the service and put a backup in its place (`pbem"
                " restore`)"
            )

    def forget(self) -> None:
        """Nothing is open any more."""
        self._opened = None

    def _note(self) -> None:
        if self._opened is None:
            self._opened = self._identity()

    def _identity(self) -> tuple[int, int] | None:
        if self.file is None:
            return None
        try:
            found = self.file.stat()
        except OSError:  # gone, or its folder is
            return None
        return found.st_dev, found.st_ino


def _look_first(engine: AsyncEngine, file: Path) -> None:
    """Say what is wrong before the driver tries: its own thread would outlive a failure, and its
    words name no file.
    """

    def look(*_connecting: object) -> None:
        if not os.access(file if file.exists() else file.parent, os.R_OK | os.W_OK):
            raise StoreUnwritable(f"the database file {file} cannot be opened for writing")

    sa.event.listen(engine.sync_engine, "do_connect", look)


def _prepare_sqlite(engine: AsyncEngine, *, begin: str, pragmas: tuple[str, ...]) -> None:
    """The documented way to have transactions on SQLite that really begin where they are said to
    begin.
    """
    waits_for_disk = "synchronous=FULL" in pragmas

    def set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin_transaction(connection: sa.Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, Connection)  # noqa: S101 - `connect` makes all of this engine's
        if waits_for_disk:
            durable = connection.get_execution_options().get(_DURABLE, True)
            driver.begin(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}", begin)
        else:
            driver.begin(begin)

    sa.event.listen(engine.sync_engine, "connect", set_up)
    sa.event.listen(engine.sync_engine, "begin", begin_transaction)


def _open_postgres(url: sa.URL, busy_timeout_seconds: float) -> Database:
    def make(pool_size: int, **settings: str) -> AsyncEngine:
        arguments = {"server_settings": _KEEPALIVES | settings, "timeout": _CONNECT_SECONDS}
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_size=pool_size,
            max_overflow=10,
            connect_args=arguments,
        )

    writer = make(10, lock_timeout=str(round(busy_timeout_seconds * 1000)))
    reader = writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    claiming = make(2, lock_timeout=str(round(_TURN_SECONDS * 1000))).execution_options(
        isolation_level="AUTOCOMMIT"
    )
    return Database(writer, reader, claims=PostgresClaims(claiming))
