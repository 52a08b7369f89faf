"""`pbem db`: which version, bringing it forward with a way back, and moving to another kind of
database.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

import pbem.store.migrations
from pbem.store import open_database
from pbem.store.lock import lock_database
from pbem.store.migrations.steps import make_config
from pbem.store.revision import newest_revision
from tests.cli.operator import CONFIG, Operator
from tests.servers.postgres import Postgres

FOLDER = Path(pbem.store.migrations.__file__).parent


def make_old(url: str) -> None:
    """A database of the first version, with one person in it."""

    async def make() -> None:
        database = open_database(url)
        async with database.writer.begin() as connection:
            await connection.run_sync(
                lambda sync: command.upgrade(make_config(FOLDER, sync), "0001")
            )
            await connection.exec_driver_sql(
                "INSERT INTO people (name, locale, time_zone, created_at) VALUES ('Anna', 'en', 'UTC', '2026-01-01 00:00:00')"
            )
        await database.dispose()

    asyncio.run(make())


def with_old(folder: Path, more: str = "") -> Operator:
    operator = Operator.at(folder, CONFIG + more)
    operator.database.parent.mkdir()
    make_old(f"sqlite+aiosqlite:///{operator.database}")
    return operator


def names_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM people WHERE name <> ''")]


def step_of(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_the_version_of_a_database_is_told_and_nothing_is_made(newcomer: Operator) -> None:
    said = newcomer.types("db", "version")
    assert (said.status, said.out) == (
        0,
        f"the database is empty; this program will create it at step {newest_revision()}\n",
    )
    assert not newcomer.database.exists()
    assert newcomer.types("game", "list").status == 0
    assert newcomer.types("db", "version", "--json").json == {
        "taken": newest_revision(),
        "newest": newest_revision(),
    }


def test_an_older_database_is_migrated_by_command_and_kept_as_it_was(tmp_path: Path) -> None:
    operator = with_old(tmp_path)
    said = operator.types("db", "version")
    assert (said.status, said.out) == (
        1,
        f"the database is at step 0001, but this program needs step {newest_revision()}\n",
    )
    copy = tmp_path / "before.sqlite"
    said = operator.types("db", "migrate", "--backup", str(copy))
    assert said.status == 0
    assert (
        said.out
        == f"kept the old database as {copy}\nmigrated the database to step {newest_revision()}\n"
    )
    assert (step_of(copy), names_in(copy)) == ("0001", ["Anna"])
    assert (step_of(operator.database), names_in(operator.database)) == (
        newest_revision(),
        ["Anna"],
    )
    assert (
        operator.types("db", "migrate").out
        == f"the database is at step {newest_revision()}, the newest: nothing to do\n"
    )


def test_a_backup_that_is_there_is_not_overwritten_and_nothing_is_migrated(tmp_path: Path) -> None:
    operator = with_old(tmp_path)
    copy = tmp_path / "before.sqlite"
    copy.write_text("precious")
    assert operator.types("db", "migrate", "--backup", str(copy)).status == 5
    assert (copy.read_text(), step_of(operator.database)) == ("precious", "0001")


def test_any_command_brings_an_older_database_forward_after_copying_it(tmp_path: Path) -> None:
    operator = with_old(tmp_path)
    assert operator.types("game", "list").status == 0
    (copy,) = operator.database.parent.glob(f"pbem.sqlite.before-{newest_revision()}-*")
    assert (step_of(copy), names_in(copy)) == ("0001", ["Anna"])
    assert copy.stat().st_mode & 0o777 == 0o600
    assert step_of(operator.database) == newest_revision()


def test_nothing_is_migrated_by_itself_where_the_operator_wants_to_be_asked(tmp_path: Path) -> None:
    operator = with_old(tmp_path, '\n[database]\nupgrade = "ask"\n')
    said = operator.types("game", "list")
    assert said.status == 1
    assert "pbem db migrate" in said.err
    assert step_of(operator.database) == "0001"
    assert operator.types("db", "migrate").status == 0
    assert operator.types("game", "list").status == 0


def test_a_database_that_is_served_is_neither_migrated_nor_copied(tmp_path: Path) -> None:
    operator = with_old(tmp_path)
    with lock_database(operator.database):
        assert operator.types("db", "migrate").status == 5
        assert (
            operator.types(
                "db", "copy", str(operator.config), f"sqlite+aiosqlite:///{tmp_path}/new.sqlite"
            ).status
            == 5
        )
    assert step_of(operator.database) == "0001"


@pytest.mark.servers
def test_an_older_postgresql_is_migrated_by_command_alone(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.url(postgres.create())
    make_old(url)
    operator = Operator.at(tmp_path, CONFIG + f'\n[database]\nurl = "{url}"\n')
    said = operator.types("game", "list")
    assert said.status == 1
    assert "pbem db migrate" in said.err
    assert operator.types("db", "migrate").status == 5
    assert operator.types("db", "migrate", "--backup", str(tmp_path / "x")).status == 5
    assert operator.types("db", "migrate", "--yes").status == 0
    assert operator.types("game", "list").status == 0
    assert not (tmp_path / "data").exists()


@pytest.mark.long(held_by="tests/store/test_copy.py (every row, byte for byte)")
@pytest.mark.servers
def test_a_game_moves_to_postgresql_and_back_and_can_be_verified_there(
    tmp_path: Path, postgres: Postgres
) -> None:
    operator = Operator.at(tmp_path)
    operator.seat_three()
    assert operator.types("game", "start", "heron").status == 0
    url = postgres.url(postgres.create())
    said = operator.types("db", "copy", str(operator.config), url)
    assert said.status == 0, said.err
    assert said.out.endswith(" rows copied and compared\n")
    (tmp_path / "there").mkdir()
    moved = Operator.at(tmp_path / "there", CONFIG + f'\n[database]\nurl = "{url}"\n')
    assert (
        moved.types("verify", "heron").out
        == "heron: every state and event follows from the seed and the orders\n"
    )
    assert moved.types("game", "list").out == operator.types("game", "list").out
    assert moved.types("game", "new", "crane").status == 0
    assert operator.types("db", "copy", str(operator.config), url).status == 5

    back = tmp_path / "back" / "pbem.sqlite"
    back.parent.mkdir()
    assert operator.types("db", "copy", url, f"sqlite+aiosqlite:///{back}").status == 0
    returned = Operator.at(back.parent, CONFIG.replace('"data"', '"."'))
    assert returned.types("verify", "heron").status == 0
    assert returned.types("game", "list").out == moved.types("game", "list").out


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("mysql://x/y", "sqlite+aiosqlite:///a"), 2, "does not know"),
        (("none.toml", "sqlite+aiosqlite:///a"), 2, "No such file"),
        (("://", "sqlite+aiosqlite:///a"), 2, "no address"),
        (("sqlite+aiosqlite:///a", "sqlite+aiosqlite:///a"), 4, "the same database"),
    ],
)
def test_databases_of_no_use_are_told(
    operator: Operator, words: tuple[str, str], status: int, told: str
) -> None:
    said = operator.types("db", "copy", *words)
    assert said.status == status
    assert told in said.err
