"""Who may take a seat, and who has asked for one."""

from datetime import datetime

import msgspec

from pbem.desk.authentication.tenures import had_a_seat
from pbem.desk.people.reliability import read_closed, read_windows
from pbem.desk.table import OpenTable, Settings
from pbem.grammar.called import skeleton
from pbem.pages.results import Windows
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


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
    work: Work, table: OpenTable, seat: SeatRow, person: PersonRow, now: datetime
) -> None:
    """Log that somebody would like to have the seat, once in each of its tenures."""
    detail = msgspec.json.encode(_Asking(seat.name, seat.tenure, person.id)).decode()
    await work.log.add(
        game_id=table.game.id,
        actor=person.name or "somebody",
        command=ASKED,
        at=now,
        detail=detail,
        cause=f"asked-for:{seat.id}:{seat.tenure}:{person.id}",
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
