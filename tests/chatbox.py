"""The fake of `TelegramSender`: keeps the chats in memory, as their readers see them, and answers
as it is told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.telegram.faults import MAX_TAP_CHARACTERS, fault_of
from pbem.telegram.ports import (
    Answer,
    Button,
    ChatMessage,
    ChatRefused,
    ChatSent,
    Command,
    Me,
    Scope,
)
from pbem.telegram.text import is_sound, plain_of


@dataclass(frozen=True, slots=True)
class Posted:
    """A message as it stands in a chat: `text` without markup, `html` as it was sent."""

    message_id: int
    text: str
    html: str
    picture: bytes | None
    buttons: tuple[tuple[Button, ...], ...]
    reply_to: int | None
    silent: bool
    protect: bool


@dataclass(frozen=True, slots=True)
class TapAnswer:
    callback_id: str
    text: str
    alert: bool


class Chatbox:
    """Takes every message that some chat could take, unless `answers` says otherwise for its
    chat.
    """

    def __init__(
        self, answers: Mapping[int, Answer] | None = None, *, me: Me | None = None
    ) -> None:
        self.answers = dict(answers or {})
        self.chats: dict[int, list[Posted]] = {}
        self.sent: list[ChatMessage] = []
        self.taps: list[TapAnswer] = []
        self.menus: dict[Scope, tuple[Command, ...]] = {}
        self.left: list[int] = []
        self._me = me or Me(1, "realm_bot")
        self._last_id = 0

    async def send(self, message: ChatMessage) -> Answer:
        answer = fault_of(message) or self.answers.get(message.chat_id)
        if answer is not None:
            return answer
        chat = self.chats.setdefault(message.chat_id, [])
        text = plain_of(message.html).strip()
        answer = (
            self._post(chat, message, text)
            if message.edits is None
            else _edit(chat, message, message.edits, text)
        )
        if isinstance(answer, ChatSent):
            self.sent.append(message)
            if not is_sound(message.html):
                return ChatSent(answer.message_id, ("markup",))
        return answer

    async def answer_tap(self, callback_id: str, text: str = "", *, alert: bool = False) -> bool:
        self.taps.append(TapAnswer(callback_id, text[:MAX_TAP_CHARACTERS], alert))
        return True

    async def set_commands(self, scope: Scope, commands: Sequence[Command]) -> None:
        self.menus[scope] = tuple(commands)

    async def me(self) -> Me:
        return self._me

    async def leave(self, chat_id: int) -> None:
        self.left.append(chat_id)

    def to(self, chat_id: int) -> list[Posted]:
        """What stands in one chat, the oldest first."""
        return list(self.chats.get(chat_id, ()))

    def _post(self, chat: list[Posted], message: ChatMessage, text: str) -> Answer:
        self._last_id += 1
        known = {posted.message_id for posted in chat}
        chat.append(
            Posted(
                message_id=self._last_id,
                text=text,
                html=message.html,
                picture=message.picture,
                buttons=message.buttons,
                reply_to=message.reply_to if message.reply_to in known else None,
                silent=message.silent,
                protect=message.protect,
            )
        )
        return ChatSent(self._last_id)


def _edit(chat: list[Posted], message: ChatMessage, edits: int, text: str) -> Answer:
    for place, posted in enumerate(chat):
        if posted.message_id == edits:
            words = (
                replace(posted, text=text, html=message.html)
                if message.html or message.picture is not None
                else posted
            )
            chat[place] = replace(
                words, picture=message.picture or posted.picture, buttons=message.buttons
            )
            return ChatSent(edits)
    return ChatRefused(400, "message to edit not found", "message")
