"""Chat messages out: one message, one answer that the outbox can act upon."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import structlog
from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
)
from telegram.constants import ParseMode
from telegram.error import BadRequest, Forbidden, TelegramError

from pbem.telegram.answers import answer_of, row_of
from pbem.telegram.batch import whole_number
from pbem.telegram.connection import NOT_TELEGRAM, Connection
from pbem.telegram.faults import MAX_TAP_CHARACTERS, fault_of
from pbem.telegram.ports import (
    Answer,
    ChatMessage,
    ChatSent,
    Command,
    Lost,
    Me,
    Scope,
    TelegramTrouble,
)
from pbem.telegram.refusals import Kind
from pbem.telegram.text import plain_of

_log = structlog.get_logger(__name__)
_FILE_NAME = "board.png"
_USERNAME = re.compile(r"[A-Za-z0-9_]{0,64}")
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class TelegramSender:
    """Writes to chats over a `Connection` that somebody else opens and closes. It does not pace:
    see `pacing`.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._bot = connection.bot

    async def send(self, message: ChatMessage) -> Answer:
        """Deliver one message, or one edit. Never raises for anything Telegram or the network does.

        Markup that Telegram cannot read, a picture that it will not take, or a topic that is closed
        costs no words: they are sent as plain text, alone, or outside of the topic.
        """
        fault = fault_of(message)
        if fault is not None:
            return fault
        picture = message.picture
        parse_mode: str | None = ParseMode.HTML
        without: tuple[Lost, ...] = ()
        refused: tuple[Kind, ...] = ()
        while True:
            text = message.html if parse_mode else plain_of(message.html)
            try:
                message_id = await self._connection.ask(
                    self._deliver(message, text, parse_mode, picture)
                )
                return ChatSent(message_id, without, refused)
            except (BadRequest, Forbidden) as error:
                row = row_of(error)
                match row.deed:
                    case "plain" if parse_mode is not None:
                        parse_mode, without = None, (*without, "markup")
                    case "words" if picture is not None and text.strip():
                        picture, without = None, (*without, "picture")
                    case "general" if message.thread_id is not None:
                        message, without = replace(message, thread_id=None), (*without, "topic")
                    case _:
                        return self._answer(error)
                if row.kind not in ("markup", "picture"):
                    refused = (*refused, row.kind)
                _log.warning(
                    "telegram.sent_without", what=without[-1], error=self._connection.scrub(error)
                )
            except TelegramError as error:
                return self._answer(error)

    async def answer_tap(self, callback_id: str, text: str = "", *, alert: bool = False) -> bool:
        """End the waiting after a tap. False if it came too late (Telegram waits some seconds) or
        did not arrive.
        """
        try:
            await self._connection.ask(
                self._bot.answer_callback_query(
                    callback_id, text[:MAX_TAP_CHARACTERS] or None, show_alert=alert
                )
            )
        except TelegramError as error:
            if row_of(error).deed != "late":
                _log.warning("telegram.tap_unanswered", error=self._connection.scrub(error))
            return False
        return True

    async def set_commands(self, scope: Scope, commands: Sequence[Command]) -> None:
        """Show these in the menu of private chats, of groups, or of one chat. Raises
        `TelegramTrouble`.
        """
        menu = [BotCommand(command.name, command.description) for command in commands]
        await self._connection.demand(self._bot.set_my_commands(menu, scope=_scope(scope)))

    async def me(self) -> Me:
        """Who we are; asks Telegram each time. Raises `TelegramTrouble`."""
        user = await self._connection.demand(self._bot.get_me())
        number = whole_number(user.id)
        name: object = user.username or ""
        if number is None or not isinstance(name, str) or not _USERNAME.fullmatch(name):
            raise TelegramTrouble("Telegram does not say who we are")
        return Me(number, name)

    async def leave(self, chat_id: int) -> None:
        """Leave a group. Raises `TelegramTrouble`."""
        try:
            await self._connection.ask(self._bot.leave_chat(chat_id))
        except Forbidden as error:
            _log.info("telegram.left_before", error=self._connection.scrub(error))
        except TelegramError as error:
            raise self._connection.trouble(error) from error

    def _answer(self, error: TelegramError) -> Answer:
        return answer_of(error, self._connection.scrub(error))

    async def _deliver(
        self, message: ChatMessage, text: str, parse_mode: str | None, picture: bytes | None
    ) -> int:
        if message.edits is None:
            return await self._write(message, text, parse_mode, picture)
        try:
            await self._edit(message, message.edits, text, parse_mode, picture)
        except BadRequest as error:
            if row_of(error).deed != "shown":
                raise
        return message.edits

    async def _write(
        self, message: ChatMessage, text: str, parse_mode: str | None, picture: bytes | None
    ) -> int:
        # The words come even if what they reply to has gone.
        reply = (
            None
            if message.reply_to is None
            else ReplyParameters(message.reply_to, allow_sending_without_reply=True)
        )
        said: dict[str, Any] = {
            "parse_mode": parse_mode,
            "reply_markup": _keyboard(message),
            "reply_parameters": reply,
            "disable_notification": message.silent,
            "protect_content": message.protect,
            "message_thread_id": message.thread_id,
        }
        if picture is not None:
            said |= {"caption": text or None, "filename": _FILE_NAME}
            sent = await self._bot.send_photo(message.chat_id, picture, **said)
        else:
            said["link_preview_options"] = _NO_PREVIEW
            sent = await self._bot.send_message(message.chat_id, text, **said)
        return _message_id(sent)

    async def _edit(
        self,
        message: ChatMessage,
        edited: int,
        text: str,
        parse_mode: str | None,
        picture: bytes | None,
    ) -> None:
        chat_id, keyboard = message.chat_id, _keyboard(message)
        if picture is not None:
            media = InputMediaPhoto(
                picture, caption=text or None, parse_mode=parse_mode, filename=_FILE_NAME
            )
            await self._bot.edit_message_media(media, chat_id, edited, reply_markup=keyboard)
        elif not text:
            await self._bot.edit_message_reply_markup(chat_id, edited, reply_markup=keyboard)
        else:
            try:
                await self._bot.edit_message_text(
                    text,
                    chat_id,
                    edited,
                    parse_mode=parse_mode,
                    link_preview_options=_NO_PREVIEW,
                    reply_markup=keyboard,
                )
            except BadRequest as error:
                if row_of(error).deed != "caption":
                    raise
                await self._bot.edit_message_caption(
                    chat_id, edited, caption=text, parse_mode=parse_mode, reply_markup=keyboard
                )


def _message_id(sent: Message) -> int:
    number = whole_number(sent.message_id)
    if number is None or number < 0:
        raise TelegramError(f"{NOT_TELEGRAM}: a message without a number")
    return number


def _keyboard(message: ChatMessage) -> InlineKeyboardMarkup | None:
    if not message.buttons:
        return None
    return InlineKeyboardMarkup(
        [
            [
                InlineKeyboardButton(button.text, url=button.url, callback_data=button.data)
                for button in row
            ]
            for row in message.buttons
        ]
    )


def _scope(scope: Scope) -> BotCommandScope:
    if scope == "private":
        return BotCommandScopeAllPrivateChats()
    if scope == "group":
        return BotCommandScopeAllGroupChats()
    return BotCommandScopeChat(scope)
