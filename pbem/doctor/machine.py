"""The machine: the database and its disk, and whether boards come out as pictures with letters on
them.
"""

import asyncio
import io
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from engine.chance import Chance
from engine.ruleset import Seat
from pbem.board.board import TableFacts
from pbem.board.raster import Rasteriser
from pbem.desk.ports import Painter
from pbem.desk.upkeep.health import CLOCK_LIMIT, DISK_LIMIT_BYTES, DISK_LONG_BYTES
from pbem.doctor.findings import Finding, broken, ok, warning
from pbem.game import Game
from pbem.mail.library import FIXED_IN, missing_fixes
from pbem.registry import default_game, format_fault, list_games, load_games
from pbem.store.database import Database, open_database
from pbem.store.errors import StoreError
from pbem.store.repositories.marks import DONE, MarkRow
from pbem.store.revision import newest_revision, read_revision

LEAST_INK = 500
"""Pixels that a title of ours changes on a board, at the very least."""


def check_python() -> Finding:
    """Whether Python's mail library has its security fixes."""
    missing = missing_fixes()
    if missing:
        number = ".".join(map(str, sys.version_info[:3]))
        words = f"Python {number} lacks security fixes of its mail library: {', '.join(missing)}"
        return warning(
            "Python", words, f"install Python {FIXED_IN} or newer, and build the environment again"
        )
    return ok("Python", "its mail library has all known security fixes")


async def check_database(url: str, now: datetime) -> list[Finding]:
    """Whether the database opens, is whole, is of this version, and has room; nothing is made or
    migrated.
    """
    database = open_database(url)
    if database.file is not None and not database.file.exists():
        return [
            ok("database", "there is none yet; the first start creates it"),
            _room(_nearest_folder(database.file)),
        ]
    try:
        findings = [await _opened(database, now)]
    except (StoreError, OSError) as error:
        findings = [
            broken(
                "database",
                f"cannot read it: {error}",
                "repair it, or restore a backup: pbem restore FILE",
            )
        ]
    finally:
        await database.dispose()
    if database.file is not None:
        findings += await asyncio.to_thread(
            lambda file: [*_look_into(file), _room(file.parent)], database.file
        )
    return findings


async def _opened(database: Database, now: datetime) -> Finding:
    async with database.read() as work:
        revision, newest = await read_revision(work.connection), newest_revision()
        if revision is None:
            return ok("database", "it is empty; the first start creates its tables")
        if revision != newest:
            return warning(
                "database",
                f"it is at step {revision}, but this program needs {newest}",
                "make a backup; the next start migrates it",
            )
        marks: list[MarkRow] = list((await work.marks.read()).values())
    ahead = [mark.name for mark in marks if mark.name in DONE and mark.at - now > CLOCK_LIMIT]
    if ahead:
        return broken(
            "database",
            "it has entries from the future: this machine's clock is behind",
            "set the clock (chrony, systemd-timesyncd)",
        )
    return ok("database", f"it opens and is at step {newest}")


def _look_into(file: Path) -> Iterator[Finding]:
    """What SQLite itself says about the file."""
    name = "database file"
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
        ) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    except sqlite3.Error as error:
        yield broken(name, f"cannot check it: {error}", "restore a backup: pbem restore FILE")
        return
    if said != "ok":
        yield broken(
            name,
            f"it is damaged: {said}",
            "stop the service and restore a backup: pbem restore FILE",
        )
    elif mode != "wal":
        yield warning(
            name,
            f"it is in {mode} mode, so readers and the service wait for each other",
            "start the service, which sets WAL; a network disk cannot do it",
        )
    else:
        yield ok(name, "it is whole and in WAL mode")


def _nearest_folder(file: Path) -> Path:
    return next(parent for parent in file.absolute().parents if parent.exists())


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    words = f"{free / 1e9:.1f} GB are free"
    if free < DISK_LONG_BYTES:
        return broken("disk", words, "make room at once; without it the service cannot take mail")
    if free < DISK_LIMIT_BYTES:
        return warning(
            "disk", words, "make room; the service deletes old mails after service.keep_raw_days"
        )
    return ok("disk", words)


def check_games(enabled: Sequence[str]) -> Iterator[Finding]:
    """Every game that is installed or named: whether it runs."""
    listed = list_games(enabled, tried=True)
    running = [one.id for one in listed if one.game is not None]
    if running:
        yield ok("games", ", ".join(running))
    else:
        yield broken("games", "no game can run", "install one, or correct games.enabled")
    for one in listed:
        if one.fault is not None:
            unknown = one.fault == "no-such-game"
            mend = (
                "install its package, or take it out of games.enabled"
                if unknown
                else f"repair or remove {one.distribution}"
            )
            yield warning(f"game {one.id}", f"it cannot run: {format_fault(one)}", mend)


async def check_boards(made: Callable[[], Rasteriser] = Rasteriser) -> Finding:
    """Draw a small board twice, with a title and without: what differs is the ink of the
    letters.
    """
    try:
        async with made() as painter:
            titled, plain = await draw_twice(painter, default_game(load_games()), "Realm")
    except ImportError as error:
        return broken(
            "boards and fonts",
            f"the painter cannot start: {error}",
            "apt install libegl1 libgl1 (Debian, Ubuntu), or reinstall the package",
        )
    except (OSError, ValueError, RuntimeError, LookupError) as error:
        return broken(
            "boards and fonts",
            f"cannot draw a board: {error}",
            "reinstall the package, which includes the fonts",
        )
    return judge_boards(titled, plain)


def judge_boards(titled: Image.Image, plain: Image.Image) -> Finding:
    """Whether the two differ by the ink of a title."""
    name = "boards and fonts"
    difference = ImageChops.difference(titled, plain).convert("L")
    ink = sum(difference.point([0] + [255] * 255).histogram()[1:])
    if ink < LEAST_INK:
        return broken(
            name,
            "the board comes out without letters",
            "reinstall the package, which includes the fonts",
        )
    return ok(name, f"can draw a board of {titled.width} x {titled.height} with letters")


async def draw_twice(painter: Painter, kind: Game, title: str) -> tuple[Image.Image, Image.Image]:
    """A board as it lies after set-up, with this title and with none."""
    seats = [
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip("ABC", kind.colours, strict=False), start=1)
    ]
    state: Any = kind.ruleset.setup({}, seats, Chance(bytes(32))).state
    view, phase = kind.ruleset.view(state, None), kind.ruleset.phase(state).kind
    land = await painter.land(kind.board, view, 1, "")
    drawn = [
        await painter.board(kind.board, view, (), land, TableFacts(words, phase))
        for words in (title, " ")
    ]
    titled, plain = (Image.open(io.BytesIO(picture.png)).convert("RGB") for picture in drawn)
    return titled, plain
