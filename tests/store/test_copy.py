"""Copying one database into another keeps every row of every table, and new rows go on behind
them.
"""

from collections.abc import Callable

import pytest

from pbem.store import Database, StoreConflict, migrate, open_database
from pbem.store.copy import copy_database
from pbem.store.errors import StoreTooOld
from pbem.store.tables import metadata

from .conftest import KINDS
from .filling import ROWS, read_rows, rows_of
from .samples import add_game, add_message

BOTH_WAYS = pytest.mark.parametrize(
    ("from_kind", "to_kind"),
    [
        pytest.param("sqlite", "postgresql", marks=pytest.mark.servers),
        pytest.param("postgresql", "sqlite", marks=pytest.mark.servers),
    ],
)


async def fill(database: Database) -> None:
    async with database.writer.begin() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(table.insert(), rows_of(table))


@BOTH_WAYS
async def test_every_row_of_every_table_is_copied_byte_for_byte(
    from_kind: str, to_kind: str, make_url: Callable[[str], str]
) -> None:
    source, target = open_database(make_url(from_kind)), open_database(make_url(to_kind))
    await migrate(source)
    await fill(source)
    assert await copy_database(source, target) == {
        table.name: ROWS for table in metadata.sorted_tables
    }
    async with source.read() as before, target.read() as after:
        assert await read_rows(after.connection, metadata.tables) == await read_rows(
            before.connection, metadata.tables
        )
    async with target.write() as work:
        assert await add_message(work, "new") == ROWS + 1
        assert await add_game(work, "crane") == ROWS + 1
    with pytest.raises(StoreConflict, match="not empty"):
        await copy_database(source, target)
    await source.dispose()
    await target.dispose()


@pytest.mark.parametrize("kind", KINDS)
async def test_only_a_source_of_today_is_copied(kind: str, make_url: Callable[[str], str]) -> None:
    source, target = open_database(make_url(kind)), open_database(make_url("sqlite"))
    with pytest.raises(StoreTooOld):
        await copy_database(source, target)
    await source.dispose()
    await target.dispose()


@pytest.mark.long(held_by="tests/store/test_backup.py (nothing is left out)")
async def test_many_rows_come_in_batches_and_none_is_left_out(
    make_url: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.store.copy._BATCH_ROWS", 2)
    monkeypatch.setattr("pbem.store.copy._BATCH_OF_BYTES", 1)
    source, target = open_database(make_url("sqlite")), open_database(make_url("sqlite") + "2")
    await migrate(source)
    await fill(source)
    assert sum((await copy_database(source, target)).values()) == ROWS * len(metadata.tables)
    async with source.read() as before, target.read() as after:
        assert await read_rows(after.connection, metadata.tables) == await read_rows(
            before.connection, metadata.tables
        )
    await source.dispose()
    await target.dispose()
