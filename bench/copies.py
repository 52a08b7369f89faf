"""A table with all its rows, copied in SQL any number of times: five hundred tables due at once,
ten thousand games that ended; or made longer by its own past.

Each copy moves the ids and the columns that point to them by the same step. What must be unique
(slugs, addresses, codes) gets the copy's number. People are copied with their table, the masters of
the house are not. Of the letters, each seat's last of a kind is copied, with its picture.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from bench.table import (
    POLICY,
    WRITERS,
    Prepared,
    StandingClock,
    address_of,
    open_services,
    prepare,
    read_table,
    store_orders,
)
from pbem.desk.envelope.recipients import seat_token
from pbem.desk.table import OpenTable
from pbem.mail.tokens import format_reply_address
from pbem.registry import load_games

NOT_COPIED = {"alembic_version", "masters", "secrets", "marks"}
OF_MASTERS = "SELECT person_id FROM masters"
TO_MASTERS = f"SELECT address FROM addresses WHERE person_id IN ({OF_MASTERS})"  # noqa: S608
LAST_LETTERS = "SELECT max(id) FROM outbox GROUP BY seat_id, kind"
PICTURES = f"SELECT picture_id FROM outbox WHERE id IN ({LAST_LETTERS})"  # noqa: S608
ROWS: Mapping[str, str] = {
    "people": f"id NOT IN ({OF_MASTERS})",
    "addresses": f"person_id NOT IN ({OF_MASTERS})",
    "outbox": f"id IN ({LAST_LETTERS})",
    "pictures": f"id IN ({PICTURES})",
}
"""Which rows are copied; of other tables all."""
Words = Mapping[tuple[str, str], str]
WORDS: Words = {
    ("games", "slug"): "slug || '-' || n",
    ("games", "title"): "title || ' ' || n",
    ("games", "join_code"): "join_code || n",
    ("games", "seed"): "printf('%064x', n)",
    ("games", "land"): "another_land(land, n)",
    ("invitations", "nonce"): "nonce || '.' || n",
    ("outbox", "message_id"): "'<' || n || '.' || substr(message_id, 2)",
    ("outbox", "dedupe_key"): "dedupe_key || ':' || n",
    ("addresses", "address"): "n || '.' || address",
    ("outbox", "address"): f"iif(address IN ({TO_MASTERS}), address, n || '.' || address)",
}
"""What a column says in copy `n`."""
PHASED = {"phases": "number", **dict.fromkeys(("states", "events", "orders"), "phase_number")}
"""What a table has of each of its phases, and the column that says of which."""


@dataclass(frozen=True, slots=True)
class One:
    """A file with one table, everybody's orders stored, all letters sent."""

    file: Path
    table: OpenTable
    key: bytes
    prepared: Prepared

    @property
    def game_id(self) -> int:
        return self.table.game.id

    @property
    def deadline(self) -> datetime:
        assert self.table.phase is not None
        return self.table.phase.deadline

    def writers(self, copies: Iterable[int], step: int) -> list[tuple[str, str, str]]:
        """Who can write at these copies: address, reply address, orders. Who passes writes
        nothing.
        """
        rules, found = self.table.kind.ruleset, []
        for copy in copies:
            for number, orders in self.prepared.plans.items():
                seat = self.table.seat(number)
                there = msgspec.structs.replace(seat, id=seat.id + copy * step)
                reply_to = format_reply_address(
                    POLICY.address, seat_token(self.key, there, self.prepared.phase_number)
                )
                words = "\n".join(rules.format_order(self.table.state, order) for order in orders)
                if words:
                    found.append((f"{copy}.{address_of(seat.name)}", reply_to, words))
        return found


async def one_table(folder: Path) -> One:
    """Play one."""
    games = load_games()
    prepared = await prepare(folder, games)
    clock = StandingClock(prepared.opened_at)
    async with open_services(prepared.file, games, clock) as services:
        table, key = await read_table(services), services.key
        await store_orders(services, table, {number: prepared.plans[number] for number in WRITERS})
    with closing(sqlite3.connect(prepared.file)) as connection, connection:
        connection.execute("UPDATE outbox SET state = 'sent', sent_at = created_at")
    return One(prepared.file, table, key, prepared)


def copy_table(file: Path, copies: int, words: Words = WORDS) -> int:
    """Copies 1 to `copies` of the one table in this file; the step between the ids of one copy and
    the next: the row with the id 7 is 7 + n times the step in copy `n`.
    """
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.create_function("another_land", 2, another_land, deterministic=True)
        connection.execute("PRAGMA synchronous=OFF")
        step = _step(connection)
        for table in _tables(connection):
            if table not in NOT_COPIED:
                values = _moved(connection, table, words)
                _copy(connection, table, values, copies, step, ROWS.get(table, "1"))
    return step


def put_off(file: Path, first_game: int) -> None:
    """The tables from this one on are due three days later."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "UPDATE phases SET deadline = datetime(deadline, '+3 days') || '.000000'"
            " WHERE status = 'open' AND game_id >= ?",
            (first_game,),
        )


def remind(file: Path) -> None:
    """Everybody at these tables was reminded when it was time to."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "UPDATE phases SET reminders_sent = ? WHERE status = 'open'",
            (len(POLICY.remind_hours),),
        )


def lengthen(file: Path, times: int) -> int:
    """Everything that lies behind the one table once more, and so often; the number of its open
    phase from now on.
    """
    with closing(sqlite3.connect(file)) as connection, connection:
        (number,) = connection.execute("SELECT phase_number FROM games").fetchone()
        step = _step(connection)
        for table, column in (*PHASED.items(), ("games", "phase_number")):
            connection.execute(
                f"UPDATE {table} SET {column} = {column} + ? WHERE {column} = ?",  # noqa: S608
                (number * times, number),
            )
        for table, column in PHASED.items():
            values = {column: f"{column} + n * {number}", "id": "id + n * ?2"}
            _copy(connection, table, values, times, step, f"{column} < {number}")
        for table in ("outbox", "gm_log"):
            unique = {name: WORDS[of, name] for of, name in WORDS if of == table}
            values = unique | {"id": "id + n * ?2", "address": "address"}
            _copy(connection, table, values, times, step, "1")
    return int(number + number * times)


def another_land(land: bytes | None, number: int) -> bytes | None:
    """The same ground by another name, with a wave more: what is kept of one land, pixels too,
    serves no other table.
    """
    if not land:
        return land
    told = msgspec.msgpack.decode(zlib.decompress(land))
    changed = {"seed": number, "waves": [*told["waves"], (20 + number % 1000, 20 + number // 1000)]}
    return zlib.compress(msgspec.msgpack.encode(told | changed), 6)


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [name for (name,) in found]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def _step(connection: sqlite3.Connection) -> int:
    """More than any id."""
    return 1 + max(
        int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])  # noqa: S608
        for table in _tables(connection)
        if "id" in _columns(connection, table)
    )


def _moved(connection: sqlite3.Connection, table: str, words: Words) -> dict[str, str]:
    """What the columns of copy `n` say, where that is something else; `?2` is the step."""
    pointing = {row[3]: row[2] for row in connection.execute(f"PRAGMA foreign_key_list({table})")}
    moved = {
        column: f"{column} + n * ?2" for column in ("id", *pointing) if column != "phase_number"
    }
    for column, to in pointing.items():
        if to == "people":
            moved[column] = f"iif({column} IN ({OF_MASTERS}), {column}, {column} + n * ?2)"
    return moved | {column: value for (of, column), value in words.items() if of == table}


def _copy(
    connection: sqlite3.Connection,
    table: str,
    values: Mapping[str, str],
    copies: int,
    step: int,
    which: str,
) -> None:
    columns = _columns(connection, table)
    connection.execute(
        "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?1)"  # noqa: S608 - our own names
        f" INSERT INTO {table} ({', '.join(columns)})"
        f" SELECT {', '.join(values.get(column, column) for column in columns)}"
        f" FROM (SELECT * FROM {table} WHERE {which}) CROSS JOIN copies WHERE ?2 > 0",
        (copies, step),
    )
