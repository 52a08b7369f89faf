"""Mails that prove too little: a confirmation goes to the registered address, and its answer sets them free.

One confirmation waits at a time for an address, and a few a day at most; further unproven mails wait under the same one, as long as
their phase is open. Only a plain yes sets them free: a machine that answers every mail must not confirm anything.
"""

import json
from datetime import timedelta

from pbem.desk import addresses, door, forgetting_by_mail, kept, lobby, mastering, standing_in, substituting
from pbem.desk.handling import Commanding, Forgetting, Handled, NotYet
from pbem.desk.kept import keep_quote, kept_until, let_go_if_over, orders_until
from pbem.desk.letters import letter_to_address
from pbem.desk.lobby import resigning
from pbem.desk.message import MAIL, TELEGRAM, Message
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.proof import Proven, Unproven
from pbem.desk.questions_over import is_over, tell_over, why_over
from pbem.desk.table import load_table, mail_address_of, page_reader, page_table
from pbem.desk.taking import take_message
from pbem.desk.which_game import answer_which
from pbem.grammar.consent import parse_consent
from pbem.mail.tokens import Purpose, TokenClaim, format_reply_address, make_token, proves
from pbem.store.inbox import InboxRow
from pbem.store.pending import PendingRow
from pbem.store.work import Work

ASKED_WITHIN = timedelta(days=1)
PURPOSE = kept.UNPROVEN
KIND = "confirm"
UNPROVEN = "unproven:"
QUOTED_CHARACTERS = 600
CONFIRMATIONS_A_DAY = 3
WAITING_MESSAGES = 20
TOLD_LATE = frozenset({PURPOSE, resigning.PURPOSE, door.PURPOSE, standing_in.PURPOSE, forgetting_by_mail.PURPOSE, addresses.PURPOSE})
"""Of the questions whose answer that comes too late is answered here; the others have words of their own."""


async def ask_to_confirm(work: Work, parts: Parts, row: InboxRow, mail: Message, verdict: Unproven) -> Handled | NotYet:
    """Let the mail wait, and ask the registered player once whether it is theirs."""
    seat, now = verdict.seat, parts.clock.now()
    address = await mail_address_of(work, seat.person_id)
    waiting = Handled(f"{UNPROVEN}{verdict.reason}", game_id=seat.game_id, seat_id=seat.id)
    if address is None:
        return waiting
    open_one = await work.pending.find_open(PURPOSE, address)
    if open_one is not None and await let_go_if_over(work, parts, open_one):
        open_one = None
    if open_one is not None and len(open_one.inbox_ids) >= WAITING_MESSAGES:
        return Handled(f"{UNPROVEN}too-many-waiting", ignored=True, game_id=seat.game_id, seat_id=seat.id)
    asked = await work.outbox.count_to_address_since(MAIL, address, (KIND,), now - ASKED_WITHIN)
    if open_one is None and asked >= CONFIRMATIONS_A_DAY:
        return Handled(f"{UNPROVEN}asked-too-often", ignored=True, game_id=seat.game_id, seat_id=seat.id)
    until = await kept_until(work, (seat.game_id,), [row.received_at], now, now)
    pending, is_new = await work.pending.wait_under(
        purpose=PURPOSE, address=address, inbox_id=row.id, now=now, expires_at=until, game_id=seat.game_id, seat_id=seat.id
    )
    await keep_quote(work, pending, mail.text)
    if not is_new:
        return waiting
    game = await work.games.find(seat.game_id)
    if game is None:
        return waiting
    table = await load_table(work, parts.games, game)
    person = await work.people.find(seat.person_id) if seat.person_id is not None else None
    token = make_token(parts.key, Purpose.CONFIRM, pending.id, 0, 0)
    facts = page_table(table, parts.policy, now, code=token)
    reader, limit = page_reader(seat, person, parts.policy.zone), await orders_until(work, (seat.game_id,), now) or until
    page = parts.notices.confirm_sender(facts, reader, mail.text[:QUOTED_CHARACTERS], limit, token)
    letter = letter_to_address(
        page, kind=KIND, dedupe_key=f"confirm:{pending.id}", policy=parts.policy, address=address, to_name=seat.name,
        reply_to=format_reply_address(parts.policy.address, token) if parts.policy.subaddressing else None, token=token, game=game,
        person_id=seat.person_id,
    )  # fmt: skip
    await queue_letter(work, letter, now)
    return waiting


def is_waiting(row: InboxRow) -> bool:
    """Whether the message was only laid under a confirmation, and not acted upon."""
    return (row.outcome or "").startswith(UNPROVEN)


async def settle_confirmation(
    work: Work, parts: Parts, row: InboxRow, mail: Message, claim: TokenClaim
) -> Handled | NotYet | Commanding | Forgetting:
    """The answer to a question of ours, from the address that was asked: what it says depends on what was asked."""
    pending = await work.pending.find(claim.seat)
    if pending is None or not proves(claim, parts.key, 0):
        return Handled("confirmation-unproven", ignored=True)
    if not await _is_asked(work, mail, pending) or mail.trust == "fail" or not mail.addressed:
        return Handled("confirmation-unproven", ignored=True)
    return await settle_pending(work, parts, row, mail, pending)


async def settle_pending(
    work: Work, parts: Parts, row: InboxRow, mail: Message, pending: PendingRow
) -> Handled | NotYet | Commanding | Forgetting:
    """The same, of somebody who is known to be whom we asked. An answer that comes too late is told so."""
    if pending.purpose == PURPOSE:
        await let_go_if_over(work, parts, pending)
        pending = await work.pending.find(pending.id) or pending
    consent = parse_consent(mail.text)
    if pending.purpose in TOLD_LATE and is_over(pending, parts) and consent is not None:
        is_copy = mail.channel == MAIL and why_over(pending) == ("yes" if consent else "no")  # the same mail, sent or delivered again
        if not is_copy:
            await tell_over(work, parts, mail, pending)
        return Handled("question-over", game_id=pending.game_id, seat_id=pending.seat_id)
    match pending.purpose:
        case kept.WHICH:
            return await answer_which(work, parts, row, mail, pending)
        case lobby.PURPOSE:
            joined = await lobby.settle_join(work, parts, row, mail, pending)
            return await take_message(work, parts, row, mail, joined) if isinstance(joined, Proven) else joined
        case resigning.PURPOSE:
            return await resigning.settle_resignation(work, parts, mail, pending)
        case door.PURPOSE:
            return await door.settle_wish(work, parts, row, mail, pending)
        case standing_in.PURPOSE:
            return await substituting.settle_stand_in(work, parts, mail, pending)
        case forgetting_by_mail.PURPOSE:
            return await forgetting_by_mail.settle_forgetting(work, parts, mail, pending)
        case addresses.PURPOSE:
            return await addresses.settle_address(work, parts, mail, pending)
        case mastering.PURPOSE:
            return await mastering.settle_command(work, parts, mail, pending)
    return await _settle_orders(work, parts, mail, pending)


async def _is_asked(work: Work, mail: Message, pending: PendingRow) -> bool:
    """Whether the answer comes from whom was asked: from that very address, or, where a chat was asked that turned out to be closed, from
    where the question went instead.
    """
    if mail.sender == pending.address:
        return True
    asked = await work.people.find_address(TELEGRAM, pending.address) if mail.sender else None
    known = await work.people.find_address(mail.channel, mail.sender or "") if asked is not None else None
    return asked is not None and known is not None and known.person_id == asked.person_id and known.state != "unconfirmed"


async def _settle_orders(work: Work, parts: Parts, mail: Message, pending: PendingRow) -> Handled:
    """The registered player answers: `yes` sets the waiting mails free, `no` throws them away; anything else changes nothing."""
    consent = parse_consent(mail.text)
    if consent is None:
        return Handled("confirmation-unclear", ignored=True, game_id=pending.game_id, seat_id=pending.seat_id)
    settled = await work.pending.settle(pending.id, "confirmed" if consent else "refused", parts.clock.now())
    if settled is None:
        return Handled("confirmation-too-late", game_id=pending.game_id, seat_id=pending.seat_id)
    if not consent:
        return Handled("confirmation-refused", game_id=pending.game_id, seat_id=pending.seat_id)
    for inbox_id in settled.inbox_ids:
        waiting = await work.inbox.find(inbox_id)
        if waiting is not None:
            facts = json.loads(waiting.facts) | {"confirmed_by": pending.id}
            await work.inbox.requeue(inbox_id, facts=json.dumps(facts))
    return Handled("confirmed", game_id=pending.game_id, seat_id=pending.seat_id, receive_again=settled.inbox_ids)
