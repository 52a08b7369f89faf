"""What somebody said in a chat, as the desk's message: also where their program cut it into
several, or where they have changed it after it was sent.

Every update is stored as it came. With it we store, in the same transaction, of which text it is a
part. The first part waits for the next. We act on no part before the next has come, or
another update of its sender, or the wait is over. It is then handled with all its parts, each time
it is handled. An edit of a part is an edit of the whole text.

Orders in them count as they stand now, as long as the phase is open
(`pbem.desk.messages.receipts`). What has gone to others does not go again, and what took effect at
once does not happen again: the player reads that, and how to say it again.
"""

import hashlib
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from pbem.desk.chat.commands import unknown_command, words_of
from pbem.desk.chat.messages import ChatName, format_chat_name
from pbem.desk.envelope.message import TELEGRAM, Message, readable
from pbem.desk.ports import Desk, Transaction
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.post.parts import PartRow
from pbem.store.work import Work
from pbem.telegram.parts import MOST_PARTS, WAIT, WAIT_IN_ALL, goes_on, may_be_cut, read_whole
from pbem.telegram.updates import Said, Tapped, Update, read_update


def message_of_update(update: Update) -> Message:
    """An update as a message; one that is not a message has no words."""
    if isinstance(update, Said):
        return message_of_said(update, words_of(update) if update.chat_kind == "private" else None)
    return Message(
        channel=TELEGRAM,
        message_id=None,
        digest="",
        sender=str(update.user_id) if isinstance(update, Tapped) else None,
        sender_name="",
        subject="",
        tokens=(),
        trust="unknown",
        automatic=None,
        refused=None,
        text="",
        dated=None,
        in_reply_to=None,
        references=(),
    )


def message_of_said(said: Said, text: str | None = None) -> Message:
    """A message of a private chat (or, with `text`, what a tap or a command in it means).

    Telegram vouches for the numeric id of the writer, as a DMARC pass does for a mail's sender;
    for no other person's words.
    """
    words, refused = readable(said.text if text is None else text)
    return Message(
        channel=TELEGRAM,
        message_id=format_chat_name(ChatName(said.chat_id, said.message_id)),
        digest=hashlib.sha256(words.encode("utf-8", "replace")).hexdigest(),
        sender=str(said.user_id) if said.user_id is not None else None,
        sender_name=said.user_name,
        subject="",
        tokens=(),
        trust="fail" if said.sent_for_others is not None else "pass",
        automatic=None,
        refused=refused,
        text=words,
        dated=said.dated,
        in_reply_to=format_chat_name(ChatName(said.chat_id, said.reply_to))
        if said.reply_to is not None
        else None,
        references=(),
        chat_message_id=said.message_id,
        has_attachment=said.has_attachment,
        written_at=said.written_at,
        unknown_command=unknown_command(said),
        is_command=said.command is not None,
    )


async def place_update(
    tx: Transaction[Desk], inbox_id: int, update: Update, *, follows: bool
) -> int:
    """An update was stored: say of which text it is a part, if of any; the message to be handled.
    `follows`: something else of its sender may wait.
    """
    if not isinstance(update, Said | Tapped) or update.chat_kind != "private":
        return inbox_id
    sender, until = str(update.user_id), tx.services.clock.now() + WAIT
    waiting = await tx.work.parts.find_waiting(TELEGRAM, sender) if follows else None
    if waiting is not None:
        if isinstance(update, Said) and await _goes_on(tx.work, waiting, update):
            if await tx.work.parts.hold(waiting.inbox_id, until):
                await tx.work.parts.add(inbox_id, waiting.inbox_id, update.message_id)
                await tx.work.inbox.mark_part(inbox_id)
                if not may_be_cut(update):
                    await tx.work.parts.end(waiting.inbox_id)
                return waiting.inbox_id
        else:
            await tx.work.parts.end(waiting.inbox_id)
    if isinstance(update, Said) and update.is_edit:
        await _place_edit(tx.work, inbox_id, update)
    elif isinstance(update, Said) and may_be_cut(update):
        await tx.work.parts.begin(inbox_id, update.message_id, until)
    return inbox_id


async def _goes_on(work: Work, waiting: PartRow, said: Said) -> bool:
    rows = await work.parts.list_of(waiting.inbox_id)
    whole = await work.inbox.find(waiting.inbox_id)
    if whole is None or len(rows) >= MOST_PARTS or said.dated - whole.received_at > WAIT_IN_ALL:
        return False
    last = await _read(work, rows[-1].inbox_id)
    return last is not None and goes_on(last, said)


async def _place_edit(work: Work, inbox_id: int, edit: Said) -> None:
    for row in await work.parts.find_by_message(edit.message_id):
        part = await _read(work, row.inbox_id)
        if part is not None and (part.chat_id, part.user_id) == (edit.chat_id, edit.user_id):
            await work.parts.add(inbox_id, row.whole_id, edit.message_id)
            return


async def _read(work: Work, inbox_id: int) -> Said | None:
    raw = await work.inbox.read_raw(inbox_id)
    update = read_update(raw) if raw is not None else None
    return update if isinstance(update, Said) else None


async def take_parts(services: Desk, inbox_id: int) -> list[bytes]:
    """A message is about to be handled: no part is added to it from now on. As `read_parts`."""
    async with services.database.read() as work:
        if not await work.parts.list_of(inbox_id):
            return []
    async with services.database.write(durable=False) as work:
        await work.parts.end(inbox_id)
        return await read_parts(work, inbox_id)


async def read_parts(work: Work, inbox_id: int) -> list[bytes]:
    """The updates that make up the text of a message, in their order; none where it is whole by
    itself. An edit finds the other parts as they stood when it came.
    """
    versions: dict[int, int] = {}
    for row in await work.parts.list_of(inbox_id):
        if row.whole_id == inbox_id:
            versions.setdefault(row.message_id, row.inbox_id)
        elif row.inbox_id <= inbox_id:
            versions[row.message_id] = row.inbox_id
    return await work.parts.read_raw(list(versions.values())) if len(versions) > 1 else []


async def earlier_heads(work: Work, inbox_id: int) -> list[int]:
    """The message that this one edits a part of, and its earlier edits, the newest first; none
    where it is about one message alone.
    """
    rows = await work.parts.list_of(inbox_id)
    messages = {row.message_id for row in rows}
    if len(messages) < 2:
        return []
    seen: set[int] = set()
    heads = []
    for row in rows:
        if row.inbox_id == row.whole_id or row.message_id in seen:
            heads.append(row.inbox_id)
        seen.add(row.message_id)
    return [head for head in reversed(heads) if head < inbox_id]


async def wait_anew(services: Desk) -> None:
    """Called once when a service begins: while it was away, the next parts may have come."""
    async with services.database.write() as work:
        await work.parts.hold_anew(services.clock.now() + WAIT)


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
