"""The deadline as a calendar file, and its cancellation (RFC 5545; RFC 5546 3.2.1, 3.2.5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

_MOST_OCTETS = 74
"""Of a line, before the blank that a line which continues it begins with."""
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n", "\r": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineEvent:
    """A phase's deadline. `uid` stays the same as long as the phase does; `sequence` grows with
    every change of the deadline.
    """

    uid: str
    sequence: int
    stamped_at: datetime
    deadline: datetime
    summary: str
    description: str


def format_deadline(event: DeadlineEvent) -> bytes:
    """The .ics file: METHOD:PUBLISH (a REQUEST would ask for an answer), times in UTC, an alarm 12
    hours before.

    A moment, not a span: the event has no end and does not make anybody busy.
    """
    alarm = ("BEGIN:VALARM", "ACTION:DISPLAY", _text("DESCRIPTION", event.summary))
    return _calendar(event, "PUBLISH", "CONFIRMED", *alarm, "TRIGGER:-PT12H", "END:VALARM")


def format_cancellation(event: DeadlineEvent, organizer: str) -> bytes:
    """The .ics file that takes the entry of that `uid` back: METHOD:CANCEL, which has to name the
    organizer's address.
    """
    return _calendar(event, "CANCEL", "CANCELLED", f"ORGANIZER:mailto:{organizer}")


def _calendar(
    event: DeadlineEvent,
    method: Literal["PUBLISH", "CANCEL"],
    status: Literal["CONFIRMED", "CANCELLED"],
    *more: str,
) -> bytes:
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "CALSCALE:GREGORIAN",
        f"METHOD:{method}",
        "BEGIN:VEVENT",
        _text("SUMMARY", event.summary),
        f"DTSTART:{_instant(event.deadline)}",
        f"DTSTAMP:{_instant(event.stamped_at)}",
        _text("UID", event.uid),
        f"SEQUENCE:{event.sequence}",
        _text("DESCRIPTION", event.description),
        f"STATUS:{status}",
        "TRANSP:TRANSPARENT",
        *more,
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line.encode()))


def _text(name: str, words: str) -> str:
    return f"{name}:{words.translate(_ESCAPED)}"


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: bytes) -> Iterator[bytes]:
    """Cut within no letter, and behind no backslash, since some programs unfold lines too late."""
    blank = b""
    while len(line) > _MOST_OCTETS:
        at = _MOST_OCTETS
        while line[at] & 0xC0 == 0x80:
            at -= 1
        at -= line[at - 1] == ord("\\")
        yield blank + line[:at]
        blank, line = b" ", line[at:]
    yield blank + line
