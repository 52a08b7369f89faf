"""Somebody at a desk who has a chat with the bot: what they say there, and what they see."""

import json
from typing import NamedTuple

from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.messages.intake import store_update
from pbem.telegram.ports import StoredUpdate
from tests.chatbox import Chatbox, Posted
from tests.desk.harness import Desk, changed


class Sent(NamedTuple):
    """A message by its id, and when Telegram got it."""

    message_id: int
    date: int


def give_chats(desk: Desk) -> Chatbox:
    """Let the desk have a bot, whose chats are kept in memory."""
    chats = Chatbox()
    desk.services = changed(desk.services, messenger=chats)
    return chats


async def bind(desk: Desk, mail_address: str, user_id: int) -> None:
    """Whoever reads at that mail address has linked their account."""
    async with desk.services.database.write() as work:
        person = await work.people.find_by_address("mail", mail_address)
        assert person is not None
        await work.people.add_address(person.id, TELEGRAM, str(user_id), "confirmed")


async def says(
    desk: Desk, user_id: int, text: str, *, answering: Posted | None = None, work: bool = True
) -> Sent:
    """A message in the private chat."""
    desk.sent += 1
    sent = Sent(10_000 + desk.sent, int(desk.clock.now().timestamp()))
    user = {"id": user_id, "is_bot": False, "first_name": "Somebody"}
    message = {
        "message_id": sent.message_id,
        "date": sent.date,
        "chat": {"id": user_id, "type": "private"},
        "from": user,
        "text": text,
    }
    if answering is not None:
        message["reply_to_message"] = {
            "message_id": answering.message_id,
            "date": 1,
            "chat": {"id": user_id, "type": "private"},
        }
    raw = json.dumps({"update_id": desk.sent, "message": message}).encode()
    await store_update(desk.services, StoredUpdate(desk.sent, raw, desk.clock.now()))
    if work:
        await works(desk)
    return sent


async def edits(desk: Desk, user_id: int, sent: Sent, text: str) -> None:
    """A message that was sent before is changed."""
    desk.sent += 1
    message = {
        "message_id": sent.message_id,
        "date": sent.date,
        "edit_date": int(desk.clock.now().timestamp()),
        "chat": {"id": user_id, "type": "private"},
        "from": {"id": user_id, "is_bot": False, "first_name": "Somebody"},
        "text": text,
    }
    raw = json.dumps({"update_id": desk.sent, "edited_message": message}).encode()
    await store_update(desk.services, StoredUpdate(desk.sent, raw, desk.clock.now()))
    await works(desk)


async def works(desk: Desk) -> None:
    """Do what is due, at the pace of the chats."""
    for _ in range(20):
        await desk.work()
        async with desk.services.database.read() as work:
            left = await work.outbox.list_by_state("queued", 50)
        if not any(row.channel == TELEGRAM and row.due_at <= desk.clock.now() for row in left):
            return
        desk.clock.forward(seconds=2)


def seen(chats: Chatbox, user_id: int) -> list[str]:
    """The texts of a chat, on one line each, the oldest first."""
    return [" ".join(posted.text.split()) for posted in chats.chats.get(user_id, [])]


async def taps(desk: Desk, user_id: int, posted: Posted, text: str) -> None:
    """A tap on the button with these words below a message."""
    data = next(button.data for line in posted.buttons for button in line if button.text == text)
    desk.sent += 1
    message = {
        "message_id": posted.message_id,
        "date": 1,
        "chat": {"id": user_id, "type": "private"},
        "text": "...",
    }
    query = {
        "id": str(desk.sent),
        "from": {"id": user_id, "is_bot": False, "first_name": "Somebody"},
        "message": message,
        "chat_instance": "1",
        "data": data,
    }
    raw = json.dumps({"update_id": desk.sent, "callback_query": query}).encode()
    await store_update(desk.services, StoredUpdate(desk.sent, raw, desk.clock.now()))
    await works(desk)
