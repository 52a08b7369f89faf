"""A mail of the service as its reader sees it: what it asks, by when, and where an answer goes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from typing import Literal

from icalendar import Calendar

Sort = Literal["question", "answer", "confirmation", "news"]

_CONFIRMS = re.compile(r"\+c\d+-")


@dataclass(frozen=True, slots=True)
class Received:
    """`deadline` comes from the calendar file of a question; `pictures` are the inline images by Content-ID."""

    sort: Sort
    subject: str
    text: str
    html: str
    from_name: str
    from_address: str
    reply_to: str
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    date: datetime
    deadline: datetime | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def parse_received(raw: bytes) -> Received:
    """Take one of the service's own mails apart."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)  # noqa: S101 - what this policy makes
    deadline = _deadline(message)
    from_name, from_address = parseaddr(str(message["From"] or ""))
    reply_to = parseaddr(str(message["Reply-To"] or from_address))[1]
    dated = message["Date"]
    return Received(
        sort=_sort(message, reply_to, deadline),
        subject=str(message["Subject"] or ""),
        text=_body(message, "plain"),
        html=_body(message, "html"),
        from_name=from_name,
        from_address=from_address,
        reply_to=reply_to,
        message_id=str(message["Message-ID"] or "").strip(),
        in_reply_to=str(message["In-Reply-To"] or "").strip(),
        references=tuple(str(message["References"] or "").split()),
        date=parsedate_to_datetime(str(dated)).astimezone(UTC) if dated else datetime.fromtimestamp(0, UTC),
        deadline=deadline,
        pictures={
            str(part["Content-ID"]).strip("<> "): part.get_content()
            for part in message.walk()
            if part.get_content_maintype() == "image" and part["Content-ID"]
        },
    )


def _sort(message: EmailMessage, reply_to: str, deadline: datetime | None) -> Sort:
    if _CONFIRMS.search(reply_to):
        return "confirmation"
    if str(message["Auto-Submitted"] or "") == "auto-replied":
        return "answer"
    return "question" if deadline is not None else "news"


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body(preferencelist=(kind,))
    return str(part.get_content()) if part is not None else ""


def _deadline(message: EmailMessage) -> datetime | None:
    for part in message.walk():
        if part.get_content_type() == "text/calendar":
            for entry in Calendar.from_ical(part.get_content()).walk("VEVENT"):
                start: datetime = entry.decoded("DTSTART")
                return start.astimezone(UTC)
    return None
