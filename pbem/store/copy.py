"""Everything of one database into another, empty one: from SQLite to PostgreSQL, or back.

The source is read as it was at one moment; the target is written in one transaction, which is kept
when every table has come out row for row. Both must be of this program's version: the rows are read
and written by today's tables.
"""

from collections.abc import AsyncIterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from pbem.store.columns import Packed
from pbem.store.database import Database
from pbem.store.errors import StoreConflict, StoreTooOld
from pbem.store.migrations import migrate
from pbem.store.tables import metadata
from pbem.store.upgrade import read_version

_BATCH_ROWS = 500
_BATCH_OF_BYTES = 10
"""The most rows with raw mails or pictures in memory at a time; each may have ten megabytes."""


async def copy_database(source: Database, target: Database) -> dict[str, int]:
    """Copy every row; how many rows of each table. Ids, the server's key and all secrets stay what
    they are.

    Raises `StoreTooOld` for a source to be migrated first, and `StoreConflict` for a target that is
    not empty or came out different.
    """
    version = await read_version(source)
    if not version.is_newest:
        raise StoreTooOld(version.taken, version.newest)
    await migrate(target)
    async with source.read() as reading, target.write() as writing:
        return await _copy(reading.connection, writing.connection)


async def _copy(source: AsyncConnection, target: AsyncConnection) -> dict[str, int]:
    for table in metadata.sorted_tables:
        if await _count(target, table):
            raise StoreConflict(
                f"the database to copy into is not empty: there are rows in {table.name}"
            )
    counts = {}
    for table in metadata.sorted_tables:
        async for rows in _batches(source, table):
            await target.execute(table.insert(), rows)
        await _count_on_from_there(target, table)
        counts[table.name] = await _compare(source, target, table)
    return counts


async def _batches(source: AsyncConnection, table: sa.Table) -> AsyncIterator[list[dict[str, Any]]]:
    """The rows in the order of their keys, some at a time; the order is the same on every kind of
    database.
    """
    keys = list(table.primary_key.columns)
    order = [_bytewise(source, key) for key in keys]
    size = (
        _BATCH_OF_BYTES
        if any(isinstance(column.type, sa.LargeBinary | Packed) for column in table.columns)
        else _BATCH_ROWS
    )
    statement = sa.select(*table.columns).order_by(*order).limit(size)
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in await source.execute(statement)]
    while rows:
        yield rows
        last = sa.tuple_(*(sa.literal(rows[-1][key.name], key.type) for key in keys))
        found = await source.execute(statement.where(sa.tuple_(*order) > last))
        rows = [dict(zip(names, row, strict=True)) for row in found]


def _bytewise(source: AsyncConnection, key: sa.Column[Any]) -> sa.ColumnElement[Any]:
    """As SQLite compares texts; PostgreSQL would go by the rules of a language."""
    return (
        sa.collate(key, "C")
        if isinstance(key.type, sa.Text) and source.dialect.name == "postgresql"
        else key
    )


async def _count_on_from_there(target: AsyncConnection, table: sa.Table) -> None:
    """Let new ids continue behind those copied; SQLite does so by itself."""
    if target.dialect.name != "postgresql" or "id" not in table.c:
        return
    sequence = sa.func.pg_get_serial_sequence(table.name, "id")
    last = sa.select(sa.func.max(table.c.id)).scalar_subquery()
    await target.execute(
        sa.select(sa.func.setval(sequence, sa.func.coalesce(last, 1), last.is_not(None)))
    )


async def _compare(source: AsyncConnection, target: AsyncConnection, table: sa.Table) -> int:
    """How many rows both have. They are compared one by one as they come out of the database
    again.
    """
    before, after = _batches(source, table), _batches(target, table)
    count = 0
    async for rows in before:
        if await anext(after, []) != rows:
            raise StoreConflict(f"the table {table.name} came out different")
        count += len(rows)
    if await anext(after, []):
        raise StoreConflict(f"the table {table.name} came out with more rows")
    return count


async def _count(connection: AsyncConnection, table: sa.Table) -> int:
    return int(
        (await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one()
    )
