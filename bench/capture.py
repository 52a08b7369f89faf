"""What a floor has to make as well: the rows a close or a receipt writes, the pages, the board's
SVG, taken from one run of ours.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.table import Prepared, StandingClock, fresh_copy, open_services, read_table
from engine.ruleset import Event
from pbem.board.board import TableFacts
from pbem.desk.messages.intake import store_mail
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.past import decode_events
from pbem.game import Games
from pbem.mail.ports import StoredMail
from pbem.store.packing import unpacked
from pbem.store.repositories.orders import NewOrders

Row = tuple[Any, ...]
TABLES = ("states", "events", "phases", "pictures", "outbox", "inbox", "orders")


@dataclass(frozen=True, slots=True)
class Written:
    """The rows that came into each table, with the names of its columns, and the letters among
    them.
    """

    rows: Mapping[str, tuple[Sequence[str], Sequence[Row]]]

    def letters(self, *kinds: str) -> list[dict[str, Any]]:
        columns, rows = self.rows["outbox"]
        told = [dict(zip(columns, row, strict=True)) for row in rows]
        return [json.loads(unpacked(row["letter"])) for row in told if row["kind"] in kinds]


@dataclass(frozen=True, slots=True)
class Made:
    """What a close made: rows, and the SVG of the board."""

    written: Written
    svg: str


async def capture_close(prepared: Prepared, games: Games) -> Made:
    """Close the measured phase once and keep the result."""
    before = fresh_copy(prepared.file)
    async with open_services(before, games, StandingClock(prepared.due_at)) as services:
        table = await read_table(services)
        async with services.database.write() as work:
            known = {
                row.seat_id
                for row in await work.orders.latest(table.game.id, prepared.phase_number)
            }
            for writer in set(prepared.plans) - known:
                seat, orders = (
                    table.seat(writer),
                    table.kind.ruleset.encode_orders(prepared.plans[writer]).decode(),
                )
                await work.orders.add(
                    NewOrders(
                        game_id=table.game.id,
                        phase_number=prepared.phase_number,
                        seat_id=seat.id,
                        tenure=seat.tenure,
                        source="mail",
                        received_at=prepared.opened_at,
                        orders=orders,
                        canonical=(),
                        final=False,
                        created_at=prepared.opened_at,
                    )
                )
        old = _read(before)
        await close_phase(services, prepared.game_id, prepared.phase_number)
        table = await read_table(services)
        async with services.database.read() as work:
            land = await work.games.read_land(table.game.id) or b""
            rows = await work.events.list_of_game(
                table.game.id, max(0, prepared.phase_number - table.kind.pictured)
            )
        written = _difference(old, _read(before))
    events: tuple[Event, ...] = decode_events(table.kind, rows, None)
    view: Any = table.kind.ruleset.view(table.state, None)
    phase, board = table.phase, table.kind.board
    if phase is None:
        raise RuntimeError("the measured close must not end the game")
    facts = TableFacts(
        title=table.game.title, phase=phase.kind, deadline=phase.deadline, zone=table.settings.zone
    )
    return Made(written, board.draw(board.stage(view, events, facts), land).svg)


async def capture_receive(prepared: Prepared, games: Games) -> Written:
    """Read the measured mail once and keep the result."""
    file, now = fresh_copy(prepared.file), prepared.opened_at
    async with open_services(file, games, StandingClock(now)) as services:
        old = _read(file)
        await store_mail(services, StoredMail(prepared.mails[-1], now, 1, 2, oversize=False))
        await receive(services, 1)
        return _difference(old, _read(file))


def _read(file: Path) -> dict[str, tuple[list[str], list[Row]]]:
    with closing(sqlite3.connect(file)) as connection:
        return {table: _read_table(connection, table) for table in TABLES}


def _read_table(connection: sqlite3.Connection, table: str) -> tuple[list[str], list[Row]]:
    cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - names from TABLES alone
    return [column[0] for column in cursor.description], cursor.fetchall()


def _difference(
    old: dict[str, tuple[list[str], list[Row]]], new: dict[str, tuple[list[str], list[Row]]]
) -> Written:
    """Rows whose key was not there before."""
    found = {}
    for table, (columns, rows) in new.items():
        known = {row[:2] if columns[0] != "id" else row[:1] for row in old[table][1]}
        found[table] = (
            columns,
            [row for row in rows if (row[:2] if columns[0] != "id" else row[:1]) not in known],
        )
    return Written(found)
