"""Mails that prove too little: a confirmation goes to the registered address, and its answer sets them free.

One confirmation a day and address; further unproven mails of that day wait under the same one.
"""

import json
from datetime import timedelta

from pbem.desk.handling import Handled, NotYet
from pbem.desk.letters import letter_to_address
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.proof import Unproven
from pbem.desk.table import load_table, mail_address_of, page_reader, page_table
from pbem.mail.message import InboundMail
from pbem.mail.tokens import Purpose, TokenClaim, format_reply_address, make_token, proves
from pbem.store.inbox import InboxRow
from pbem.store.work import Work

WAITS = timedelta(days=1)
PURPOSE = "orders"
QUOTED_CHARACTERS = 600


async def ask_to_confirm(work: Work, parts: Parts, row: InboxRow, mail: InboundMail, verdict: Unproven) -> Handled | NotYet:
    """Let the mail wait, and ask the registered player once whether it is theirs."""
    seat, now = verdict.seat, parts.clock.now()
    address = await mail_address_of(work, seat.person_id)
    waiting = Handled(f"unproven:{verdict.reason}", game_id=seat.game_id, seat_id=seat.id)
    if address is None:
        return waiting
    pending, is_new = await work.pending.wait_under(
        purpose=PURPOSE, address=address, inbox_id=row.id, now=now, expires_at=now + WAITS, game_id=seat.game_id, seat_id=seat.id
    )
    if not is_new:
        return waiting
    game = await work.games.find(seat.game_id)
    if game is None:
        return waiting
    table = await load_table(work, parts.games, game)
    person = await work.people.find(seat.person_id) if seat.person_id is not None else None
    token = make_token(parts.key, Purpose.CONFIRM, pending.id, 0, 0)
    facts = page_table(table, parts.policy, now, code=token)
    page = parts.notices.confirm_sender(facts, page_reader(seat, person, parts.policy.zone), mail.text[:QUOTED_CHARACTERS], token)
    letter = letter_to_address(
        page, kind="confirm", dedupe_key=f"confirm:{pending.id}", policy=parts.policy, address=address, to_name=seat.name,
        reply_to=format_reply_address(parts.policy.address, token) if parts.policy.subaddressing else None, token=token, game=game,
        person_id=seat.person_id,
    )  # fmt: skip
    await queue_letter(work, letter, now)
    return waiting


async def settle_confirmation(work: Work, parts: Parts, mail: InboundMail, claim: TokenClaim) -> Handled | NotYet:
    """The registered player answers: `no` throws the waiting mails away, anything else sets them free."""
    pending = await work.pending.find(claim.seat)
    if pending is None or not proves(claim, parts.key, 0) or mail.sender != pending.address or mail.dmarc == "fail":
        return Handled("confirmation-unproven", ignored=True)
    refused = mail.text.strip().lower().rstrip(".!") in ("no", "nein", "non", "not me")
    settled = await work.pending.settle(pending.id, "refused" if refused else "confirmed", parts.clock.now())
    if settled is None:
        return Handled("confirmation-too-late", game_id=pending.game_id, seat_id=pending.seat_id)
    if refused:
        return Handled("confirmation-refused", game_id=pending.game_id, seat_id=pending.seat_id)
    for inbox_id in settled.inbox_ids:
        waiting = await work.inbox.find(inbox_id)
        if waiting is not None:
            facts = json.loads(waiting.facts) | {"confirmed_by": pending.id}
            await work.inbox.requeue(inbox_id, facts=json.dumps(facts))
    return Handled("confirmed", game_id=pending.game_id, seat_id=pending.seat_id, receive_again=settled.inbox_ids)
