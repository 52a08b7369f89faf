"""Players who have resigned at a table where their seat then leaves the game: the sweep finds them,
and it is done by the act of the rules.

What remains to do lies in the database from the very transaction of the resignation on, and is done
once, however often it is tried.
"""

from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.authentication.tenures import list_substitutions
from pbem.desk.gm.seats import remove
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.mandate import AlreadyDone, By, Refused
from pbem.desk.people.stand_ins import PURPOSE as STAND_IN
from pbem.desk.people.substitutions import tend_substitutes
from pbem.desk.ports import Services
from pbem.store.repositories.post.pending import NewPending, PendingRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

PURPOSE = "leaving"
"""Of what waits to be done about a seat that was given up."""

CHANGES = (PURPOSE, STAND_IN)
"""Of what comes by itself about people."""

WAITS = timedelta(days=3650)
BY_RULE = "the table's rule"

_log = structlog.get_logger("leaving")


class Leaving(msgspec.Struct, frozen=True):
    """The tenure in which the seat stands empty: once somebody has it, nothing remains to
    do.
    """

    tenure: int


async def let_leave(work: Work, seat: SeatRow, tenure: int, now: datetime) -> None:
    """The seat, which stands empty in this tenure, must leave the game; within the unit of work
    that has emptied it.
    """
    await work.pending.wait_under(
        NewPending(
            purpose=PURPOSE,
            address=f"seat:{seat.id}:{tenure}",
            created_at=now,
            expires_at=now + WAITS,
            game_id=seat.game_id,
            seat_id=seat.id,
            detail=msgspec.json.encode(Leaving(tenure)).decode(),
        )
    )


async def list_changes(work: Work) -> list[tuple[int, datetime]]:
    """What comes by itself about the people of the games that run: the game's id, and when. What is
    over already counts as well.
    """
    changes = [(one.seat.game_id, one.next_at) for one in await list_substitutions(work)]
    for row in await work.pending.list_open(*CHANGES):
        if row.game_id is not None:
            at = row.created_at if row.purpose == PURPOSE else row.expires_at
            changes.append((row.game_id, at))
    return changes


async def tend_people(services: Services, game_id: int) -> None:
    """Do what is due about the people of a game that runs. May run twice, or die anywhere, without
    harm.
    """
    await tend_substitutes(services, game_id)
    async with services.database.read() as work:
        leaving = [row for row in await work.pending.list_open(PURPOSE) if row.game_id == game_id]
    for pending in leaving:
        await _take_out(services, pending)
    if leaving:
        await ask_for_delivery(services, services.clock.now())


async def _take_out(services: Services, pending: PendingRow) -> None:
    async with services.database.read() as work:
        game = await work.games.find(pending.game_id) if pending.game_id is not None else None
        seat = await work.seats.find(pending.seat_id) if pending.seat_id is not None else None
    if game is None or seat is None:
        return
    tenure = msgspec.json.decode(pending.detail, type=Leaving).tenure
    outcome = True
    try:
        await remove(
            services,
            game.slug,
            str(seat.number),
            "",
            By(BY_RULE, cause=f"leaving:{pending.id}"),
            only_of=(seat.id, tenure),
        )
    except AlreadyDone:
        _log.info("left-before", game=game.id, seat=seat.id)
    except Refused as refused:
        if refused.code == "conflict":
            return  # the table changes at this very moment: the sweep comes back
        _log.info("not-taken-out", game=game.id, seat=seat.id, code=refused.code)
        outcome = False
    services.steps.reached("leaving.done")
    async with services.database.write() as work:
        await work.pending.settle(
            pending.id, "confirmed" if outcome else "refused", services.clock.now()
        )
