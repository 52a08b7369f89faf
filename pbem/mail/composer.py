"""A letter into the bytes of a mail. Most fields and all parts are written out here, in a tenth of
the standard library's time; the library writes the fields that need folding or encoding. The bytes
are those that it would make of the whole.
"""

import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from email.headerregistry import Address
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import lru_cache

from pbem.mail.letter import AttachedFile, CalendarFile, InlineImage, Letter, base64_lines
from pbem.mail.ports import OutboundMail, WireError

_COLUMNS = 78
_FOLDING = EmailPolicy(linesep="\r\n", cte_type="7bit", max_line_length=_COLUMNS)
# What needs no encoding and has no blank that a fold could change.
_PLAIN_VALUE = re.compile(r"(?!.*=\?)[!-~]+(?: [!-~]+)*")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_QUOTED_PRINTABLE = b"Content-Transfer-Encoding: quoted-printable\r\n"
_BASE64 = b"Content-Transfer-Encoding: base64\r\n"


def envelope(letter: Letter) -> OutboundMail:
    """The composed letter with its envelope: the letter's `envelope_from` and its one reader.
    Raises `WireError` for what must not be sent.
    """
    return OutboundMail(letter.envelope_from, letter.to_address, compose(letter))


def compose(letter: Letter) -> bytes:
    """The mail as it goes to the server: ASCII, CRLF only, byte for byte the same for the same
    letter, so that a retry is a copy.

    `multipart/mixed(multipart/alternative(text, multipart/related(html, pictures)), files)`
    without the layers that are not needed. A picture is not encoded again for each reader: its
    ready base64 lines are put in, and not looked at again.
    """
    salt = hashlib.sha256(letter.message_id.encode("ascii")).hexdigest()[:24]
    shown = (*(() if letter.image is None else (letter.image,)), *letter.badges)
    pictures = [_image_part(image) for image in shown]
    files = [_calendar_part(calendar) for calendar in letter.calendars]
    files += [] if letter.file is None else [_file_part(letter.file)]
    body = _text_part("plain", letter.text)
    if letter.html is None:
        body = _multipart("mixed", salt, [body, *pictures, *files])
    else:
        html = _multipart("related", salt, [_text_part("html", letter.html), *pictures])
        body = _multipart("mixed", salt, [_multipart("alternative", salt, [body, html]), *files])
    return b"".join([*[_field(name, value) for name, value in _fields(letter)], *body])


def check_head(raw: bytes, names: Iterable[str]) -> None:
    """Raise `WireError` unless the head has these fields in this order, and no line that is neither
    one of them nor its continuation.

    A library that folds a value wrongly could make a field of what somebody wrote (CVE-2024-6923).
    """
    if _field_names(raw) != list(names):
        raise WireError("a header field that is none of ours")


def _field_names(raw: bytes) -> list[str]:
    return [
        line.partition(b":")[0].decode("ascii", "replace")
        for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
        if line[:1] not in (b" ", b"\t")
    ]


def _fields(letter: Letter) -> list[tuple[str, str]]:
    found = [
        ("From", _mailbox(letter.from_name, letter.from_address)),
        ("To", _mailbox(letter.to_name, letter.to_address)),
    ]
    if letter.reply_to is not None:
        found.append(("Reply-To", letter.reply_to))
    found += [
        ("Subject", _shown(letter.subject)),
        ("Date", _date(letter.date)),
        ("Message-ID", letter.message_id),
    ]
    if letter.in_reply_to is not None:
        found.append(("In-Reply-To", letter.in_reply_to))
    if letter.references:
        found.append(("References", " ".join(letter.references)))
    found += [
        ("Auto-Submitted", letter.auto_submitted),  # RFC 3834 section 5
        ("X-Auto-Response-Suppress", "All"),
    ]
    if letter.list_id is not None:
        found.append(("List-Id", letter.list_id))
    found += [(name, _shown(value)) for name, value in letter.extra]
    return [*found, ("MIME-Version", "1.0")]


def _mailbox(name: str, address: str) -> str:
    """As in From and To; the standard library knows which names have to be quoted."""
    if _PLAIN_NAME.fullmatch(name):
        return f"{name} <{address}>"
    return str(Address(_shown(name), addr_spec=address))


def _shown(text: str) -> str:
    """What a person wrote arrives unchanged: no program on the way may decode a name like
    `=?utf-8?q?=0D=0A?=` (RFC 2047).
    """
    return text.replace("=?", "= ?")


_date = lru_cache(maxsize=512)(format_datetime)
_ID_FIELDS = frozenset(
    {"message-id", "in-reply-to", "references", "content-id", "list-unsubscribe"}
)


@lru_cache(maxsize=512)
def _field(name: str, value: str) -> bytes:
    """One field of a head; letters of one table have many in common.

    Message IDs and links are folded at the blanks between them only: the standard folding makes an
    encoded word of an ID that does not fit into 78 columns, and no client finds the thread then.
    """
    if name.lower() in _ID_FIELDS:
        folded = "\r\n ".join(value.split())
        return f"{name}: {folded}\r\n".encode("ascii")
    if len(name) + 2 + len(value) <= _COLUMNS and _PLAIN_VALUE.fullmatch(value):
        return f"{name}: {value}\r\n".encode("ascii")
    written = _FOLDING.fold_binary(name, _FOLDING.header_factory(name, value))
    check_head(written.removesuffix(b"\r\n"), [name])
    # Before a word that fills a line the library folds at once; many programs then show nothing.
    head = f"{name}:".encode("ascii")
    empty = head + b"\r\n "
    return head + written[len(empty) - 1 :] if written.startswith(empty) else written


_Part = list[bytes]
"""Pieces to be joined: the head's in the first, a picture's lines one by themselves."""


def _text_part(subtype: str, text: str) -> _Part:
    lines = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    if not lines.endswith("\n"):
        lines += "\n"
    # Quoted-printable always: legible in the raw mail, and no line of a player's can pass for a
    # boundary.
    encoded = binascii.b2a_qp(lines.encode("utf-8", "replace"), istext=True)
    head = _field("Content-Type", f'text/{subtype}; charset="utf-8"') + _QUOTED_PRINTABLE
    return [head + b"\r\n" + encoded.replace(b"\n", b"\r\n")]


def _image_part(image: InlineImage) -> _Part:
    head = _field("Content-Type", "image/png") + _BASE64
    head += _field("Content-Disposition", f'inline; filename="{image.filename}"')
    return [head + _field("Content-ID", f"<{image.cid}>") + b"\r\n", image.base64]


def _calendar_part(calendar: CalendarFile) -> _Part:
    kind = f'text/calendar; charset="utf-8"; method="{calendar.method}"'
    return _attached(kind, calendar.filename, calendar.ics)


def _file_part(file: AttachedFile) -> _Part:
    kind = "application/zip" if file.filename.endswith(".zip") else "application/json"
    return _attached(kind, file.filename, file.content)


def _attached(kind: str, filename: str, content: bytes) -> _Part:
    head = _field("Content-Type", kind) + _BASE64
    head += _field("Content-Disposition", f'attachment; filename="{filename}"')
    return [head + b"\r\n" + base64_lines(content)]


def _multipart(kind: str, salt: str, parts: Sequence[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    # The kind keeps the boundaries of the layers apart; "=_" occurs in no quoted-printable or
    # base64 line.
    boundary = f"=_{kind}_{salt}"
    root = ' type="text/html";' if kind == "related" else ""  # RFC 2387 3.1
    value = f'multipart/{kind};{root} boundary="{boundary}"'
    field = f"Content-Type: {value}"
    if len(field) > _COLUMNS:
        field = "\r\n boundary=".join(field.split(" boundary="))
    pieces = [f"{field}\r\n\r\n--{boundary}".encode("ascii")]
    for part in parts:
        pieces += [b"\r\n", *part, f"\r\n--{boundary}".encode("ascii")]
    return [*pieces, b"--\r\n"]
