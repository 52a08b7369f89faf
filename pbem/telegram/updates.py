"""What an update of the Bot API says: read once, from bytes that are safe on disk, into values of
our own.

Nothing here raises, whatever the bytes are. Whom an update is by is what Telegram vouches for: the
numeric `from.id`. Whatever was sent in somebody's name, for a chat, or repeats another's words says
so in `Said.sent_for_others` and never counts as that user's own.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from pbem.telegram.batch import whole_number

MAX_UPDATE_OCTETS = 256 * 1024
MAX_TEXT_CHARACTERS = 4096
MAX_DATA_OCTETS = 64
MAX_NAME_CHARACTERS = 64

WANTED = ("message", "edited_message", "callback_query", "my_chat_member")
"""The kinds of updates worth asking Telegram for."""

ChatKind = Literal["private", "group", "channel"]
NotOwn = Literal[
    "channel", "sender-chat", "business", "via-bot", "forward", "bot", "no-sender", "foreign-chat"
]
"""Posted in a channel; sent for a chat (an anonymous admin, a linked channel); by an account that a
bot or staff answers for; made by an inline bot; repeating somebody's words; by a bot; by nobody we
know; in a private chat that is not the sender's.
"""
Change = Literal["added", "removed", "changed", "blocked", "unblocked", "migrated"]
"""`changed`: what the bot may do in a group."""
Why = Literal["too-big", "not-json", "not-an-update", "unused-kind", "service", "bent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message, or an edited one (`is_edit`; `dated` is then the instant of the edit), by
    Telegram's clock, whole seconds.

    `user_id` is None only where `sent_for_others` says why. `command` is the word after a leading
    slash in small letters, `addressed_to` the bot that it names (`/help@some_bot`), in small
    letters too. `start_payload` is what a deep link carried.
    """

    update_id: int
    chat_id: int
    chat_kind: ChatKind
    user_id: int | None
    user_name: str
    text: str
    message_id: int
    reply_to: int | None
    is_edit: bool
    dated: datetime
    start_payload: str | None
    command: str | None
    addressed_to: str | None
    sent_for_others: NotOwn | None
    has_attachment: bool
    thread_id: int | None
    written_at: datetime | None = None
    """When a message that was edited was first sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tapped:
    """A button was tapped, by `user_id`; `data` is whatever the client sent and proves nothing. The
    message may be an old one.
    """

    update_id: int
    callback_id: str
    user_id: int
    user_name: str
    chat_id: int
    chat_kind: ChatKind
    message_id: int
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Where the bot may write has changed: it was added to or removed from a group, got or lost
    rights there, was blocked or unblocked by a user, or a group moved.
    """

    update_id: int
    chat_id: int
    chat_kind: ChatKind
    chat_title: str
    change: Change
    user_id: int | None
    migrated_to: int | None
    dated: datetime


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Nothing for the desk: broken (`too-big`, `not-json`, `not-an-update`, `bent`), or of no use
    (`unused-kind`, `service`).

    `detail` names the kind of update or the field, never its content.
    """

    update_id: int | None
    why: Why
    detail: str = ""


Update = Said | Tapped | Joined | Unreadable


class _Bent(Exception):
    """A field is missing or not what the Bot API says it is."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


_Fields = Mapping[str, Any]

_MESSAGES = {
    "message": False,
    "edited_message": True,
    "channel_post": False,
    "edited_channel_post": True,
}
_CHAT_KINDS: Mapping[str, ChatKind] = {
    "private": "private",
    "group": "group",
    "supergroup": "group",
    "channel": "channel",
}
_ATTACHMENTS = frozenset(
    {
        "animation",
        "audio",
        "checklist",
        "contact",
        "dice",
        "document",
        "game",
        "invoice",
        "live_photo",
        "location",
        "paid_media",
        "photo",
        "poll",
        "sticker",
        "story",
        "venue",
        "video",
        "video_note",
        "voice",
    }
)
_NOT_OWN: tuple[tuple[NotOwn, frozenset[str]], ...] = (
    ("sender-chat", frozenset({"sender_chat"})),
    ("business", frozenset({"business_connection_id", "sender_business_bot"})),
    (
        "via-bot",
        frozenset({"via_bot", "guest_bot_caller_user", "guest_bot_caller_chat", "guest_query_id"}),
    ),
    (
        "forward",
        frozenset(
            {
                "forward_origin",
                "forward_date",
                "forward_from",
                "forward_from_chat",
                "forward_sender_name",
                "is_automatic_forward",
            }
        ),
    ),
)
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,32}))?(?:\s+(.*))?", re.DOTALL)
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LARGEST_DATE = 2**33


def read_update(raw: bytes) -> Update:
    """What these bytes say. Never raises."""
    if len(raw) > MAX_UPDATE_OCTETS:
        return Unreadable(None, "too-big")
    try:
        tree = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Unreadable(None, "not-json")
    if not isinstance(tree, dict):
        return Unreadable(None, "not-an-update")
    try:
        update_id = _id(tree, "update_id")
    except _Bent:
        return Unreadable(None, "not-an-update")
    kinds = [key for key in tree if key != "update_id"]
    if len(kinds) != 1:
        return Unreadable(update_id, "not-an-update")
    (kind,) = kinds
    try:
        if kind in _MESSAGES:
            return _read_message(update_id, kind, _fields(tree, kind))
        if kind == "callback_query":
            return _read_tap(update_id, _fields(tree, kind))
        if kind == "my_chat_member":
            return _read_membership(update_id, _fields(tree, kind))
    except _Bent as bent:
        return Unreadable(update_id, "bent", bent.field)
    return Unreadable(update_id, "unused-kind", _cut(_whole(kind), MAX_NAME_CHARACTERS))


def with_text(said: Said, text: str) -> Said:
    """The same message with another text."""
    command, addressed_to, argument = _command(text)
    return replace(
        said,
        text=text,
        start_payload=argument if command == "start" and _PAYLOAD.fullmatch(argument) else None,
        command=command,
        addressed_to=addressed_to,
    )


def _read_message(update_id: int, kind: str, message: _Fields) -> Said | Joined | Unreadable:
    chat_id, chat_kind, title = _chat(message)
    is_edit = _MESSAGES[kind]
    dated = _instant(message, "edit_date" if is_edit else "date")
    sender = _fields(message, "from") if message.get("from") is not None else None
    user_id = None if sender is None else _id(sender, "id")
    if message.get("migrate_to_chat_id") is not None:
        moved = _id(message, "migrate_to_chat_id")
        return Joined(
            update_id=update_id,
            chat_id=chat_id,
            chat_kind=chat_kind,
            chat_title=title,
            change="migrated",
            user_id=user_id,
            migrated_to=moved,
            dated=dated,
        )
    has_attachment = not _ATTACHMENTS.isdisjoint(message)
    if "text" not in message and "caption" not in message and not has_attachment:
        return Unreadable(update_id, "service")
    text = (
        _text(message, "text" if "text" in message else "caption")
        if "text" in message or "caption" in message
        else ""
    )
    command, addressed_to, argument = _command(text)
    return Said(
        update_id=update_id,
        chat_id=chat_id,
        chat_kind=chat_kind,
        user_id=user_id,
        user_name=_name(sender or {}),
        text=text,
        message_id=_id(message, "message_id"),
        reply_to=_reply_to(message),
        is_edit=is_edit,
        dated=dated,
        start_payload=argument if command == "start" and _PAYLOAD.fullmatch(argument) else None,
        command=command,
        addressed_to=addressed_to,
        sent_for_others=_not_own(message, chat_id, chat_kind, sender),
        has_attachment=has_attachment,
        thread_id=_thread(message),
        written_at=_instant(message, "date") if is_edit else None,
    )


def _not_own(
    message: _Fields, chat_id: int, chat_kind: ChatKind, sender: _Fields | None
) -> NotOwn | None:
    if chat_kind == "channel":
        return "channel"
    for reason, signs in _NOT_OWN:
        if any(message.get(sign) not in (None, False) for sign in signs):
            return reason
    if sender is None:
        return "no-sender"
    if sender.get("is_bot") is not False:
        return "bot"
    if chat_kind == "private" and sender.get("id") != chat_id:
        return "foreign-chat"
    return None


def _read_tap(update_id: int, query: _Fields) -> Tapped | Unreadable:
    if "message" not in query or "data" not in query:
        return Unreadable(
            update_id, "unused-kind", "callback_query"
        )  # of an inline message, or of a game
    sender, message = _fields(query, "from"), _fields(query, "message")
    chat_id, chat_kind, _ = _chat(message)
    user_id, data = _id(sender, "id"), _string(query, "data")
    if sender.get("is_bot") is not False or (chat_kind == "private" and user_id != chat_id):
        raise _Bent("from")
    if len(data.encode()) > MAX_DATA_OCTETS:
        raise _Bent("data")
    return Tapped(
        update_id=update_id,
        callback_id=_cut(_string(query, "id"), 64),
        user_id=user_id,
        user_name=_name(sender),
        chat_id=chat_id,
        chat_kind=chat_kind,
        message_id=_id(message, "message_id"),
        data=data,
    )


def _read_membership(update_id: int, change: _Fields) -> Joined | Unreadable:
    chat_id, chat_kind, title = _chat(change)
    was_in, is_in = (
        _is_in(_fields(change, "old_chat_member")),
        _is_in(_fields(change, "new_chat_member")),
    )
    if was_in == is_in and not (is_in and chat_kind == "group"):
        return Unreadable(update_id, "unused-kind", "my_chat_member")
    words: tuple[Change, Change] = (
        ("blocked", "unblocked")
        if chat_kind == "private"
        else ("removed", "added")
        if was_in != is_in
        else ("changed", "changed")
    )
    return Joined(
        update_id=update_id,
        chat_id=chat_id,
        chat_kind=chat_kind,
        chat_title=title,
        change=words[is_in],
        user_id=_id(_fields(change, "from"), "id"),
        migrated_to=None,
        dated=_instant(change, "date"),
    )


def _is_in(member: _Fields) -> bool:
    status = _string(member, "status")
    return status in {"creator", "administrator", "member"} or (
        status == "restricted" and member.get("is_member") is True
    )


def _chat(holder: _Fields) -> tuple[int, ChatKind, str]:
    chat = _fields(holder, "chat")
    kind = _CHAT_KINDS.get(_string(chat, "type"))
    if kind is None:
        raise _Bent("chat.type")
    return _id(chat, "id"), kind, _line(chat.get("title")) or _name(chat)


def _thread(message: _Fields) -> int | None:
    """The topic. Answers in a group without topics have such a number as well."""
    if message.get("message_thread_id") is None:
        return None
    number = _id(message, "message_thread_id")
    return number if message.get("is_topic_message") is True else None


def _reply_to(message: _Fields) -> int | None:
    return (
        None
        if message.get("reply_to_message") is None
        else _id(_fields(message, "reply_to_message"), "message_id")
    )


def _command(text: str) -> tuple[str | None, str | None, str]:
    found = _COMMAND.fullmatch(text)
    if found is None:
        return None, None, ""
    return found[1].lower(), found[2].lower() if found[2] else None, (found[3] or "").strip()


def _text(message: _Fields, key: str) -> str:
    text = _string(message, key).replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise _Bent(key)
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) != "Cc"
    )


def _name(person: _Fields) -> str:
    return _line(
        " ".join(
            part
            for part in (person.get("first_name"), person.get("last_name"))
            if isinstance(part, str)
        )
    )


def _line(value: object) -> str:
    """A name from outside as one short line, without what steers or hides text."""
    if not isinstance(value, str):
        return ""
    seen = "".join(
        " " if character.isspace() else character
        for character in _whole(value[: 16 * MAX_NAME_CHARACTERS])
    )
    shown = "".join(
        character
        for character in seen
        if unicodedata.category(character) not in {"Cc", "Cf", "Cn", "Co", "Cs"}
    )
    return _cut(unicodedata.normalize("NFC", " ".join(shown.split())), MAX_NAME_CHARACTERS)


def _cut(text: str, length: int) -> str:
    return text[:length].rstrip()


def _whole(text: str) -> str:
    """JSON can spell half a surrogate pair, which no file and no network takes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fields(holder: _Fields, key: str) -> _Fields:
    value = holder.get(key)
    if not isinstance(value, dict):
        raise _Bent(key)
    return value


def _string(holder: _Fields, key: str) -> str:
    value = holder.get(key)
    if not isinstance(value, str):
        raise _Bent(key)
    return _whole(value)


def _id(holder: _Fields, key: str) -> int:
    value = whole_number(holder.get(key))
    if value is None:
        raise _Bent(key)
    return value


def _instant(holder: _Fields, key: str) -> datetime:
    value = _id(holder, key)
    if not 0 <= value < _LARGEST_DATE:
        raise _Bent(key)
    return datetime.fromtimestamp(value, UTC)
