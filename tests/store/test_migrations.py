"""Migrations: they make what the tables say, all or nothing, as often as they are called."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest
import sqlalchemy as sa
from alembic import command

import pbem.store.migrations
from pbem.store import Database, StoreConflict, StoreTooNew, migrate, open_database
from pbem.store.migrations import upgrade
from pbem.store.migrations.steps import make_config
from pbem.store.tables import metadata

from .conftest import KINDS, migrate_url
from .filling import ROWS, read_rows, rows_of
from .samples import add_message, start_game

FOLDER = Path(pbem.store.migrations.__file__).parent

SCHEMA = sa.text(
    "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'alembic%'"
)

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "0011"


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
        tables = {name: table for name, table in first.tables.items() if name != "alembic_version"}
        before = await read_rows(connection, tables)
    await migrate(database)
    async with database.read() as work:
        assert await read_rows(work.connection, tables) == before
        assert {
            row[0] for row in await work.connection.execute(sa.text("SELECT ordinal FROM states"))
        } == {0}
        assert [game.join_code for game in await work.games.list_by_status()] == [None] * ROWS
    await database.dispose()
