"""What all repositories share: statements in, frozen rows out. No row of SQLAlchemy leaves this
room.

To build a statement takes longer than to run it. What every message and every sweep asks for is
therefore built once, with `bound` in the place of its values.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, Literal, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")


Condition = sa.ColumnElement[bool]


def columns_of(row_type: type[msgspec.Struct], table: sa.Table) -> list[sa.Column[object]]:
    """The columns a row type is made of: its fields are named after them."""
    return [table.c[name] for name in row_type.__struct_fields__]


def made(row_type: type[R], row: Iterable[object]) -> R:
    """A row of the database as a struct; its fields are told in their order."""
    return row_type(**dict(zip(row_type.__struct_fields__, row, strict=True)))


def parted(row: Sequence[object], *row_types: type[msgspec.Struct]) -> list[Any]:
    """A row of several tables: a struct of each (None for a table without a row), and the rest."""
    parts: list[Any] = []
    for row_type in row_types:
        width = len(row_type.__struct_fields__)
        parts.append(made(row_type, row[:width]) if row[0] is not None else None)
        row = row[width:]
    return [*parts, *row]


def bound(name: str) -> sa.BindParameter[Any]:
    """The place of a value in a statement that is built once."""
    return sa.bindparam(name)


def bound_list(name: str) -> sa.BindParameter[Any]:
    """The place of several values behind IN."""
    return sa.bindparam(name, expanding=True)


def given(**like: Any) -> dict[str, Any]:
    """The values that narrow a search: those that are not None."""
    return {name: value for name, value in like.items() if value is not None}


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


class Rows(Generic[R]):
    """The rows of a table as frozen structs, in the order of their keys."""

    def __init__(self, row_type: type[R], table: sa.Table) -> None:
        self.type = row_type
        self.table = table
        self.select: sa.Select[*tuple[Any, ...]] = sa.select(*columns_of(row_type, table))
        self.keys = tuple(table.primary_key)
        self.newest = tuple(key.desc() for key in table.primary_key)


_Kind = Literal["nothing", "one", "several"]


@lru_cache(maxsize=256)
def _rows_like(
    rows: Rows[Any], like: tuple[tuple[str, _Kind], ...], by: tuple[sa.ColumnElement[Any], ...]
) -> sa.Select[*tuple[Any, ...]]:
    """Those rows whose columns have the values bound to their names: nothing, one, or one of
    several; in the order of these columns.
    """
    statement = rows.select.order_by(*by)
    for name, kind in like:
        column = rows.table.c[name]
        if kind == "nothing":
            statement = statement.where(column.is_(None))
        elif kind == "one":
            statement = statement.where(column == bound(name))
        else:
            statement = statement.where(column.in_(bound_list(name)))
    return statement


class Repository:
    """One table (or a small group) within one unit of work."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def _all(self, row_type: type[R], statement: sa.Executable, **values: object) -> list[R]:
        rows = (await self._connection.execute(statement, values)).all()
        return [made(row_type, row) for row in rows]

    async def _one(self, row_type: type[R], statement: sa.Executable, **values: object) -> R | None:
        row = (await self._connection.execute(statement, values)).first()
        return None if row is None else made(row_type, row)

    async def _find(self, rows: Rows[R], *where: Condition, **like: object) -> R | None:
        """The row of which that is true, and whose columns have these values."""
        statement, values = _asked(rows, like, ())
        if where:
            statement = statement.where(*where)
        return await self._one(rows.type, statement, **values)

    async def _list(
        self,
        rows: Rows[R],
        *where: Condition,
        by: Sequence[sa.ColumnElement[Any]] = (),
        limit: int | None = None,
        **like: object,
    ) -> list[R]:
        """The rows of which that is true, and whose columns have these values (one of them, if
        there are several); by their keys, unless another order is given.
        """
        statement, values = _asked(rows, like, tuple(by) or rows.keys)
        if where or limit is not None:
            statement = statement.where(*where).limit(limit)
        return await self._all(rows.type, statement, **values)

    async def _newest(
        self, rows: Rows[R], limit: int, *where: Condition, **like: object
    ) -> list[R]:
        """As `_list`, but at most `limit` rows, the newest first."""
        return await self._list(rows, *where, by=rows.newest, limit=limit, **like)

    async def _value(self, _kind: type[T], statement: sa.Executable, **values: object) -> T | None:
        """The one value that a statement gives; None where it gives none."""
        value: T | None = (await self._connection.execute(statement, values)).scalar_one_or_none()
        return value

    async def _values(self, _kind: type[T], statement: sa.Executable, **values: object) -> list[T]:
        return list((await self._connection.execute(statement, values)).scalars())

    async def _earliest(self, column: sa.ColumnElement[Any], *where: Condition) -> datetime | None:
        """The first instant in the rows of which that is true; None where there are none."""
        return await self._value(datetime, sa.select(sa.func.min(column)).where(*where))

    async def _count(self, table: sa.Table, *where: Condition) -> int:
        return await self._number(sa.select(sa.func.count()).select_from(table).where(*where))

    async def _number(self, statement: sa.Executable, **values: object) -> int:
        value = (await self._connection.execute(statement, values)).scalar_one()
        return int(value)

    async def _changed(self, statement: sa.Update | sa.Delete | sa.Insert, **values: object) -> int:
        """How many rows a statement changed. A compare-and-set won when it is one."""
        return (await self._connection.execute(statement, values)).rowcount

    async def _update(self, table: sa.Table, /, *where: Condition, **values: object) -> int:
        """Change the rows of which that is true; how many."""
        return await self._changed(table.update().where(*where).values(**values))

    async def _update_one(self, table: sa.Table, /, *where: Condition, **values: object) -> bool:
        """As `_update` for one row. False: no row matched."""
        return await self._update(table, *where, **values) == 1

    async def _set(
        self, table: sa.Table, row_id: int, /, *where: Condition, **values: object
    ) -> bool:
        """As `_update_one`, where the row is known by its id."""
        return await self._update_one(table, table.c.id == row_id, *where, **values)

    async def _delete(self, table: sa.Table, *where: Condition) -> int:
        """Delete the rows of which that is true; how many."""
        return await self._changed(table.delete().where(*where))

    async def _put(self, table: sa.Table, unique: Sequence[str] = (), /, **values: object) -> None:
        """Insert a row, or give the one alike in the `unique` columns (those of its key, if none
        are named) these values.
        """
        alike = unique or [column.name for column in table.primary_key]
        others = {name: value for name, value in values.items() if name not in alike}
        insert = insert_into(self._dialect, table).values(values)
        await self._changed(insert.on_conflict_do_update(index_elements=alike, set_=others))

    async def _insert(self, table: sa.Table, **values: object) -> int:
        return await self._number(_insert_returning_id(table), **values)

    async def _insert_once(
        self, table: sa.Table, unique: Sequence[str] = (), /, **values: object
    ) -> int | None:
        """Insert, unless a row alike in the `unique` columns (by any guard of the table, if none
        are named) is there.

        The id, or None when nothing was inserted.
        """
        statement = _unless_there(self._dialect, table, tuple(unique), table.c.id)
        return await self._value(int, statement, **values)

    async def _added(self, table: sa.Table, /, **values: object) -> bool:
        """As `_insert_once`, for tables without an id of their own."""
        return await self._changed(_unless_there(self._dialect, table, ()), **values) == 1

    async def _add_all(
        self, table: sa.Table, rows: Sequence[Mapping[str, object]], unique: Sequence[str] = ()
    ) -> None:
        """Insert several rows by one statement, in their order; one that is there already stays as
        it is.
        """
        if rows:
            statement = _unless_there(self._dialect, table, tuple(unique))
            await self._connection.execute(statement, [dict(row) for row in rows])

    @property
    def _dialect(self) -> str:
        return self._connection.dialect.name

    async def _update_unless_taken(
        self, table: sa.Table, /, *where: Condition, **values: object
    ) -> bool:
        """As `_update_one`, but False also when a uniqueness guard refuses; the unit of work
        continues.
        """
        try:
            async with self._connection.begin_nested():
                return await self._update_one(table, *where, **values)
        except IntegrityError:
            return False


def _asked(
    rows: Rows[Any], like: Mapping[str, object], by: tuple[sa.ColumnElement[Any], ...]
) -> tuple[sa.Select[*tuple[Any, ...]], dict[str, object]]:
    kinds: list[tuple[str, _Kind]] = []
    values: dict[str, object] = {}
    for name, value in like.items():
        if isinstance(value, Collection) and not isinstance(value, str | bytes):
            kinds.append((name, "several"))
            values[name] = list(value)
        else:
            kinds.append((name, "nothing" if value is None else "one"))
            values[name] = value
    return _rows_like(rows, tuple(kinds), by), values
