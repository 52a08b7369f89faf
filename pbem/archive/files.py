"""Files of a folder that others read meanwhile: each is put in its place whole, and only where it
has changed.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

_LOCK = ".lock"


def write_changed(path: Path, content: bytes) -> bool:
    """Put a file in its place, with its folder; False: it was there already, as it is. Everybody
    may read it, whatever the umask: a web server is somebody else.
    """
    with contextlib.suppress(FileNotFoundError):
        if path.read_bytes() == content:
            return False
    make_folder(path.parent)
    number, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    written = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        written.chmod(0o644)
        written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    return True


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for everybody to read."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)


@contextlib.contextmanager
def alone_at(folder: Path) -> Iterator[None]:
    """Of several processes that change what lies here, one at a time."""
    make_folder(folder)
    with (folder / _LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
