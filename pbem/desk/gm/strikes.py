"""Strikes and pardons: a sanction against a person, over all games (PR-1.11).

A strike is booked for the person who has the seat, in the transaction in which the Dragon takes it.
It is no part of the game's course: a roll back brings the player back to the table and leaves the
strike, which only a pardon takes away, at any time, also when the game is over. A pardon leaves the
game as it is: what must be set right on the table is a correction or a roll back.
"""

from collections.abc import Iterable

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.gm.acts import Acting, Plan, do_act
from pbem.desk.gm.command import commanded
from pbem.desk.gm.people import check_text, find_seat
from pbem.desk.letters.post import Masters, at_table
from pbem.desk.mandate import By, Refused, find_game
from pbem.desk.people.eligibility import STRIKES
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.pages.announcements import Pardoned, ThirdStrike
from pbem.pages.notices import StrikeGiven
from pbem.store.repositories.seats import SeatRow

STRIKE = "game strike"
PARDON = "game pardon"


async def strike(services: Services, slug: str, seat_name: str, reason: str, by: By) -> None:
    """Record that a player has shown secret orders: the Dragon takes the seat at once, and
    everybody is told.

    With the third that stands against a person no table takes them any more; the game masters are
    told.
    """
    reason = check_text(reason)

    def plan(table: OpenTable) -> Plan:
        seat = find_seat(table, seat_name)
        if seat.number not in table.kind.ruleset.active(table.state):
            raise Refused("eliminated", f"{seat.name} is already out of the game")

        async def tell(tx: Transaction[Desk], acting: Acting, entry: int) -> Iterable[NewLetter]:
            await _book(tx, acting, seat, reason, entry, by)
            return await _strike_letters(tx, acting, seat, reason, entry)

        detail = {"seat": seat.name, "person": seat.person_id, "reason": reason}
        return Plan({"act": "strike", "player": seat.number}, STRIKE, detail, "strike", tell)

    await do_act(services, slug, plan, by)


async def _book(
    tx: Transaction[Context], acting: Acting, seat: SeatRow, reason: str, entry: int, by: By
) -> None:
    """Against the person who has the seat; a seat that stands empty has nobody to be struck."""
    if seat.person_id is not None:
        await tx.work.strikes.add_once(
            person_id=seat.person_id,
            game_id=acting.table.game.id,
            seat_id=seat.id,
            log_id=entry,
            reason=reason,
            given_by=by.name,
            at=tx.now(),
        )


async def _strike_letters(
    tx: Transaction[Context], acting: Acting, seat: SeatRow, reason: str, entry: int
) -> list[NewLetter]:
    listed = (
        await tx.work.strikes.list_of_person(seat.person_id) if seat.person_id is not None else []
    )
    titles = [strike.title for strike in listed if strike.pardoned_at is None]
    post = acting.post
    letters = list(
        post.to(
            at_table(),
            StrikeGiven(seat.name, max(1, len(titles)), reason),
            "strike",
            f"strike:{entry}",
        )
    )
    if len(titles) >= STRIKES:
        letters += post.to(
            Masters(),
            ThirdStrike(seat.name, tuple(dict.fromkeys(titles))),
            "third-strike",
            f"third-strike:{entry}",
        )
    return letters


async def pardon(services: Desk, slug: str, seat_name: str, reason: str, by: By) -> int:
    """Take the newest strike given at that seat back, and tell the table; how many still stand
    against the person, over all games.
    """
    reason, now = check_text(reason), services.clock.now()
    async with commanded(services, by, "gm.pardon.written") as tx:
        game = await find_game(tx.work, slug)
        table = await load_table(tx, game)
        seat = find_seat(table, seat_name)
        entry = await tx.log(PARDON, {"seat": seat.name, "reason": reason}, game.id)
        strike = await tx.work.strikes.newest_standing([seat.id])
        if strike is None or not await tx.work.strikes.pardon(
            strike.id, by=by.name, reason=reason, at=now
        ):
            raise Refused(
                "no-strike", f"no strike stands that was given to {seat.name} at {game.title}"
            )
        left = await tx.work.strikes.count_standing(strike.person_id)
        await tx.tell(table, Pardoned(seat.name, reason, by.name), "pardon", f"pardon:{entry}")
    return left
