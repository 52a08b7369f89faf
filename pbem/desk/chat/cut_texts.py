"""Texts that a chat program has cut into several messages (`pbem.telegram.parts`) are one message.

Every update is stored as it came. With it we store, in the same transaction, of which text it is a
part. The first part waits for the next. We act on no part before the next has come, or
another update of its sender, or the wait is over. It is then handled with all its parts, each time
it is handled. An edit of a part is an edit of the whole text.
"""

from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.ports import Desk, Transaction
from pbem.store.repositories.post.parts import PartRow
from pbem.store.work import Work
from pbem.telegram.parts import MOST_PARTS, WAIT, WAIT_IN_ALL, goes_on, may_be_cut
from pbem.telegram.updates import Said, Tapped, Update, read_update


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
