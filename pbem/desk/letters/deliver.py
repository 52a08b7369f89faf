"""Sending one letter of the outbox: claimed, composed, sent, and the answer recorded.

Between the server's 250 and our record lies the only window in which a crash sends a letter twice;
both copies carry the same Message-ID. A 4xx or no answer is tried again with growing pauses for
five days. A 5xx that says that nobody is there suspends the address and tells the game masters;
after any other one letter a day is tried (`pbem.desk.letters.bounces`). Our own server out of reach
is nobody's fault and suspends nobody.
"""

import asyncio
import re
from contextlib import nullcontext
from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.correlation import correlated, follow
from pbem.desk.envelope.letter import Draft
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.jobs import Job
from pbem.desk.letters.bounces import GIVE_UP_AFTER, count_failure, suspend_address, wait_for_try
from pbem.desk.letters.deliver_chat import (
    BEHIND_ANOTHER,
    LETS_BY_AFTER,
    send_to_chat,
    wait_for_turn,
)
from pbem.desk.letters.outgoing import ANSWERS
from pbem.desk.ports import Desk, Services
from pbem.desk.precedence import Courtesy
from pbem.desk.slots import AT_ONCE
from pbem.mail.composing import WireError, check_wire, envelope
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.letter import (
    AttachedFile,
    CalendarFile,
    InlineImage,
    Letter,
    LetterError,
    encode_image,
)
from pbem.mail.ports import Deferred, OutboundMail, Refused, Sent
from pbem.mail.refusals import finality
from pbem.store.repositories.marks import DELIVERED, MARK_SPACING
from pbem.store.repositories.post.outbox import OutboxRow

LEASE_SECONDS = 300.0
LETTERS_A_TURN = 20
PAUSES_MINUTES = (1, 2, 5, 15, 30, 60, 120, 240)
BOARD = "board"
_POLICY_STATUS = re.compile(r"5\.7\.\d")

_log = structlog.get_logger("deliver")


def next_try(attempts: int, now: datetime) -> datetime:
    """When a deferred letter is tried again; the pauses grow up to four hours."""
    return now + timedelta(minutes=PAUSES_MINUTES[min(attempts, len(PAUSES_MINUTES)) - 1])


def may_pass(refusal: Refused) -> bool:
    """Whether a permanent refusal is about something that may go away: a full mailbox, a block, a
    policy. A letter too large stays so.
    """
    if refusal.about == "message":
        return _POLICY_STATUS.match(refusal.text) is not None
    return finality("", f"{refusal.code} {refusal.text}") == "soft"


async def free_leases(services: Desk) -> int:
    """Called once when a service begins: what the last process was sending when it ended is due
    again at once; how many letters.

    Only one service sends from an SQLite file, which its directory's lock sees to. On a database
    shared by several hosts another one may be in the middle of sending, so there a lease runs to
    its end.
    """
    if services.database.file is None:
        return 0
    async with services.database.write() as work:
        freed = await work.outbox.free_leases(services.clock.now())
    services.steps.reached("leases.freed")
    if freed:
        _log.info("leases-freed", letters=freed)
    return freed


async def deliver_next(services: Services) -> None:
    """Send whatever is due and may go, each time the letter that should go first: whichever this
    was asked for, an answer goes before news, and nothing waits for somebody whose server hangs
    (`slots`).
    """
    courtesy = services.precedence.courtesy()
    for _ in range(LETTERS_A_TURN):
        if not await _deliver_first(services, courtesy):
            return
    async with services.database.read() as work:
        for outbox_id in await work.outbox.due_ids(services.clock.now(), AT_ONCE):
            services.jobs.ask(Job("deliver", (outbox_id,)))


async def _deliver_first(services: Services, courtesy: Courtesy) -> bool:
    """Send the letter that should go first. False: none may go, or those that may not wait for one
    that is on its way.
    """
    await courtesy.give_way()
    while True:
        now = services.clock.now()
        full = services.dispatch.slots.full(now)
        async with services.database.read() as work:
            found = await work.outbox.next_due(
                now,
                but_no_channel=full.channels,
                but_no_news=(MAIL, TELEGRAM) if services.precedence.holds_news else full.for_news,
                but_not_to=full.addresses,
                but_no_domain=full.domains,
            )
            head = (
                await work.outbox.head_to(TELEGRAM, found.address, now, LETS_BY_AFTER)
                if found is not None and found.channel == TELEGRAM
                else None
            )
        if found is None:
            return False
        outbox_id, channel, address, is_answer = (
            found.id,
            found.channel,
            found.address,
            found.lane == ANSWERS,
        )
        if (
            head is not None
        ):  # a chat keeps its order: the first goes, or all behind it wait as long as it does
            outbox_id = head.id
            if head.next_try_at > now:
                until = now + BEHIND_ANOTHER if head.state == "sending" else head.next_try_at
                async with services.database.write() as work:
                    await work.outbox.postpone_behind(head, now, until)
                continue
        with services.dispatch.slots.take(channel, address, now, is_answer=is_answer) as slot:
            if slot is not None:  # else somebody was quicker
                slot.hung = await deliver(services, outbox_id, is_answer=is_answer)
                return True


@correlated("d")
async def deliver(services: Services, outbox_id: int, *, is_answer: bool = False) -> bool | None:
    """Send the letter if it is due and nobody else is sending it. Whether its server hung; None:
    nobody was asked.
    """
    with services.precedence.urgent() if is_answer else nullcontext():
        row = await _claim(services, outbox_id, services.clock.now(), gives_way=not is_answer)
        if row is None:
            return None
        mail = await _prepare(services, row) if row.channel != TELEGRAM else None
    if row.channel == TELEGRAM:
        services.steps.reached("deliver.claimed")
        await send_to_chat(services, row)
        return None
    if mail is None:
        return None
    services.steps.reached("deliver.claimed")
    delivery = await services.dispatch.outbound.send(mail)
    services.steps.reached("deliver.answered")
    now = services.clock.now()
    async with services.database.write() as work:
        match delivery:
            case Sent(answer=answer):
                await work.outbox.mark_sent(outbox_id, now, answer)
                await work.marks.put_at_most_every(MARK_SPACING, DELIVERED, now)
            case Deferred(code=code, text=text) if now - row.created_at < GIVE_UP_AFTER:
                await work.outbox.defer(
                    outbox_id, next_try(row.attempts, now), f"{code or 'no answer'} {text}".strip()
                )
            case Deferred(code=code, text=text):
                await work.outbox.refuse(
                    outbox_id, f"given up after five days: {code or 'no answer'} {text}"
                )
                if code is not None and 400 <= code < 500:
                    await suspend_address(
                        work,
                        services,
                        row.channel,
                        row.address,
                        f"{code} {text}",
                        game_id=row.game_id,
                    )
            case Refused(code=code, text=text) if may_pass(delivery) and (
                later := await count_failure(
                    work, services, row.address, f"{code} {text}", game_id=row.game_id
                )
            ):
                await work.outbox.defer(outbox_id, later, f"{code} {text}")
            case Refused(code=code, text=text, about=about):
                await work.outbox.refuse(outbox_id, f"{code} {text}")
                if about == "recipient" and not may_pass(delivery):
                    await suspend_address(
                        work,
                        services,
                        row.channel,
                        row.address,
                        f"{code} {text}",
                        game_id=row.game_id,
                    )
    services.steps.reached("deliver.recorded")
    came_to = type(delivery).__name__.lower()
    services.tally.sent(row.kind, came_to, (now - row.due_at).total_seconds())
    _log.info("letter", outbox=outbox_id, kind=row.kind, delivery=came_to, attempts=row.attempts)
    return isinstance(delivery, Deferred) and delivery.hung


async def _claim(
    services: Desk, outbox_id: int, now: datetime, *, gives_way: bool
) -> OutboxRow | None:
    """Take the letter, unless it may not go now or never."""
    async with services.database.write(gives_way=gives_way) as work:
        row = await work.outbox.claim(outbox_id, now, LEASE_SECONDS)
        if row is None:
            return None
        follow(row.correlation)
        address = await work.people.find_address(row.channel, row.address)
        if address is not None and address.state == "suspended":
            await work.outbox.withhold(outbox_id, "address-suspended")
            return None
        if row.channel == TELEGRAM:
            later = await wait_for_turn(work, row, now)
        else:
            later = await wait_for_try(work, address, now) if address is not None else None
        if later is not None:
            await work.outbox.postpone(outbox_id, later)
            return None
    return row


async def _prepare(services: Services, row: OutboxRow) -> OutboundMail | None:
    """The letter as it goes over the wire; refused here where it is unfit for that."""
    try:
        mail = await _compose(services, row)
        check_wire(mail.raw)
    except (LetterError, WireError) as error:
        async with services.database.write() as work:
            await work.outbox.refuse(row.id, f"unfit for a mail: {error}")
        _log.error("letter-refused", outbox=row.id, kind=row.kind, reason=str(error))
        return None
    return mail


async def _compose(services: Services, row: OutboxRow) -> OutboundMail:
    draft = msgspec.json.decode(row.letter, type=Draft)
    image = await _picture(services, row.picture_id) if row.picture_id is not None else None
    policy = services.policy
    html = draft.html
    if html is not None and image is not None:
        html = html.replace(
            f'"cid:{BOARD}"', f'"cid:{image.cid}"'
        )  # pages know no host, a Content-ID has one (RFC 2392)
    letter = Letter(
        from_name=policy.name,
        from_address=policy.address,
        to_name=draft.to_name,
        to_address=row.address,
        subject=draft.subject,
        text=draft.text,
        message_id=row.message_id or "",
        date=row.created_at,
        envelope_from=draft.envelope_from,
        auto_submitted=draft.auto_submitted,
        reply_to=draft.reply_to,
        html=html,
        image=image,
        calendar=CalendarFile("deadline.ics", draft.calendar.encode()) if draft.calendar else None,
        file=AttachedFile(draft.attachment.filename, draft.attachment.content)
        if draft.attachment is not None
        else None,
        in_reply_to=draft.in_reply_to,
        references=draft.references,
        list_id=draft.list_id,
        extra=(
            (LOOP_HEADER, policy.host),
            *([("List-Unsubscribe", f"<{draft.unsubscribe}>")] if draft.unsubscribe else []),
        ),
    )
    return await asyncio.to_thread(envelope, letter)


async def _picture(services: Services, picture_id: int) -> InlineImage | None:
    """A picture ready encoded: once for all letters that show it."""
    known = services.dispatch.pictures.get(picture_id)
    if known is not None:
        return known
    async with services.database.read() as work:
        row = await work.pictures.find(picture_id)
    if row is None:
        return None
    image = encode_image(
        row.png, cid=f"{BOARD}@{services.policy.host}", filename="board.png", alt=row.alt
    )
    services.dispatch.pictures.keep(picture_id, image)
    return image
