"""A seat changes hands: a new tenure begins, and what belonged to the one before counts no longer.

Earlier codes prove nothing then, and orders of the open phase that stood fall; an empty version
written down tells the record of it. A tenure may have an end: while somebody is away, a substitute
has their seat, and it goes back to them at the end that was agreed. That it does is told by the
absence with its substitute, as long as it is not cancelled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, decode_settings, encode_settings, load_table
from pbem.store.repositories.absences import AbsenceRow
from pbem.store.repositories.orders import NewOrders
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

SUBSTITUTE, RETURNED = "substitute", "returned"
"""How the record tells of a seat that somebody has for a time, and of its going back."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """Somebody plays for somebody else, or will: `begun` once they have the seat."""

    absence: AbsenceRow
    seat: SeatRow
    begun: bool

    @property
    def owner_id(self) -> int:
        return self.absence.person_id

    @property
    def next_at(self) -> datetime:
        """When the seat changes hands next."""
        return self.absence.until if self.begun else self.absence.since


async def hand_over(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    person_id: int | None,
    *,
    source: str,
) -> OpenTable | None:
    """Give the seat to a person (None: it stands empty); the table as it is then. None: somebody
    else changed the seat first.

    `source` tells in the record how it came about. What was agreed about substitutes of the seat is
    off, unless it is one who gets it. The game is locked by the caller.
    """
    now, game, phase = tx.now(), table.game, table.phase
    agreed = [
        one
        for one in await list_substitutions(tx.work, game.id)
        if one.seat.id == seat.id and source != SUBSTITUTE
    ]
    if not await tx.work.seats.replace_person(seat.id, seat.tenure, person_id, now):
        return None
    for one in agreed:
        await tx.work.absences.cancel(one.absence.id, now)
    if person_id is None:
        await tx.work.seats.change_status(seat.id, "active", "left")
    else:
        await tx.work.seats.change_status(seat.id, "left", "active")
        await tx.work.observers.end(game.id, person_id, now)
    await wake(tx.work, game.id, seat.id)
    await tx.work.waits.drop(game.id, game.phase_number, seat.id)
    if phase is not None and await tx.work.orders.newest(seat.id, phase.number) is not None:
        await tx.work.orders.add(
            NewOrders(
                game_id=game.id,
                phase_number=phase.number,
                seat_id=seat.id,
                tenure=seat.tenure + 1,
                source=source,
                received_at=min(now, phase.deadline),
                orders=table.kind.ruleset.encode_orders(()).decode(),
                canonical=(),
                final=False,
                created_at=now,
            )
        )
    fresh = await tx.work.games.find(game.id)
    return await load_table(tx, fresh or game)


async def wake(work: Work, game_id: int, seat_id: int) -> bool:
    """The seat is waited for again. False: it was all the time."""
    game = await work.games.find(game_id)
    if game is None:
        return False
    settings = decode_settings(game)
    if seat_id not in settings.idle:
        return False
    idle = {key: tenure for key, tenure in settings.idle.items() if key != seat_id}
    return await work.games.set_settings(
        game_id, encode_settings(msgspec.structs.replace(settings, idle=idle))
    )


async def let_idle(work: Work, game_id: int, seat: SeatRow) -> bool:
    """The seat continues by the rules' defaults and is not waited for. False: so it was before."""
    game = await work.games.find(game_id)
    if game is None:
        return False
    settings = decode_settings(game)
    if settings.idle.get(seat.id) == seat.tenure:
        return False
    idle = dict(settings.idle) | {seat.id: seat.tenure}
    return await work.games.set_settings(
        game_id, encode_settings(msgspec.structs.replace(settings, idle=idle))
    )


def is_idle(table: OpenTable, seat: SeatRow) -> bool:
    """Whether nobody waits for this seat, though somebody has it."""
    return table.settings.idle.get(seat.id) == seat.tenure


async def list_substitutions(work: Work, game_id: int | None = None) -> list[Substitution]:
    """Who plays for whom, or will, at one table or at all; one that means nothing any more is left
    out.
    """
    found = []
    for absence in await work.absences.list_substituted(game_id):
        seats = await work.seats.list_of_game(absence.game_id or 0)
        theirs = next((seat for seat in seats if seat.person_id == absence.person_id), None)
        taken = next((seat for seat in seats if seat.person_id == absence.substitute_id), None)
        if theirs is not None:
            found.append(Substitution(absence, theirs, begun=False))
        elif taken is not None and await _had(work, taken, absence.person_id):
            found.append(Substitution(absence, taken, begun=True))
    return found


async def _had(work: Work, seat: SeatRow, person_id: int) -> bool:
    """Whether that person had the seat right before the person who has it now."""
    tenures = await work.seats.list_tenures(seat.id)
    return len(tenures) > 1 and tenures[-2].person_id == person_id


async def find_substitution(work: Work, seat: SeatRow) -> Substitution | None:
    """Who plays on that seat for whom."""
    return next(
        (one for one in await list_substitutions(work, seat.game_id) if one.seat.id == seat.id),
        None,
    )


async def owners_away(work: Work, game_id: int) -> frozenset[int]:
    """The people for whom somebody plays at that table just now."""
    return frozenset(one.owner_id for one in await list_substitutions(work, game_id) if one.begun)


async def seats_played_for(work: Work, person_id: int) -> dict[int, tuple[int, int]]:
    """By game the seat that somebody else plays for this person just now, and the tenure in which
    they had it last.
    """
    return {
        one.seat.game_id: (one.seat.id, one.seat.tenure - 1)
        for one in await list_substitutions(work)
        if one.begun and one.owner_id == person_id
    }


async def return_at_the_end(work: Work, table: OpenTable, now: datetime) -> None:
    """The game ends: every seat that a substitute has goes back to whom it belongs, who gets its
    place.
    """
    for one in await list_substitutions(work, table.game.id):
        if one.begun:
            await work.seats.replace_person(one.seat.id, one.seat.tenure, one.owner_id, now)
        await work.absences.cancel(one.absence.id, now)


async def had_a_seat(work: Work, seats: Sequence[SeatRow], person_id: int) -> frozenset[int]:
    """The ids of the seats of a table that a person has or had."""
    found: set[int] = set()
    for seat in seats:
        if any(row.person_id == person_id for row in await work.seats.list_tenures(seat.id)):
            found.add(seat.id)
    return frozenset(found)
