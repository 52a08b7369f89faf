"""Copies of an SQLite database: made while the service runs, checked, and put in the place of
another one while it does not.

By SQLite's own backup interface: copying the file alone would miss what lies in its write-ahead
log, or tear a page in two. On PostgreSQL its own tools do this (`pg_dump`).
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pbem.store.errors import StoreBusy, StoreConflict, StoreError, StoreUnwritable
from pbem.store.lock import ENDING, is_held, lock_file_of
from pbem.store.repositories.marks import BACKED_UP, SERVED

_BESIDE = ("-wal", "-shm")
"""The files that SQLite keeps next to a database in use."""
_BELONGING = (*_BESIDE, "-journal", ENDING)
_HEAD = b"SQLite format 3\0"


class BackupUnfit(StoreError):
    """What was read or written is no whole database of ours."""


def write_backup(database: Path, file: Path, made_at: datetime, *, overwrite: bool = False) -> int:
    """Copy a database, as it is at this moment, into a new file that its owner alone can read; its
    size in bytes.

    The copy is of the same version, and bears the mark BACKED_UP.

    The copy is checked and on the disk before it gets its name. Raises `StoreConflict` when the
    file is there already, or, even with `overwrite`, a database that is no backup or belongs to
    one; `BackupUnfit` when the copy is not whole, `StoreUnwritable` when it cannot be written.
    """
    _refuse_databases(database, file)
    if os.path.lexists(file) and not overwrite:
        raise StoreConflict(f"{file} already exists")
    with _told(file), unnamed_copy(database, file) as copy:
        _say_when(copy, made_at)
        _sync(copy)
        size = copy.stat().st_size
        _give_name(copy, file, overwrite=overwrite)
    return size


@contextmanager
def unnamed_copy(database: Path, beside: Path) -> Iterator[Path]:
    """A checked copy of a database in one file, in the folder of `beside`; removed with the block,
    unless it got another name.

    Raises `BackupUnfit` for anything that is no whole database of ours.
    """
    copy = beside.with_name(f".{beside.name}.{os.getpid()}.part")
    with _told(copy):
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    try:
        with _told(copy):
            _copy(database, copy)
        yield copy
    finally:
        for rest in (copy, *_files_beside(copy)):
            rest.unlink(missing_ok=True)


def put_in_place(copy: Path, file: Path, kept: Path) -> bool:
    """Put a copy in the place of `file`, which stays next to it under the name `kept`. Returns
    whether there was one.

    There is a whole database at every moment. Nobody may have it open: hold the directory's lock.
    """
    with _told(file):
        _sync(copy)
        was_there = file.exists()
        if was_there:
            _keep_log(file, kept)
            os.link(file, kept)
        copy.replace(file)
        _sync(file.parent)
    return was_there


def _copy(database: Path, copy: Path) -> None:
    if not database.is_file():
        raise BackupUnfit(f"{database} is no file")
    with (
        closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        try:
            source.backup(
                target
            )  # in one go: a reader of a write-ahead log keeps nobody waiting, and sees one moment
            target.execute("PRAGMA journal_mode=DELETE")  # a single file, without files next to it
            faults = [text for (text,) in target.execute("PRAGMA integrity_check") if text != "ok"]
            faults += [
                f"a reference to nothing in {row[0]}"
                for row in target.execute("PRAGMA foreign_key_check")
            ]
            ours = target.execute(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'inbox',"
                " 'outbox')"
            ).fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
                raise BackupUnfit(f"{database} is no database, or a broken one: {error}") from error
            raise
    if faults:
        raise BackupUnfit(f"{database} is not whole: {faults[0]}")
    if ours != (3,):
        raise BackupUnfit(f"{database} is no database of this service")


def _say_when(copy: Path, made_at: datetime) -> None:
    """Set the mark, if the database is of a version that has marks."""
    with closing(sqlite3.connect(copy)) as connection, connection:
        if (
            connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'marks'").fetchone()
            is not None
        ):
            at = made_at.astimezone(UTC).strftime(
                "%Y-%m-%d %H:%M:%S.%f"
            )  # as SQLAlchemy writes instants
            connection.execute(
                "INSERT OR REPLACE INTO marks (name, at, detail) VALUES (?, ?, '')", (BACKED_UP, at)
            )
            connection.execute("DELETE FROM marks WHERE name = ?", (SERVED,))


def _refuse_databases(database: Path, file: Path) -> None:
    """A backup never overwrites a database, however its path is spelled or linked, nor SQLite's
    files next to one.
    """
    real = file.resolve()
    stems = {real.name.removesuffix(ending) for ending in _BELONGING if real.name.endswith(ending)}
    beside = (real.with_name(name) for stem in sorted(stems) for name in (stem, f"{stem}.sqlite"))
    for owner in (database.resolve(), *(other for other in beside if other.exists())):
        own = _all_files_of(owner)
        if real in own or _is_same(file, own):
            raise StoreConflict(
                f"{file} is the database {owner} itself, or belongs to it; name another file for"
                " the backup"
            )
    if not file.is_file():
        return
    if is_held(file):
        raise StoreConflict(
            f"{file} is a database that is in use; name another file for the backup"
        )
    if not _is_backup(file):
        raise StoreConflict(f"{file} is a database and no backup; name another file for the backup")


def _all_files_of(database: Path) -> tuple[Path, ...]:
    journal = database.with_name(f"{database.name}-journal")
    return (database, *_files_beside(database), journal, lock_file_of(database))


def _is_same(file: Path, others: tuple[Path, ...]) -> bool:
    return file.exists() and any(other.exists() and file.samefile(other) for other in others)


def _is_backup(file: Path) -> bool:
    """Whether a file is a backup of ours, or no database at all."""
    with file.open("rb") as content:
        if content.read(len(_HEAD)) != _HEAD:
            return True
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        ) as connection:
            return (
                connection.execute("SELECT 1 FROM marks WHERE name = ?", (BACKED_UP,)).fetchone()
                is not None
            )
    except sqlite3.DatabaseError:  # broken, or of somebody else
        return False


def _give_name(copy: Path, file: Path, *, overwrite: bool) -> None:
    if overwrite:
        copy.replace(file)
    else:
        try:
            os.link(
                copy, file
            )  # unlike a renaming it never takes the place of a file that came in between
        except FileExistsError as error:
            raise StoreConflict(f"{file} already exists") from error
    _sync(file.parent)


def _keep_log(file: Path, kept: Path) -> None:
    """Move the contents of the write-ahead log into the file. If the database is broken, leave its
    log in place.

    SQLite would take a log left behind for the new file's own.
    """
    log, memory = _files_beside(file)
    if log.exists():
        kept_log = kept.with_name(kept.name + _BESIDE[0])
        shutil.copyfile(log, kept_log)  # opening a file that is not a database removes its log
        kept_log.chmod(0o600)
        if _fold_in_log(file):
            kept_log.unlink()
    log.unlink(missing_ok=True)
    memory.unlink(missing_ok=True)


def _fold_in_log(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(file)) as connection:
            ((busy, _log_pages, _moved),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:
        return False
    return not busy


def _files_beside(file: Path) -> tuple[Path, ...]:
    return tuple(file.with_name(file.name + ending) for ending in _BESIDE)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Give what the system and SQLite say of files the store's names."""
    try:
        yield
    except OSError as error:
        raise StoreUnwritable(f"{error.filename or file}: {error.strerror}") from error
    except sqlite3.OperationalError as error:
        kind = (
            StoreBusy
            if error.sqlite_errorcode in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
            else StoreUnwritable
        )
        raise kind(f"{file}: {error}") from error
