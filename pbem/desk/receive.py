"""Handling one stored message: who wrote, what is new in it, what it says, whether it is legal; then one transaction.

Messages are handled in the order they arrived, one at a time in a process. An unexpected exception shunts the message
with its traceback and never blocks the next. A mail received after the open phase's deadline waits until that phase
is closed: then it is answered as what it is, a mail for a phase that is over.
"""

import asyncio
import json
import traceback
from dataclasses import dataclass

import structlog

from pbem.desk.bounces import take_bounce
from pbem.desk.close import ask_for_delivery
from pbem.desk.confirming import ask_to_confirm, settle_confirmation
from pbem.desk.handling import Handled, NotYet
from pbem.desk.ports import Parts, Policy
from pbem.desk.proof import Confirming, Facts, Proven, Stranger, Unproven, Verdict, WhichGame, judge
from pbem.desk.table import MAIL
from pbem.desk.taking import answer_too_big, ask_which_game, take_message
from pbem.mail.bounces import Bounce, parse_bounce
from pbem.mail.message import InboundMail
from pbem.mail.reading import ReadingRules, read_mail
from pbem.store.errors import StoreError
from pbem.store.inbox import InboxRow
from pbem.store.work import Work

BACKLOG = 500

UNREADABLE = frozenset(
    {"too-large", "too-deep", "too-many-parts", "too-many-header-lines", "header-too-long", "too-much-text", "encrypted"}
)
"""Refusals that are about the body: whoever proves to be a player is told."""

_log = structlog.get_logger("receive")


@dataclass(frozen=True, slots=True)
class Opened:
    """A message taken out of its envelope."""

    row: InboxRow
    mail: InboundMail
    bounce: Bounce | None


def rules_of(policy: Policy) -> ReadingRules:
    """How raw mails are read here."""
    return ReadingRules(
        own_addresses=frozenset({policy.address}), host=policy.host, authserv_id=policy.authserv_id, subaddressing=policy.subaddressing
    )


async def receive(parts: Parts, inbox_id: int) -> None:
    """Handle this message, and before it every older one that is still waiting."""
    async with parts.intake:
        async with parts.database.read() as work:
            rows = [row for row in await work.inbox.next_new(BACKLOG) if row.id <= inbox_id]
        for row in rows:
            await _handle(parts, row)
    await ask_for_delivery(parts, parts.clock.now())


async def _handle(parts: Parts, row: InboxRow) -> None:
    try:
        opened = await _open(parts, row)
        if opened is not None:
            await _dispose(parts, opened)
    except StoreError:
        raise  # the database cannot be written: nothing is lost, the sweep comes back to it
    except Exception:  # noqa: BLE001 - whatever it is: laid aside with its traceback, and the next message is handled
        trace = traceback.format_exc()
        _log.error("message-shunted", inbox=row.id, trace=trace)
        async with parts.database.write() as work:
            await work.inbox.shunt(row.id, trace)


async def _open(parts: Parts, row: InboxRow) -> Opened | None:
    async with parts.database.read() as work:
        raw = await work.inbox.read_raw(row.id)
    if raw is None:
        async with parts.database.write() as work:
            await work.inbox.mark_ignored(row.id, "bytes-dropped")
        return None
    oversize = bool(json.loads(row.facts).get("oversize"))
    mail = await asyncio.to_thread(read_mail, raw, rules_of(parts.policy), oversize=oversize)
    bounce = await asyncio.to_thread(parse_bounce, raw) if mail.automatic is not None else None
    return Opened(row, mail, bounce)


async def _dispose(parts: Parts, opened: Opened) -> None:
    """Answer or ignore the message, in one transaction with everything that follows from it."""
    row, mail = opened.row, opened.mail
    async with parts.database.write() as work:
        if opened.bounce is not None:
            outcome = await take_bounce(work, parts, opened.bounce, mail)
            await work.inbox.mark_ignored(row.id, outcome)
            _log.info("bounce", inbox=row.id, outcome=outcome)
            return
        reason = mail.automatic or (mail.refused if mail.refused not in UNREADABLE else None)
        if reason is not None or mail.sender is None:
            await work.inbox.mark_ignored(row.id, f"{'automatic' if mail.automatic else 'refused'}:{reason or 'no-sender'}")
            _log.info("mail-ignored", inbox=row.id, reason=reason)
            return
        if await _is_copy(work, row):
            await work.inbox.mark_ignored(row.id, "copy")
            return
        verdict = judge(mail, await _facts(work, mail), parts.key)
        handled = await _act(work, parts, opened, verdict)
        if isinstance(handled, NotYet):
            await work.rollback()
            return
        if handled.ignored:
            await work.inbox.mark_ignored(row.id, handled.outcome, game_id=handled.game_id, seat_id=handled.seat_id)
        else:
            await work.inbox.mark_handled(row.id, handled.outcome, game_id=handled.game_id, seat_id=handled.seat_id)
        parts.steps.reached("receive.written")
    parts.steps.reached("receive.kept")
    _log.info("mail-handled", inbox=row.id, outcome=handled.outcome)
    if handled.close is not None:
        parts.jobs.close_phase(*handled.close)
    for waiting in handled.receive_again:
        parts.jobs.receive(waiting)


async def _act(work: Work, parts: Parts, opened: Opened, verdict: Verdict) -> Handled | NotYet:
    match verdict:
        case Stranger(reason=reason):
            return Handled(f"stranger:{reason}", ignored=True)
        case Confirming(claim=claim):
            return await settle_confirmation(work, parts, opened.mail, claim)
        case Unproven():
            if await _was_confirmed(work, opened.row):
                return await take_message(work, parts, opened.row, opened.mail, Proven(verdict.seat, _token_phase(opened.mail)))
            return await ask_to_confirm(work, parts, opened.row, opened.mail, verdict)
        case WhichGame():
            return await ask_which_game(work, parts, opened.row, opened.mail, verdict)
        case Proven() if opened.mail.refused is not None:
            return await answer_too_big(work, parts, opened.row, opened.mail, verdict)
        case Proven():
            return await take_message(work, parts, opened.row, opened.mail, verdict)


def _token_phase(mail: InboundMail) -> int | None:
    return mail.tokens[0].phase if mail.tokens else None


async def _was_confirmed(work: Work, row: InboxRow) -> bool:
    """Whether the registered player has confirmed this very message."""
    facts = json.loads(row.facts)
    pending = await work.pending.find(facts["confirmed_by"]) if "confirmed_by" in facts else None
    return pending is not None and pending.outcome == "confirmed" and row.id in pending.inbox_ids


async def _is_copy(work: Work, row: InboxRow) -> bool:
    """Whether a message of the same Message-ID was handled before: the same mail sent or delivered twice."""
    message_id = row.message_key.partition("|")[0]
    return bool(message_id) and await work.inbox.has_earlier_copy(MAIL, f"{message_id}|", row.id)


async def _facts(work: Work, mail: InboundMail) -> Facts:
    person = await work.people.find_by_address(MAIL, mail.sender) if mail.sender else None
    own = await work.seats.list_of_person(person.id) if person is not None else []
    claimed = {}
    for claim in mail.tokens[:10]:
        seat = await work.seats.find(claim.seat)
        if seat is not None:
            claimed[seat.id] = seat
    addresses = {}
    for seat in claimed.values():
        if seat.person_id is not None:
            addresses[seat.id] = frozenset(
                row.address for row in await work.people.list_addresses(seat.person_id) if row.state != "unconfirmed"
            )
    running = frozenset(game.id for game in await work.games.list_by_status("running"))
    return Facts(person, tuple(seat for seat in own if seat.status != "left"), claimed, addresses, running)
