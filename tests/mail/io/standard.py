"""A letter by the standard library alone: what ours must be, byte for byte."""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from email.utils import format_datetime

from pbem.mail.letter import AttachedFile, CalendarFile, InlineImage, Letter

_ID_FIELDS = frozenset(
    {"message-id", "in-reply-to", "references", "content-id", "list-unsubscribe"}
)


class _WirePolicy(EmailPolicy):
    """SMTP's line ends, and message IDs and links folded at the blanks between them only.

    The standard folding makes an encoded word of an ID that does not fit into 78 columns; no client
    finds the thread then. The first line is never empty.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in _ID_FIELDS:
            folded = "\r\n ".join(value.split())
            return f"{name}: {folded}\r\n".encode("ascii")
        return (
            super().fold_binary(name, value).replace(f"{name}:\r\n ".encode(), f"{name}: ".encode())
        )


_WIRE = _WirePolicy(linesep="\r\n", cte_type="7bit", max_line_length=78)


def build(letter: Letter) -> EmailMessage:
    """`multipart/mixed(multipart/alternative(text, multipart/related(html, picture)), calendar, file)`
    without the layers that are not needed.
    """
    salt = hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]
    shown = (*([letter.image] if letter.image is not None else []), *letter.badges)
    pictures = [_image_part(image) for image in shown]
    files = [_calendar_part(calendar) for calendar in letter.calendars]
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


def _image_part(image: InlineImage) -> MIMEPart:
    part = MIMEPart(policy=_WIRE)
    part["Content-Type"] = "image/png"
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-Disposition"] = f'inline; filename="{image.filename}"'
    part["Content-ID"] = f"<{image.cid}>"
    part.set_payload(image.base64.decode("ascii"))
    return part


def _calendar_part(calendar: CalendarFile) -> MIMEPart:
    part = MIMEPart(policy=_WIRE)
    part["Content-Type"] = f'text/calendar; charset="utf-8"; method={calendar.method}'
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
