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
from pbem.board.board import TableFacts
from pbem.board.raster import Rasteriser
from pbem.desk.ports import Painter
from pbem.desk.upkeep.health import CLOCK_LIMIT, DISK_LIMIT_BYTES, DISK_LONG_BYTES
from pbem.doctor.findings import found
from pbem.findings import Finding
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
        return found("python-old", number=number, missing=", ".join(missing), fixed_in=FIXED_IN)
    return found("python")


async def check_database(url: str, now: datetime) -> list[Finding]:
    """Whether the database opens, is whole, is of this version, and has room; nothing is made or
    migrated.
    """
    database = open_database(url)
    if database.file is not None and not database.file.exists():
        return [found("database-to-come"), _room(_nearest_folder(database.file))]
    try:
        findings = [await _opened(database, now)]
    except (StoreError, OSError) as error:
        findings = [found("database-unread", error=error)]
    finally:
        await database.dispose()
    if database.file is not None:
        findings += await asyncio.to_thread(
            lambda file: [_look_into(file), _room(file.parent)], database.file
        )
    return findings


async def _opened(database: Database, now: datetime) -> Finding:
    async with database.read() as work:
        revision, newest = await read_revision(work.connection), newest_revision()
        if revision is None:
            return found("database-empty")
        if revision != newest:
            return found("database-older", revision=revision, newest=newest)
        marks: list[MarkRow] = list((await work.marks.read()).values())
    ahead = [mark.name for mark in marks if mark.name in DONE and mark.at - now > CLOCK_LIMIT]
    return found("database-ahead") if ahead else found("database", newest=newest)


def _look_into(file: Path) -> Finding:
    """What SQLite itself says about the file."""
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
        ) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    except sqlite3.Error as error:
        return found("file-unread", error=error)
    if said != "ok":
        return found("file-damaged", said=said)
    return found("file") if mode == "wal" else found("file-mode", mode=mode)


def _nearest_folder(file: Path) -> Path:
    return next(parent for parent in file.absolute().parents if parent.exists())


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    is_low = free < DISK_LIMIT_BYTES
    code = "disk-full" if free < DISK_LONG_BYTES else "disk-low" if is_low else "disk"
    return found(code, free=free / 1e9)


def check_games(enabled: Sequence[str]) -> Iterator[Finding]:
    """Every game that is installed or named: whether it runs."""
    listed = list_games(enabled, tried=True)
    running = [one.id for one in listed if one.game is not None]
    yield found("games", running=", ".join(running)) if running else found("no-games")
    for one in listed:
        if one.fault is not None:
            code = "game-unknown" if one.fault == "no-such-game" else "game-faulty"
            fault, package = format_fault(one), one.distribution
            yield found(code, id=one.id, fault=fault, distribution=package)


async def check_boards(made: Callable[[], Rasteriser] = Rasteriser) -> Finding:
    """Draw a small board twice, with a title and without: what differs is the ink of the
    letters.
    """
    try:
        async with made() as painter:
            titled, plain = await draw_twice(painter, default_game(load_games()), "Realm")
    except ImportError as error:
        return found("no-painter", error=error)
    except (OSError, ValueError, RuntimeError, LookupError) as error:
        return found("no-board", error=error)
    return judge_boards(titled, plain)


def judge_boards(titled: Image.Image, plain: Image.Image) -> Finding:
    """Whether the two differ by the ink of a title."""
    difference = ImageChops.difference(titled, plain).convert("L")
    ink = sum(difference.point([0] + [255] * 255).histogram()[1:])
    if ink < LEAST_INK:
        return found("no-letters")
    return found("board", width=titled.width, height=titled.height)


async def draw_twice(painter: Painter, kind: Game, title: str) -> tuple[Image.Image, Image.Image]:
    """A board as it lies after set-up, with this title and with none."""
    state: Any = kind.ruleset.setup({}, kind.few_seats, Chance(bytes(32))).state
    view, phase = kind.ruleset.view(state, None), kind.ruleset.phase(state).kind
    land = await painter.land(kind.board, view, 1, "")
    drawn = [
        await painter.board(kind.board, view, (), land, TableFacts(words, phase))
        for words in (title, " ")
    ]
    titled, plain = (Image.open(io.BytesIO(picture.png)).convert("RGB") for picture in drawn)
    return titled, plain
