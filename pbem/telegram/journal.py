"""A second copy of what came from Telegram, which gives no message twice: a restored database has
no other source.

One file a day next to the database, one line an update. Each line is on the disk before we tell
Telegram that we have it.
"""

import fcntl
import hashlib
import os
from collections import deque
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from pathlib import Path

import msgspec
import structlog

from pbem.telegram.ports import StoredUpdate

KEPT = timedelta(days=31)
"""As long as the backups of every night."""
_PREFIX, _ENDING = "chat-", ".jsonl"
_MOST_OCTETS = 16 * 1024 * 1024

_log = structlog.get_logger("journal")


class _Line(msgspec.Struct, frozen=True):
    """`owner` names the database, so that another one in the same folder does not read its
    updates.
    """

    owner: str
    id: int
    at: datetime
    raw: bytes


class ChatJournal:
    """The journal of one database in a folder; `key` is the database's own, which its backups
    share.
    """

    def __init__(self, folder: Path, key: bytes, *, kept: timedelta = KEPT) -> None:
        self._folder = folder
        self._owner = hashlib.sha256(b"chat journal|" + key).hexdigest()[:16]
        self._kept = kept

    def append(self, *updates: StoredUpdate) -> None:
        """Write updates down, and wait until they are on the disk, all of a day at once. Raises
        OSError.
        """
        for day, of_day in groupby(
            updates, lambda update: update.received_at.astimezone(UTC).date()
        ):
            self._append(day, b"".join(self._line_of(update) for update in of_day))

    def _line_of(self, update: StoredUpdate) -> bytes:
        return (
            msgspec.json.encode(
                _Line(self._owner, update.update_id, update.received_at, update.raw)
            )
            + b"\n"
        )

    def _append(self, day: date, lines: bytes) -> None:
        file = self._file_of(day)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_new = not file.exists()
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            size = os.fstat(handle).st_size
            if (
                size and os.pread(handle, 1, size - 1) != b"\n"
            ):  # somebody died in the middle of a line
                lines = b"\n" + lines
            _write_all(handle, lines)
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            _sync_folder(self._folder)
            self._drop_before(day - self._kept)

    def newest(self) -> StoredUpdate | None:
        """The last one written down; None where there is none."""
        for file in reversed(self._files()):
            last = deque(self._read(file), maxlen=1)
            if last:
                return last[0]
        return None

    def since(self, instant: datetime) -> Iterator[StoredUpdate]:
        """Everything that came at that instant or later, as it came."""
        first = self._file_of(instant.astimezone(UTC).date()).name
        for file in self._files():
            if file.name >= first:
                yield from (update for update in self._read(file) if update.received_at >= instant)

    def _read(self, file: Path) -> Iterator[StoredUpdate]:
        with file.open("rb") as lines:
            while text := lines.readline(_MOST_OCTETS):
                try:
                    line = msgspec.json.decode(text, type=_Line)
                except (
                    msgspec.MsgspecError
                ):  # half of one, from a death: Telegram was not told, and gave it once more
                    _log.warning("journal-line-unreadable", file=file.name, octets=len(text))
                    continue
                if line.owner == self._owner:
                    yield StoredUpdate(line.id, line.raw, line.at)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob(f"{_PREFIX}*{_ENDING}"))

    def _file_of(self, day: date) -> Path:
        return self._folder / f"{_PREFIX}{day.isoformat()}{_ENDING}"

    def _drop_before(self, day: date) -> None:
        for file in self._files():
            if file.name < self._file_of(day).name:
                file.unlink(missing_ok=True)


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
