"""Sending one mail of the outbox that is ours, and what becomes of one that was not taken.

A 4xx or no answer is tried again with growing pauses for five days. A 5xx that says that nobody is
there suspends the address and tells the game masters; after any other one letter a day is tried
(`pbem.desk.letters.bounces`). Our own server out of reach is nobody's fault and suspends nobody.
"""

import asyncio
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

import msgspec
import structlog

from pbem.desk.envelope.letter import Draft
from pbem.desk.letters.bounces import GIVE_UP_AFTER, count_failure, suspend_address
from pbem.desk.ports import Services, Transaction
from pbem.mail.composer import envelope
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.letter import (
    AttachedFile,
    CalendarFile,
    InlineImage,
    Letter,
    LetterError,
    encode_image,
)
from pbem.mail.ports import Deferred, Delivery, OutboundMail, Refused, WireError
from pbem.mail.refusals import finality
from pbem.pages.kit.arms import badge_png, badges_in, said_of, with_badges
from pbem.store.repositories.post.outbox import OutboxRow

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


async def send_mail(services: Services, row: OutboxRow) -> Delivery | None:
    """What its server says to a mail that is ours. None: it is unfit to be sent, and on record as
    that.
    """
    mail = await _prepare(services, row)
    if mail is None:
        return None
    services.steps.reached("deliver.claimed")
    delivery = await services.dispatch.outbound.send(mail)
    services.steps.reached("deliver.answered")
    return delivery


async def record_failure(
    tx: Transaction[Services], row: OutboxRow, delivery: Deferred | Refused, now: datetime
) -> None:
    """A mail was not taken: it is tried again, or never."""
    match delivery:
        case Deferred(code=code, text=text) if now - row.created_at < GIVE_UP_AFTER:
            await tx.work.outbox.defer(
                row.id, next_try(row.attempts, now), f"{code or 'no answer'} {text}".strip()
            )
        case Deferred(code=code, text=text):
            await tx.work.outbox.refuse(
                row.id, f"given up after five days: {code or 'no answer'} {text}"
            )
            if code is not None and 400 <= code < 500:
                await _suspend(tx, row, f"{code} {text}")
        case Refused(code=code, text=text) if may_pass(delivery) and (
            later := await count_failure(tx, row.address, f"{code} {text}", game_id=row.game_id)
        ):
            await tx.work.outbox.defer(row.id, later, f"{code} {text}")
        case Refused(code=code, text=text, about=about):
            await tx.work.outbox.refuse(row.id, f"{code} {text}")
            if about == "recipient" and not may_pass(delivery):
                await _suspend(tx, row, f"{code} {text}")


async def _suspend(tx: Transaction[Services], row: OutboxRow, reason: str) -> None:
    await suspend_address(tx, row.channel, row.address, reason, game_id=row.game_id)


async def _prepare(services: Services, row: OutboxRow) -> OutboundMail | None:
    """The letter as it goes over the wire; refused here where it is unfit for that."""
    try:
        mail = await _compose(services, row)
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
    badges = tuple(_badge(name, policy.host) for name in badges_in(html or ""))
    if html is not None:
        html = with_badges(html, f"cid:arms-{{}}@{policy.host}")
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
        badges=badges,
        calendars=tuple(_calendars(draft)),
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
    # A file may be long to encode; the rest takes less time than to hand it to a thread.
    return envelope(letter) if letter.file is None else await asyncio.to_thread(envelope, letter)


def _calendars(draft: Draft) -> Iterator[CalendarFile]:
    if draft.calendar:
        yield CalendarFile("deadline.ics", draft.calendar.encode())
    for number, ics in enumerate(draft.cancelled, start=1):
        yield CalendarFile(f"cancelled-{number}.ics", ics.encode(), "CANCEL")


@cache
def _badge(name: str, host: str) -> InlineImage:
    return encode_image(
        badge_png(name), cid=f"arms-{name}@{host}", filename=f"{name}.png", alt=said_of(name)
    )


async def _picture(services: Services, picture_id: int) -> InlineImage | None:
    """A picture ready encoded: once for all letters that show it, also those sent side by side."""
    pictures = services.dispatch.pictures
    known = pictures.get(picture_id)
    if known is not None:
        return known
    async with pictures.reading:
        known = pictures.get(picture_id)
        if known is not None:
            return known
        async with services.database.read() as work:
            row = await work.pictures.find(picture_id)
        if row is None:
            return None
        image = encode_image(
            row.png, cid=f"{BOARD}@{services.policy.host}", filename="board.png", alt=row.alt
        )
        pictures.keep(picture_id, image)
        return image
