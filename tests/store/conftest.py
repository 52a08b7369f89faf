"""The database every contract test runs over: one parameter a kind of database."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.store import Database, migrate, open_database

SERVER_URL = os.environ.get("PBEM_TEST_POSTGRES")
"""`postgresql+asyncpg://...` of a database whose contents may be thrown away; run with `-n 0`, since all tests share it."""


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'pbem.db'}"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database all steps of which are taken, to be copied: quicker than to take them for each test."""
    file = tmp_path_factory.mktemp("migrated") / "pbem.db"

    async def make() -> None:
        made = open_database(f"sqlite+aiosqlite:///{file}")
        await migrate(made)
        await made.dispose()

    asyncio.run(make())
    return file


@pytest.fixture(params=["sqlite"] + ["postgresql"] * bool(SERVER_URL))
async def database(request: pytest.FixtureRequest, sqlite_url: str, migrated_file: Path) -> AsyncIterator[Database]:
    if request.param == "sqlite":
        opened = open_database(sqlite_url, busy_timeout_seconds=2)
        shutil.copyfile(migrated_file, str(opened.file))
    else:
        opened = open_database(str(SERVER_URL))
        async with opened.writer.begin() as connection:
            await connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            await connection.execute(sa.text("CREATE SCHEMA public"))
        await migrate(opened)
    yield opened
    await opened.dispose()
