"""Receipts in a chat: of a phase only the newest shows buttons. It takes the place of the one
before, or stands below it.
"""

from dataclasses import dataclass
from datetime import datetime

from pbem.desk.chat.messages import (
    LOOKED_BACK,
    draft_of,
    find_last_message,
    message_of,
    parse_chat_name,
    withhold_edits,
)
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import TELEGRAM, Message
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Place:
    """The message that a receipt `edits`; or the receipt `before` it, which points below to it."""

    edits: int | None = None
    before: OutboxRow | None = None


async def place_receipt(work: Work, letter: NewLetter, mail: Message, since: datetime) -> Place:
    """Where the receipt for a message stands, in the phase that was asked `since`. A mail's stands
    alone.
    """
    if letter.only != TELEGRAM:
        return Place()
    if mail.message_id is not None and not mail.is_edit:
        return Place(before=await _newest_receipt(work, letter, since))
    row = await find_last_message(work, letter.address)
    if row is None or not _is_of_same(row, letter) or row.created_at < since:
        return Place()
    if draft_of(row).secret is not None:  # it answers other things as well, which must stay
        return Place(before=row)
    message_id = message_of(row)
    if message_id is not None:
        await withhold_edits(work, letter.address, message_id)
    return Place(message_id)


async def _newest_receipt(work: Work, letter: NewLetter, since: datetime) -> OutboxRow | None:
    for row in await work.outbox.list_last_to(TELEGRAM, letter.address, LOOKED_BACK):
        if _is_of_same(row, letter) and row.state in ("queued", "sending", "sent"):
            return row if row.created_at >= since else None
    return None


def _is_of_same(row: OutboxRow, letter: NewLetter) -> bool:
    return row.kind == letter.kind and row.seat_id == letter.seat_id


async def is_receipt_of(work: Work, chat_id: str, replied: str, key: str) -> bool:
    """Whether a message of a chat that is replied to is the letter of that key, which may stand
    where an older one stood; or no letter of ours at all.
    """
    if await work.outbox.find_by_message_id(replied) is None:
        return True
    name = parse_chat_name(replied)
    rows = await work.outbox.list_last_to(TELEGRAM, chat_id, LOOKED_BACK)
    return name is not None and any(
        (row.dedupe_key or "").startswith(f"{key}@{TELEGRAM}")
        and message_of(row) == name.message_id
        for row in rows
    )
