"""Phases: the questions, the players asked, and the deadlines."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from pbem.store.life import PHASE_LIFE, PhaseStatus
from pbem.store.repositories.repository import Condition, Repository, Rows, bound, parted
from pbem.store.tables import games, orders, phases, seats, states, waits


class NewPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A phase to be opened."""

    game_id: int
    number: int
    kind: str
    asked: tuple[int, ...]
    opened_at: datetime
    deadline: datetime
    reminders_sent: int = 0
    label: str = "{}"


class PhaseRow(NewPhase, frozen=True, kw_only=True):
    """A phase of a game, numbered from 1.

    `asked` are seat numbers; `label` is a `Label` as JSON; `ics_sequence` counts the deadline's
    moves.
    """

    id: int
    closed_at: datetime | None
    status: PhaseStatus
    held_since: datetime | None
    ics_sequence: int


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a phase for showing it. `rolled_back_to`: the phase whose opening
    state this one began with again. `away`: for whom the deadline is later, "" where their name is
    not told. `span` and `span_began_at`: to which span it belongs, and since when that lasts.
    `is_untold`: the table has not been told yet how it came to it. `remind_at`: after which shares
    of the window those missing are reminded; none: as many hours before the deadline as the service
    does. `stopped_minutes`: for how long its clock was stopped.
    """

    turn: int = 0
    rolled_back_to: int | None = None
    away: tuple[str, ...] = ()
    span: str = ""
    span_began_at: datetime | None = None
    is_untold: bool = False
    remind_at: tuple[float, ...] = ()
    stopped_minutes: int = 0


def format_label(label: Label) -> str:
    return msgspec.json.encode(label).decode()


def parse_label(phase: PhaseRow) -> Label:
    return msgspec.json.decode(phase.label, type=Label)


class TableVersion(msgspec.Struct, frozen=True):
    """What grows or changes whenever anything changes at a table that may let its open phase close:
    compared, and not read otherwise.
    """

    orders: int | None
    states: int | None
    waits: int
    waiting: int | None
    tenures: int | None
    active: int
    settings: str


class RunningPhase(NamedTuple):
    """A phase that is not closed of a game that runs, its table's version, and how the game's
    closes went (as `GameRow` tells).
    """

    phase: PhaseRow
    version: TableVersion
    attempts: int
    tried_at: datetime | None


_SELECT = Rows(PhaseRow, phases)
CURRENT_PHASE = sa.and_(games.c.id == phases.c.game_id, games.c.phase_number == phases.c.number)
_OF_RUNNING = sa.and_(CURRENT_PHASE, games.c.status == "running")


_CURRENT = _SELECT.select.join(games, CURRENT_PHASE).where(games.c.id == bound("game_id"))
_RUNNING = (
    _SELECT.select.join(games, _OF_RUNNING)
    .where(phases.c.status != "closed")
    .order_by(phases.c.deadline, phases.c.id)
)
_BETWEEN = _SELECT.select.where(
    phases.c.game_id == bound("game_id"), phases.c.number.between(bound("first"), bound("last"))
).order_by(phases.c.number)


def _of_open_phase(table: sa.Table, value: sa.ColumnElement[int]) -> sa.ScalarSelect[int]:
    """A figure over the rows of the phase that a game stands in."""
    of_game = (table.c.game_id == games.c.id, table.c.phase_number == games.c.phase_number)
    return sa.select(value).where(*of_game).correlate(games).scalar_subquery()


def _of_seats(
    value: sa.ColumnElement[int], *wanted: sa.ColumnElement[bool]
) -> sa.ScalarSelect[int]:
    of_game = sa.select(value).where(seats.c.game_id == games.c.id, *wanted)
    return of_game.correlate(games).scalar_subquery()


_VERSION = (
    _of_open_phase(orders, sa.func.max(orders.c.id)),
    _of_open_phase(states, sa.func.max(states.c.ordinal)),
    _of_open_phase(waits, sa.func.count(waits.c.seat_id)),
    _of_open_phase(waits, sa.func.sum(waits.c.seat_id)),
    _of_seats(sa.func.sum(seats.c.tenure)),
    _of_seats(sa.func.count(seats.c.id), seats.c.status == "active"),
    games.c.settings,
)
_RUNNING_VERSIONS = _RUNNING.add_columns(*_VERSION, games.c.attempts, games.c.tried_at)
_VERSION_OF = sa.select(*_VERSION).select_from(games).where(games.c.id == bound("game_id"))


def _of(game_id: int, number: int) -> sa.ColumnElement[bool]:
    return sa.and_(phases.c.game_id == game_id, phases.c.number == number)


class Phases(Repository):
    """The phases of all games. `Games.advance` closes them."""

    async def open(self, new: NewPhase) -> int | None:
        """Open a phase. None: the game has one of that number."""
        return await self._insert_once(
            phases, status="open", ics_sequence=0, **msgspec.structs.asdict(new)
        )

    async def find(self, game_id: int, number: int) -> PhaseRow | None:
        return await self._find(_SELECT, game_id=game_id, number=number)

    async def current(self, game_id: int) -> PhaseRow | None:
        """The phase the game stands in; None before the start and when nothing is asked any
        more.
        """
        return await self._one(PhaseRow, _CURRENT, game_id=game_id)

    async def list_of_game(self, game_id: int) -> list[PhaseRow]:
        return await self._list(_SELECT, by=[phases.c.number], game_id=game_id)

    async def list_between(self, game_id: int, first: int, last: int) -> list[PhaseRow]:
        """The phases of a game from one number to another, both among them."""
        return await self._all(PhaseRow, _BETWEEN, game_id=game_id, first=first, last=last)

    async def read_version(self, game_id: int) -> TableVersion:
        """The version of one table."""
        return TableVersion(
            *(await self._connection.execute(_VERSION_OF, {"game_id": game_id})).one()
        )

    async def list_running(self) -> list[PhaseRow]:
        """The phases not closed of the games that run, the next deadline first: what the clock
        looks at.
        """
        return await self._all(PhaseRow, _RUNNING)

    async def list_running_versions(self) -> list[RunningPhase]:
        """As `list_running`, each with the version of its table."""
        rows = await self._connection.execute(_RUNNING_VERSIONS)
        found = (parted(row, PhaseRow) for row in rows)
        return [
            RunningPhase(phase, TableVersion(*version), attempts, tried_at)
            for phase, *version, attempts, tried_at in found
        ]

    async def hold(self, game_id: int, number: int, since: datetime) -> bool:
        """The close waits because the mailbox cannot be read. False: it waits already, or the phase
        is closed.
        """
        begins = phases.c.status.in_(PHASE_LIFE["hold"][0])
        return await self._update_one(
            phases, _of(game_id, number), begins, status="held", held_since=since
        )

    async def reopen(self, game_id: int, number: int) -> bool:
        """A close that began, or waited, is put off: the phase is open again (its deadline was
        moved, say).

        False: it was open, or is closed.
        """
        begins = phases.c.status.in_(PHASE_LIFE["put_off"][0])
        return await self._update_one(
            phases, _of(game_id, number), begins, status="open", held_since=None
        )

    async def move_deadline(
        self, game_id: int, number: int, from_deadline: datetime, to_deadline: datetime
    ) -> bool:
        """Extend or shorten, once however often it is asked.

        False: the deadline is not `from_deadline` (any more), or the phase is closed.
        Counts the calendar entry's SEQUENCE up (RFC 5545, 3.8.7.4).
        """
        moved = {"deadline": to_deadline, "ics_sequence": phases.c.ics_sequence + 1}
        unmoved = phases.c.deadline == from_deadline
        return await self._while_open(game_id, number, unmoved, **moved)

    async def count_cancellation(self, game_id: int, number: int) -> bool:
        """The calendar entry of somebody is cancelled while the phase is open: that takes a
        SEQUENCE, and what is sent of it later the next one. False: closed.
        """
        return await self._while_open(game_id, number, ics_sequence=phases.c.ics_sequence + 2)

    async def count_reminder(self, game_id: int, number: int, from_count: int) -> bool:
        """Reminder `from_count` + 1 is queued in this unit of work. False: somebody else did that,
        or the phase is closed.
        """
        sent = phases.c.reminders_sent == from_count
        return await self._while_open(game_id, number, sent, reminders_sent=from_count + 1)

    async def arm_reminders(self, game_id: int, number: int, count: int) -> bool:
        """The deadline has moved: of the reminders, `count` have had their moment, and the others
        are still to come. False: closed.
        """
        return await self._while_open(game_id, number, reminders_sent=count)

    async def set_label(self, game_id: int, number: int, label: str) -> bool:
        """Something else is kept for showing the phase. False: closed."""
        return await self._while_open(game_id, number, label=label)

    async def set_asked(self, game_id: int, number: int, asked: Sequence[int]) -> bool:
        """Somebody else is asked, after an act that takes effect at once. False: the phase is
        closed.
        """
        return await self._while_open(game_id, number, asked=tuple(asked))

    async def _while_open(
        self, game_id: int, number: int, *where: Condition, **values: object
    ) -> bool:
        is_open = (_of(game_id, number), phases.c.status != "closed")
        return await self._update_one(phases, *is_open, *where, **values)
