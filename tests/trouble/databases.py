"""Databases in trouble, by SQLite's own refusals: a full disk, a lock that another connection
holds, a file that cannot be written.
"""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import Literal

from pbem.store.database import Database
from pbem.store.turns import Turns
from pbem.store.work import Work

Kind = Literal["full", "locked", "read-only"]


class TroubledDatabase(Database):
    """The same database, some of whose units of work fail: those whose number, counted from 1,
    `is_bad`.
    """

    def __init__(self, database: Database, kind: Kind, is_bad: Callable[[int], bool]) -> None:
        vars(self).update(vars(database))
        self._turns = Turns()
        self._kind = kind
        self._is_bad = is_bad
        self.writes = 0
        self.failures = 0

    @asynccontextmanager
    async def write(self, *, gives_way: bool = False, durable: bool = True) -> AsyncIterator[Work]:
        """As the original, or in trouble."""
        self.writes += 1
        if not self._is_bad(self.writes):
            async with super().write(gives_way=gives_way, durable=durable) as work:
                yield work
            return
        self.failures += 1
        trouble = {"full": self._full, "locked": self._locked, "read-only": self._read_only}[
            self._kind
        ]
        async with trouble() as work:
            yield work

    @asynccontextmanager
    async def _full(self) -> AsyncIterator[Work]:
        """Not one page more; and if the work needed none, its end does."""
        async with super().write() as work:
            pages = (await work.connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
            await work.connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            try:
                yield work
                if not work.connection.closed:
                    await work.connection.exec_driver_sql(
                        "CREATE TABLE filling AS SELECT zeroblob(10000000) AS bytes"
                    )
            finally:
                if not work.connection.closed:
                    await work.connection.exec_driver_sql("PRAGMA max_page_count=1073741823")

    @asynccontextmanager
    async def _locked(self) -> AsyncIterator[Work]:
        assert self.file is not None
        with closing(sqlite3.connect(self.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            async with super().write() as work:
                yield work

    @asynccontextmanager
    async def _read_only(self) -> AsyncIterator[Work]:
        async with super().write() as work:
            await work.connection.exec_driver_sql("PRAGMA query_only=ON")
            try:
                yield work
                if not work.connection.closed:
                    await work.connection.exec_driver_sql("DELETE FROM marks WHERE name = 'none'")
            finally:
                if not work.connection.closed:
                    await work.connection.exec_driver_sql("PRAGMA query_only=OFF")
