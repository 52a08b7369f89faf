"""Rows for every table, made by what their columns are, so that no table is forgotten."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from pbem.store.columns import JsonText, Numbers, Packed, PackedJson, Texts

ROWS = 3
_CHOSEN = {
    "chats.state": "active",
    "press.kind": "public",
    "games.status": "running",
    "addresses.state": "confirmed",
    "seats.status": "active",
    "phases.status": "open",
    "inbox.state": "handled",
    "outbox.state": "sent",
    "notes.state": "passed",
}
"""Columns that allow some words only."""
_BYTES = bytes(range(256))


def rows_of(table: sa.Table) -> list[dict[str, Any]]:
    """Some rows; row i refers to row i of other tables, and its numbers are i."""
    return [
        {column.name: _value(table, column, number) for column in table.columns}
        for number in range(1, ROWS + 1)
    ]


def _value(table: sa.Table, column: sa.Column[Any], number: int) -> object:
    chosen = _CHOSEN.get(f"{table.name}.{column.name}")
    if chosen is not None:
        return chosen
    kind = column.type
    if isinstance(kind, JsonText | PackedJson):
        return f'{{"x": {number}, "ä": "\\u0000"}}'
    if isinstance(kind, Numbers):
        return None if column.nullable and number == 2 else (number, 0)
    if isinstance(kind, Texts):
        return (f"ż {number}", "")
    if isinstance(kind, sa.Boolean):
        return number % 2 == 0
    if isinstance(kind, sa.Integer):
        return number
    if isinstance(kind, sa.LargeBinary | Packed):
        return _BYTES * number
    if isinstance(kind, sa.Text):
        return f"{table.name} {column.name} {number} \U0001f409"
    return datetime(2026, 3, 2, 12, 30, 1, 123_456, UTC) + timedelta(days=number)


async def read_rows(
    connection: Any, tables: Mapping[str, sa.Table]
) -> dict[str, list[tuple[object, ...]]]:
    """Everything in these tables, in an order that says nothing of the database."""
    return {
        name: sorted(
            (tuple(row) for row in await connection.execute(sa.select(*table.columns))), key=repr
        )
        for name, table in tables.items()
    }
