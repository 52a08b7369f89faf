"""Telegram at the desk for tests: updates as the Bot API words them go in, and `Chatbox` keeps what
comes out as its readers see it.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem.desk.envelope.message import STRANGERS, TELEGRAM
from pbem.desk.messages.intake import store_update
from pbem.store.repositories.marks import BOT
from pbem.telegram.ports import StoredUpdate
from tests.chatbox import Chatbox, Posted, TapAnswer
from tests.desk.harness import Desk, changed, open_desk, text_of

BOT_NAME = "realm_bot"
GROUP = -1000


@dataclass
class ChatDesk:
    """A desk with a bot. People are known by their numeric ids; each update has its own number."""

    desk: Desk
    box: Chatbox
    updates: int = 0
    said: dict[int, int] = field(default_factory=dict)

    async def bring(self, kind: str, content: dict[str, Any], *, work: bool = True) -> None:
        """An update comes in, and the desk does what follows, at the pace that Telegram allows."""
        self.updates += 1
        raw = json.dumps({"update_id": self.updates, kind: content}).encode()
        await store_update(
            self.desk.services, StoredUpdate(self.updates, raw, self.desk.clock.now())
        )
        if work:
            await self.settle()

    async def settle(self) -> None:
        """Work until nothing is to be sent, however slowly, and no stranger waits for the minute in
        which they are read.
        """
        while True:
            await self.desk.work()
            now = self.desk.clock.now()
            async with self.desk.services.database.read() as work:
                instants = (await work.outbox.next_due_at(), await work.parts.next_until())
                due = min((at for at in instants if at is not None), default=None)
                strangers = await work.inbox.next_new(1)
            if due is not None and due - now <= timedelta(seconds=70):
                self.desk.clock.instant = max(now, due)
            elif strangers and strangers[0].lane == STRANGERS:
                self.desk.clock.forward(seconds=15)
            else:
                return

    async def says(
        self,
        user: int,
        text: str,
        *,
        where: int | None = None,
        reply_to: int | None = None,
        work: bool = True,
        **fields: Any,
    ) -> int:
        """Somebody writes; the id of their message."""
        self.updates += 1
        message_id = 100_000 + self.updates
        said = self._message(user, text, where or user, message_id, reply_to) | fields
        await self.bring("message", said, work=work)
        return message_id

    async def edits(
        self, user: int, message_id: int, text: str, *, first_sent_before: float
    ) -> None:
        """Somebody changes what they wrote so many seconds ago."""
        content = self._message(user, text, user, message_id, None)
        content["edit_date"] = content["date"]
        content["date"] -= int(first_sent_before)
        await self.bring("edited_message", content)

    async def taps(
        self, user: int, message: Posted, label: str, *, as_user: int | None = None
    ) -> TapAnswer:
        """Somebody taps the button with these words; what pops up."""
        message = next(
            posted for posted in self.box.to(user) if posted.message_id == message.message_id
        )
        data = next(
            button.data for line in message.buttons for button in line if button.text == label
        )
        assert data is not None
        return await self.forges(as_user or user, data, message.message_id)

    async def forges(self, user: int, data: str, message_id: int = 1) -> TapAnswer:
        """Whatever a changed client sends as a tap."""
        count = len(self.box.taps)
        message = {
            "message_id": message_id,
            "chat": {"id": user, "type": "private"},
            "date": self._now(),
        }
        await self.bring(
            "callback_query",
            {
                "id": f"tap{self.updates}",
                "from": self._user(user),
                "message": message,
                "data": data,
            },
        )
        assert len(self.box.taps) == count + 1
        return self.box.taps[-1]

    async def joins(self, user: int, change: tuple[str, str], chat: int = GROUP) -> None:
        """The bot is added to a group or put out of it by somebody."""
        bot = {"id": 1, "is_bot": True, "first_name": "bot"}
        old, new = ({"user": bot, "status": status} for status in change)
        place = {
            "id": chat,
            "type": "group" if chat < 0 else "private",
            "title": "The <Realm> at night",
        }
        membership = {
            "chat": place,
            "from": self._user(user),
            "date": self._now(),
            "old_chat_member": old,
            "new_chat_member": new,
        }
        await self.bring("my_chat_member", membership)

    async def link(self, name: str, user: int) -> None:
        """A player of the mails links their Telegram account."""
        before = self.updates

        async def follow() -> None:
            mail = await self.desk.write(name, "telegram")
            await self.says(user, f"/start {code_in(text_of(mail))}")

        await self.desk.once(("link", name, user, before), follow)
        self.updates = before + 1

    def last(self, chat: int) -> Posted:
        return self.box.to(chat)[-1]

    def _message(
        self, user: int, text: str, chat: int, message_id: int, reply_to: int | None
    ) -> dict[str, Any]:
        place = (
            {"id": chat, "type": "group", "title": "The Realm at night"}
            if chat < 0
            else {"id": chat, "type": "private"}
        )
        content: dict[str, Any] = {
            "message_id": message_id,
            "from": self._user(user),
            "chat": place,
            "date": self._now(),
            "text": text,
        }
        if reply_to is not None:
            content["reply_to_message"] = {
                "message_id": reply_to,
                "chat": place,
                "date": self._now(),
            }
        return content

    def _user(self, user: int) -> dict[str, Any]:
        return {"id": user, "is_bot": False, "first_name": f"Phone{user}"}

    def _now(self) -> int:
        return int(self.desk.clock.now().timestamp())


def code_in(text: str) -> str:
    """The code of the link in a letter."""
    return "".join(text.split()).partition("?start=")[2][:22]


def labels(message: Posted) -> list[str]:
    return [button.text for line in message.buttons for button in line]


@asynccontextmanager
async def open_chat_desk(folder: Path, players: int = 2, **options: Any) -> AsyncIterator[ChatDesk]:
    """A desk with a bot whose name is known, and a table of some players that has begun (0:
    none).
    """
    async with open_desk(folder) as desk:
        box = Chatbox()
        desk.services = changed(desk.services, messenger=box)
        async with desk.services.database.write() as work:
            await work.marks.put(BOT, desk.clock.now(), BOT_NAME)
        there = ChatDesk(desk, box)
        if players:
            await desk.open_game(players, **options)
        yield there


async def address_states(there: ChatDesk) -> dict[str, str]:
    """The Telegram accounts known here, with the person's name."""
    async with there.desk.services.database.read() as work:
        people = await work.people.list_by_ids(range(1, 100))
        rows = await work.people.list_addresses_of([person.id for person in people])
        names = {person.id: person.name for person in people}
    return {row.address: names[row.person_id] for row in rows if row.channel == TELEGRAM}
