"""Players from whom nothing comes: after that many windows in a row that a tenure has missed, the
table's rule does what it says.

Counted are the windows that reliability counts; one that nobody can have missed neither counts nor
ends the row. It is looked at in the very transaction of each close, and logged under the row it is
about: so it happens once.

A seat may be emptied, or the game may stand still until somebody takes it; then its phase begins
again with its whole length.
"""

from collections.abc import Collection
from typing import Any

from pbem.desk.authentication.tenures import hand_over, is_idle, let_idle, wake
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import Masters, at_table, former_player, read_post
from pbem.desk.lobby.herald import vacancy_letters, vacant_seats
from pbem.desk.mandate import By, Refused, log_event
from pbem.desk.people.eligibility import Closed, count_windows, read_closed
from pbem.desk.people.stand_ins import invite_next, may_be_given_away
from pbem.desk.phases.clock import move_deadline, resume_clock
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, hours_of, load_table, mail_address_of
from pbem.desk.windows import deadline_of
from pbem.pages.announcements import Ejected, Resumed
from pbem.pages.people import GmAbsent, SeatAwake, SeatIdle
from pbem.store.repositories.results import AnswerRow
from pbem.store.repositories.seats import SeatRow, TenureRow
from pbem.store.work import Work

MISSED = "seat missed"
IDLE, AWAKE = "seat idle", "seat awake"
OPENED = "seats opened"
"""The log's entry of a game whose clock is stopped until its empty seats are taken."""
_PAUSES = ("game pause", "vote pause", OPENED)


def count_row(
    closed: Closed, number: int, tenure: TenureRow, answers: Collection[AnswerRow]
) -> tuple[int, int]:
    """How many windows the tenure has missed in a row up to now, and the number of the first phase
    of them (0: none).
    """
    missed, first = 0, 0
    for phase in reversed(closed.phases):
        counted = count_windows(
            Closed((phase,), closed.excused, closed.planned), number, tenure, answers
        )
        if counted.missed:
            missed, first = missed + 1, phase.number
        elif counted.asked:
            break
    return missed, first


async def look_after_absent(tx: Transaction[Context], table: OpenTable, state: Any) -> None:
    """A window was closed within this unit of work: do what the table says about those who missed
    too many. `table` is as it was while the window was open, `state` as it is afterwards.
    """
    rules, phase = table.settings.people, table.phase
    if not rules.nmr_count or phase is None:
        return
    game = await tx.work.games.find(table.game.id)
    if game is None or game.status != "running":
        return
    closed, active = await read_closed(tx.work, game), set(table.kind.ruleset.active(state))
    for seat in table.seats:
        if (
            seat.number not in phase.asked
            or seat.number not in active
            or seat.person_id is None
            or is_idle(table, seat)
        ):
            continue
        tenure = next(
            (row for row in await tx.work.seats.list_tenures(seat.id) if row.tenure == seat.tenure),
            None,
        )
        if tenure is None:
            continue
        missed, first = count_row(
            closed, seat.number, tenure, await tx.work.results.list_answers(seat.id)
        )
        if not missed or missed % rules.nmr_count:
            continue
        cause = f"nmr:{seat.id}:{seat.tenure}:{first}:{missed}"
        detail = {"seat": seat.name, "missed": missed}
        entry = await log_event(tx, game.id, MISSED, detail, cause=cause, public=False)
        if entry is not None:
            await _apply(tx, await load_table(tx, game), seat, cause, missed)


async def _apply(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, cause: str, missed: int
) -> None:
    match table.settings.people.nmr_then:
        case "defaults":
            await go_on_by_defaults(tx, table, seat, cause, missed)
        case "substitute" if await may_be_given_away(tx.work, seat):
            if not await invite_next(tx, table, seat, cause, missed):
                await ask_masters(tx, table, seat, cause, missed, nobody_left=True)
        case _:
            await ask_masters(tx, table, seat, cause, missed)


async def ask_masters(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    cause: str,
    missed: int,
    *,
    nobody_left: bool = False,
) -> None:
    """The game masters are asked what to do, with the words ready to be sent back."""
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        Masters(),
        GmAbsent(seat.name, missed, nobody_left=nobody_left),
        "gm-absent",
        f"gm-absent:{cause}:{nobody_left}",
    )


async def go_on_by_defaults(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, key: str, missed: int
) -> bool:
    """Nobody waits for the seat any more, and everybody is told. False: so it was before."""
    if not await let_idle(tx.work, table.game.id, seat):
        return False
    if missed:  # else it is logged as the game master's command
        await log_event(tx, table.game.id, IDLE, {"seat": seat.name, "missed": missed})
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        at_table(),
        lambda facts, reader: SeatIdle(seat.name, missed, is_own=reader.number == seat.number),
        "idle",
        f"idle:{key}",
    )
    return True


async def wake_writers(tx: Transaction[Context], table: OpenTable) -> None:
    """A window was closed within this unit of work: seats that continued by defaults and whose
    players have sent orders in it are waited for again. Not before the close: nobody is to learn
    from it who has ordered. `table` is as it was while the window was open.
    """
    idle = [seat for seat in table.seats if is_idle(table, seat)]
    game = await tx.work.games.find(table.game.id) if idle else None
    if game is None or game.status != "running":
        return
    for seat in idle:
        newest = await tx.work.orders.newest(seat.id, table.game.phase_number)
        if newest is not None and newest.tenure == seat.tenure and newest.inbox_id is not None:
            await wake_up(tx, await load_table(tx, game), seat, f"{newest.id}")


async def wake_up(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    key: str,
    *,
    by_master: bool = False,
) -> None:
    """The player of a seat that continued by defaults has sent orders for the window that closes
    (or a game master says so): it is waited for again, and everybody is told.
    """
    if not is_idle(table, seat) or not await wake(tx.work, table.game.id, seat.id):
        return
    if not by_master:
        await log_event(tx, table.game.id, AWAKE, {"seat": seat.name})
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        at_table(but=None if by_master else seat.number),
        SeatAwake(seat.name, has_written=not by_master),
        "awake",
        f"awake:{key}",
    )


async def leave_empty(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, by: By, reason: str, key: str = ""
) -> None:
    """Nobody has the seat any more. The player who had it is told, and by letters of this `key`
    everybody ("": the caller tells them).
    """
    former = await tx.work.people.find(seat.person_id)
    address = await mail_address_of(tx.work, seat.person_id)
    fresh = await hand_over(tx, table, seat, None, source="ejected")
    if fresh is None:
        raise Refused("conflict", "the seat changed at the same moment; look again")
    letters: list[NewLetter] = []
    if former is not None:
        farewell = former_player(tx.services, fresh, seat, former, address).letter(
            Ejected("", reason, by.name), "unseated", f"unseated:{seat.id}:{seat.tenure}"
        )
        letters += await take_back_open_entries(tx, table, [farewell], [seat.number])
    post = await read_post(tx, fresh)
    if key:
        told = Ejected(seat.name, reason, by.name)
        letters += post.to(at_table(commander=by.person_id), told, "ejected", f"ejected:{key}")
        letters += await vacancy_letters(tx, post, seat.number)
    await post.send(tx.work, letters)


async def waits_for_players(work: Work, table: OpenTable) -> bool:
    """Whether the clock is stopped until somebody takes the empty seats."""
    if table.game.status != "paused":
        return False
    rows = await work.log.list_of_commands(table.game.id, _PAUSES)
    return bool(rows) and rows[-1].command == OPENED


async def run_again(tx: Transaction[Context], table: OpenTable) -> OpenTable:
    """Start the clock of a game that waits for players, once it has all of them; the table as it is
    then. Everybody has the whole length of the phase again.
    """
    phase, game, now = table.phase, table.game, tx.now()
    if phase is None or vacant_seats(table) or not await waits_for_players(tx.work, table):
        return table
    await resume_clock(tx.work, game, phase, now)
    deadline = deadline_of(now, table.hours_of_phase(), hours_of(table.settings)).deadline
    await move_deadline(tx.work, tx.services.policy, phase, deadline, now)
    span = {"from": phase.deadline.isoformat(), "to": deadline.isoformat()}
    entry = await log_event(tx, game.id, "seats taken", {"phase": phase.number} | span)
    fresh = await load_table(tx, await tx.work.games.find(game.id) or game)
    post = await read_post(tx, fresh, fresh.phase)
    told = Resumed(phase.deadline, deadline, tx.services.policy.name)
    await post.tell(tx.work, at_table(), told, "deadline", f"resumed:{entry}")
    return fresh
