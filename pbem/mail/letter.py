"""An outgoing letter as a value. Whatever could break out of a header is refused here, before a
byte is made of it.
"""

import base64
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

# Dot-atoms only (RFC 5322 3.2.3): no quoting, no comment, no literal. Names of other alphabets come
# in as punycode.
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
)
_MESSAGE_ID = re.compile(r"<[!-;=?-~]+>")
_CONTENT_ID = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_MAX_ADDRESS_OCTETS = 254  # RFC 5321 4.5.3.1.3
_MAX_LOCAL_PART_OCTETS = 64  # RFC 5321 4.5.3.1.1
_MAX_MESSAGE_ID_OCTETS = (
    900  # a line of a mail holds 998 octets (RFC 5322 2.1.1) and an ID cannot be folded
)
_MAX_FIELD_CHARACTERS = 2000

# What `compose` writes itself, and what a mail of ours never has (one recipient per mail).
_OWN_FIELDS = frozenset(
    {
        "from",
        "sender",
        "to",
        "cc",
        "bcc",
        "reply-to",
        "subject",
        "date",
        "message-id",
        "in-reply-to",
        "references",
    }
    | {"auto-submitted", "x-auto-response-suppress", "list-id", "mime-version", "return-path"}
)


class LetterError(ValueError):
    """A field of a letter that must not go into a mail."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class InlineImage:
    """A picture to be shown within the HTML as `cid:{cid}`; made by `encode_image`, which encodes
    it once for all its readers.
    """

    cid: str
    filename: str
    alt: str
    png: bytes
    base64: bytes

    def __post_init__(self) -> None:
        _check(_CONTENT_ID, "image.cid", self.cid)
        _check(_FILE_NAME, "image.filename", self.filename)
        _check_text("image.alt", self.alt, limit=None)


def encode_image(png: bytes, *, cid: str, filename: str, alt: str) -> InlineImage:
    """Encode a picture once; `compose` copies the result into every mail."""
    return InlineImage(cid, filename, alt, png, base64_lines(png))


def base64_lines(content: bytes) -> bytes:
    """Base64 in CRLF lines of 76 (RFC 2045 6.8)."""
    encoded = base64.b64encode(content)
    lines = [encoded[at : at + 76] for at in range(0, len(encoded), 76)]
    return b"\r\n".join([*lines, b""])


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """An .ics attachment; `method` is that of the calendar in it (RFC 5546)."""

    filename: str
    ics: bytes
    method: Literal["PUBLISH", "CANCEL"] = "PUBLISH"

    def __post_init__(self) -> None:
        _check(_FILE_NAME, "calendar.filename", self.filename)


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file to be saved by its reader, as it is: JSON (RFC 8259), or a ZIP file by its name."""

    filename: str
    content: bytes

    def __post_init__(self) -> None:
        _check(_FILE_NAME, "file.filename", self.filename)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail to one reader. `date` is aware; IDs are with their angle brackets; `extra` holds
    further header fields as pairs.

    Raises `LetterError` for line breaks, NUL and other controls in anything that goes into a
    header, for addresses that are not plain ASCII `local@domain`, for IDs that are not one
    printable ASCII word, and for `extra` fields that `compose` writes itself.
    """

    from_name: str
    from_address: str
    to_name: str
    to_address: str
    subject: str
    text: str
    message_id: str
    date: datetime
    envelope_from: str
    auto_submitted: Literal["auto-generated", "auto-replied"]
    reply_to: str | None = None
    html: str | None = None
    image: InlineImage | None = None
    badges: tuple[InlineImage, ...] = ()
    """Small pictures besides, shown within the HTML."""
    calendars: tuple[CalendarFile, ...] = ()
    file: AttachedFile | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    list_id: str | None = None
    extra: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for field, text in (
            ("from_name", self.from_name),
            ("to_name", self.to_name),
            ("subject", self.subject),
        ):
            _check_text(field, text)
        _check_address("from_address", self.from_address)
        _check_address("to_address", self.to_address)
        if self.reply_to is not None:
            _check_address("reply_to", self.reply_to)
        if self.envelope_from:
            _check_address("envelope_from", self.envelope_from)
        _check_message_id("message_id", self.message_id)
        if self.in_reply_to is not None:
            _check_message_id("in_reply_to", self.in_reply_to)
        for reference in self.references:
            _check_message_id("references", reference)
        if self.list_id is not None:
            _check_text("list_id", self.list_id)
            if not self.list_id.isascii():
                raise LetterError("list_id", "is not ASCII")
        if self.auto_submitted not in ("auto-generated", "auto-replied"):
            raise LetterError("auto_submitted", "is neither auto-generated nor auto-replied")
        if self.date.tzinfo is None:
            raise LetterError("date", "has no time zone")
        for name, value in self.extra:
            _check(_FIELD_NAME, "extra", name)
            if name.lower() in _OWN_FIELDS or name.lower().startswith(("content-", "resent-")):
                raise LetterError("extra", f"{name} is not for extra fields")
            _check_text("extra", value)


def parse_message_id(text: str) -> str | None:
    """One message ID as `Letter` accepts it, from the header of somebody's mail; None if it is
    unfit to be quoted.
    """
    candidate = text.strip()
    return (
        candidate
        if len(candidate) <= _MAX_MESSAGE_ID_OCTETS and _MESSAGE_ID.fullmatch(candidate)
        else None
    )


def _check(pattern: re.Pattern[str], field: str, value: str) -> None:
    if not pattern.fullmatch(value):
        raise LetterError(field, "is malformed")


def _check_text(field: str, value: str, limit: int | None = _MAX_FIELD_CHARACTERS) -> None:
    if limit is not None and len(value) > limit:
        raise LetterError(field, "is too long")
    # A character that is printable is in none of them.
    if not value.isprintable() and any(
        unicodedata.category(character) in _FORBIDDEN_CATEGORIES for character in value
    ):
        raise LetterError(field, "has a control character or line break")


@lru_cache(maxsize=512)  # from and to whom letters go recurs
def _check_address(field: str, value: str) -> None:
    _check(_ADDRESS, field, value)
    if len(value) > _MAX_ADDRESS_OCTETS or len(value.partition("@")[0]) > _MAX_LOCAL_PART_OCTETS:
        raise LetterError(field, "is too long")


def _check_message_id(field: str, value: str) -> None:
    if parse_message_id(value) != value:
        raise LetterError(field, "is not a message ID")
