"""What all repositories share: statements in, frozen rows out. No row of SQLAlchemy leaves this
room.

To build a statement takes longer than to run it. What every message and every sweep asks for is
therefore built once, with `bound` in the place of its values.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

R = TypeVar("R", bound=msgspec.Struct)


def columns_of(row_type: type[msgspec.Struct], table: sa.Table) -> list[sa.Column[object]]:
    """The columns a row type is made of: its fields are named after them."""
    return [table.c[name] for name in row_type.__struct_fields__]


def bound(name: str) -> sa.BindParameter[Any]:
    """The place of a value in a statement that is built once."""
    return sa.bindparam(name)


def bound_list(name: str) -> sa.BindParameter[Any]:
    """The place of several values behind IN."""
    return sa.bindparam(name, expanding=True)


def insert_into(dialect: str, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """The dialect's own insert, which knows what to do where a row is there already."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


@lru_cache(maxsize=256)
def _unless_there(
    dialect: str, table: sa.Table, unique: tuple[str, ...], *returning: sa.Column[Any]
) -> sa.Insert:
    """An insert that does nothing where a row alike is there."""
    insert = insert_into(dialect, table).on_conflict_do_nothing(index_elements=unique or None)
    return insert.returning(*returning) if returning else insert


@lru_cache(maxsize=64)
def _insert_returning_id(table: sa.Table) -> sa.Insert:
    return table.insert().returning(table.c.id)


class Repository:
    """One table (or a small group) within one unit of work."""

    __slots__ = ("_connection",)

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def _all(self, row_type: type[R], statement: sa.Executable, **values: object) -> list[R]:
        return [row_type(*row) for row in await self._connection.execute(statement, values)]

    async def _one(self, row_type: type[R], statement: sa.Executable, **values: object) -> R | None:
        row = (await self._connection.execute(statement, values)).first()
        return None if row is None else row_type(*row)

    async def _number(self, statement: sa.Executable, **values: object) -> int:
        value = (await self._connection.execute(statement, values)).scalar_one()
        return int(value)

    async def _changed(self, statement: sa.Update | sa.Delete | sa.Insert, **values: object) -> int:
        """How many rows a statement changed. A compare-and-set won when it is one."""
        return (await self._connection.execute(statement, values)).rowcount

    async def _insert(self, table: sa.Table, **values: object) -> int:
        return await self._number(_insert_returning_id(table), **values)

    async def _insert_once(
        self, table: sa.Table, unique: Sequence[str], **values: object
    ) -> int | None:
        """Insert, unless a row alike in the `unique` columns (by any guard of the table, if none
        are named) is there.

        The id, or None when nothing was inserted.
        """
        statement = _unless_there(self._dialect, table, tuple(unique), table.c.id)
        found = (await self._connection.execute(statement, values)).scalar_one_or_none()
        return None if found is None else int(found)

    async def _added(self, table: sa.Table, unique: Sequence[str], **values: object) -> bool:
        """As `_insert_once`, for tables without an id of their own."""
        statement = _unless_there(self._dialect, table, tuple(unique))
        return (await self._connection.execute(statement, values)).rowcount == 1

    async def _add_all(
        self, table: sa.Table, unique: Sequence[str], rows: Sequence[Mapping[str, object]]
    ) -> None:
        """Insert several rows by one statement, in their order; one that is there already stays as
        it is.
        """
        if rows:
            await self._connection.execute(
                _unless_there(self._dialect, table, tuple(unique)), [dict(row) for row in rows]
            )

    @property
    def _dialect(self) -> str:
        return self._connection.dialect.name

    async def _changed_unless_taken(self, statement: sa.Update) -> bool:
        """As `_changed`, but False also when a uniqueness guard refuses; the unit of work
        continues.
        """
        try:
            async with self._connection.begin_nested():
                return await self._changed(statement) == 1
        except IntegrityError:
            return False
