"""Who has asked for a seat that stands empty: a game master names them without an address, for they
may have none but a chat.
"""

from datetime import datetime

import msgspec

from pbem.desk.table import OpenTable
from pbem.grammar.called import skeleton
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

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
