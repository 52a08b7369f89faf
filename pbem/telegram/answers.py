"""What the library's exceptions mean for the outbox."""

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from pbem.telegram.connection import seconds_of, whole_number
from pbem.telegram.ports import ChatDeferred, ChatMoved, ChatRefused

# Telegram answers 400 for most of what is wrong with a chat as well; these are its words for it.
_ABOUT_THE_CHAT = (
    "chat not found",
    "user not found",
    "peer_id_invalid",
    "chat_id_invalid",
    "group chat was deactivated",
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "chat_write_forbidden",
    "chat_restricted",
    "topic_closed",
    "topic_deleted",
    "message thread not found",
    "chat_send_plain_forbidden",
    "chat_send_photos_forbidden",
    "user is deactivated",
    "not a member",
)
_NOT_MODIFIED = "message is not modified"
_BAD_MARKUP = ("can't parse entities", "can't parse message text", "can't parse caption")
_BAD_PICTURE = (
    "image_process_failed",
    "photo_invalid_dimensions",
    "photo_ext_invalid",
    "photo_save_file_invalid",
    "wrong file",
    "photo_content",
)
_NO_TEXT_TO_EDIT = "there is no text in the message to edit"
_LATE_TAP = ("query is too old", "query id is invalid", "query_id_invalid")
_NOTHING_LEFT_THE_HOUSE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def answer_of(error: TelegramError, text: str) -> ChatDeferred | ChatRefused | ChatMoved:
    """What to do about it; `text` is the error's own, without secrets."""
    if isinstance(error, ChatMigrated):
        moved_to = whole_number(error.new_chat_id)
        if (
            moved_to is None or moved_to >= 0
        ):  # no group: nobody else is ever written to in its stead
            return ChatDeferred(None, text)
        return ChatMoved(moved_to)
    if isinstance(error, RetryAfter):
        return ChatDeferred(seconds_of(error), text)
    if isinstance(error, Forbidden):
        return ChatRefused(403, text, "chat")
    if isinstance(error, BadRequest):
        return ChatRefused(400, text, "chat" if _speaks_of(error, *_ABOUT_THE_CHAT) else "message")
    if _speaks_of(error, "request entity too large"):
        return ChatRefused(413, text, "message")
    # Silence, trouble at Telegram's, a token that it does not know: no fault of this message or its
    # reader.
    return ChatDeferred(None, text, maybe_sent=_may_have_arrived(error))


def is_not_modified(error: TelegramError) -> bool:
    """The message says already what it shall say."""
    return _speaks_of(error, _NOT_MODIFIED)


def is_bad_markup(error: TelegramError) -> bool:
    return _speaks_of(error, *_BAD_MARKUP)


def is_bad_picture(error: TelegramError) -> bool:
    return _speaks_of(error, *_BAD_PICTURE)


def is_about_a_picture_s_caption(error: TelegramError) -> bool:
    """The message to edit is a picture, and its words are its caption."""
    return _speaks_of(error, _NO_TEXT_TO_EDIT)


def is_late_tap(error: TelegramError) -> bool:
    return _speaks_of(error, *_LATE_TAP)


def _speaks_of(error: TelegramError, *phrases: str) -> bool:
    words = str(error.message).lower()
    return any(phrase in words for phrase in phrases)


def _may_have_arrived(error: TelegramError) -> bool:
    """Whether the request was out when it failed: without an answer, or with one of a server that
    failed half-way.
    """
    if isinstance(error, InvalidToken):
        return False
    cause = error.__cause__
    if isinstance(cause, httpx.HTTPError):
        return not isinstance(cause, _NOTHING_LEFT_THE_HOUSE)
    return not _speaks_of(error, "too many requests")
