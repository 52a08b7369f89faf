"""A letter into the bytes of a mail: headers and MIME by the standard library, the picture copied
in ready-made.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Sequence
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from email.utils import format_datetime

from pbem.mail.letter import AttachedFile, CalendarFile, InlineImage, Letter
from pbem.mail.ports import OutboundMail

_ID_FIELDS = frozenset(
    {"message-id", "in-reply-to", "references", "content-id", "list-unsubscribe"}
)
_MAX_LINE_OCTETS = 998  # RFC 5322 2.1.1


class _WirePolicy(EmailPolicy):
    """SMTP's line ends, and message IDs and links folded at the blanks between them only.

    The standard folding makes an encoded word of an ID that does not fit into 78 columns; no client
    finds the thread then.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in _ID_FIELDS:
            folded = "\r\n ".join(value.split())
            return f"{name}: {folded}\r\n".encode("ascii")
        return super().fold_binary(name, value)


_WIRE = _WirePolicy(linesep="\r\n", cte_type="7bit", max_line_length=78)


class WireError(ValueError):
    """Bytes that must not be given to an SMTP server."""


def envelope(letter: Letter) -> OutboundMail:
    """The composed letter with its envelope: the letter's `envelope_from` and its one reader."""
    return OutboundMail(letter.envelope_from, letter.to_address, compose(letter))


def compose(letter: Letter) -> bytes:
    """The mail as it goes to the server: ASCII, CRLF only, byte for byte the same for the same
    letter, so that a retry is a copy.

    A picture is not encoded again for each reader: its place is held by a short payload while the
    mail is made, and the ready base64 lines are put there at the end. The result is the one that
    `build` with the picture itself would give.
    """
    image = letter.image
    if image is None:
        message = build(letter)
        raw = message.as_bytes()
        check_wire(raw)
        check_head(raw, message.keys())
        return raw
    # 44 characters of base64 ending in '='; neither quoted-printable text nor a header of ours can
    # contain them.
    placeholder = base64.b64encode(hashlib.sha256(image.base64).digest())
    message = build(letter, placeholder.decode("ascii"))
    before, _, after = message.as_bytes().partition(placeholder + b"\r\n")
    check_wire(before + after)
    check_head(before, message.keys())
    return b"".join((before, image.base64, after))


def check_wire(raw: bytes) -> None:
    """Raise `WireError` unless the bytes are safe for DATA: CRLF line ends alone (no smuggling by a
    bare CR or LF), ASCII, no NUL, no line over 998 octets, CRLF at the end.
    """
    line_ends = raw.count(b"\r\n")
    if raw.count(b"\r") != line_ends or raw.count(b"\n") != line_ends:
        raise WireError("bare CR or LF")
    if not raw.endswith(b"\r\n"):
        raise WireError("no CRLF at the end")
    if not raw.isascii() or b"\0" in raw:
        raise WireError("8-bit characters or NUL")
    if max(map(len, raw.split(b"\r\n"))) > _MAX_LINE_OCTETS:
        raise WireError("a line is longer than 998 octets")


def check_head(raw: bytes, names: Iterable[str]) -> None:
    """Raise `WireError` unless the head has these fields in this order, and no line that is neither
    one of them nor its continuation.

    A library that folds a value wrongly could make a field of what somebody wrote (CVE-2024-6923).
    """
    lines = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    found = [
        line.partition(b":")[0].decode("ascii", "replace")
        for line in lines
        if line[:1] not in (b" ", b"\t")
    ]
    if found != list(names):
        raise WireError("a header field that is none of ours")


def build(letter: Letter, image_payload: str | None = None) -> EmailMessage:
    """The letter as a message of the standard library; `image_payload` stands for the picture's
    base64 lines if it is given.

    `multipart/mixed(multipart/alternative(text, multipart/related(html, picture)), calendar, file)`
    without the layers that are not needed.
    """
    # Whoever writes a boundary into his own text changes it by that.
    salt = hashlib.sha256(
        "\0".join((letter.message_id, letter.text, letter.html or "")).encode("utf-8", "replace")
    ).hexdigest()[:24]
    pictures = [] if letter.image is None else [_image_part(letter.image, image_payload)]
    files = [] if letter.calendar is None else [_calendar_part(letter.calendar)]
    files += [] if letter.file is None else [_file_part(letter.file)]
    body = _text_part("plain", letter.text)
    if letter.html is None:
        body = _multipart("mixed", salt, [body, *pictures, *files])
    else:
        html = _multipart("related", salt, [_text_part("html", letter.html), *pictures])
        body = _multipart("mixed", salt, [_multipart("alternative", salt, [body, html]), *files])
    message = EmailMessage(policy=_WIRE)
    _write_header(message, letter)
    for name, value in body.items():
        message[name] = value
    message.set_payload(body.get_payload())
    return message


def _write_header(message: EmailMessage, letter: Letter) -> None:
    message["From"] = Address(_shown(letter.from_name), addr_spec=letter.from_address)
    message["To"] = Address(_shown(letter.to_name), addr_spec=letter.to_address)
    if letter.reply_to is not None:
        message["Reply-To"] = Address(addr_spec=letter.reply_to)
    message["Subject"] = _shown(letter.subject)
    message["Date"] = format_datetime(letter.date)
    message["Message-ID"] = letter.message_id
    if letter.in_reply_to is not None:
        message["In-Reply-To"] = letter.in_reply_to
    if letter.references:
        message["References"] = " ".join(letter.references)
    message["Auto-Submitted"] = letter.auto_submitted  # RFC 3834 section 5
    message["X-Auto-Response-Suppress"] = "All"
    if letter.list_id is not None:
        message["List-Id"] = letter.list_id
    for name, value in letter.extra:
        message[name] = _shown(value)
    message["MIME-Version"] = "1.0"


def _shown(text: str) -> str:
    """What a person wrote arrives as it was written: a name like `=?utf-8?q?=0D=0A?=` shall not be
    decoded on the way (RFC 2047).
    """
    return text.replace("=?", "= ?")


def _text_part(subtype: str, text: str) -> MIMEPart:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if not lines.endswith("\n"):
        lines += "\n"
    part = MIMEPart(policy=_WIRE)
    part["Content-Type"] = f'text/{subtype}; charset="utf-8"'
    # Quoted-printable always: legible in the raw mail, and no line of a player's can pass for a
    # boundary.
    part["Content-Transfer-Encoding"] = "quoted-printable"
    part.set_payload(binascii.b2a_qp(lines.encode("utf-8", "replace"), istext=True).decode("ascii"))
    return part


def _image_part(image: InlineImage, payload: str | None) -> MIMEPart:
    part = MIMEPart(policy=_WIRE)
    part["Content-Type"] = "image/png"
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-Disposition"] = f'inline; filename="{image.filename}"'
    part["Content-ID"] = f"<{image.cid}>"
    part.set_payload(image.base64.decode("ascii") if payload is None else f"{payload}\n")
    return part


def _calendar_part(calendar: CalendarFile) -> MIMEPart:
    part = MIMEPart(policy=_WIRE)
    part["Content-Type"] = 'text/calendar; charset="utf-8"; method=PUBLISH'
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-Disposition"] = f'attachment; filename="{calendar.filename}"'
    part.set_payload(base64.encodebytes(calendar.ics).decode("ascii"))
    return part


def _file_part(file: AttachedFile) -> MIMEPart:
    part = MIMEPart(policy=_WIRE)
    part["Content-Type"] = "application/json"
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-Disposition"] = f'attachment; filename="{file.filename}"'
    part.set_payload(base64.encodebytes(file.content).decode("ascii"))
    return part


def _multipart(kind: str, salt: str, parts: Sequence[MIMEPart]) -> MIMEPart:
    if len(parts) == 1:
        return parts[0]
    container = MIMEPart(policy=_WIRE)
    # The kind keeps the boundaries of the layers apart; "=_" occurs in no quoted-printable or
    # base64 line.
    root = ' type="text/html";' if kind == "related" else ""  # RFC 2387 3.1
    container["Content-Type"] = f'multipart/{kind};{root} boundary="=_{kind}_{salt}"'
    container.set_payload(list(parts))
    return container
