"""The steps by which a database of any age becomes one of today.

They are added by `alembic revision --autogenerate` (see `env.py`) and never changed once published.
They lead forwards only: the way back is the backup made before.
"""

import os
from importlib.resources import as_file, files
from pathlib import Path

import sqlalchemy as sa

from pbem.store.database import Database
from pbem.store.errors import StoreConflict, StoreUnwritable, store_errors

_ADVISORY_LOCK = 0x7062656D
"""One host at a time migrates a shared PostgreSQL database; the number only has to be the same
everywhere.
"""


async def migrate(database: Database) -> None:
    """Make the database one of today, in one transaction: at its end all steps are done, or none.

    Safe to call at each start. Raises `StoreTooNew` for a database that a newer program has
    written, and the errors of `Database.write`.
    """
    if database.file is not None:
        _make_private(database.file)
    with as_file(files("pbem.store.migrations")) as folder:
        await upgrade(database, folder)


async def upgrade(database: Database, folder: Path) -> None:
    """Take the steps that lie in `folder` and the database has not taken."""
    with store_errors():
        async with database.writer.connect() as connection:
            await connection.run_sync(_upgrade, folder)


def _upgrade(connection: sa.Connection, folder: Path) -> None:
    from pbem.store.migrations.steps import take_steps  # with alembic, which no other start needs

    if connection.dialect.name != "sqlite":
        with connection.begin():
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
            take_steps(connection, folder)
        return
    # Rebuilding a table drops the old one, and with references enforced that would take along what
    # refers to it. SQLite hears the pragma outside transactions only; what the steps left behind is
    # checked before it is kept.
    _enforce_references(connection, enforced=False)
    try:
        with connection.begin():
            take_steps(connection, folder)
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise StoreConflict(
                    f"a migration left a reference to nothing in the table {broken[0]}"
                )
    finally:
        _enforce_references(connection, enforced=True)


def _enforce_references(connection: sa.Connection, *, enforced: bool) -> None:
    # Past SQLAlchemy, which would begin a transaction first.
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA foreign_keys={'ON' if enforced else 'OFF'}")
    cursor.close()


def _make_private(file: Path) -> None:
    """Let only the owner read a new database: it holds the server's key, the seeds and everybody's
    secrets.

    Does not open one that exists: closing it again would drop every lock that SQLite has on it in
    this process, and the next process would remove the log that it is writing.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreUnwritable(
            f"the database file {file} cannot be opened for writing: {error.strerror}"
        ) from error
