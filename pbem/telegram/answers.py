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

from pbem.telegram.batch import whole_number
from pbem.telegram.connection import seconds_of
from pbem.telegram.ports import ChatDeferred, ChatMoved, ChatRefused
from pbem.telegram.refusals import LATER, Refusal, refusal_of

_TOO_LARGE = "request entity too large"
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
    row = row_of(error)
    if row is LATER:
        # Silence, trouble at Telegram's, a token that it does not know: no fault of this message or
        # its reader.
        return ChatDeferred(None, text, maybe_sent=_may_have_arrived(error))
    match row.deed:
        case "later":
            return ChatDeferred(None, text)
        case "wait":
            return ChatRefused(row.status, text, "chat", row.kind)
        case "general":  # it was for no topic
            return ChatRefused(row.status, text, "chat", "general-closed")
    return ChatRefused(row.status, text, "message")


def row_of(error: TelegramError) -> Refusal:
    """The row of the table that an error belongs to."""
    if isinstance(error, Forbidden):
        return refusal_of(403, error.message)
    if isinstance(error, BadRequest):
        return refusal_of(400, error.message)
    return refusal_of(413, error.message) if _TOO_LARGE in error.message.lower() else LATER


def _may_have_arrived(error: TelegramError) -> bool:
    """Whether the request was out when it failed: without an answer, or with one of a server that
    failed half-way.
    """
    if isinstance(error, InvalidToken):
        return False
    cause = error.__cause__
    if isinstance(cause, httpx.HTTPError):
        return not isinstance(cause, _NOTHING_LEFT_THE_HOUSE)
    return "too many requests" not in error.message.lower()
