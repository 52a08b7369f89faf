"""Sending one message of the outbox to a chat, at the pace Telegram allows.

The outbox is the record of what went out, so that several workers keep one pace. Messages to a chat go in the order they were written.
Telegram knows no idempotency key: a message whose answer never came is sent once more, and may be read twice. Where that is not answered
either, it goes by mail.
"""

from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.bounces import suspend_address
from pbem.desk.chat.drafts import ChatDraft
from pbem.desk.chat.names import ChatName, format_chat_name
from pbem.desk.chat.writing import note_letter, say_note
from pbem.desk.correlation import current_cause
from pbem.desk.message import MAIL, TELEGRAM
from pbem.desk.ports import Parts
from pbem.desk.table import house_table
from pbem.pages.page import Reader
from pbem.store.marks import DELIVERED, MARK_SPACING
from pbem.store.outbox import OutboxRow
from pbem.store.work import Work
from pbem.telegram.pacing import RECORD_FOR, next_send_at
from pbem.telegram.ports import Answer, Button, ChatDeferred, ChatMessage, ChatMoved, ChatRefused, ChatSent

GIVE_UP_AFTER = timedelta(days=2)
PAUSES_SECONDS = (2, 5, 15, 60, 300, 900, 3600)
BEHIND_ANOTHER = timedelta(seconds=1)
MAYBE_SENT = "maybe-sent"
"""How the answer of a message begins that may have arrived although we were never told: it is tried once more, and no oftener."""

_log = structlog.get_logger("deliver")


async def wait_for_turn(work: Work, row: OutboxRow, now: datetime) -> datetime | None:
    """When the message may go, if that is later than now: others to the same chat are first, or the pace is kept."""
    if not await work.outbox.is_first_to(row):
        return now + BEHIND_ANOTHER
    since = now - RECORD_FOR
    at = next_send_at(
        now,
        in_all=await work.outbox.list_sent_since(TELEGRAM, now - timedelta(seconds=1)),
        to_chat=await work.outbox.list_sent_since(TELEGRAM, since, row.address),
        is_group=row.address.startswith("-"),
    )
    return at if at > now else None


async def send_to_chat(parts: Parts, row: OutboxRow) -> str:
    """Send a claimed row and record the answer; what it came to, as a code."""
    draft = msgspec.json.decode(row.letter, type=ChatDraft)
    if parts.messenger is None:
        answer: Answer = ChatDeferred(None, "no bot is configured")
    else:
        answer = await parts.messenger.send(await _compose(parts, row, draft))
    parts.steps.reached("deliver.answered")
    now = parts.clock.now()
    async with parts.database.write() as work:
        await _record(work, parts, row, draft, answer, now)
    parts.steps.reached("deliver.recorded")
    came_to = {ChatSent: "sent", ChatDeferred: "deferred", ChatRefused: "refused", ChatMoved: "deferred"}[type(answer)]
    parts.tally.sent(row.kind, came_to, (now - row.due_at).total_seconds())
    _log.info("chat-message", outbox=row.id, kind=row.kind, delivery=came_to, attempts=row.attempts)
    return came_to


async def _compose(parts: Parts, row: OutboxRow, draft: ChatDraft) -> ChatMessage:
    picture = None
    if row.picture_id is not None:
        async with parts.database.read() as work:
            found = await work.pictures.find(row.picture_id)
        picture = found.png if found is not None else None
    return ChatMessage(
        chat_id=int(row.address),
        html=draft.html,
        picture=picture,
        buttons=tuple(tuple(Button(button.text, button.data, button.url) for button in line) for line in draft.buttons),
        reply_to=draft.reply_to,
        edits=draft.edits,
        silent=draft.silent,
    )


async def _record(work: Work, parts: Parts, row: OutboxRow, draft: ChatDraft, answer: Answer, now: datetime) -> None:
    match answer:
        case ChatSent(message_id=message_id, without=without):
            name = format_chat_name(ChatName(int(row.address), message_id))
            if draft.edits is None:
                await work.outbox.name(row.id, name)
            await work.outbox.mark_sent(row.id, now, f"{name} without {' and '.join(without)}" if without else name)
            if "picture" in without:
                await _tell_without(work, parts, row, message_id)
            await work.marks.put_at_most_every(MARK_SPACING, DELIVERED, now)
        case ChatDeferred(text=text, maybe_sent=True) if (row.answer or "").startswith(MAYBE_SENT):
            _log.warning("perhaps-sent-twice", outbox=row.id, kind=row.kind)
            await work.outbox.refuse(row.id, f"{MAYBE_SENT} twice: {text}")
            await _fall_back(work, row, draft, now)
        case ChatDeferred(seconds=seconds, text=text, maybe_sent=True):
            await work.outbox.defer(row.id, now + timedelta(seconds=seconds or PAUSES_SECONDS[0]), f"{MAYBE_SENT}: {text}")
        case ChatDeferred(seconds=seconds, text=text) if now - row.created_at < GIVE_UP_AFTER:
            pause = PAUSES_SECONDS[min(row.attempts, len(PAUSES_SECONDS)) - 1] if seconds is None else seconds
            await work.outbox.defer(row.id, now + timedelta(seconds=pause), text)
        case ChatDeferred(text=text):
            await work.outbox.refuse(row.id, f"given up after two days: {text}")
            await _fall_back(work, row, draft, now)
        case ChatMoved(new_chat_id=new_chat_id):
            await work.chats.move(TELEGRAM, row.address, str(new_chat_id))
            await work.outbox.readdress(TELEGRAM, row.address, str(new_chat_id), now)
        case ChatRefused(about="message", code=code) if draft.edits is not None and code == 400:  # what it should replace is gone
            await work.outbox.rewrite(row.id, msgspec.json.encode(msgspec.structs.replace(draft, edits=None)).decode(), now)
        case ChatRefused(code=code, text=text, about=about):
            await work.outbox.refuse(row.id, f"{code} {text}")
            await _fall_back(work, row, draft, now)  # before those that wait behind it
            if about == "chat":
                await close_chat(work, parts, row.address, f"{code} {text}", game_id=row.game_id)


async def _tell_without(work: Work, parts: Parts, row: OutboxRow, message_id: int) -> None:
    """The picture of a message was not taken: whoever reads there is told where it is to be had."""
    person = await work.people.find(row.person_id) if row.person_id is not None else None
    reader = Reader(None, person.name, person.time_zone, person.locale) if person is not None else Reader(None, "", parts.policy.zone)
    page = parts.chat_pages.without_picture(house_table(parts.policy, parts.clock.now()), reader, is_group=row.address.startswith("-"))
    letter = note_letter(
        parts, page, chat_id=row.address, to_name=reader.name, key=f"without:{row.id}", reply_to=message_id, person_id=row.person_id
    )  # fmt: skip
    await say_note(work, parts, letter)


async def close_chat(work: Work, parts: Parts, address: str, reason: str, *, game_id: int | None) -> None:
    """A chat is closed to us: what still waits for it goes by mail instead, and so does all that follows."""
    waiting = await work.outbox.list_unsent_to(TELEGRAM, address)
    if address.startswith("-"):
        chat = await work.chats.find(TELEGRAM, address)
        if chat is not None:
            await work.chats.put(TELEGRAM, address, title=chat.title, state="left", since=parts.clock.now())
        await work.outbox.withhold_for_address(TELEGRAM, address, "chat-closed")
        return
    await suspend_address(work, parts, TELEGRAM, address, reason, game_id=game_id)
    for row in waiting:
        await _fall_back(work, row, msgspec.json.decode(row.letter, type=ChatDraft), parts.clock.now())


async def _fall_back(work: Work, row: OutboxRow, draft: ChatDraft, now: datetime) -> None:
    """The same letter by mail, unless it goes there already."""
    if draft.mail is None or row.person_id is None or row.dedupe_key is None:
        return
    addresses = [known for known in await work.people.list_addresses(row.person_id) if known.channel == MAIL and known.state != "suspended"]
    if not addresses:
        return
    await work.outbox.queue(
        channel=MAIL, kind=row.kind, address=addresses[0].address, letter=msgspec.json.encode(draft.mail).decode(),
        message_id=draft.mail_id, created_at=now, game_id=row.game_id, seat_id=row.seat_id, person_id=row.person_id,
        picture_id=row.picture_id, epoch=row.epoch, dedupe_key=row.dedupe_key.partition(f"@{TELEGRAM}")[0], correlation=current_cause(),
        lane=row.lane,
    )  # fmt: skip
