"""A mail with the code of a seat that came through a mailing list. Nothing is taken from it and no
list is answered: the player is told at the address that we know.
"""

from datetime import timedelta

from pbem.desk.envelope.addressing import SeatAt, letter_to
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import MAIL
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.messages.conversation import Conversation
from pbem.desk.table import load_table, mail_address_of, page_reader, page_table
from pbem.mail.tokens import Purpose, proves
from pbem.store.repositories.seats import SeatRow

FROM_A_LIST = "mailing-list"
KIND = "through-a-list"
EVERY = timedelta(days=1)


async def tell_of_list(talk: Conversation[object]) -> Handled | None:
    """A letter a day to the player whose code it is; None if it has no code of a player."""
    seat, now = await _seat_of(talk), talk.now()
    address = await mail_address_of(talk.work, seat.person_id) if seat is not None else None
    game = await talk.work.games.find(seat.game_id) if seat is not None else None
    if seat is None or game is None or address is None:
        return None
    done = Handled(f"automatic:{FROM_A_LIST}", ignored=True, game_id=game.id, seat_id=seat.id)
    if await talk.work.outbox.count_to_address_since(MAIL, address, (KIND,), now - EVERY):
        return done
    person = await talk.work.people.find(seat.person_id) if seat.person_id is not None else None
    letter = letter_to(
        talk.services,
        SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
        talk.services.pages.notices.through_a_list(
            page_table(
                await load_table(talk.work, talk.services.games, game), talk.services.policy, now
            ),
            page_reader(seat, person, talk.services.policy.zone),
            talk.mail.sender or "",
            talk.mail.text,
        ),
        KIND,
        f"{KIND}:{seat.id}:{now.isoformat()}",
    )
    await queue_letter(talk.work, letter, now)
    return done


async def _seat_of(talk: Conversation[object]) -> SeatRow | None:
    for claim in talk.mail.tokens:
        seat = await talk.work.seats.find(claim.seat) if claim.purpose is Purpose.ORDERS else None
        if seat is not None and proves(claim, talk.services.key, seat.tenure):
            return seat
    return None
