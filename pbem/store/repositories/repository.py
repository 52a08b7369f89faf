"""What all repositories share: statements in, frozen rows out. No row of SQLAlchemy leaves this
room.

To build a statement takes longer than to run it. What every message and every sweep asks for is
therefore built once, with `bound` in the place of its values.
"""

from collections.abc import Sequence
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

    async def _changed(self, statement: sa.Update | sa.Delete | sa.Insert) -> int:
        """How many rows a statement changed. A compare-and-set won when it is one."""
        return (await self._connection.execute(statement)).rowcount

    async def _insert(self, table: sa.Table, **values: object) -> int:
        return await self._number(table.insert().values(**values).returning(table.c.id))

    async def _insert_once(
        self, table: sa.Table, unique: Sequence[str], **values: object
    ) -> int | None:
        """Insert, unless a row alike in the `unique` columns (by any guard of the table, if none
        are named) is there.

        The id, or None when nothing was inserted.
        """
        statement = self._unless_there(table, unique, values).returning(table.c.id)
        found = (await self._connection.execute(statement)).scalar_one_or_none()
        return None if found is None else int(found)

    async def _row_once(
        self, row_type: type[R], table: sa.Table, unique: Sequence[str], **values: object
    ) -> R | None:
        """As `_insert_once`; the row itself as it was kept."""
        statement = self._unless_there(table, unique, values).returning(
            *columns_of(row_type, table)
        )
        row = (await self._connection.execute(statement)).first()
        return None if row is None else row_type(*row)

    async def _added(self, table: sa.Table, unique: Sequence[str], **values: object) -> bool:
        """As `_insert_once`, for tables without an id of their own."""
        return (
            await self._connection.execute(self._unless_there(table, unique, values))
        ).rowcount == 1

    def _unless_there(
        self, table: sa.Table, unique: Sequence[str], values: dict[str, object]
    ) -> sqlite.Insert | postgresql.Insert:
        insert = self._insert_into(table).values(**values)
        return insert.on_conflict_do_nothing(index_elements=unique or None)

    def _insert_into(self, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
        """The dialect's own insert, which knows what to do where a row is there already."""
        if self._connection.dialect.name == "postgresql":
            return postgresql.insert(table)
        return sqlite.insert(table)

    async def _changed_unless_taken(self, statement: sa.Update) -> bool:
        """As `_changed`, but False also when a uniqueness guard refuses; the unit of work goes
        on.
        """
        try:
            async with self._connection.begin_nested():
                return await self._changed(statement) == 1
        except IntegrityError:
            return False
