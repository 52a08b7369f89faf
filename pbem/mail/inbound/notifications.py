"""What a mail program sends in a person's name when they click or open and write nothing: reactions
to a mail of ours, and plain receipts that it was read.

These are the only machine mails that are known by their words: they carry no field that says so. So
everything that is written must be of it.
"""

import re
from email.message import Message
from typing import Literal, get_args

from pbem.mail.inbound.message import content_type
from pbem.mail.inbound.phrases import flatten, pattern_of, words_of
from pbem.mail.inbound.quotes import are_header_labels, parse_lines, tells_when

Notified = Literal["reaction", "read-receipt"]
NOTIFIED: tuple[str, ...] = get_args(Notified)

_REACTION_PART = re.compile(r"text/vnd\.[a-z.]*email-reaction\+json")
_LINK = re.compile(r"<?https?://[^\s<>]+>?")
_WORD = re.compile(r"\w+")
_CALLS = frozenset(":,：")
_NAME = re.compile(r"[\W_]*(?:[^\W\d_][^\W\d]*[\W_]*){0,5}")
_TAPBACK = re.compile(
    r"(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted \S{1,8} to) \".{1,900}\""
)
_MAX_CHARS = 1000
_MAX_PROSE_LINES = 4


def why_notified(message: Message, subject: str, full: str, text: str) -> Notified | None:
    """`full` is all that is written, `text` what of it is new."""
    if any(_REACTION_PART.fullmatch(content_type(part)) for part in message.walk()):
        return "reaction"
    if _is_reaction(text):
        return "reaction"
    return "read-receipt" if _is_receipt(subject, full) else None


def _is_reaction(text: str) -> bool:
    """`👍 Anna reacted to your message:`, and nothing else but signs and links."""
    if len(text) > _MAX_CHARS:
        return False
    flat = flatten(_LINK.sub(" ", text))
    if _TAPBACK.fullmatch(flat):
        return True
    found = pattern_of("reacted").search(flat)
    if found is None:
        return False
    before, rest = flat[: found.start()], f"{flat[: found.start()]} {flat[found.end() :]}"
    return (
        _NAME.fullmatch(rest) is not None
        and pattern_of("ordering").search(rest) is None
        and not _is_said(before)
    )


def _is_said(before: str) -> bool:
    """`I`, `Ben:`, or no name at all before the words of a reaction: somebody has typed them."""
    return (
        not before.strip()
        or not _CALLS.isdisjoint(before)
        or not words_of("first_person").isdisjoint(_WORD.findall(before))
    )


def _is_receipt(subject: str, full: str) -> bool:
    """`Read: Turn 6`, over the labelled lines of that mail and a line that says when."""
    prefix, colon, _ = flatten(subject[:300]).partition(":")
    if not colon or prefix.strip() not in words_of("read_receipt") or len(full) > _MAX_CHARS:
        return False
    lines = [line for line in parse_lines(full) if not line.blank]
    prose = [line for line in lines if not are_header_labels(line)]
    return (
        len(prose) <= _MAX_PROSE_LINES
        and len(lines) - len(prose) >= 2
        and any(tells_when(line.flat) for line in prose)
    )
