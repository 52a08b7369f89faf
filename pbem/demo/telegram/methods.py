"""The methods of the Bot API that bots like ours call, except for those that hand over updates."""

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal

from pbem.demo.telegram.calls import Call, marked
from pbem.demo.telegram.chats import BOT, Chat, Keyboard, Shown, menu_as_json
from pbem.demo.telegram.faults import ApiError
from pbem.demo.telegram.markup import Marked
from pbem.demo.telegram.network import Network
from pbem.telegram.ports import Command

_Words = Literal["text", "caption"]
_LIMITS: Mapping[_Words, int] = {"text": 4096, "caption": 1024}
_TAP_LIMIT = 200
_MOST_COMMANDS = 100
_LARGEST_SIDES = 10_000
_NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are"
    " exactly the same as a current content and reply markup of the message"
)
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
Method = Callable[[Call], Awaitable[Any]]


class BotMethods:
    """What the bot can do to chats. With `keeps_limits`, messages beyond Telegram's limits get 429;
    they are recorded anyway.
    """

    def __init__(self, network: Network, *, keeps_limits: bool = False) -> None:
        self._network = network
        self.keeps_limits = keeps_limits
        self.by_name: Mapping[str, Method] = {
            "getMe": self._get_me,
            "sendMessage": self._send_message,
            "sendPhoto": self._send_photo,
            "editMessageText": partial(self._edit_words, name="text"),
            "editMessageCaption": partial(self._edit_words, name="caption"),
            "editMessageMedia": self._edit_media,
            "editMessageReplyMarkup": self._edit_keyboard,
            "answerCallbackQuery": self._answer_tap,
            "setMyCommands": self._set_commands,
            "getMyCommands": self._get_commands,
            "leaveChat": self._leave,
        }

    async def _get_me(self, call: Call) -> Any:
        groups = {
            "can_join_groups": True,
            "can_read_all_group_messages": self._network.reads_all,
            "supports_inline_queries": False,
        }
        return {**self._network.bot, **groups}

    async def _send_message(self, call: Call) -> Any:
        chat = self._network.writable(call.number("chat_id"))
        return await self._post(call, chat, _checked(call.marked("text"), "text"), None)

    async def _send_photo(self, call: Call) -> Any:
        chat = self._network.writable(call.number("chat_id"))
        words, picture = _checked(call.marked("caption"), "caption"), call.file("photo")
        return await self._post(call, chat, words, _checked_picture(picture))

    async def _edit_words(self, call: Call, name: _Words) -> Any:
        chat, shown = self._editable(call)
        if (shown.picture is None) != (name == "text"):
            raise ApiError(400, f"Bad Request: there is no {name} in the message to edit")
        words = _checked(call.marked(name), name)
        return await self._change(call, chat, shown, text=words.text, entities=words.entities)

    async def _edit_media(self, call: Call) -> Any:
        chat, shown = self._editable(call)
        media = call.json("media") or {}
        named = dataclasses.replace(call, fields={"photo": str(media.get("media", ""))})
        words = _checked(marked(media.get("caption", ""), media.get("parse_mode")), "caption")
        picture = _checked_picture(named.file("photo"))
        return await self._change(
            call, chat, shown, text=words.text, entities=words.entities, picture=picture
        )

    async def _edit_keyboard(self, call: Call) -> Any:
        chat, shown = self._editable(call)
        return await self._change(call, chat, shown)

    async def _answer_tap(self, call: Call) -> Any:
        tap = self._network.taps.get(call.fields.get("callback_query_id", ""))
        if tap is None or tap.is_late:
            raise ApiError(
                400,
                "Bad Request: query is too old and response timeout expired or query ID is invalid",
            )
        text = call.fields.get("text", "")
        if len(text) > _TAP_LIMIT:
            raise ApiError(400, "Bad Request: MESSAGE_TOO_LONG")
        tap.answer, tap.alert = text, call.flag("show_alert")
        await self._network.tell()
        return True

    async def _set_commands(self, call: Call) -> Any:
        commands = tuple(
            Command(command["command"], command["description"])
            for command in call.json("commands") or ()
        )
        if len(commands) > _MOST_COMMANDS:
            raise ApiError(400, "Bad Request: BOT_COMMANDS_TOO_MUCH")
        for command in commands:
            if (
                not 0 < len(command.name) <= 32
                or not command.name.replace("_", "a").isalnum()
                or command.name != command.name.lower()
            ):
                raise ApiError(400, "Bad Request: BOT_COMMAND_INVALID")
            if not 0 < len(command.description) <= 256:
                raise ApiError(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
        self._network.menus[self._scope(call)] = commands
        return True

    async def _get_commands(self, call: Call) -> Any:
        return menu_as_json(self._network.menus.get(self._scope(call), ()))

    async def _leave(self, call: Call) -> Any:
        chat = self._network.writable(call.number("chat_id"))
        if not chat.is_group:
            raise ApiError(400, "Bad Request: chat member status can't be changed in private chats")
        chat.bot = "never"
        await self._network.tell()
        return True

    def _scope(self, call: Call) -> str:
        scope = call.json("scope") or {"type": "default"}
        if scope["type"] != "chat":
            return str(scope["type"])
        return str(self._network.writable(int(scope["chat_id"])).chat_id)

    async def _post(self, call: Call, chat: Chat, words: Marked, picture: bytes | None) -> Any:
        reply_to = _reply_to(call, chat)
        keyboard = call.keyboard()
        self._measure(chat)
        shown = Shown(
            chat_id=chat.chat_id,
            message_id=chat.next_id(),
            by=BOT,
            text=words.text,
            entities=words.entities,
            at=self._network.clock.now(),
            picture=picture,
            buttons=keyboard,
            reply_to=reply_to,
            silent=call.flag("disable_notification"),
            protected=call.flag("protect_content"),
            fields=(
                {"message_thread_id": call.number("message_thread_id")}
                if "message_thread_id" in call.fields
                else {}
            ),
        )
        return self._network.json_of(await self._network.show(shown))

    def _editable(self, call: Call) -> tuple[Chat, Shown]:
        chat = self._network.writable(call.number("chat_id"))
        shown = chat.shown.get(call.number("message_id"))
        if shown is None:
            raise ApiError(400, "Bad Request: message to edit not found")
        if not shown.is_by_bot:
            raise ApiError(400, "Bad Request: message can't be edited")
        return chat, shown

    async def _change(self, call: Call, chat: Chat, before: Shown, **changes: Any) -> Any:
        after = dataclasses.replace(before, buttons=call.keyboard(), **changes)
        if _looks(before) == _looks(after):
            raise ApiError(400, _NOT_MODIFIED)
        self._measure(chat)
        edited = dataclasses.replace(after, edited_at=self._network.clock.now())
        return self._network.json_of(await self._network.show(edited))

    def _measure(self, chat: Chat) -> None:
        now, meter = self._network.clock.now(), self._network.meter
        violation = meter.look(now, chat.chat_id, is_group=chat.is_group)
        if violation is not None:
            meter.violations.append(violation)
            if self.keeps_limits:
                seconds = max(1, -int(-violation.wait.total_seconds() // 1))
                raise ApiError(
                    429, f"Too Many Requests: retry after {seconds}", retry_after=seconds
                )
        meter.count(now, chat.chat_id)


def _looks(shown: Shown) -> tuple[str, object, bytes | None, Keyboard]:
    return shown.text, shown.entities, shown.picture, shown.buttons


def _reply_to(call: Call, chat: Chat) -> int | None:
    wanted = call.json("reply_parameters")
    if wanted is None:
        return None
    if int(wanted["message_id"]) in chat.shown:
        return int(wanted["message_id"])
    if wanted.get("allow_sending_without_reply"):
        return None
    raise ApiError(400, "Bad Request: message to be replied not found")


def _checked(words: Marked, name: _Words) -> Marked:
    if name == "text" and not words.text:
        raise ApiError(400, "Bad Request: message text is empty")
    if words.length > _LIMITS[name]:
        what = "message" if name == "text" else "message caption"
        raise ApiError(400, f"Bad Request: {what} is too long")
    return words


def _checked_picture(picture: bytes) -> bytes:
    if picture.startswith(_JPEG):
        return picture
    if not picture.startswith(_PNG) or len(picture) < 24:
        raise ApiError(400, "Bad Request: IMAGE_PROCESS_FAILED")
    width, height = int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")
    if width + height > _LARGEST_SIDES or not 1 / 20 <= width / max(height, 1) <= 20:
        raise ApiError(400, "Bad Request: PHOTO_INVALID_DIMENSIONS")
    return picture
