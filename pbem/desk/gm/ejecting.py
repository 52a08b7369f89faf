"""A game master takes a seat away from whoever has it: it stands empty until somebody new gets
it.
"""

from pbem.desk.authentication.tenures import find_substitution, hand_over
from pbem.desk.envelope.addressing import Recipient, letter_to
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.gm.people import find_seat
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.calendars import take_back_open_entries
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.lobby.vacancy import vacancy_letters
from pbem.desk.mandate import By, Refused, check_not_done, find_open_phase, log_command
from pbem.desk.people.substituting import give_back
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, mail_address_of, page_reader, page_table
from pbem.store.repositories.seats import SeatRow

MOST_CHARACTERS = 500


async def eject(services: Desk, slug: str, seat_name: str, reason: str, by: By) -> int:
    """Leave a seat to nobody, as after a resignation; its number. Everybody is told, whoever had it
    too. Earlier codes prove nothing.

    Of a substitute it is taken too, and goes back to whom it belongs.
    """
    now, reason = services.clock.now(), " ".join(reason.split())
    if len(reason) > MOST_CHARACTERS:
        raise Refused("too-long", f"at most {MOST_CHARACTERS} characters")
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game, table, _phase = await find_open_phase(tx, slug, paused_too=True)
        seat = find_seat(table, seat_name)
        away = await find_substitution(tx.work, seat)
        is_substitute = away is not None and away.begun
        detail = {"seat": seat.name, "tenure": seat.tenure + 1, "reason": reason} | (
            {"returned": True} if is_substitute else {}
        )
        entry = await log_command(tx, by, "game eject", detail, game_id=game.id)
        if seat.status == "left" or seat.person_id is None:
            raise Refused("vacant", f"the seat of {seat.name} is already empty")
        if seat.number not in table.kind.ruleset.active(table.state):
            raise Refused("eliminated", f"{seat.name} is already out of the game")
        if away is not None and away.begun:
            await give_back(tx, table, away, "ejected")
        else:
            await _leave_empty(tx, table, seat, reason, by, entry)
        services.steps.reached("gm.eject.written")
    await ask_for_delivery(services, now)
    return seat.number


async def _leave_empty(
    tx: Transaction[Context], table: OpenTable, seat: SeatRow, reason: str, by: By, entry: int
) -> None:
    now, pages = tx.now(), tx.services.pages.announcements
    former = await tx.work.people.find(seat.person_id) if seat.person_id is not None else None
    address = await mail_address_of(tx.work, seat.person_id) or ""
    fresh = await hand_over(tx, table, seat, None, source="ejected")
    if fresh is None:
        raise Refused("conflict", "the seat changed at the same moment; look again")
    letters: list[NewLetter] = []
    if former is not None:
        facts = page_table(fresh, tx.services.policy, now)
        farewell = letter_to(
            tx.services,
            Recipient(
                address=address,
                name=seat.name,
                person_id=former.id,
                game=table.game,
                is_routed=True,
            ),
            pages.ejected(
                facts, page_reader(seat, former, tx.services.policy.zone), "", reason, by.name
            ),
            "unseated",
            f"unseated:{seat.id}:{seat.tenure}",
        )
        letters += await take_back_open_entries(
            tx.work, tx.services.policy, table, [farewell], [seat.number], now
        )
    post = await read_post(tx, fresh, now)
    letters += post.to(
        at_table(commander=by.person_id),
        lambda facts, reader: pages.ejected(facts, reader, seat.name, reason, by.name),
        "ejected",
        f"ejected:{entry}",
    )
    letters += await vacancy_letters(tx, post, seat.number)
    await post.send(tx.work, letters)
