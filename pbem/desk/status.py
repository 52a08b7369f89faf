"""What a game master sees of the tables: one screen each, and nobody's orders."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Standing
from pbem.desk.gm import find_game
from pbem.desk.ports import Parts
from pbem.desk.table import MAIL, OpenTable, load_table, standing_of
from pbem.store.games import GameRow
from pbem.store.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """One line of a table's status; `answered` is None for whoever is not asked."""

    number: int
    name: str
    colour: str
    address: str
    address_state: str
    status: str
    versions: int
    final: bool
    answered: bool | None


@dataclass(frozen=True, slots=True)
class TableStatus:
    """One screen about a table, for its game master; nobody's orders are in it."""

    slug: str
    title: str
    ruleset: str
    status: str
    phase_number: int
    phase: str
    turn: int
    deadline: datetime | None
    held_since: datetime | None
    attempts: int
    seats: tuple[SeatStatus, ...]
    notes_waiting: int
    shunted: int
    letters: dict[str, int]


async def list_tables(parts: Parts) -> list[GameRow]:
    async with parts.database.read() as work:
        return await work.games.list_by_status()


async def read_status(parts: Parts, slug: str) -> TableStatus:
    """One screen about a table. It tells who has answered, which only the game master may know, and nobody's orders."""
    async with parts.database.read() as work:
        game = await find_game(work, slug)
        table = await load_table(work, parts.games, game)
        phase = table.phase
        newest = {row.seat_id: row for row in await work.orders.latest(game.id, game.phase_number)} if phase is not None else {}
        seats = []
        for seat in table.seats:
            row = newest.get(seat.id)
            seats.append(await _seat_status(work, table, seat, standing_of(table.kind, row, seat), row.version if row is not None else 0))
        letters = {
            state: len(await work.outbox.list_by_state(state, 1000, game_id=game.id))
            for state in ("queued", "sending", "refused", "withheld")
        }
        waiting = len(await work.notes.list_by_state("waiting", game.id))
        shunted = len(await work.inbox.list_by_state("shunted", 1000))
    return TableStatus(
        slug=game.slug, title=game.title, ruleset=game.ruleset, status=game.status, phase_number=game.phase_number,
        phase=phase.kind if phase is not None else "",
        turn=int(msgspec.json.decode(phase.label).get("turn", 0)) if phase is not None else 0,
        deadline=phase.deadline if phase is not None else None, held_since=phase.held_since if phase is not None else None,
        attempts=game.attempts, seats=tuple(seats), notes_waiting=waiting, shunted=shunted, letters=letters,
    )  # fmt: skip


async def _seat_status(work: Work, table: OpenTable, seat: SeatRow, standing: Standing[Any], version: int) -> SeatStatus:
    rows = [row for row in await work.people.list_addresses(seat.person_id) if row.channel == MAIL] if seat.person_id is not None else []
    asked = table.phase is not None and seat.number in table.phase.asked and seat.status == "active"
    answered = standing.final or table.kind.ruleset.check(table.state, seat.number, standing, ()).complete if asked else None
    return SeatStatus(
        seat.number, seat.name, seat.colour or "", rows[0].address if rows else "", rows[0].state if rows else "none", seat.status, version,
        standing.final, answered,
    )  # fmt: skip
