"""`forget me`: asked back at the person's own address, or in the chat of whoever has none. The yes
lets go of all that identifies them.
"""

from datetime import timedelta

import msgspec

from pbem.desk.chat.buttons import with_answers
from pbem.desk.envelope.addressing import asked_by, letter_to, question_token
from pbem.desk.envelope.handling import Forgetting, Handled
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.letters.routing import chat_addresses_of
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table, mail_address_of
from pbem.grammar.consent import parse_sure_consent
from pbem.pages.page import Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import NewPending, PendingRow

PURPOSE = "forget"
"""Of the confirmations that the wish to be forgotten waits under."""

KIND = "forget-confirm"
WAITS = timedelta(days=1)
ASKED_A_DAY = 3


class Wanted(msgspec.Struct, frozen=True):
    """Who wants to be forgotten."""

    person_id: int


async def ask_to_forget(tx: Transaction[Context], person: PersonRow, inbox_id: int) -> bool:
    """Ask at the registered address, a few times a day. False: nobody can be asked."""
    now, address = tx.now(), await mail_address_of(tx.work, person.id)
    channel: Channel = MAIL if address is not None else TELEGRAM
    if address is None:
        address = (await chat_addresses_of(tx.work, [person.id])).get(person.id)
    if (
        address is None
        or await tx.work.outbox.count_to_address_since(
            channel, address, (KIND,), now - timedelta(days=1)
        )
        >= ASKED_A_DAY
    ):
        return False
    waiting = await tx.work.pending.find_open(PURPOSE, address)
    if waiting is not None:
        await tx.work.pending.settle(waiting.id, "expired", now)
    pending, _ = await tx.work.pending.wait_under(
        NewPending(
            purpose=PURPOSE,
            address=address,
            inbox_ids=(inbox_id,),
            created_at=now,
            expires_at=now + WAITS,
            detail=msgspec.json.encode(Wanted(person.id)).decode(),
        )
    )
    titles = []
    for seat in await tx.work.seats.list_of_person(person.id):
        game = await tx.work.games.find(seat.game_id)
        if (
            game is not None
            and seat.status == "active"
            and game.status in ("open", "running", "paused")
        ):
            titles.append(game.title)
    token = question_token(tx.services.key, pending.id)
    reader = Reader(None, person.name, person.time_zone, person.locale)
    page = tx.services.pages.people.ask_forget(
        house_table(tx.services.policy, now), reader, titles, token
    )
    letter = letter_to(
        tx.services,
        asked_by(tx.services.key, pending, person.name, person.id),
        page,
        KIND,
        f"{KIND}:{pending.id}",
    )
    await queue_letter(tx.work, with_answers(letter, tx.services, pending.id), now)
    return True


async def settle_forgetting(
    talk: Conversation[object], pending: PendingRow
) -> Handled | Forgetting:
    """The person has answered: a plain yes lets go of them, in units of work of its own; anything
    else changes nothing.
    """
    now, consent = talk.now(), parse_sure_consent(talk.mail.text)
    if consent is None:
        return Handled("confirmation-unclear", ignored=True)
    if pending.done_at is not None or pending.expires_at <= now:
        return Handled("forget-too-late")
    if not consent:
        await talk.work.pending.settle(pending.id, "refused", now)
        return Handled("forget-refused")
    return Forgetting(pending.address)
