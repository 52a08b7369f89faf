"""Those on the other side: users and groups, as somebody holding a phone would use them."""

import dataclasses
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from pbem.demo.telegram.chats import Chat, Shown
from pbem.demo.telegram.network import Network, Tap
from pbem.telegram.ports import Command

_ANONYMOUS_ADMIN = {
    "id": 1087968824,
    "is_bot": True,
    "first_name": "Group",
    "username": "GroupAnonymousBot",
}


class Room:
    """A chat, looked at."""

    def __init__(self, network: Network, chat: Chat) -> None:
        self._network = network
        self._chat = chat

    @property
    def chat_id(self) -> int:
        return self._chat.chat_id

    @property
    def chat(self) -> tuple[Shown, ...]:
        """What stands there now, the oldest first."""
        return self._chat.messages

    @property
    def by_bot(self) -> tuple[Shown, ...]:
        """Only what the bot wrote."""
        return tuple(shown for shown in self._chat.messages if shown.is_by_bot)

    @property
    def menu(self) -> tuple[Command, ...]:
        """The bot's commands as they are offered here."""
        scope = "all_group_chats" if self._chat.is_group else "all_private_chats"
        menus = self._network.menus
        return menus.get(str(self.chat_id)) or menus.get(scope) or menus.get("default") or ()

    def now(self, message: Shown) -> Shown:
        """The same message as it stands now. KeyError if it is gone."""
        return self._chat.shown[message.message_id]

    async def sees(self, condition: Callable[[tuple[Shown, ...]], bool]) -> tuple[Shown, ...]:
        """The chat, as soon as this holds for it."""
        await self._network.until(lambda: condition(self.chat))
        return self.chat

    async def hears(self, count: int) -> tuple[Shown, ...]:
        """What the bot wrote here, as soon as it is this many messages."""
        await self._network.until(lambda: len(self.by_bot) >= count)
        return self.by_bot

    async def _write(
        self, by: str, text: str, reply_to: Shown | int | None, fields: dict[str, Any]
    ) -> Shown:
        shown = Shown(
            chat_id=self.chat_id,
            message_id=self._chat.next_id(),
            by=by,
            text=text,
            at=self._network.clock.now(),
            reply_to=reply_to.message_id if isinstance(reply_to, Shown) else reply_to,
            picture=fields.pop("picture", None),
            fields=fields,
        )
        await self._network.show(shown)
        if self._chat.bot == "in" and self._is_told(shown):
            await self._network.deliver("message", self._network.json_of(shown))
        return shown

    async def _edit(self, by: str, message: Shown, text: str) -> Shown:
        before = self.now(message)
        if before.by != by:
            raise ValueError(f"{by} cannot edit what {before.by} wrote")
        shown = await self._network.show(
            dataclasses.replace(before, text=text, edited_at=self._network.clock.now())
        )
        if self._chat.bot == "in" and self._is_told(shown):
            await self._network.deliver("edited_message", self._network.json_of(shown))
        return shown

    async def _tap(self, user: "User", message: Shown, data: str) -> Tap:
        callback_id = f"{user.user_id}{len(self._network.taps):06}"
        tap = self._network.taps[callback_id] = Tap(self._network, callback_id)
        now = self._chat.shown.get(message.message_id)
        about = (
            self._network.json_of(now)
            if now
            else {"chat": self._chat.as_json(), "message_id": message.message_id, "date": 0}
        )
        query = {
            "id": callback_id,
            "from": user.as_json(),
            "chat_instance": str(self.chat_id),
            "message": about,
            "data": data,
        }
        await self._network.deliver("callback_query", query)
        return tap

    async def _tap_label(self, user: "User", message: Shown, label: str) -> Tap:
        button = self.now(message).button(label)
        if button.data is None:
            raise LookupError(f"the button {label!r} opens {button.url}")
        return await self._tap(user, message, button.data)

    async def _tell_membership(self, by: "User", old: str, new: str) -> None:
        before, after = (
            {"user": self._network.bot, "status": status}
            | ({"until_date": 0} if status == "kicked" else {})
            for status in (old, new)
        )
        change = {
            "chat": self._chat.as_json(),
            "from": by.as_json(),
            "date": int(self._network.clock.now().timestamp()),
            "old_chat_member": before,
            "new_chat_member": after,
        }
        await self._network.deliver("my_chat_member", change)

    def _is_told(self, shown: Shown) -> bool:
        """In groups a bot in privacy mode hears commands, replies to itself, and what names it."""
        if not self._chat.is_group or self._network.reads_all or shown.text.startswith("/"):
            return True
        replied = self._chat.shown.get(shown.reply_to or 0)
        return (
            replied is not None and replied.is_by_bot
        ) or f"@{self._network.username}" in shown.text


class User(Room):
    """A person with a private chat with the bot, which opens with the first word written there."""

    def __init__(self, network: Network, name: str) -> None:
        super().__init__(network, network.new_user_chat(name))
        self.name = name

    @property
    def user_id(self) -> int:
        """The numeric ID, and that of the private chat."""
        return self._chat.chat_id

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.user_id,
            "is_bot": False,
            "first_name": self.name,
            "username": f"{self.name.lower()}_x",
            "language_code": "en",
        }

    async def says(self, text: str, *, reply_to: Shown | int | None = None) -> Shown:
        """Write to the bot in private. ValueError for a person who has blocked it: their phone
        would not let them.
        """
        return await self._says(text, reply_to)

    async def starts(self, payload: str = "") -> Shown:
        """Press Start, perhaps behind a deep link."""
        return await self._says(f"/start {payload}".strip(), None)

    async def opens(self, link: str) -> Shown:
        """Follow a deep link to the bot. ValueError if it leads elsewhere."""
        parts = urlsplit(link)
        payload = parse_qs(parts.query).get("start")
        if (
            parts.netloc != "t.me"
            or parts.path.strip("/").lower() != self._network.username.lower()
            or payload is None
        ):
            raise ValueError(f"{link} does not lead to @{self._network.username}")
        return await self.starts(payload[0])

    async def forwards(self, text: str, *, by: "User | None" = None) -> Shown:
        """Pass on what somebody else wrote, or somebody who hides their name."""
        at = int(self._network.clock.now().timestamp())
        origin: dict[str, Any] = {"type": "hidden_user", "sender_user_name": "Somebody", "date": at}
        if by is not None:
            origin = {"type": "user", "sender_user": by.as_json(), "date": at}
        return await self._says(text, None, forward_origin=origin)

    async def sends_picture(self, picture: bytes, caption: str = "") -> Shown:
        return await self._says(caption, None, picture=picture)

    async def edits(self, message: Shown, text: str) -> Shown:
        """Change what they wrote themselves in private."""
        return await self._edit(self.name, message, text)

    async def taps(self, message: Shown, label: str) -> Tap:
        """Tap the button with this label, as the message stands now. LookupError if there is none;
        a link is for `opens`.
        """
        return await self._tap_label(self, message, label)

    async def forges(self, message: Shown | int, data: str) -> Tap:
        """Send as a tap whatever a changed client likes, also on buttons long gone."""
        if isinstance(message, int):
            message = Shown(
                chat_id=self.chat_id,
                message_id=message,
                by="bot",
                text="",
                at=self._network.clock.now(),
            )
        return await self._tap(self, message, data)

    async def deletes(self, message: Shown) -> None:
        """Take a message out of the private chat, for both sides. The bot is not told."""
        del self._chat.shown[message.message_id]
        await self._network.tell()

    async def blocks(self) -> None:
        """Stop the bot."""
        if self._chat.bot == "in":
            self._chat.bot = "blocked"
            await self._tell_membership(self, "member", "kicked")

    async def unblocks(self) -> None:
        """Let it write again."""
        if self._chat.bot == "blocked":
            self._chat.bot = "in"
            await self._tell_membership(self, "kicked", "member")

    async def _says(self, text: str, reply_to: Shown | int | None, **fields: Any) -> Shown:
        if self._chat.bot == "blocked":
            raise ValueError(f"{self.name} has blocked the bot and cannot write to it")
        self._chat.bot = "in"
        return await self._write(self.name, text, reply_to, {"from": self.as_json(), **fields})


class Group(Room):
    """A group of users; the bot is in it once somebody has added it."""

    def __init__(self, network: Network, title: str) -> None:
        super().__init__(network, network.new_group(title))
        self.title = title

    async def adds_bot(self, by: User, payload: str = "") -> None:
        """Somebody takes the bot in, perhaps behind a deep link for groups."""
        old: Literal["left", "kicked"] = "kicked" if self._chat.bot == "out" else "left"
        self._chat.bot = "in"
        await self._tell_membership(by, old, "member")
        if payload:
            await self.says(by, f"/start@{self._network.username} {payload}")

    async def removes_bot(self, by: User) -> None:
        self._chat.bot = "out"
        await self._tell_membership(by, "member", "kicked")

    async def says(self, user: User, text: str, *, reply_to: Shown | int | None = None) -> Shown:
        """Write for all to read."""
        return await self._write(user.name, text, reply_to, {"from": user.as_json()})

    async def says_anonymously(self, text: str) -> Shown:
        """What an admin writes in the group's name."""
        return await self._write(
            self.title, text, None, {"from": _ANONYMOUS_ADMIN, "sender_chat": self._chat.as_json()}
        )

    async def edits(self, user: User, message: Shown, text: str) -> Shown:
        return await self._edit(user.name, message, text)

    async def taps(self, user: User, message: Shown, label: str) -> Tap:
        """LookupError if there is no such button, or if it opens a link."""
        return await self._tap_label(user, message, label)

    async def becomes_supergroup(self) -> int:
        """Telegram does that when a group grows or changes its settings: it continues under a new
        ID, which is returned.
        """
        old, new = self._chat, self._network.new_supergroup(self.title)
        new.bot, old.moved_to = old.bot, new.chat_id
        at = int(self._network.clock.now().timestamp())
        for chat, told in (
            (old, {"migrate_to_chat_id": new.chat_id}),
            (new, {"migrate_from_chat_id": old.chat_id}),
        ):
            self._chat = chat
            head = {"message_id": chat.next_id(), "date": at, "chat": chat.as_json()}
            await self._network.deliver("message", {**head, "from": _ANONYMOUS_ADMIN, **told})
        return new.chat_id
