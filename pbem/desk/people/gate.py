"""Who may have a seat at a table: whom strikes bar, who answered too few windows of earlier games,
who knows another seat's secrets.
"""

from pbem.desk.authentication.tenures import had_a_seat
from pbem.desk.people.barring import is_barred
from pbem.desk.people.reliability import read_closed, read_windows
from pbem.desk.table import OpenTable, Settings
from pbem.pages.results import Windows
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
