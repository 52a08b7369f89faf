"""The seams of the mail room: what goes in, what comes out, and what the desk has to bring."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

_MAX_LINE_OCTETS = 998  # RFC 5322 2.1.1


class ImapError(Exception):
    """The server refused, said something unintelligible, fell silent, or the connection was
    lost.
    """


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A raw mail as the mail server holds it.

    `received_at` is the server's INTERNALDATE (RFC 9051 2.3.3) in UTC, whole seconds. An `oversize`
    mail carries its header alone. (`uidvalidity`, `uid`) names the mail within its mailbox for as
    long as the server keeps this UIDVALIDITY. `seen_before`: it was stored once, by us or by a
    service whose memory is lost, and is handed over again.
    """

    raw: bytes
    received_at: datetime
    uidvalidity: int
    uid: int
    oversize: bool
    seen_before: bool = False


Store = Callable[[StoredMail], Awaitable[None]]
"""Returns once the mail is safe on disk; whatever it raises leaves the mail unread on the server.
It gets mails twice now and then.
"""


@dataclass(frozen=True, slots=True)
class Lanes:
    """In which order mails are read that wait on the server.

    `judge` looks at the beginning of each header and says the lane of the mail, the lowest being
    read first, and whose it is ("": nobody knows). What waits in the lane `bound` or behind it
    holds up nobody for longer than `hold`.
    """

    judge: Callable[[Sequence[bytes]], Awaitable[Sequence[tuple[int, str]]]]
    bound: int
    hold: timedelta


class WireError(ValueError):
    """What must not be given to an SMTP server."""


def check_wire(raw: bytes) -> None:
    """Raise `WireError` unless the bytes are safe for DATA: CRLF line ends alone (no smuggling by a
    bare CR or LF), ASCII, no NUL, no line over 998 octets, CRLF at the end.
    """
    is_ended = raw.endswith(b"\r\n")
    ended = raw if is_ended else raw + b"\r\n"
    lengths = [len(line) for line in ended.splitlines()]
    # A bare CR or LF ends a line as well: only where there is none do all ends have two octets.
    if sum(lengths) + 2 * len(lengths) != len(ended):
        raise WireError("bare CR or LF")
    if not is_ended:
        raise WireError("no CRLF at the end")
    if not raw.isascii() or b"\0" in raw:
        raise WireError("8-bit characters or NUL")
    if max(lengths) > _MAX_LINE_OCTETS:
        raise WireError("a line is longer than 998 octets")


@dataclass(frozen=True, slots=True)
class OutboundMail:
    """One mail to one recipient; an empty `envelope_from` is the null sender. Raises `WireError`
    for bytes that are not safe for the wire.
    """

    envelope_from: str
    recipient: str
    raw: bytes

    def __post_init__(self) -> None:
        check_wire(self.raw)


@dataclass(frozen=True, slots=True)
class Sent:
    """The server has taken the mail over; `answer` is its reply, often with a queue ID."""

    answer: str


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not now: a 4xx reply (`code`), or no reply at all (None). The same bytes may be tried again
    later. `hung`: no reply in time.
    """

    code: int | None
    text: str
    hung: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Never: a 5xx reply about this recipient or about this very message."""

    code: int
    text: str
    about: Literal["recipient", "message"]


Delivery = Sent | Deferred | Refused
