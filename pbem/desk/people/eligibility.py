"""How reliably somebody answers: of the windows a seat was asked in while they had it, how many
they missed; and who may take a seat, or has asked for one.

None of it is stored; it is counted from phases, orders, tenures and the log. A window is
answered if, at its close, orders of that tenure stood, or the player had said final. It is missed
if no orders of theirs stood and it was whole: it opened and closed in the tenure and ran to a
deadline that the game master had not brought forward, and the mailbox was read. What is neither is
not counted at all: a window that an act or everybody's final ended before, one that was taken over
or left half-way. Phases that were rolled back are no part of the game's past; a vacant seat is
nobody's.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import had_a_seat
from pbem.desk.mandate import log_event
from pbem.desk.phases.past import lineage
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, Settings
from pbem.grammar.called import skeleton
from pbem.pages.results import Windows
from pbem.store.columns import end_of_second
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.results import AnswerRow
from pbem.store.repositories.seats import SeatRow, TenureRow
from pbem.store.work import Work

MOVED = (
    *("game extend", "game close", "game grant", "grace", "vote extend"),
    *("first turn", "first turn asked"),
)
UNREAD = "close unread"
"""The log's entry of a close that continued though the mailbox could not be read."""
PLANNED = "close planned"
"""The log's entry of the players who were ready at a close without having sent anything; never
public.
"""


@dataclass(frozen=True, slots=True)
class Closed:
    """The windows of a game that count: closed, and part of its past. `excused` are those that
    nobody can have missed; `planned` are phases with the numbers of those who had nothing to send
    there, since the rules continue by what they sent before.
    """

    phases: tuple[PhaseRow, ...]
    excused: frozenset[int]
    planned: frozenset[tuple[int, int]] = frozenset()


class _Planned(msgspec.Struct, frozen=True):
    """What the log tells of players who were ready without a word."""

    phase: int
    players: tuple[int, ...]


class _Moved(msgspec.Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """What the log tells of a deadline that was moved."""

    phase: int
    before: datetime | None = None
    after: datetime | None = None


async def read_closed(work: Work, game: GameRow) -> Closed:
    """The windows of a game up to now."""
    phases = await work.phases.list_of_game(game.id)
    line = set(lineage(phases, game.phase_number))
    log = await work.log.list_of_commands(game.id, (*MOVED, UNREAD))
    planned = [
        msgspec.json.decode(row.detail, type=_Planned)
        for row in await work.log.list_of_commands(game.id, (PLANNED,))
    ]
    return Closed(
        tuple(phase for phase in phases if phase.number in line and phase.status == "closed"),
        _excused(log),
        frozenset((one.phase, number) for one in planned for number in one.players),
    )


async def log_planned(
    tx: Transaction[Context], table: OpenTable, standings: Mapping[int, Standing[object]]
) -> None:
    """Write down who of those asked has sent nothing to the phase that is being closed, and owes
    nothing either.
    """
    if table.phase is None:
        return
    rules = table.kind.ruleset
    players = [
        number
        for number in table.phase.asked
        if (standing := standings.get(number, Standing())) == Standing()
        and rules.is_ready(table.state, number, standing)
    ]
    if players:
        planned = _Planned(table.phase.number, tuple(players))
        await log_event(tx, table.game.id, PLANNED, planned, public=False)


def _excused(log: Sequence[GmLogRow]) -> frozenset[int]:
    """The phases whose deadline came earlier than it was told at first, pauses left aside, and
    those closed unread.
    """
    gained: defaultdict[int, float] = defaultdict(float)
    unread = set()
    for row in log:
        told = msgspec.json.decode(row.detail, type=_Moved)
        if row.command == UNREAD:
            unread.add(told.phase)
        elif told.before is not None and told.after is not None:
            gained[told.phase] += (told.after - told.before).total_seconds()
    return frozenset(unread | {phase for phase, seconds in gained.items() if seconds < 0})


async def read_windows(
    work: Work, closed: Closed, seat_id: int, number: int, tenure: int
) -> Windows:
    """The windows of one tenure of a seat, which has this number at its table."""
    tenures = await work.seats.list_tenures(seat_id)
    answers = await work.results.list_answers(seat_id)
    found = next((row for row in tenures if row.tenure == tenure), None)
    return count_windows(closed, number, found, answers) if found is not None else Windows()


def count_windows(
    closed: Closed, number: int, tenure: TenureRow, answers: Collection[AnswerRow]
) -> Windows:
    """Count a tenure's windows; `answers` are all versions of the seat's orders."""
    asked = missed = 0
    standing = _standing(closed.phases, answers)
    for phase in closed.phases:
        if number not in phase.asked:
            continue
        newest = standing.get(phase.number)
        is_answered = (
            newest is not None
            and newest.tenure == tenure.tenure
            and bool(newest.canonical or newest.final)
        )
        if is_answered or (phase.number, number) in closed.planned:
            asked += 1
        elif phase.number not in closed.excused and _is_whole(phase, tenure):
            asked += 1
            missed += 1
    return Windows(asked, missed)


def _standing(
    phases: Sequence[PhaseRow], answers: Collection[AnswerRow]
) -> Mapping[int, AnswerRow]:
    """What counted at each close: the newest version that came in time."""
    deadlines = {phase.number: end_of_second(phase.deadline) for phase in phases}
    standing: dict[int, AnswerRow] = {}
    for answer in sorted(answers, key=lambda row: row.version):
        if (
            answer.phase_number in deadlines
            and answer.received_at <= deadlines[answer.phase_number]
        ):
            standing[answer.phase_number] = answer
    return standing


def _is_whole(phase: PhaseRow, tenure: TenureRow) -> bool:
    """Whether the window ran to its deadline, all of it within the tenure."""
    if (
        phase.closed_at is None
        or phase.closed_at < phase.deadline
        or tenure.since > phase.opened_at
    ):
        return False
    return tenure.until is None or phase.closed_at < tenure.until


async def read_reliability(work: Work, person_id: int) -> Windows:
    """The windows of somebody in all games that are over; those that run tell nothing."""
    windows = Windows()
    for row in await work.results.list_of_people([person_id]):
        game, seat = await work.games.find(row.game_id), await work.seats.find(row.seat_id)
        if game is not None and seat is not None:
            windows += await read_windows(
                work, await read_closed(work, game), seat.id, seat.number, row.tenure
            )
    return windows


async def is_unreliable(work: Work, settings: Settings, person_id: int | None) -> bool:
    """Whether somebody has answered too small a share of their windows for this table; who was
    never asked has not.
    """
    least = settings.people.least_reliability
    if person_id is None or not least:
        return False
    percent = (await read_reliability(work, person_id)).percent
    return percent is not None and percent < least


async def why_no_seat(
    work: Work, table: OpenTable, seat: SeatRow | None, person_id: int | None
) -> str | None:
    """Why somebody cannot have this seat of a game that runs (None: any seat), as a code; None:
    they can.
    """
    if person_id is None:
        return None
    if any(other.person_id == person_id and other.status != "left" for other in table.seats):
        return "plays-here"
    known = await had_a_seat(work, table.seats, person_id)
    if known - ({seat.id} if seat is not None else set()):
        return "knew-another-seat"
    if await is_barred(work, person_id):
        return "barred"
    return "unreliable" if await is_unreliable(work, table.settings, person_id) else None


STRIKES = 3
"""This many strikes that stand, over all games: seats that somebody has already are not touched."""


async def is_barred(work: Work, person_id: int | None) -> bool:
    """Whether this person may not join another table."""
    return person_id is not None and await work.strikes.count_standing(person_id) >= STRIKES


ASKED = "seat asked for"


class _Asking(msgspec.Struct, frozen=True):
    """What is logged of a wish to take a seat over; for the game masters alone."""

    seat: str
    tenure: int
    person: int


async def note_asker(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, person: PersonRow
) -> None:
    """Log that somebody would like to have the seat, once in each of its tenures."""
    await log_event(
        tx,
        table.game.id,
        ASKED,
        _Asking(seat.name, seat.tenure, person.id),
        actor=person.name or "somebody",
        cause=f"asked-for:{seat.id}:{seat.tenure}:{person.id}",
        public=False,
    )


async def find_askers(work: Work, table: OpenTable, seat: SeatRow, name: str) -> list[PersonRow]:
    """Those of that name (as names are compared) who have asked for the seat as it stands empty
    now.
    """
    ids = await _ids_of_askers(work, table, seat)
    return [
        person
        for person in await work.people.list_by_ids(ids)
        if skeleton(person.name) == skeleton(name)
    ]


async def has_asked_for(work: Work, table: OpenTable, seat: SeatRow, person: PersonRow) -> bool:
    """Whether this person has asked for the seat as it stands empty now."""
    return person.id in await _ids_of_askers(work, table, seat)


async def _ids_of_askers(work: Work, table: OpenTable, seat: SeatRow) -> set[int]:
    rows = await work.log.list_of_commands(table.game.id, (ASKED,))
    asked = [msgspec.json.decode(row.detail, type=_Asking) for row in rows]
    return {one.person for one in asked if (one.seat, one.tenure) == (seat.name, seat.tenure)}
