"""A table with all its rows, copied in SQL as often as wanted: five hundred tables due at once, ten
thousand games that ended.

Ids and the columns that point to them are moved by the same step a copy, what must be one of its
kind (slugs, addresses, codes) gets the copy's number, people are copied with their table, the
masters of the house are not. The letters of the phases before the last and their pictures stay
behind, which nobody reads again.
"""

import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

NOT_COPIED = {"alembic_version", "masters", "secrets", "marks"}
OF_MASTERS = "SELECT person_id FROM masters"
ADDRESSES_OF_MASTERS = f"SELECT address FROM addresses WHERE person_id IN ({OF_MASTERS})"  # noqa: S608
LAST_LETTERS = "SELECT max(id) FROM outbox GROUP BY seat_id, kind"
WORDS: Mapping[tuple[str, str], str] = {
    ("games", "slug"): "slug || '-' || n",
    ("games", "title"): "title || ' ' || n",
    ("games", "join_code"): "join_code || n",
    ("games", "seed"): "printf('%064x', n)",
    ("games", "land"): "another_land(land, n)",
    ("invitations", "nonce"): "nonce || '.' || n",
    ("outbox", "message_id"): "'<' || n || '.' || substr(message_id, 2)",
    ("outbox", "dedupe_key"): "dedupe_key || ':' || n",
    ("addresses", "address"): "n || '.' || address",
    (
        "outbox",
        "address",
    ): f"CASE WHEN address IN ({ADDRESSES_OF_MASTERS}) THEN address ELSE n || '.' || address END",
}
"""What a column says in copy `n`."""


def copy_table(file: Path, first: int, last: int) -> int:
    """Copies number `first` to `last` of the one table in this file; the step between the ids of
    one copy and the next: the row with the id 7 is 7 + n times the step in copy `n`.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.create_function("another_land", 2, another_land, deterministic=True)
        connection.execute("PRAGMA synchronous=OFF")
        step = 1 + max(
            connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]  # noqa: S608
            for table in _tables(connection)
            if "id" in _columns(connection, table)
        )
        with connection:
            for table in _tables(connection):
                if table not in NOT_COPIED:
                    connection.execute(_copying(connection, table), (first, last, step))
    return int(step)


def another_land(land: bytes | None, number: int) -> bytes | None:
    """The same ground by another name: what is kept of one land serves no other table."""
    if not land:
        return land
    told = msgspec.msgpack.decode(zlib.decompress(land))
    return zlib.compress(msgspec.msgpack.encode(told | {"seed": number}), 6)


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def _copying(connection: sqlite3.Connection, table: str) -> str:
    """The statement; its values are the first copy, the last, and the step."""
    pointing = {row[3]: row[2] for row in connection.execute(f"PRAGMA foreign_key_list({table})")}
    columns = _columns(connection, table)
    values = []
    for column in columns:
        if (table, column) in WORDS:
            values.append(WORDS[table, column])
        elif pointing.get(column) == "people":
            values.append(
                f"CASE WHEN {column} IN ({OF_MASTERS}) THEN {column} ELSE {column} + n * ?3 END"
            )
        elif column in ("id", "game_id") or (column in pointing and column != "phase_number"):
            values.append(f"{column} + n * ?3")
        else:
            values.append(column)
    return (  # our own names
        "WITH RECURSIVE copies(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?2)"  # noqa: S608
        f" INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)}"
        f" FROM (SELECT * FROM {table} WHERE {_which(table, columns)}) CROSS JOIN copies"
    )


def _which(table: str, columns: list[str]) -> str:
    """The rows of the one table, but those of `NOT_COPIED` and what nobody reads again."""
    if table == "people":
        return f"id NOT IN ({OF_MASTERS})"
    if table == "addresses":
        return f"person_id NOT IN ({OF_MASTERS})"
    if table == "outbox":
        return f"id IN ({LAST_LETTERS})"
    if table == "pictures":
        return f"id IN (SELECT picture_id FROM outbox WHERE id IN ({LAST_LETTERS}))"  # noqa: S608
    return "1"
