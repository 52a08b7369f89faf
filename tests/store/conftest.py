"""The database every contract test runs over: once on SQLite, once on a PostgreSQL that the tests
start.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from pbem.store import Database, migrate, open_database
from pbem.store.tables import metadata
from tests.servers.postgres import Postgres

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)]

EMPTY = "; ".join(
    [
        *(str(table.delete()) for table in reversed(metadata.sorted_tables)),
        *(
            f"SELECT setval('{table.name}_id_seq', 1, false)"
            for table in metadata.sorted_tables
            if "id" in table.c
        ),
    ]
)
"""Every row gone, and every id counted from 1 again."""


async def migrate_url(url: str) -> None:
    """Take all steps."""
    made = open_database(url)
    await migrate(made)
    await made.dispose()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'pbem.db'}"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database all steps of which are taken, to be copied: quicker than to take them for each
    test.
    """
    file = tmp_path_factory.mktemp("migrated") / "pbem.db"
    asyncio.run(migrate_url(f"sqlite+aiosqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def migrated_name(postgres: Postgres) -> str:
    """The same on the server."""
    name = postgres.create()
    asyncio.run(migrate_url(postgres.url(name)))
    return name


@pytest.fixture
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes empty databases of a kind that last as long as the test; says where."""
    made: list[str] = []

    def make(kind: str) -> str:
        if kind == "sqlite":
            return f"sqlite+aiosqlite:///{tmp_path / f'made-{len(list(tmp_path.iterdir()))}.db'}"
        server: Postgres = request.getfixturevalue("postgres")
        made.append(server.create())
        return server.url(made[-1])

    yield make
    for name in made:
        request.getfixturevalue("postgres").drop(name)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, sqlite_url: str) -> str:
    """A database of today with nothing in it. That on the server is one for all tests, emptied each
    time: much quicker than to copy it.
    """
    if request.param == "sqlite":
        shutil.copyfile(request.getfixturevalue("migrated_file"), sqlite_url.partition("///")[2])
        return sqlite_url
    server: Postgres = request.getfixturevalue("postgres")
    name: str = request.getfixturevalue("migrated_name")
    server.sql(EMPTY, name)
    return server.url(name)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    opened = open_database(database_url, busy_timeout_seconds=5)
    yield opened
    await opened.dispose()
