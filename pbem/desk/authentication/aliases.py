"""A mail with the code of a seat, from an address that nobody has here: the address that is
registered is asked whether the other is theirs too.

Somebody who was invited under one name of their mailbox writes from another, and cannot answer
from the first. The question goes to the registered address alone, and its answer carries the code
of that very letter: only who reads there has it. So it counts from either of the two addresses.
"""

from dataclasses import replace
from datetime import timedelta

import msgspec

from pbem.desk.authentication.addresses import MOST_ADDRESSES, Registering, bind_address
from pbem.desk.authentication.addresses import PURPOSE as REGISTERING
from pbem.desk.authentication.judging import Unproven
from pbem.desk.authentication.kept import ALIAS, QUOTED_CHARACTERS, is_waiting, shown
from pbem.desk.envelope.addressing import asked_by, letter_to, question_token
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import MAIL
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.letters.post import Masters, read_post
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Desk, Transaction
from pbem.desk.table import load_table, mail_address_of, page_reader, page_table
from pbem.grammar.consent import parse_consent
from pbem.store.repositories.post.pending import NewPending, PendingRow

PURPOSE = ALIAS
KIND, UNANSWERED = "alias-confirm", "gm-alias"
WAITS = timedelta(days=3)
ASKED_A_DAY = 3
WAITING_MESSAGES = 20


class Alias(msgspec.Struct, frozen=True):
    """Whose address it would be, in which tenure of which seat, and which."""

    person_id: int
    tenure: int
    address: str


async def ask_whose(talk: Conversation[Unproven]) -> Handled | None:
    """Let the mail wait and ask at the registered address; None where that cannot be asked."""
    seat, sender, now = talk.writer.seat, talk.mail.sender, talk.now()
    if (
        talk.writer.reason != "other-address"
        or sender is None
        or seat.person_id is None
        or talk.mail.channel != MAIL
        or talk.mail.trust == "fail"
        or not talk.mail.addressed
        or talk.mail.refused is not None
        or talk.services.policy.is_own(sender)
        or await talk.work.people.find_address(MAIL, sender) is not None
        or await talk.work.pending.find_waiting(REGISTERING, sender, now) is not None
    ):
        return None
    registered = await mail_address_of(talk.work, seat.person_id)
    game = await talk.work.games.find(seat.game_id)
    own = await talk.work.people.list_addresses(seat.person_id)
    if registered is None or game is None or len(own) >= MOST_ADDRESSES:
        return None
    waiting = Handled("unproven:other-address", game_id=seat.game_id, seat_id=seat.id)
    detail = msgspec.json.encode(Alias(seat.person_id, seat.tenure, sender)).decode()
    open_one = await talk.work.pending.find_open(PURPOSE, registered)
    if open_one is not None and open_one.detail == detail and open_one.expires_at > now:
        if len(open_one.inbox_ids) < WAITING_MESSAGES:
            await talk.work.pending.add_waiting(open_one, talk.row.id)
        return waiting
    since = now - timedelta(days=1)
    if await talk.work.pending.count_asked_since(PURPOSE, seat.id, since) >= ASKED_A_DAY:
        return None
    if open_one is not None:  # asked about another address: its letter no longer counts
        await talk.work.pending.settle(open_one.id, "expired", now)
    pending, _ = await talk.work.pending.wait_under(
        NewPending(
            purpose=PURPOSE,
            address=registered,
            inbox_ids=(talk.row.id,),
            created_at=now,
            expires_at=now + WAITS,
            game_id=seat.game_id,
            seat_id=seat.id,
            detail=detail,
        )
    )
    token = question_token(talk.services.key, pending.id)
    table = await load_table(talk.work, talk.services.games, game)
    page = talk.services.pages.notices.confirm_alias(
        page_table(table, talk.services.policy, now, code=token),
        page_reader(seat, await talk.work.people.find(seat.person_id), talk.services.policy.zone),
        sender,
        shown(talk.mail.text)[:QUOTED_CHARACTERS],
        token,
    )
    letter = letter_to(
        talk.services,
        asked_by(talk.services.key, pending, seat.name, seat.person_id, game),
        page,
        KIND,
        f"{KIND}:{pending.id}",
    )
    await queue_letter(talk.work, letter, now)
    return waiting


def alias_of(pending: PendingRow) -> Alias:
    """What is asked."""
    return msgspec.json.decode(pending.detail, type=Alias)


async def settle_alias(talk: Conversation[object], pending: PendingRow) -> Handled:
    """A plain yes makes the address theirs, and what came from it is handled again."""
    now, consent = talk.now(), parse_consent(talk.mail.text)
    done = Handled("address-too-late", game_id=pending.game_id, seat_id=pending.seat_id)
    if consent is None:
        return replace(done, outcome="confirmation-unclear", ignored=True)
    if (
        await talk.work.pending.settle(pending.id, "confirmed" if consent else "refused", now)
        is None
    ):
        return done
    if not consent:
        return replace(done, outcome="address-refused")
    alias = alias_of(pending)
    wanted = Registering(alias.person_id, alias.tenure)
    bound = await bind_address(talk, pending, wanted, alias.address)
    if bound.outcome != "address-added":
        return bound
    waiting = [
        row for id_ in pending.inbox_ids if (row := await talk.work.inbox.find(id_)) is not None
    ]
    freed = [row for row in waiting if is_waiting(row)]
    for row in freed:
        await talk.work.inbox.requeue(row.id)
    return replace(bound, receive_again=tuple(row.id for row in freed))


async def leave_alias(services: Desk, pending_id: int) -> None:
    """Nobody has answered in time: the game masters of the table are told, who may register the
    address. May run twice.
    """
    now = services.clock.now()
    async with services.database.write() as work:
        pending = await work.pending.find(pending_id)
        if (
            pending is None
            or pending.purpose != PURPOSE
            or pending.expires_at > now
            or await work.pending.settle(pending.id, "expired", now) is None
        ):
            return
        alias = alias_of(pending)
        game = await work.games.find(pending.game_id) if pending.game_id is not None else None
        seat = await work.seats.find(pending.seat_id) if pending.seat_id is not None else None
        if game is None or seat is None or seat.person_id != alias.person_id:
            return
        table = await load_table(work, services.games, game)
        name, pages = seat.name, services.pages.notices
        post = await read_post(Transaction(work, services), table)
        await post.tell(
            work,
            Masters(),
            lambda facts, reader: pages.gm_alias(
                facts, reader, name, pending.address, alias.address
            ),
            UNANSWERED,
            f"{UNANSWERED}:{pending.id}",
        )
        services.steps.reached("alias.left")
    await ask_for_delivery(services, now)
