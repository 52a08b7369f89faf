"""One service process per data directory: SQLite's writers queue within one process, and only one clock may tick."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.store.errors import AlreadyServed

LOCK_NAME = "pbem.lock"


@contextmanager
def lock_directory(directory: Path) -> Iterator[Path]:
    """Hold the data directory till the block ends, or the process does, however it ends. Raises `AlreadyServed`; yields the lock file.

    The file stays behind: removing it would let two processes hold two files of one name.
    """
    path = directory / LOCK_NAME
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyServed(path, _parse_pid(os.read(handle, 32))) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield path
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _parse_pid(text: bytes) -> int | None:
    return int(text) if text.strip().isdigit() else None
