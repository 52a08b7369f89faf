"""What can go wrong with the store itself, in the store's own words: nobody above needs to know a
driver's exceptions.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import sqlalchemy.exc

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_UNWRITABLE = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PRIMARY_CODE = 0xFF
"""SQLite's extended result codes keep the primary code in their lowest byte."""

_POSTGRES_BUSY = {"40001", "40P01", "55P03", "57014"}
"""serialization_failure, deadlock_detected, lock_not_available, query_canceled (a lock or statement
time-out).
"""

_POSTGRES_UNWRITABLE = {
    "25006",
    "28000",
    "28P01",
    "3D000",
    "53100",
    "53200",
    "53300",
    "57P01",
    "57P02",
    "57P03",
}
"""read_only_sql_transaction, login refused, no such database, disk_full, out_of_memory,
too_many_connections, the server shutting down or starting.
"""


class StoreError(Exception):
    """The store could not do what was asked, and has kept no part of the unit of work."""


class StoreBusy(StoreError):
    """Somebody else holds the database longer than we wait. Try again later; acknowledge
    nothing.
    """


class StoreUnwritable(StoreError):
    """Disk full, read-only, out of reach. Acknowledge nothing until it is mended."""


class StoreBroken(StoreError):
    """The database's own file is damaged, or no database at all. A backup is wanted."""


class StoreConflict(StoreError):
    """A guard of the tables (uniqueness, reference, allowed value) refused the write."""


class StoreTooNew(StoreError):
    """The database was written by a newer version of the program."""


class StoreTooOld(StoreError):
    """The operator must migrate the database before this program uses it. `taken` is its present
    step.
    """

    def __init__(self, taken: str | None, newest: str) -> None:
        stands = "is empty" if taken is None else f"is at step {taken}"
        super().__init__(
            f"the database {stands}, this program needs step {newest}: stop every service and run"
            " `pbem db migrate`"
        )
        self.taken = taken
        self.newest = newest


class AlreadyServed(StoreError):
    """Another process has the database. `pid` is its process id, None when it could not be read;
    `at` is a far one's last sign of life.
    """

    def __init__(
        self, database: Path, pid: int | None, host: str | None, at: datetime | None = None
    ) -> None:
        who = "another process" if pid is None else f"process {pid} on {host}"
        super().__init__(
            f"the database {database} is served by {who}"
            + (f", which was alive at {at:%Y-%m-%d %H:%M:%S} UTC" if at else "")
        )
        self.database = database
        self.pid = pid
        self.host = host


@contextmanager
def store_errors() -> Iterator[None]:
    """Give the driver's exceptions their names here; those that only a mistake in the program can
    cause pass as they are.
    """
    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        named = _named(error.orig) or (
            StoreUnwritable(str(error.orig)) if error.connection_invalidated else None
        )
        if named is None:
            raise
        raise named from error
    except sqlalchemy.exc.TimeoutError as error:  # no connection of the pool became free
        raise StoreBusy(str(error)) from error
    except sqlite3.Error as error:
        named = _named(error)
        if named is None:
            raise
        raise named from error


def _named(error: BaseException | None) -> StoreError | None:
    text = str(error)
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        if code & _PRIMARY_CODE in _BUSY:
            return StoreBusy(text)
        if code & _PRIMARY_CODE in _UNWRITABLE:
            return StoreUnwritable(text)
        if code & _PRIMARY_CODE in _BROKEN:
            return StoreBroken(text)
        return StoreConflict(text) if code & _PRIMARY_CODE == sqlite3.SQLITE_CONSTRAINT else None
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        if state in _POSTGRES_BUSY:
            return StoreBusy(text)
        if state in _POSTGRES_UNWRITABLE or state.startswith("08"):
            return StoreUnwritable(text)
        return StoreConflict(text) if state.startswith("23") else None
    return None
