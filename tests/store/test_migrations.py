"""Migrations: they make what the tables say, all or nothing, as often as they are called."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from textwrap import indent

import pytest
import sqlalchemy as sa
from alembic import command

import pbem.store.migrations
from pbem.store import Database, StoreConflict, StoreTooNew, migrate, open_database, tables
from pbem.store.migrations import upgrade
from pbem.store.migrations.steps import make_config
from pbem.store.tables import metadata

from .conftest import KINDS, migrate_url
from .filling import ROWS, read_rows, rows_of
from .samples import add_message, start_game

FOLDER = Path(pbem.store.migrations.__file__).parent
ROOT = Path(__file__).parents[2]

SCHEMA = sa.text(
    "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'alembic%'"
)

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "0012"


def upgrade() -> None:
"""

HALF = """
op.create_table("half", sa.Column("id", sa.Integer))
op.execute("UPDATE games SET title = 'changed'")
raise ArithmeticError
"""

REBUILD = """
with op.batch_alter_table("games") as batch:
    batch.alter_column("title", nullable=True)
"""

KILLED = """
import asyncio, os, signal, sys
import sqlalchemy as sa
from pbem.store import migrate, open_database

url, moment = sys.argv[1:]
database = open_database(url)
engine = database.writer.sync_engine

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def look(connection, cursor, statement, *_):
    if moment == "amid letters" and statement.startswith("UPDATE outbox"):
        connection.connection.driver_connection.plain.set_progress_handler(kill, 2000)
    elif statement.lstrip().startswith(moment):
        kill()

sa.event.listen(engine, "before_cursor_execute", look)
if moment == "commit":
    sa.event.listen(engine, "commit", kill)
asyncio.run(migrate(database))
"""

DANGLING = """
op.execute("DELETE FROM games")
"""


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, make_url: Callable[[str], str]) -> str:
    """A database of a test's own: here the tables themselves are changed."""
    url = make_url(request.param)
    asyncio.run(migrate_url(url))
    return url


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the steps, to add one to."""
    return Path(
        shutil.copytree(
            FOLDER, tmp_path / "migrations", ignore=shutil.ignore_patterns("__pycache__")
        )
    )


def add_step(folder: Path, text: str) -> None:
    (folder / "versions" / "9001_of_the_test.py").write_text(STEP + indent(text, "    "))


async def list_tables(database: Database) -> set[str]:
    async with database.read() as work:
        return set(
            await work.connection.run_sync(
                lambda connection: sa.inspect(connection).get_table_names()
            )
        )


async def count_rows(database: Database) -> tuple[int, int]:
    """How many games and how many seats there are."""
    async with database.read() as work:
        games = await work.games.list_by_status()
        return len(games), sum([len(await work.seats.list_of_game(game.id)) for game in games])


async def test_the_steps_make_what_the_tables_say(database: Database) -> None:
    async with database.writer.begin() as connection:
        await connection.run_sync(lambda sync: command.check(make_config(FOLDER, sync)))


async def test_the_steps_make_the_very_schema_of_the_tables(
    sqlite_url: str, tmp_path: Path
) -> None:
    """Alembic compares neither checks nor the conditions of indexes; SQLite keeps the statements
    themselves.
    """
    stepped, made = (
        open_database(sqlite_url),
        open_database(f"sqlite+aiosqlite:///{tmp_path / 'made.db'}"),
    )
    await migrate(stepped)
    async with made.writer.begin() as connection:
        await connection.run_sync(metadata.create_all)
    schemas = []
    for database in (stepped, made):
        async with database.read() as work:
            rows = await work.connection.execute(SCHEMA)
            schemas.append(
                {
                    row["name"]: sorted(
                        line.strip(" \t,").replace('"', "") for line in row["sql"].splitlines()
                    )
                    for row in rows.mappings()
                }
            )
        await database.dispose()
    assert schemas[0] == schemas[1]


async def test_migrating_again_changes_nothing(database: Database) -> None:
    async with database.write() as work:
        await add_message(work)
    await migrate(database)
    await asyncio.gather(migrate(database), migrate(database))
    async with database.read() as work:
        assert await work.inbox.count_by_state() == {"new": 1}


async def test_a_step_that_breaks_half_way_leaves_nothing(database: Database, folder: Path) -> None:
    async with database.write() as work:
        await start_game(work)
    add_step(folder, HALF)
    with pytest.raises(ArithmeticError):
        await upgrade(database, folder)
    assert await list_tables(database) == set(metadata.tables) | {"alembic_version"}
    async with database.read() as work:
        assert [game.title for game in await work.games.list_by_status()] == ["Heron"]
    await migrate(database)


async def test_rebuilding_a_table_keeps_what_refers_to_it(database: Database, folder: Path) -> None:
    async with database.write() as work:
        await start_game(work)
    before = await count_rows(database)
    add_step(folder, REBUILD)
    await upgrade(database, folder)
    assert await count_rows(database) == before
    with pytest.raises(StoreConflict):
        async with database.write() as work:
            await work.gms.add_once(404, 404)


async def test_a_database_of_a_newer_program_is_left_alone(
    database: Database, folder: Path
) -> None:
    add_step(folder, REBUILD)
    await upgrade(database, folder)
    with pytest.raises(StoreTooNew, match="9001"):
        await migrate(database)


async def test_a_step_that_leaves_a_reference_to_nothing_is_not_kept(
    database: Database, folder: Path
) -> None:
    async with database.write() as work:
        await start_game(work)
    before = await count_rows(database)
    add_step(folder, DANGLING)
    with pytest.raises(StoreConflict):
        await upgrade(database, folder)
    assert await count_rows(database) == before


@pytest.mark.parametrize("kind", KINDS)
async def test_a_filled_database_of_the_first_step_keeps_every_row(
    kind: str, make_url: Callable[[str], str]
) -> None:
    database = open_database(make_url(kind))
    first = sa.MetaData()
    async with database.writer.begin() as connection:
        await connection.run_sync(lambda sync: command.upgrade(make_config(FOLDER, sync), "0001"))
        await connection.run_sync(first.reflect)
        for table in first.sorted_tables:
            if table.name != "alembic_version":
                await connection.execute(table.insert(), rows_of(table))
        were = {name: table for name, table in first.tables.items() if name != "alembic_version"}
        before = await read_rows(connection, were)
    await migrate(database)
    for name, column in (("inbox", "raw"), ("states", "body"), ("outbox", "letter")):
        were[name].c[column].type = metadata.tables[name].c[column].type
    async with database.read() as work:
        assert await read_rows(work.connection, were) == before
        assert {
            row[0] for row in await work.connection.execute(sa.text("SELECT ordinal FROM states"))
        } == {0}
        assert [game.join_code for game in await work.games.list_by_status()] == [None] * ROWS
    await database.dispose()


LETTER = '{"html":"<table role=\\"presentation\\" width=\\"100%%\\">%s"}'


async def fill_long(database: Database, count: int) -> None:
    """Rows of the step before there was packing, as that one wrote them."""
    old = sa.MetaData()
    async with database.writer.begin() as connection:
        await connection.run_sync(lambda sync: command.upgrade(make_config(FOLDER, sync), "0011"))
        await connection.run_sync(old.reflect)
        outbox, inbox = old.tables["outbox"], old.tables["inbox"]
        letter, message = rows_of(outbox)[0], rows_of(inbox)[0]
        anew = {"game_id": None, "seat_id": None, "person_id": None, "picture_id": None}
        for number in range(count):
            named = {"message_id": f"<{number}>", "dedupe_key": f"{number}"}
            words = LETTER % f"{number} " * 60
            row = letter | anew | named | {"id": number, "letter": words}
            await connection.execute(outbox.insert(), row)
            raw = b"\0\1 not packed" if number == 0 else f"Subject: {number}\r\n".encode() * 60
            row = message | {"id": number, "message_key": f"{number}", "raw": raw}
            await connection.execute(inbox.insert(), row | {"game_id": None, "seat_id": None})


async def read_long(database: Database) -> tuple[list[str], list[bytes]]:
    """What lies there, read as today."""
    async with database.read() as work:
        letters = await work.connection.scalars(sa.select(tables.outbox.c.letter).order_by("id"))
        raws = await work.connection.scalars(sa.select(tables.inbox.c.raw).order_by("id"))
        return [*letters], [*raws]


def room_of(file: Path) -> int:
    """How long the letters and messages are as they lie in the file."""
    with closing(sqlite3.connect(file)) as connection:
        (letters,) = connection.execute("SELECT sum(length(letter)) FROM outbox").fetchone()
        (raws,) = connection.execute("SELECT sum(length(raw)) FROM inbox").fetchone()
        return int(letters + raws)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_was_written_before_packing_is_read_as_it_was(
    kind: str, make_url: Callable[[str], str]
) -> None:
    database = open_database(make_url(kind))
    await fill_long(database, 20)
    await migrate(database)
    letters, raws = await read_long(database)
    assert letters == [LETTER % f"{number} " * 60 for number in range(20)]
    assert raws[0] == b"\0\1 not packed"
    assert raws[1:] == [f"Subject: {number}\r\n".encode() * 60 for number in range(1, 20)]
    await database.dispose()


@pytest.mark.parametrize(
    "moment",
    [
        "amid letters",
        "DROP TABLE outbox",
        "commit",
    ],
)
async def test_packing_that_is_killed_leaves_the_old_file_and_is_done_by_the_next_start(
    moment: str, sqlite_url: str
) -> None:
    database, file = open_database(sqlite_url), Path(sqlite_url.partition("///")[2])
    await fill_long(database, 200)
    await database.dispose()
    before = room_of(file)
    ended = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", KILLED, sqlite_url, moment],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    assert room_of(file) == before
    await migrate(database)
    letters, raws = await read_long(database)
    assert letters == [LETTER % f"{number} " * 60 for number in range(200)]
    assert raws[199] == b"Subject: 199\r\n" * 60
    assert room_of(file) < before / 5
    await database.dispose()
