"""Messages of a chat that were changed after they had been sent.

Orders in them count as they stand now, as long as the phase is open
(`pbem.desk.messages.receipts`). What has gone to others does not go again, and what took effect at
once does not happen again: the player reads that, and how to say it again.
"""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from pbem.desk.chat.cut_texts import earlier_heads, read_parts
from pbem.desk.chat.inbound import message_of_update
from pbem.desk.envelope.message import TELEGRAM, Message
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.work import Work
from pbem.telegram.parts import read_whole
from pbem.telegram.updates import Said, read_update

SKEW = timedelta(minutes=5)
"""How far our clock and Telegram's may be apart."""


async def first_version(
    work: Work, row: InboxRow, mail: Message
) -> tuple[InboxRow, Message] | None:
    """The message as it was before it was changed at all; None where it is no change of anything,
    or that is not known any more.
    """
    if mail.written_at is None:
        return None
    async for earlier, message in _versions(work, row, mail, mail.written_at + SKEW):
        if not message.is_edit:
            return earlier, message
    return None


async def earlier_versions(work: Work, row: InboxRow, mail: Message, seat_id: int) -> list[int]:
    """The inbox rows of this message of a seat as it was before, the newest first; none where it
    was not changed.
    """
    if mail.written_at is None:
        return []
    return [one.id async for one, _ in _versions(work, row, mail, row.received_at, seat_id)]


async def is_of_another_phase(
    work: Work, row: InboxRow, mail: Message, seat_id: int, phase_number: int, asked_at: datetime
) -> bool:
    """Whether a message that was changed was first sent before this phase was asked. What it
    brought then says it for certain: a phase may close, and the next be asked, within the second
    that Telegram gives it.
    """
    earlier = await earlier_versions(work, row, mail, seat_id)
    for version in reversed(earlier):
        for orders in await work.orders.find_by_message(version):
            return orders.phase_number != phase_number
    first = await work.inbox.find(earlier[-1]) if earlier else None
    if first is not None:
        return first.stored_at < asked_at
    return mail.written_at is not None and mail.written_at < asked_at.replace(microsecond=0)


async def has_gone(work: Work, row: InboxRow, mail: Message, seat_id: int) -> bool:
    """Whether an earlier version of this message has brought press or a note of the seat."""
    earlier = await earlier_versions(work, row, mail, seat_id)
    return bool(earlier) and (
        await work.press.is_from(earlier) or await work.notes.is_from(earlier)
    )


async def has_acted(
    work: Work, mail: Message, game_id: int, phase_number: int, player: int
) -> bool:
    """Whether anything of this player has taken effect at once since the message was first sent."""
    if mail.written_at is None:
        return False
    since, actor = mail.written_at - SKEW, str(player)
    return any(
        act.actor == actor and act.at >= since
        for act in await work.acts.list_of_phase(game_id, phase_number)
    )


async def _versions(
    work: Work, row: InboxRow, mail: Message, until: datetime, seat_id: int | None = None
) -> AsyncIterator[tuple[InboxRow, Message]]:
    """What was said under the same message id before, the newest first."""
    assert mail.written_at is not None  # noqa: S101 - the callers have looked
    for head in await earlier_heads(work, row.id):
        version = await work.inbox.find(head)
        if version is None or seat_id not in (None, version.seat_id):
            continue
        raw = await work.inbox.read_raw(head)
        update = read_whole(raw, await read_parts(work, head)) if raw is not None else None
        if isinstance(update, Said):
            yield version, message_of_update(update)
    rows = await work.inbox.list_received(
        TELEGRAM, mail.written_at - SKEW, until, before_id=row.id, seat_id=seat_id
    )
    for earlier in rows:
        raw = await work.inbox.read_raw(earlier.id)
        update = read_update(raw) if raw is not None else None
        if isinstance(update, Said):
            message = message_of_update(update)
            if message.message_id == mail.message_id:
                yield earlier, message
