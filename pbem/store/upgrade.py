"""Bringing a database to the version of the program, never without a way back.

An older SQLite database is copied first, into the same folder. A PostgreSQL database is migrated by
a command alone: other hosts may still run the version before, and its own tools make its backup.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pbem.store.backup import write_backup
from pbem.store.database import Database
from pbem.store.errors import StoreTooOld
from pbem.store.migrations import migrate
from pbem.store.revision import newest_revision, older_revisions, read_revision


@dataclass(frozen=True, slots=True)
class Version:
    """The step a database stands at (None: it is empty) and the one this program works with."""

    taken: str | None
    newest: str

    @property
    def is_newest(self) -> bool:
        return self.taken == self.newest

    @property
    def is_older(self) -> bool:
        """Whether this program knows how to bring it forward."""
        return self.taken is not None and self.taken in older_revisions()


async def read_version(database: Database) -> Version:
    """Which step the database stands at; nothing is made or changed."""
    if database.file is not None and not (database.file.exists() and database.file.stat().st_size):
        return Version(None, newest_revision())
    async with database.read() as work:
        return Version(await read_revision(work.connection), newest_revision())


async def make_ready(database: Database, now: datetime, *, ask: bool = False) -> Path | None:
    """Bring the database to the newest version; returns the backup made before, if there was
    anything to back up.

    Raises `StoreTooOld` for one that only a command may migrate: every PostgreSQL, and with `ask`
    every SQLite, too. Raises `StoreTooNew` for the database of a newer program.
    """
    version = await read_version(database)
    if version.is_newest:
        return None
    if version.taken is None or not version.is_older:
        await migrate(database)  # which refuses what it does not know
        return None
    if database.file is None or ask:
        raise StoreTooOld(version.taken, version.newest)
    return await migrate_with_backup(database, now)


async def migrate_with_backup(
    database: Database, now: datetime, backup: Path | None = None
) -> Path | None:
    """Copy an SQLite database into `backup`, or a file next to it named after the step to come, and
    migrate it; returns the copy's file.

    None: it is new, or needs no step. Raises `StoreConflict` when the file is there already.
    """
    version = await read_version(database)
    if version.is_older and database.file is not None:
        backup = backup or database.file.with_name(
            f"{database.file.name}.before-{version.newest}-{now:%Y%m%dT%H%M%SZ}"
        )
        await asyncio.to_thread(write_backup, database.file, backup, now)
    else:
        backup = None
    await migrate(database)
    return backup
