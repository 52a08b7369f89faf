"""A mail of the service as its reader sees it: what it asks, by when, and where an answer goes."""

import re
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from email.utils import parseaddr, parsedate_to_datetime
from functools import cached_property
from typing import Literal

from icalendar import Calendar

Sort = Literal["question", "answer", "confirmation", "news"]

_CONFIRMS = re.compile(r"\+c\d+-")
_HEADER_END = b"\r\n\r\n"


class Received:
    """A mail as its reader opens it: the header at once, the rest when it is asked for, since most
    mails are only skimmed.

    The service's own mails are well-formed; others are read as far as they are.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._header: Message = message_from_bytes(raw.partition(_HEADER_END)[0], policy=compat32)

    def _field(self, name: str) -> str:
        return str(make_header(decode_header(" ".join(str(self._header.get(name, "")).split()))))

    @cached_property
    def sort(self) -> Sort:
        """What kind of mail it is, as a reader sees at a glance: a question brings its deadline as
        a calendar file.
        """
        if _CONFIRMS.search(self.reply_to):
            return "confirmation"
        if self._field("Auto-Submitted") == "auto-replied":
            return "answer"
        return "question" if self._entries else "news"

    @cached_property
    def subject(self) -> str:
        return self._field("Subject")

    @cached_property
    def from_name(self) -> str:
        return parseaddr(self._field("From"))[0]

    @cached_property
    def from_address(self) -> str:
        return parseaddr(self._field("From"))[1].lower()

    @cached_property
    def reply_to(self) -> str:
        """Where an answer goes."""
        return parseaddr(self._field("Reply-To"))[1] or self.from_address

    @cached_property
    def message_id(self) -> str:
        return self._field("Message-ID")

    @cached_property
    def in_reply_to(self) -> str:
        return self._field("In-Reply-To")

    @cached_property
    def references(self) -> tuple[str, ...]:
        return tuple(self._field("References").split())

    @cached_property
    def date(self) -> datetime:
        return parsedate_to_datetime(self._field("Date")).astimezone(UTC)

    @cached_property
    def text(self) -> str:
        """The plain text; empty if there is none."""
        return self._first("text/plain")

    @cached_property
    def html(self) -> str:
        return self._first("text/html")

    @cached_property
    def deadline(self) -> datetime | None:
        """From the calendar file of a question."""
        for part in self._entries:
            for entry in Calendar.from_ical(_content(part)).walk("VEVENT"):
                start: datetime = entry.decoded("DTSTART")
                return start.astimezone(UTC)
        return None

    @cached_property
    def pictures(self) -> dict[str, bytes]:
        """The inline images by Content-ID."""
        return {
            str(part["Content-ID"]).strip("<> "): _octets(part)
            for part in self._parts
            if part.get_content_maintype() == "image" and part["Content-ID"]
        }

    @cached_property
    def attachments(self) -> dict[str, bytes]:
        """The files that came with it, by name."""
        files = (
            (part.get_filename(), part)
            for part in self._parts
            if part.get_content_disposition() == "attachment"
        )
        return {name: _octets(part) for name, part in files if name}

    @cached_property
    def _entries(self) -> list[Message]:
        """The calendar files of deadlines, without those that cancel one."""
        if b"text/calendar" not in self._raw:
            return []
        return [
            part
            for part in self._parts
            if part.get_content_type() == "text/calendar" and part.get_param("method") != "CANCEL"
        ]

    @cached_property
    def _parts(self) -> list[Message]:
        return list(message_from_bytes(self._raw, policy=compat32).walk())

    def _first(self, kind: str) -> str:
        return next((_content(part) for part in self._parts if part.get_content_type() == kind), "")


def _octets(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _content(part: Message) -> str:
    return _octets(part).decode(part.get_content_charset("utf-8"), "replace").replace("\r\n", "\n")
