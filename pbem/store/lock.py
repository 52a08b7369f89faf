"""One service a database: SQLite's writers queue within one process, and only one clock may tick.

Two locks ensure that. A lock on a file next to the database, found by the database's real path,
decides on one host: it ends with the process, however that ends. A row in the database, renewed as
long as the service lives, warns a service on another host that shares the file.
"""

import fcntl
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import sqlalchemy as sa
import structlog

from pbem.store.claims import Claim, ClaimLost
from pbem.store.database import Database
from pbem.store.errors import AlreadyServed, StoreConflict, StoreError, StoreUnwritable
from pbem.store.repositories.marks import MARK_SPACING, SERVED
from pbem.store.work import Work

ENDING = ".lock"
SILENT_AFTER = timedelta(seconds=100)
"""A service of another host that has not renewed its row for so long is taken for dead: three signs
of life are missing.
"""
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MOST_BYTES = 400

_log = structlog.get_logger(__name__)


class Holder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has a database. `boot` names the running kernel: containers of one machine share it,
    whatever their host names.

    `inode` is that of the database's file, once it is there.
    """

    pid: int
    host: str
    boot: str = ""
    inode: int | None = None

    def is_near(self) -> bool:
        """Whether the lock next to the file reaches as far as this holder, and so has decided
        already.
        """
        return self.host == socket.gethostname() or bool(self.boot and self.boot == _boot_id())


def lock_file_of(database: Path) -> Path:
    """The path of a database's lock: next to the file itself, whatever links lead to it."""
    real = database.resolve()
    return real.with_name(real.name.removesuffix(".sqlite") + ENDING)


class FileLock:
    """The lock next to a database's file, while it is held."""

    def __init__(self, database: Path, path: Path, handle: int) -> None:
        self.path = path
        self.database = database
        self._handle = handle

    def sign(self) -> None:
        """Write down who holds it, and which file. To be called again when the file has come into
        being.
        """
        text = msgspec.json.encode(_ourselves(_inode_of(self.database)))
        os.pwrite(self._handle, text, 0)
        os.ftruncate(self._handle, len(text))

    def leave(self) -> None:
        """Take the signature back; it stays where the file was lost meanwhile, for the next start
        to tell.
        """
        signed = _read(self._handle)
        if signed is None or signed.inode is None or signed.inode == _inode_of(self.database):
            os.ftruncate(self._handle, 0)


@contextmanager
def lock_database(file: Path, *, to_restore: bool = False) -> Iterator[FileLock]:
    """Hold an SQLite database till the block ends, or the process does, however it ends.

    Raises `AlreadyServed`, and `StoreConflict` for a file that bears two names (a hard link), which
    SQLite does not bear, or one that was deleted while it was served, unless it is held
    `to_restore` it. The lock's file stays behind: removing it would let two processes hold two
    files of one name.
    """
    path = lock_file_of(file)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreUnwritable(f"{path}: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = _read(handle)
            raise AlreadyServed(
                file, holder.pid if holder else None, holder.host if holder else None
            ) from error
        if not to_restore:
            _refuse_unfit(file, path, _read(handle))
        lock = FileLock(file, path, handle)
        lock.sign()
        yield lock
        lock.leave()
    finally:
        os.close(handle)


def _refuse_unfit(file: Path, path: Path, before: Holder | None) -> None:
    if not file.exists():
        if before is not None and before.inode is not None:
            raise StoreConflict(
                f"the database {file} was deleted while a service used it; `pbem restore` puts a"
                f" backup in its place (to begin with an empty one instead, remove {path})"
            )
    elif (names := file.stat().st_nlink) > 1:
        raise StoreConflict(
            f"the database {file} has {names} names (hard links), and two services could damage it;"
            " remove the others"
        )


def is_held(database: Path) -> bool:
    """Whether some process of this host holds this database."""
    return _held_by(database)[0]


def is_lost(database: Path) -> bool:
    """Whether a running service of this host uses a file that this name does not lead to any more:
    it was deleted, or replaced.
    """
    held, holder = _held_by(database)
    return (
        held
        and holder is not None
        and holder.inode is not None
        and holder.inode != _inode_of(database)
    )


def _held_by(database: Path) -> tuple[bool, Holder | None]:
    try:
        handle = os.open(lock_file_of(database), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False, None
    except OSError as error:
        raise StoreUnwritable(f"{lock_file_of(database)}: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True, _read(handle)
    finally:
        os.close(handle)
    return False, None


@asynccontextmanager
async def sign_database(
    database: Database, lock: FileLock, now: Callable[[], datetime]
) -> AsyncIterator[Claim]:
    """Let a locked database tell itself who serves it, till the block ends. It must be of today's
    version; the claim renews it.
    """
    lock.sign()
    row = _ServedRow(database, now)
    async with database.write() as work:
        await _refuse_far_holder(lock.database, work, now())
        await row.put(work)
    try:
        yield row
    finally:
        try:
            await row.remove()
        except StoreError as error:  # it is not renewed any more, and so ends by itself
            _log.warning("signature-left", reason=str(error))


async def refuse_far_holder(database: Database, now: datetime) -> None:
    """Raise `AlreadyServed` when a service on another host has lately signed this database, of
    whatever version.
    """
    if database.file is None or _inode_of(database.file) is None:
        return
    async with database.read() as work:
        found = await work.connection.execute(
            sa.text("SELECT count(*) FROM sqlite_master WHERE name = 'marks'")
        )
        if found.scalar_one():
            await _refuse_far_holder(database.file, work, now)


async def _refuse_far_holder(file: Path, work: Work, now: datetime) -> None:
    mark = await work.marks.find(SERVED)
    holder = _decode(mark.detail.encode()) if mark is not None else None
    if (
        mark is not None
        and holder is not None
        and not holder.is_near()
        and now - mark.at < SILENT_AFTER
    ):
        raise AlreadyServed(file, holder.pid, holder.host, mark.at)


class _ServedRow:
    """The row SERVED as a claim."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._signature = msgspec.json.encode(_ourselves()).decode()
        self._renewed_at: datetime | None = None

    async def put(self, work: Work) -> None:
        self._renewed_at = self._now()
        await work.marks.put(SERVED, self._renewed_at, self._signature)

    async def renew(self) -> None:
        """See `Claim.renew`; the row is written at most every half minute."""
        if self._renewed_at is not None and abs(self._now() - self._renewed_at) < MARK_SPACING:
            return
        async with self._database.write() as work:
            mark = await work.marks.find(SERVED)
            if mark is not None and mark.detail != self._signature:
                other = _decode(mark.detail.encode())
                raise ClaimLost(
                    "the database is served by"
                    f" {other.host if other is not None else 'another service'} now"
                )
            await self.put(work)

    async def remove(self) -> None:
        async with self._database.write() as work:
            mark = await work.marks.find(SERVED)
            if mark is not None and mark.detail == self._signature:
                await work.marks.remove(SERVED)


def _ourselves(inode: int | None = None) -> Holder:
    return Holder(os.getpid(), socket.gethostname(), _boot_id(), inode)


def _boot_id() -> str:
    return _BOOT.read_text(encoding="ascii").strip() if _BOOT.exists() else ""


def _inode_of(file: Path) -> int | None:
    try:
        return file.stat().st_ino
    except FileNotFoundError:
        return None


def _read(handle: int) -> Holder | None:
    return _decode(os.pread(handle, _MOST_BYTES, 0))


def _decode(text: bytes) -> Holder | None:
    """None for what nobody signed; an earlier version left its number alone."""
    try:
        return msgspec.json.decode(text, type=Holder)
    except msgspec.DecodeError:
        return Holder(int(text), "this host") if text.strip().isdigit() else None
