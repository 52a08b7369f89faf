"""The guarded parse of a raw mail: header fields that never raise, and the parts a person wrote.

`email` of the standard library does the parsing with the policy `compat32`, the only one that takes
every mail as it comes; `caps` has looked at the bytes before. Every look at a parsed header goes
through `Headers`.
"""

import binascii
import email.errors
import email.header
import email.utils
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Literal

from pbem.mail.inbound.caps import Limits
from pbem.mail.inbound.charsets import WIDE_CODECS, codec_of, decode, is_never_read, is_text
from pbem.mail.tokens import TokenClaim

DmarcVerdict = Literal["pass", "fail", "unknown"]

MAX_DECODED_CHARS = 2000
_STRIKING = re.compile(r"<(?:s|del|strike)[\s>]|<[^<>]*line-through", re.IGNORECASE)
_FOLD = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")
_MAX_NOTICE_CHARS = 400
_HTML = re.compile(r"\bHTML\b", re.IGNORECASE)
_ORDERLY = re.compile(r"\b[A-Za-z]\d{1,2}\b|^[^\S\n]*+[-*•\d]", re.MULTILINE)
_LETTER = re.compile(r"[^\W_]")
_UNREADABLE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    email.errors.MessageError,
)

_BLANK_LINE = re.compile(rb"(?>\r\n|\r|\n)[\r\n]")
_SPACED_FROM = re.compile(rb"from[ \t]+:", re.IGNORECASE)
_FOLDED_FROM = re.compile(rb"[ \t]+from[ \t]*:(.*)", re.IGNORECASE)
_SIGNATURE_FIELD = re.compile(rb"[\w-]*(?:dkim|arc-message)-signature[ \t]*:", re.IGNORECASE)
_HEADER_DEFECTS = (
    email.errors.MissingHeaderBodySeparatorDefect,
    email.errors.MisplacedEnvelopeHeaderDefect,
    email.errors.FirstHeaderLineIsContinuationDefect,
    email.errors.InvalidHeaderDefect,
)


@dataclass(frozen=True, slots=True)
class InboundMail:
    """What a raw mail means. `automatic` and `refused` are reasons (kebab-case codes) or None.

    `tokens` are claims in the order of trust of the places they stood in; `token_text` is the first
    text that was meant as a token, whether or not it parses. `text` is the new text alone. `dated`
    is what the sender's clock said, never what counts. `addressed`: the sender wrote our address
    into To or Cc. The fields that say where a mail was delivered prove no such thing: anyone who
    passes a true mail on, signature and all, may add them.
    """

    message_id: str | None
    digest: str
    sender: str | None
    sender_name: str
    subject: str
    tokens: tuple[TokenClaim, ...]
    token_text: str | None = field(repr=False)
    dmarc: DmarcVerdict
    automatic: str | None
    refused: str | None
    text: str = field(repr=False)
    dated: datetime | None
    in_reply_to: str | None
    references: tuple[str, ...]
    recipients_seen: tuple[str, ...]
    addressed: bool = True
    has_attachment: bool = False
    quotes: bool = False


class Headers:
    """The header fields of one part, by lower-case name, as unfolded text; nothing here raises."""

    __slots__ = ("_fields",)

    def __init__(self, message: Message) -> None:
        self._fields: dict[str, list[str]] = {}
        for name, value in message.raw_items():
            self._fields.setdefault(name.lower().strip(), []).append(str(value))

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def names(self) -> Iterator[str]:
        """Every field name that occurs, in lower case."""
        yield from self._fields

    def all(self, name: str) -> list[str]:
        """Every occurrence, topmost first: bytes outside ASCII read as UTF-8 or Windows-1252, folds
        undone, not decoded further.
        """
        return [_as_text(value) for value in self._fields.get(name, ())]

    def count(self, name: str) -> int:
        return len(self._fields.get(name, ()))

    def first(self, name: str) -> str:
        values = self._fields.get(name)
        return _as_text(values[0]).strip() if values else ""

    def decoded(self, name: str) -> str:
        """The first occurrence with its encoded words (RFC 2047) read, on one line."""
        return decode_words(self.first(name))

    def date(self) -> datetime | None:
        """The Date field as an aware moment; None when it is missing or not a date."""
        try:
            moment = email.utils.parsedate_to_datetime(self.first("date")[:200])
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            return None

    def message_ids(self, name: str, limit: int = 100) -> tuple[str, ...]:
        """The Message-IDs in a field; of more than `limit` the last ones, which are the nearest."""
        return tuple(_MESSAGE_ID.findall(" ".join(self.all(name))))[-limit:]


@dataclass(frozen=True, slots=True)
class Body:
    """The text a person wrote, in the richest form that is safe to read: `plain` when there is any,
    else `html`.
    """

    kind: Literal["plain", "html", "none"]
    text: str
    too_long: bool = False
    encrypted: bool = False
    is_unread: bool = False
    """In a character set that is never read."""


def parse(raw: bytes) -> Message | None:
    """The parsed mail; None when the parser of the standard library gives up on it."""
    try:
        return BytesParser(policy=compat32).parsebytes(raw)
    except _UNREADABLE:
        return None


def parse_head(raw: bytes) -> Message | None:
    """The header of the mail alone."""
    try:
        return BytesParser(policy=compat32).parsebytes(raw, headersonly=True)
    except _UNREADABLE:
        return None


def has_malformed_header(message: Message, raw: bytes) -> bool:
    """Whether a line of the header was no field, so that other readers may see other fields."""
    end = _BLANK_LINE.search(raw)
    lines = (raw[: end.start() + 1] if end else raw).splitlines()
    return _has_doubtful_from(lines) or any(
        isinstance(defect, _HEADER_DEFECTS) for defect in message.defects
    )


def _has_doubtful_from(lines: list[bytes]) -> bool:
    """Whether a line is a From field to some readers and none to others.

    `From : x` old servers read as one, our parser as the first line of the body. ` From: x`, with a
    blank in front, continues the field above: a mail that begins with it is continued onto what our
    own server writes on top, and the server had read it as the sender. The list of the signed
    fields in a signature is broken anywhere (`h=To:` / ` From:Date`): there the line must hold an
    address.
    """
    signature = False
    for number, line in enumerate(lines):
        if line[:1] not in b" \t":
            if _SPACED_FROM.match(line):
                return True
            signature = _SIGNATURE_FIELD.match(line) is not None
            continue
        found = _FOLDED_FROM.match(line)
        if found is None:
            continue
        value = (
            found[1] if found[1].strip() else lines[number + 1] if number + 1 < len(lines) else b""
        )
        if not signature or (b"@" in value and b"=" not in value):
            return True
    return False


def decode_words(value: str) -> str:
    """Encoded words into text, controls into spaces, cut at 2,000 characters; what cannot be
    decoded stays as it stands.
    """
    value = value[:MAX_DECODED_CHARS]
    if "=?" in value:
        try:
            pieces = email.header.decode_header(value)
        except (*_UNREADABLE, binascii.Error):
            pieces = []
        value = (
            "".join(
                piece if isinstance(piece, str) else decode(piece, charset)
                for piece, charset in pieces
            )
            or value
        )
    return _CONTROL.sub(" ", value).strip()[:MAX_DECODED_CHARS]


def content_type(part: Message) -> str:
    """`maintype/subtype` in lower case; text/plain for anything unreadable."""
    try:
        return part.get_content_type()
    except _UNREADABLE:
        return "text/plain"


def content_parameter(part: Message, name: str) -> str:
    """A parameter of the Content-Type, in lower case; empty when there is none or it cannot be
    read.
    """
    try:
        value = part.get_param(name)
        text = email.utils.collapse_rfc2231_value(value) if value is not None else ""
    except _UNREADABLE:
        return ""
    return text.strip().strip("\"'").lower()


def children(part: Message) -> list[Message]:
    if (
        not part.is_multipart()
    ):  # of a text `get_payload` decodes the bytes, and raises on a charset in pieces (RFC 2231)
        return []
    return [child for child in part.get_payload() if isinstance(child, Message)]


def written_body(message: Message, limits: Limits) -> Body:
    """Find what was written: every text part that is shown inline, in order; of alternatives one
    (RFC 2046, 5.1.4).
    """
    bodies = _bodies(message, limits.text_bytes)
    encrypted = any(body.encrypted for body in bodies)
    if (
        any(body.too_long for body in bodies)
        or sum(len(body.text) for body in bodies) > limits.text_bytes
    ):
        return Body("none", "", too_long=True)
    if sum(body.text.count("\n") for body in bodies) > limits.text_lines:
        return Body("none", "", too_long=True)
    if any(body.is_unread for body in bodies):
        return Body("none", "", is_unread=True)
    plain = [body.text for body in bodies if body.kind == "plain"]
    html = [body.text for body in bodies if body.kind == "html"]
    if any(_LETTER.search(text) for text in plain) or not html:
        return (
            Body("plain", "\n".join(plain), encrypted=encrypted)
            if plain
            else Body("none", "", encrypted=encrypted)
        )
    return Body("html", "\n<br>\n".join(html), encrypted=encrypted)


def _bodies(part: Message, text_bytes: int) -> list[Body]:
    """Recursion here is bounded by the depth `caps` permits."""
    kind = content_type(part)
    if kind == "multipart/encrypted" or (kind.startswith("application/") and "pkcs7-mime" in kind):
        return [Body("none", "", encrypted=True)]
    if kind.startswith("message/") or _is_attached(part):
        return []
    inner = children(part)
    if inner:
        found = [
            _bodies(child, text_bytes)
            for child in (inner[:1] if kind == "multipart/signed" else inner)
        ]
        if kind == "multipart/alternative":
            return _best(found)
        return [body for bodies in found for body in bodies]
    if kind == "text/plain" or kind.startswith("multipart/"):
        return [_leaf(part, "plain", text_bytes)]
    return (
        [_leaf(part, "html", text_bytes)] if kind in {"text/html", "application/xhtml+xml"} else []
    )


def _best(alternatives: list[list[Body]]) -> list[Body]:
    """Plain text before HTML, whatever the order, as long as there are words in it and the HTML
    strikes none of them out.
    """
    if any(
        body.kind == "html" and _strikes_out(body.text)
        for bodies in alternatives
        for body in bodies
    ):
        alternatives = [
            bodies for bodies in alternatives if all(body.kind != "plain" for body in bodies)
        ] or alternatives
    if any(body.kind == "html" for bodies in alternatives for body in bodies):
        alternatives = [
            bodies for bodies in alternatives if not all(_is_html_notice(body) for body in bodies)
        ]
    for bodies in alternatives:
        if any(
            body.kind == "plain" and (body.too_long or _LETTER.search(body.text)) for body in bodies
        ):
            return bodies
    for bodies in alternatives:
        if any(body.kind == "html" for body in bodies):
            return bodies
    return [body for bodies in alternatives for body in bodies]


def _is_html_notice(body: Body) -> bool:
    """Only "your program does not show HTML", in any language: the words are in the other
    alternative.
    """
    if body.kind != "plain" or len(body.text) > _MAX_NOTICE_CHARS:
        return False
    return _HTML.search(body.text) is not None and not _ORDERLY.search(body.text)


def _leaf(part: Message, kind: Literal["plain", "html"], text_bytes: int) -> Body:
    data = _payload(part)
    if len(data) > text_bytes:
        return Body(kind, "", too_long=True)
    charset = content_parameter(part, "charset") or None
    if is_never_read(charset) or not (is_text(data) or codec_of(charset) in WIDE_CODECS):
        return Body(kind, "", is_unread=True)
    text = decode(data, charset)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if kind == "plain" and content_parameter(part, "format") == "flowed":
        text = unflow(text, delsp=content_parameter(part, "delsp") == "yes")
    return Body(kind, text)


def has_attachment(message: Message) -> bool:
    """Whether a file goes along, signatures and the like apart. The depth `caps` permits bounds the
    walk.
    """
    return any(
        _is_attached(part)
        and "signature" not in content_type(part)
        and "pgp" not in content_type(part)
        for part in message.walk()
    )


def _is_attached(part: Message) -> bool:
    disposition = Headers(part).first("content-disposition")[:200].lower()
    return disposition.startswith("attachment")


def _payload(part: Message) -> bytes:
    encoding = Headers(part).first("content-transfer-encoding")[:60].split(";")[0].strip().lower()
    del part["content-transfer-encoding"]
    part["content-transfer-encoding"] = encoding
    try:
        data = part.get_payload(decode=True)
    except (*_UNREADABLE, binascii.Error):
        return b""
    return data if isinstance(data, bytes) else b""


def unflow(text: str, *, delsp: bool = False) -> str:
    """Join the lines that the sender's program broke (RFC 3676); quoted lines keep a `>` per depth
    in front.
    """
    out: list[str] = []
    paragraph: list[str] = []
    open_depth = 0
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        is_rule = content.rstrip() == "--" and len(content) <= 3
        if paragraph and (depth != open_depth or is_rule):
            out.append(_flowed(open_depth, paragraph))
            paragraph = []
        open_depth = depth
        if is_rule or not content.endswith(" "):
            out.append(_flowed(depth, [*paragraph, content]))
            paragraph = []
        else:
            paragraph.append(content[:-1] if delsp else content)
    if paragraph:
        out.append(_flowed(open_depth, paragraph))
    return "\n".join(out)


def _flowed(depth: int, paragraph: list[str]) -> str:
    text = "".join(paragraph)
    return f"{'>' * depth} {text}" if depth else text


def _as_text(value: str) -> str:
    """The parser hands bytes outside ASCII over as lone surrogates."""
    flat = _FOLD.sub("", value)
    if flat.isascii():
        return flat
    data = flat.encode("utf-8", "surrogateescape")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _strikes_out(html: str) -> bool:
    """Whether it strikes out some words, which the plain text cannot show."""
    return _STRIKING.search(html) is not None
