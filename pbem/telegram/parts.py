"""Texts that a chat program has cut into several messages, because one may not be longer than 4,096
characters.

Each program cuts in its own way, and at most at the 4,096th UTF-16 code unit. Some cut anywhere, in
the middle of a word, some at the last space, line or full stop before that, some at the last
paragraph of the second half. So a part is more than half as long as it may be, and longer together
with the next than one message can be. The program sends the parts at once, one behind the other, as
answers to the same message. What stood between the parts, white space alone, is lost.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from pbem.telegram.text import TEXT_LIMIT, utf16_length
from pbem.telegram.updates import Said, Update, read_update, with_text

WAIT = timedelta(seconds=10)
"""So long a part waits for the next one; so far apart Telegram has got two of them at most."""
WAIT_IN_ALL = timedelta(minutes=1)
MOST_PARTS = 30
LOST = 96
"""The most characters that a cut may lose: white space, and signs that were read as markup."""


def may_have_parts(raw: bytes) -> bool:
    """Whether an update is long enough for the first part of a text, or changes a message."""
    return len(raw) > TEXT_LIMIT // 2 or b"edited_message" in raw


def may_be_cut(said: Said) -> bool:
    """Whether there may be more of this text in the next message."""
    return _is_plain(said) and utf16_length(said.text) > TEXT_LIMIT // 2


def goes_on(part: Said, said: Said) -> bool:
    """Whether a message is the next part of a text, this one being the last part so far."""
    return (
        may_be_cut(part)
        and _is_plain(said)
        and said.command is None
        and (said.chat_id, said.user_id) == (part.chat_id, part.user_id)
        and said.message_id > part.message_id
        and said.reply_to in (None, part.reply_to)
        and timedelta(0) <= said.dated - part.dated <= WAIT
        and utf16_length(part.text) + utf16_length(said.text) > TEXT_LIMIT - LOST
    )


def join_parts(parts: Sequence[Said]) -> Said:
    """One message of all of them, known by the number of the first."""
    text = parts[0].text
    for part, following in pairwise(parts):
        text += _gap(part.text, following.text) + following.text
    return with_text(parts[0], text)


def join_versions(edit: Said, parts: Sequence[Said]) -> Said:
    """An edit of a part as one of the whole text; `parts` are as they stand now."""
    whole = join_parts(parts)
    return replace(
        with_text(edit, whole.text), message_id=whole.message_id, reply_to=whole.reply_to
    )


def read_whole(raw: bytes, parts: Sequence[bytes]) -> Update:
    """What an update says, with the parts of the text that it belongs to. Never raises."""
    update = read_update(raw)
    said = [one for part in parts if isinstance(one := read_update(part), Said)]
    if not said or not isinstance(update, Said):
        return update
    return join_versions(update, said) if update.is_edit else join_parts(said)


def _is_plain(said: Said) -> bool:
    """Typed, and by its sender: no caption, nothing forwarded, no edit."""
    return (
        said.chat_kind == "private"
        and said.sent_for_others is None
        and not said.is_edit
        and not said.has_attachment
    )


def _gap(part: str, following: str) -> str:
    """What stood between two parts.

    A full part was cut where it ends. If the next word has no room in a part, that was cut for want
    of room, at a space. Otherwise the program has looked for a better place: the end of a line or
    sentence; or of a paragraph, if even the next line has room.
    """
    room = TEXT_LIMIT - utf16_length(part)
    line = following.partition("\n")[0]
    if room <= 0:
        return ""
    if utf16_length(line.split(" ", 1)[0]) >= room:
        return " "
    return "\n" if utf16_length(line) >= room else "\n\n"
