"""What can go wrong with the store itself, in the store's own words: nobody above needs to know a
driver's exceptions.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import sqlalchemy.exc


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


_PRIMARY_CODE = 0xFF
"""SQLite's extended result codes keep the primary code in their lowest byte."""

_SQLITE: Mapping[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreBusy,
    sqlite3.SQLITE_LOCKED: StoreBusy,
    sqlite3.SQLITE_FULL: StoreUnwritable,
    sqlite3.SQLITE_IOERR: StoreUnwritable,
    sqlite3.SQLITE_READONLY: StoreUnwritable,
    sqlite3.SQLITE_CANTOPEN: StoreUnwritable,
    sqlite3.SQLITE_PERM: StoreUnwritable,
    sqlite3.SQLITE_CORRUPT: StoreBroken,
    sqlite3.SQLITE_NOTADB: StoreBroken,
    sqlite3.SQLITE_CONSTRAINT: StoreConflict,
}

_POSTGRES: Mapping[str, type[StoreError]] = {
    # serialization_failure, deadlock_detected, lock_not_available, query_canceled (a lock or
    # statement time-out)
    **dict.fromkeys(("40001", "40P01", "55P03", "57014"), StoreBusy),
    # connections; read_only_sql_transaction, login refused, no such database
    **dict.fromkeys(("08", "25006", "28000", "28P01", "3D000"), StoreUnwritable),
    # disk_full, out_of_memory, too_many_connections
    **dict.fromkeys(("53100", "53200", "53300"), StoreUnwritable),
    # the server shutting down or starting
    **dict.fromkeys(("57P01", "57P02", "57P03"), StoreUnwritable),
    # what a guard refuses
    "23": StoreConflict,
}
"""By their states, or by the class of states."""


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
    code, state = getattr(error, "sqlite_errorcode", None), getattr(error, "sqlstate", None)
    kind: type[StoreError] | None = None
    if isinstance(code, int):
        kind = _SQLITE.get(code & _PRIMARY_CODE)
    elif isinstance(state, str):
        kind = _POSTGRES.get(state) or _POSTGRES.get(state[:2])
    return None if kind is None else kind(str(error))
