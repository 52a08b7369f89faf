"""The chats, the people, and what is under way between them and the bot."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.clock import Clock
from pbem.demo.telegram.chats import Chat, Shown, message_as_json
from pbem.demo.telegram.faults import ApiError
from pbem.demo.telegram.meter import Meter
from pbem.demo.telegram.waiting import UpdateQueue
from pbem.telegram.ports import Command

_FIRST_USER_ID = 5_000_000_001
_FIRST_GROUP_ID = -4_000_000_001
_FIRST_SUPERGROUP_ID = -1_002_000_000_001
_SHUT = {
    "never": "bot can't initiate conversation with a user",
    "blocked": "bot was blocked by the user",
    "gone": "user is deactivated",
}
_SHUT_GROUP = {
    "never": "bot is not a member of the group chat",
    "out": "bot was kicked from the group chat",
}


@dataclass(slots=True)
class Tap:
    """A tap on a button that the bot was told of. `answer` is what popped up (often nothing: an
    empty text), or None while the button still spins.
    """

    network: "Network" = field(repr=False)
    callback_id: str
    answer: str | None = None
    alert: bool = False
    is_late: bool = False

    async def answered(self) -> str:
        """The answer, as soon as there is one."""
        await self.network.until(lambda: self.answer is not None)
        return self.answer or ""

    def expire(self) -> None:
        """The button has stopped spinning: an answer from now on is too late."""
        self.is_late = True


@dataclass(slots=True)
class Webhook:
    url: str = ""
    secret: str = ""
    last_error: str = ""
    last_error_at: datetime | None = None


@dataclass(slots=True)
class Network:
    """What Telegram knows. `reads_all` is the bot's privacy mode switched off: in groups it hears
    every word.
    """

    clock: Clock
    username: str
    reads_all: bool = True
    chats: dict[int, Chat] = field(default_factory=dict)
    updates: UpdateQueue = field(default_factory=UpdateQueue)
    meter: Meter = field(default_factory=Meter)
    webhook: Webhook = field(default_factory=Webhook)
    menus: dict[str, tuple[Command, ...]] = field(default_factory=dict)
    taps: dict[str, Tap] = field(default_factory=dict)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    on_update: list[Callable[[], None]] = field(default_factory=list)
    on_show: list[Callable[[Shown], None]] = field(default_factory=list)
    """Told of every message as it is shown, new or changed."""

    @property
    def bot(self) -> dict[str, Any]:
        return {"id": 1_000_001, "is_bot": True, "first_name": "Realm", "username": self.username}

    def new_user_chat(self, name: str) -> Chat:
        return self._add(Chat(_FIRST_USER_ID + len(self.chats), "private", name))

    def new_group(self, title: str) -> Chat:
        return self._add(Chat(_FIRST_GROUP_ID - len(self.chats), "group", title))

    def new_supergroup(self, title: str) -> Chat:
        return self._add(Chat(_FIRST_SUPERGROUP_ID - len(self.chats), "supergroup", title))

    def writable(self, chat_id: int) -> Chat:
        """The chat, if the bot may write into it. Raises `ApiError` in Telegram's words."""
        chat = self.chats.get(chat_id)
        if chat is None:
            raise ApiError(400, "Bad Request: chat not found")
        if chat.moved_to is not None:
            raise ApiError(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.moved_to,
            )
        if chat.bot != "in":
            raise ApiError(403, f"Forbidden: {(_SHUT_GROUP if chat.is_group else _SHUT)[chat.bot]}")
        return chat

    def json_of(self, shown: Shown) -> dict[str, Any]:
        return message_as_json(self.chats[shown.chat_id], shown, self.bot)

    async def show(self, shown: Shown) -> Shown:
        """Put a message into its chat, new or in place of what it was."""
        self.chats[shown.chat_id].shown[shown.message_id] = shown
        for tell in tuple(self.on_show):
            tell(shown)
        await self.tell()
        return shown

    async def tell(self) -> None:
        """Wake those that wait to see something."""
        async with self.changed:
            self.changed.notify_all()

    async def deliver(self, kind: str, content: dict[str, Any]) -> int | None:
        """An update for the bot; its ID, or None if the bot does not want such."""
        update_id = self.updates.add(self.clock.now(), kind, content)
        for tell in tuple(self.on_update):
            tell()
        await self.tell()
        return update_id

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds; it is looked at whenever something has changed."""
        async with self.changed:
            await self.changed.wait_for(condition)

    def _add(self, chat: Chat) -> Chat:
        self.chats[chat.chat_id] = chat
        return chat
