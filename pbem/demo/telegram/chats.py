"""Chats as those who are in them see them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pbem.demo.telegram.markup import Entity
from pbem.telegram.ports import Button, Command

Keyboard = tuple[tuple[Button, ...], ...]
BOT = "bot"
"""The writer of what the bot wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message as it stands in a chat now."""

    chat_id: int
    message_id: int
    by: str
    text: str
    at: datetime
    entities: tuple[Entity, ...] = ()
    picture: bytes | None = None
    buttons: Keyboard = ()
    reply_to: int | None = None
    edited_at: datetime | None = None
    silent: bool = False
    protected: bool = False
    fields: dict[str, Any] = field(default_factory=dict)
    """What a user's message has besides, as JSON: `from`, signs of a forward."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The words on the buttons, row by row."""
        return tuple(button.text for row in self.buttons for button in row)

    @property
    def is_by_bot(self) -> bool:
        return self.by == BOT

    def button(self, label: str) -> Button:
        """The button with this label. LookupError if there is none now."""
        for row in self.buttons:
            for button in row:
                if button.text == label:
                    return button
        raise LookupError(
            f"no button {label!r} below message {self.message_id}, there are {self.labels}"
        )


ChatKind = Literal["private", "group", "supergroup"]


@dataclass(slots=True)
class Chat:
    """One chat. Message IDs start again in every chat, so that nobody takes them for unique."""

    chat_id: int
    kind: ChatKind
    title: str
    first_message_id: int = 1
    shown: dict[int, Shown] = field(default_factory=dict)
    menu: tuple[Command, ...] | None = None
    bot: Literal["never", "in", "out", "blocked", "gone"] = "never"
    """Whether the bot may write: never started or added, in, out (kicked), blocked by the user, the
    user gone.
    """
    moved_to: int | None = None
    last_id: int = 0

    @property
    def is_group(self) -> bool:
        return self.kind != "private"

    @property
    def messages(self) -> tuple[Shown, ...]:
        """The oldest first."""
        return tuple(self.shown[key] for key in sorted(self.shown))

    def next_id(self) -> int:
        self.last_id = max(self.last_id + 1, self.first_message_id)
        return self.last_id

    def as_json(self) -> dict[str, Any]:
        name = {"first_name": self.title} if self.kind == "private" else {"title": self.title}
        return {"id": self.chat_id, "type": self.kind, **name}


def message_as_json(
    chat: Chat, shown: Shown, bot: dict[str, Any], *, with_reply: bool = True
) -> dict[str, Any]:
    """A message as the Bot API tells it."""
    message: dict[str, Any] = {
        "message_id": shown.message_id,
        "date": int(shown.at.timestamp()),
        "chat": chat.as_json(),
        **({"from": bot} if shown.is_by_bot else {}),
        **shown.fields,
    }
    if shown.edited_at is not None:
        message["edit_date"] = int(shown.edited_at.timestamp())
    if shown.picture is not None:
        name = f"photo-{abs(shown.chat_id)}-{shown.message_id}"
        message["photo"] = [
            {
                "file_id": name,
                "file_unique_id": name,
                "width": 1,
                "height": 1,
                "file_size": len(shown.picture),
            }
        ]
    if shown.text:
        message["text" if shown.picture is None else "caption"] = shown.text
        if shown.text.startswith("/") and not shown.is_by_bot:
            message["entities"] = [
                {"type": "bot_command", "offset": 0, "length": len(shown.text.split()[0])}
            ]
    if shown.buttons:
        message["reply_markup"] = {
            "inline_keyboard": [
                [_button_as_json(button) for button in row] for row in shown.buttons
            ]
        }
    if with_reply and shown.reply_to is not None and shown.reply_to in chat.shown:
        message["reply_to_message"] = message_as_json(
            chat, chat.shown[shown.reply_to], bot, with_reply=False
        )
    return message


def _button_as_json(button: Button) -> dict[str, str]:
    return {
        "text": button.text,
        **(
            {"callback_data": button.data} if button.data is not None else {"url": button.url or ""}
        ),
    }


def menu_as_json(menu: Sequence[Command]) -> list[dict[str, str]]:
    return [{"command": command.name, "description": command.description} for command in menu]
