"""A folder of files that we wrote, and those of others: each of ours is written whole or not at
all, only what changed is written, and only what we wrote earlier is taken away.
"""

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

MANIFEST = ".archive.json"
"""The list of the files that are ours, by which the next archive knows them."""


@dataclass(frozen=True, slots=True)
class Change:
    """Paths of what was written again and of what was taken away."""

    written: tuple[str, ...]
    removed: tuple[str, ...]


def read_files(folder: Path, paths: Iterable[str]) -> Mapping[str, bytes]:
    """Those of these files that are there and ours."""
    ours = _manifest(folder)
    return {path: (folder / path).read_bytes() for path in paths if path in ours}


def write_files(folder: Path, files: Mapping[str, bytes]) -> Change:
    """Make the folder hold exactly these files of ours, in their order: a file comes after those it
    refers to. Readers see each file whole, old or new. OSError if the folder cannot be written.
    """
    make_folder(folder)
    earlier = _manifest(folder)
    _note(folder, {*earlier, *files})  # so that nothing is forgotten if this ends early
    written = []
    for path, content in files.items():
        if not _is_inside(path):
            raise ValueError(f"{path!r} is no path within a folder")
        target = folder / path
        if not target.is_file() or target.read_bytes() != content:
            make_folder(target.parent)
            _replace(target, content)
            written.append(path)
    removed = sorted(earlier - files.keys())
    for path in removed:
        (folder / path).unlink(missing_ok=True)
    for parent in sorted({(folder / path).parent for path in removed}, reverse=True):
        if parent != folder and not any(parent.iterdir()):
            parent.rmdir()
    _note(folder, set(files))
    return Change(tuple(written), tuple(removed))


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for everybody to read whatever the umask:
    a web server is somebody else.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)


def remove_files(folder: Path) -> None:
    """Take away all files of ours, and the folder if nothing else is in it."""
    if not folder.exists():
        return
    write_files(folder, {})
    (folder / MANIFEST).unlink()
    if not any(folder.iterdir()):
        folder.rmdir()


def _manifest(folder: Path) -> frozenset[str]:
    """The files of an earlier archive that are still there. A list that names anything outside the
    folder is not ours.
    """
    try:
        found = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=list[str])
    except (FileNotFoundError, msgspec.MsgspecError):
        return frozenset()
    return frozenset(path for path in found if _is_inside(path) and (folder / path).is_file())


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts


def _note(folder: Path, paths: set[str]) -> None:
    _replace(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(sorted(paths)), indent=1))


def _replace(target: Path, content: bytes) -> None:
    """Write through a second file, which then takes its place at once."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
