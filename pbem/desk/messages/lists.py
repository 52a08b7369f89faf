"""A mail with the code of a seat that came through a mailing list. Nothing is taken from it and no
list is answered: the player is told at the address that we know.
"""

from datetime import timedelta

from pbem.desk.envelope.addressing import SeatAt, letter_to
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table, mail_address_of, page_reader, page_table
from pbem.mail.tokens import Purpose, proves
from pbem.store.repositories.seats import SeatRow

FROM_A_LIST = "mailing-list"
KIND = "through-a-list"
EVERY = timedelta(days=1)


async def tell_of_list(tx: Transaction[Context], mail: Message) -> Handled | None:
    """A letter a day to the player whose code it is; None if it has no code of a player."""
    seat, now = await _seat_of(tx, mail), tx.now()
    address = await mail_address_of(tx.work, seat.person_id) if seat is not None else None
    game = await tx.work.games.find(seat.game_id) if seat is not None else None
    if seat is None or game is None or address is None:
        return None
    done = Handled(f"automatic:{FROM_A_LIST}", ignored=True, game_id=game.id, seat_id=seat.id)
    if await tx.work.outbox.count_to_address_since(MAIL, address, (KIND,), now - EVERY):
        return done
    person = await tx.work.people.find(seat.person_id) if seat.person_id is not None else None
    letter = letter_to(
        tx.services,
        SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
        tx.services.pages.notices.through_a_list(
            page_table(await load_table(tx.work, tx.services.games, game), tx.services.policy, now),
            page_reader(seat, person, tx.services.policy.zone),
            mail.sender or "",
            mail.text,
        ),
        KIND,
        f"{KIND}:{seat.id}:{now.isoformat()}",
    )
    await queue_letter(tx.work, letter, now)
    return done


async def _seat_of(tx: Transaction[Context], mail: Message) -> SeatRow | None:
    for claim in mail.tokens:
        seat = await tx.work.seats.find(claim.seat) if claim.purpose is Purpose.ORDERS else None
        if seat is not None and proves(claim, tx.services.key, seat.tenure):
            return seat
    return None
