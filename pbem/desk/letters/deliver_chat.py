"""Sending one message of the outbox to a chat, at the pace Telegram allows.

The outbox is the record of what went out, so that several workers keep one pace. Messages to a chat
go in the order they were written. A message is tried again until Telegram takes it, for a day; then
it goes by mail, where there is an address, and the game masters hear. Telegram knows no idempotency
key: a message whose answer never came may be read twice, which is better than never, and says so
itself.
"""

from datetime import datetime, timedelta

import msgspec
import structlog

from pbem.desk.chat.messages import MENU, MENU_EDIT, ChatDraft, ChatName, draft_of, format_chat_name
from pbem.desk.correlation import current_cause
from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.letters.bounces import PAUSES_SECONDS as WAITS_SECONDS
from pbem.desk.letters.bounces import is_group, note_refused, note_taken, suspend_address
from pbem.desk.letters.post import Masters, person_at, read_post
from pbem.desk.letters.queue import say_note
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import load_table
from pbem.pages.chat import ChatGivenUp, WithoutPicture, button_words
from pbem.store.repositories.marks import DELIVERED, MARK_SPACING
from pbem.store.repositories.post.outbox import MAYBE_SENT, NewOutboxRow, OutboxRow
from pbem.store.work import Work
from pbem.telegram.pacing import RECORD_FOR, next_send_at
from pbem.telegram.ports import (
    Answer,
    Button,
    ChatDeferred,
    ChatMessage,
    ChatMoved,
    ChatRefused,
    ChatSent,
)
from pbem.telegram.text import CAPTION_LIMIT, TEXT_LIMIT, escape, length_of

GIVE_UP_AFTER = timedelta(days=1)
PAUSES_SECONDS = (2, 5, 15, 30, 60, 120, 300)
LETS_BY_AFTER = len(PAUSES_SECONDS)
UP_WITHIN = timedelta(minutes=10)
"""So often a message is tried before those behind it stop waiting, if Telegram has taken others
lately: it minds this one alone.
"""
SEVERAL = 20
CHAT_CLOSED = "address-suspended"
PASSING = (MENU, MENU_EDIT, "reminder")
"""What is worth nothing any more to somebody who comes back."""
MOST_MISSED = 40
GIVEN_UP, GIVEN_UP_WORDS = "gm-unreached", "given up after a day"
BEHIND_ANOTHER = timedelta(seconds=1)

_log = structlog.get_logger("deliver")


async def wait_for_turn(work: Work, row: OutboxRow, now: datetime) -> datetime | None:
    """When the message may go, if that is later than now: others to the same chat are first, or the
    pace is kept.
    """
    for before in await work.outbox.list_before(row, SEVERAL):
        if before.attempts < LETS_BY_AFTER or not await work.outbox.list_sent_since(
            TELEGRAM, now - UP_WITHIN
        ):
            # One that is being sent may be through in a moment.
            return max(
                now + BEHIND_ANOTHER, before.next_try_at if before.state == "queued" else now
            )
    since = now - RECORD_FOR
    at = next_send_at(
        now,
        in_all=await work.outbox.list_sent_since(TELEGRAM, now - timedelta(seconds=1)),
        to_chat=await work.outbox.list_sent_since(TELEGRAM, since, row.address),
        is_group=is_group(row.address),
    )
    return at if at > now else None


async def send_to_chat(services: Services, row: OutboxRow) -> str:
    """Send a claimed row and record the answer; what it came to, as a code."""
    draft = msgspec.json.decode(row.letter, type=ChatDraft)
    if services.dispatch.messenger is None:
        answer: Answer = ChatDeferred(None, "no bot is configured")
    else:
        answer = await services.dispatch.messenger.send(await _compose(services, row, draft))
    services.steps.reached("deliver.answered")
    now = services.clock.now()
    async with services.write() as tx:
        await _record(tx, row, draft, answer, now)
    services.steps.reached("deliver.recorded")
    came_to = {
        ChatSent: "sent",
        ChatDeferred: "deferred",
        ChatRefused: "refused",
        ChatMoved: "deferred",
    }[type(answer)]
    services.tally.sent(row.kind, came_to, (now - row.due_at).total_seconds())
    _log.info("chat-message", outbox=row.id, kind=row.kind, delivery=came_to, attempts=row.attempts)
    return came_to


async def _compose(services: Desk, row: OutboxRow, draft: ChatDraft) -> ChatMessage:
    picture = None
    if row.picture_id is not None:
        async with services.database.read() as work:
            found = await work.pictures.find(row.picture_id)
        picture = found.png if found is not None else None
    return ChatMessage(
        chat_id=int(row.address),
        html=_again(draft, has_picture=picture is not None)
        if is_perhaps_there(row)
        else draft.html,
        picture=picture,
        buttons=tuple(
            tuple(Button(button.text, button.data, button.url) for button in line)
            for line in draft.buttons
        ),
        reply_to=draft.reply_to,
        edits=draft.edits,
        silent=draft.silent,
        thread_id=draft.thread_id,
    )


def is_perhaps_there(row: OutboxRow) -> bool:
    """Whether the reader may have the message from an earlier try."""
    return (row.answer or "").startswith(MAYBE_SENT)


def _again(draft: ChatDraft, *, has_picture: bool) -> str:
    """The words of a message that perhaps stands there already, with a line above that says so, if
    it still fits. An edit is one and the same however often it is made.
    """
    if draft.edits is not None or not draft.html:
        return draft.html
    marked = f"<i>{escape(button_words('again'))}</i>\n{draft.html}"
    return (
        marked
        if length_of(marked) <= (CAPTION_LIMIT if has_picture else TEXT_LIMIT)
        else draft.html
    )


async def _record(
    tx: Transaction[Context], row: OutboxRow, draft: ChatDraft, answer: Answer, now: datetime
) -> None:
    match answer:
        case ChatSent(message_id=message_id, without=without, refused=refused):
            name = format_chat_name(ChatName(int(row.address), message_id))
            if draft.edits is None:
                await tx.work.outbox.name(row.id, name)
            await tx.work.outbox.mark_sent(
                row.id, now, f"{name} without {' and '.join(without)}" if without else name
            )
            if "picture" in without and not (refused and is_group(row.address)):
                await _tell_without(tx, row, draft, message_id)
            if is_group(row.address):
                await note_taken(
                    tx,
                    row.address,
                    refused,
                    with_picture=row.picture_id is not None and "picture" not in without,
                    thread_id=draft.thread_id,
                )
            await tx.work.marks.put_at_most_every(MARK_SPACING, DELIVERED, now)
        case ChatDeferred(seconds=seconds, text=text, maybe_sent=maybe_sent) if (
            now - row.due_at < GIVE_UP_AFTER
        ):
            pause = (
                PAUSES_SECONDS[min(row.attempts, len(PAUSES_SECONDS)) - 1]
                if seconds is None
                else seconds
            )
            told = f"{MAYBE_SENT}: {text}" if maybe_sent or is_perhaps_there(row) else text
            await tx.work.outbox.defer(row.id, now + timedelta(seconds=pause), told)
        case ChatDeferred(text=text):
            await tx.work.outbox.refuse(row.id, f"{GIVEN_UP_WORDS}: {text}")
            _log.warning("chat-given-up", outbox=row.id, kind=row.kind)
            await _tell_given_up(tx, row, by_mail=await _fall_back(tx.work, row, draft, now))
        case ChatMoved(new_chat_id=new_chat_id):
            await tx.work.chats.move(TELEGRAM, row.address, str(new_chat_id))
            await tx.work.outbox.readdress(TELEGRAM, row.address, str(new_chat_id), now)
        case ChatRefused(about="message", code=code) if (
            draft.edits is not None and code == 400
        ):  # what it should replace is gone
            await tx.work.outbox.rewrite(
                row.id,
                msgspec.json.encode(msgspec.structs.replace(draft, edits=None)).decode(),
                now,
            )
        case ChatRefused(code=code, text=text, about="chat", kind=kind) if is_group(row.address):
            await note_refused(tx, row.address, kind)
            if now - row.due_at < GIVE_UP_AFTER:
                pause = WAITS_SECONDS[min(row.attempts, len(WAITS_SECONDS)) - 1]
                await tx.work.outbox.defer(row.id, now + timedelta(seconds=pause), f"{code} {text}")
            else:
                await tx.work.outbox.refuse(row.id, f"{GIVEN_UP_WORDS}: {code} {text}")
        case ChatRefused(code=code, text=text, about=about):
            by_mail = await _fall_back(tx.work, row, draft, now)  # before those that wait behind it
            if about == "chat" and not by_mail:
                await tx.work.outbox.withhold(row.id, CHAT_CLOSED)  # until they write again
            else:
                await tx.work.outbox.refuse(row.id, f"{code} {text}")
            if about == "chat":
                await close_chat(tx, row.address, f"{code} {text}", game_id=row.game_id)


async def _tell_without(
    tx: Transaction[Context], row: OutboxRow, draft: ChatDraft, message_id: int
) -> None:
    """Telegram did not take the picture of a message: tell its reader where to find it."""
    person = await tx.work.people.find(row.person_id)
    told = WithoutPicture(is_group=is_group(row.address))
    who = person_at(tx.services, person, row.address)
    letter = who.note(told, f"without:{row.id}", reply_to=message_id)
    await say_note(tx, msgspec.structs.replace(letter, chat_thread=draft.thread_id))


async def close_chat(
    tx: Transaction[Context], address: str, reason: str, *, game_id: int | None
) -> None:
    """Somebody's chat is closed to us: what waits for it goes by mail, and so does all that
    follows.
    """
    waiting = await tx.work.outbox.list_unsent_to(TELEGRAM, address)
    await suspend_address(tx, TELEGRAM, address, reason, game_id=game_id)
    for row in waiting:
        await _fall_back(
            tx.work, row, msgspec.json.decode(row.letter, type=ChatDraft), tx.services.clock.now()
        )


async def reopen_chat(tx: Transaction[Context], address: str) -> None:
    """Somebody writes from a chat that was closed to us: it is open again, and brings what they
    missed and could not get by mail.
    """
    known = await tx.work.people.find_address(TELEGRAM, address)
    if (
        known is None
        or known.state != "suspended"
        or not await tx.work.people.confirm_address(TELEGRAM, address)
    ):
        return
    now = tx.services.clock.now()
    for row in await tx.work.outbox.list_withheld_to(TELEGRAM, address, MOST_MISSED):
        sibling = await tx.work.outbox.find_by_key(
            (row.dedupe_key or "").partition(f"@{TELEGRAM}")[0]
        )
        went_by_mail = sibling is not None and sibling.channel == MAIL
        if not went_by_mail and row.kind not in PASSING and draft_of(row).edits is None:
            await tx.work.outbox.release(row.id, now)
    _log.info("chat-reopened", person=known.person_id)


async def _tell_given_up(tx: Transaction[Context], row: OutboxRow, *, by_mail: bool) -> None:
    """The game masters hear, once a day, that Telegram takes nothing for somebody."""
    now = tx.services.clock.now()
    seats = await tx.work.seats.list_of_person(row.person_id) if row.person_id is not None else []
    game_id = row.game_id or next((seat.game_id for seat in seats if seat.status != "left"), None)
    game = await tx.work.games.find(game_id)
    if game is None:
        return
    person = await tx.work.people.find(row.person_id)
    table = await load_table(tx, game)
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        Masters(),
        ChatGivenUp(person.name if person is not None else "", by_mail=by_mail),
        GIVEN_UP,
        f"{GIVEN_UP}:{game.id}:{row.person_id or 0}:{now.date().isoformat()}",
    )


async def _fall_back(work: Work, row: OutboxRow, draft: ChatDraft, now: datetime) -> bool:
    """The same letter by mail, unless it goes there already. False: there is no way by mail, or
    nothing that a mail could say.
    """
    if draft.mail is None or row.person_id is None or row.dedupe_key is None:
        return False
    addresses = [
        known
        for known in await work.people.list_addresses(row.person_id)
        if known.channel == MAIL and known.state != "suspended"
    ]
    if not addresses:
        return False
    await work.outbox.queue(
        NewOutboxRow(
            channel=MAIL,
            kind=row.kind,
            address=addresses[0].address,
            letter=msgspec.json.encode(draft.mail).decode(),
            message_id=draft.mail_id,
            created_at=now,
            game_id=row.game_id,
            seat_id=row.seat_id,
            person_id=row.person_id,
            picture_id=row.picture_id,
            epoch=row.epoch,
            dedupe_key=row.dedupe_key.partition(f"@{TELEGRAM}")[0],
            correlation=current_cause(),
            lane=row.lane,
        )
    )
    return True
