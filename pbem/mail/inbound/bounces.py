"""Did one of our mails come back? Delivery status notifications (RFC 3464), and what some servers
send instead of them.
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser, Parser
from email.policy import compat32
from typing import Literal

from pbem.mail.inbound.message import decode_words
from pbem.mail.refusals import Finality, finality

_MAX_OCTETS = 512 * 1024  # what matters stands at the top; the returned mail below may be cut
_MAX_NESTING = 40  # the parser goes one call deeper for each layer
_MAX_PARTS = 60
_MAX_TEXT = 64 * 1024
_MAX_FIELD = 4096
_MAX_REASON = 300
# What the standard library raises on malformed mails: unknown charsets, numbers of 5,000 digits,
# parameters that are no parameters.
_PARSER_ERRORS = (LookupError, ValueError, RecursionError, TypeError, AttributeError)

_ADDRESS = re.compile(r"[^\s<>\"'(),:;@\[\]\\]{1,120}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*")
_MESSAGE_ID = re.compile(r"^Message-ID:\s*(<[^<>\s]{3,900}>)", re.IGNORECASE | re.MULTILINE)
_BARE_ID = re.compile(r"(<[^<>\s]{3,900}>)")
_REPORT_TYPE = re.compile(r"report-type\s*=\s*\"?([\w-]+)", re.IGNORECASE)
_STATUS = re.compile(r"(?<![\d.])([245])\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY = re.compile(r"(?<![\d.\w/-])([45])[0-5]\d(?=[ -])")
_DAEMON = re.compile(
    r"mail(?:er)?[ ._-]?daemon|po{1,2}st[ ._-]?master|(?:mail|message)[ ._-]?deliver|system"
    r" administrator|<>",
    re.IGNORECASE,
)
_FAILURE_SUBJECT = re.compile(
    r"undeliver|deliver(?:y|ing)?[ :-]{1,3}(?:status|failure|failed|has"
    r" failed|delayed|notification|report|problem|error)|fail(?:ure|ed)"
    r"|returned? (?:mail|e-?mail|message)|mail (?:delivery|system error)|could not be"
    r" (?:delivered|sent)|not delivered|error sending"
    r"|delayed|postmaster notify|unzustellbar|nicht zugestellt|zustellung|non remis|non distribu|no"
    r" se (?:puede|ha podido) entregar"
    r"|mancato recapito|mancata consegna|niedostarczon|nie dostarczono|не доставлен|недостав|não"
    r" (?:foi )?entregue|onbestelbaar",
    re.IGNORECASE,
)
_FAILURE_TEXT = re.compile(
    r"(?:could|can|was|were|did|is|been)(?: ?not|n't| unable to)(?: be)?"
    r" (?:deliver|sent|send|reach|accept)|unable to deliver"
    r"|undeliver(?:able|ed)|deliver(?:y|ing)[^.\n]{0,60}fail|fail(?:ed|ure)[^.\n]{0,40}deliver|rejected"
    r" recipient"
    r"|errors? (?:occurred )?(?:while|message below)|permanent (?:fatal )?error|following"
    r" (?:address|recipient)"
    r"|(?:^|\n)Action: *(?:failed|delayed)",
    re.IGNORECASE,
)
_GOOD_NEWS = re.compile(
    r"^Action: *(?:delivered|deliverable|relayed|expanded)", re.IGNORECASE | re.MULTILINE
)
_BAD_NEWS = re.compile(r"^Action: *(?:failed|delayed|expired|error)", re.IGNORECASE | re.MULTILINE)
_QMAIL = re.compile(
    r"^<([^<>\s]{3,250})>:\r?\n(.{0,2000}?)(?:\r?\n\r?\n|\Z)", re.MULTILINE | re.DOTALL
)
_RETURNED_COPY = re.compile(
    r"^-{3,} ?(?:below this line|this is a copy|original m|the header|returned)|^received: from"
    r" |^return-path: ",
    re.IGNORECASE | re.MULTILINE,
)
_DELAY = re.compile(
    r"\b(?:delayed|delivery delay|(?:will|to) be retried|will (?:be retried|keep trying)|still"
    r" being retried|warning only|will retry)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bounce:
    """A mail that did not arrive: nobody is reached there (`hard`), it was refused for another
    reason or no longer tried (`soft`), or it is still being tried (`delayed`).

    `message_id` is that of our own mail, `verp_local_part` the local part the notification was sent
    to when it has a `+token`.
    """

    kind: Finality | Literal["delayed"]
    recipient: str | None
    status: str | None
    message_id: str | None
    verp_local_part: str | None
    said: str = field(default="", compare=False)
    """What the refusing server said, on one line; for people to read."""


def parse_bounce(raw: bytes) -> Bounce | None:
    """What a raw mail says about a mail of ours; None for everything that is no bounce, and for
    whatever cannot be read. Never raises.

    A report of success, a read receipt (MDN) or an automatic answer is no bounce.
    """
    head = raw[:_MAX_OCTETS]
    nesting = head.lower()
    if nesting.count(b"boundary") + nesting.count(b"message/") > _MAX_NESTING:
        return None
    try:
        return _parse(BytesParser(policy=compat32).parsebytes(head))
    except _PARSER_ERRORS:
        return None


def _parse(message: Message) -> Bounce | None:
    parts = list(_walk(message))
    report_type = _REPORT_TYPE.search(str(message.get("Content-Type", "")))
    if (
        message.get_content_type() == "multipart/report"
        and report_type is not None
        and report_type[1].lower() != "delivery-status"
    ):
        return None  # a read receipt (RFC 8098), an abuse report
    fields = _failed_recipient(parts)
    if fields is not None:
        return _from_report(fields, message, parts)
    said = _said(parts)
    if _GOOD_NEWS.search(said) and not _BAD_NEWS.search(said):
        return None  # delivered, relayed or expanded
    return _from_words(message, parts, said) if _looks_like_failure(message, parts, said) else None


def _failed_recipient(parts: list[Message]) -> Message | None:
    """The group of fields about the first recipient that was not reached (RFC 3464 2.3)."""
    for part in parts:
        if part.get_content_type() == "message/delivery-status":
            for group in _groups(part):
                recipient = _field(group, "Status", "Final-Recipient", "Original-Recipient")
                if (
                    _field(group, "Action").lower() in {"failed", "delayed", "expired"}
                    and recipient
                ):
                    return group
    return None


def _groups(part: Message) -> list[Message]:
    payload = part.get_payload()
    groups = (
        [group for group in payload if isinstance(group, Message)]
        if isinstance(payload, list)
        else []
    )
    if _field(part, "Content-Transfer-Encoding").lower() != "base64":
        return groups
    # RFC 3464 2.1 forbids to encode this part; some do, and the standard library takes the code for
    # the text.
    text = binascii.a2b_base64("".join(str(group.get_payload()) for group in groups)).decode(
        "ascii", "replace"
    )
    return [
        Parser(policy=compat32).parsestr(block, headersonly=True)
        for block in re.split(r"\r?\n\r?\n", text)[:_MAX_PARTS]
    ]


def _from_report(fields: Message, message: Message, parts: list[Message]) -> Bounce:
    diagnosis = _field(fields, "Diagnostic-Code")
    status = _STATUS.search(_field(fields, "Status")) or _STATUS.search(diagnosis)
    recipient = _ADDRESS.search(_field(fields, "Final-Recipient")) or _ADDRESS.search(
        _field(fields, "Original-Recipient")
    )
    own = status[0] if status else ""
    kind: Finality | Literal["delayed"] = "soft"
    if _field(fields, "Action").lower() == "delayed":
        kind = "delayed"
    elif not own.startswith("4") and _field(fields, "Action").lower() != "expired":
        kind = finality(own, diagnosis)
    return Bounce(
        kind,
        _lower(recipient),
        own or None,
        _own_message_id(parts),
        _verp_local_part(message),
        _one_line(diagnosis),
    )


def _looks_like_failure(message: Message, parts: list[Message], said: str) -> bool:
    """Written by a mail server: a failure named in the header, or a daemon that says so in the
    subject or the text.
    """
    if message.get("X-Failed-Recipients") is not None:  # Exim
        return True
    daemon = _DAEMON.search(decode_words(_field(message, "From"))) is not None
    if daemon or any(part.get_content_type() == "message/delivery-status" for part in parts):
        if _FAILURE_SUBJECT.search(decode_words(_field(message, "Subject"))):
            return True
    elif _field(message, "Return-Path") != "<>":
        return False
    return _FAILURE_TEXT.search(_above_copy(said)) is not None


def _said(parts: list[Message]) -> str:
    """Every text of the report: of a multipart without its parts (a broken boundary) all there
    is.
    """
    kinds = {"text/plain", "text/html", "message/delivery-status"}
    texts = (
        _text(part)
        for part in parts
        if part.get_content_type() in kinds
        or (part.get_content_maintype() == "multipart" and not part.is_multipart())
    )
    return "\n".join(texts)[:_MAX_TEXT]


def _above_copy(said: str) -> str:
    copy = _RETURNED_COPY.search(said)
    return said[: copy.start()] if copy else said


def _from_words(message: Message, parts: list[Message], text: str) -> Bounce | None:
    said = _above_copy(text)
    qmail = _QMAIL.search(said)
    named = (
        _ADDRESS.search(_field(message, "X-Failed-Recipients"))
        or (qmail and _ADDRESS.search(qmail[1]))
        or _ADDRESS.search(said)
    )
    reason = qmail[2] if qmail else said
    status = _STATUS.search(reason)
    reply = _REPLY.search(reason)
    if (
        not qmail
        and (first := min((found.start() for found in (status, reply) if found), default=None))
        is not None
    ):
        # The prose around it names connections, senders and contents too.
        reason = (
            reason[max(0, first - 40) : first]
            + re.split(r"\n\s*\n", reason[first : first + _MAX_REASON], maxsplit=1)[0]
        )
    if status is None and reply is None and named is None:
        return None
    own = status[0] if status else ""
    kind: Finality | Literal["delayed"] = "soft"
    if _DELAY.search(decode_words(_field(message, "Subject"))) or _DELAY.search(reason):
        kind = "delayed"
    elif not own.startswith("4") and (
        status is not None or reply is None or reply[0].startswith("5")
    ):
        kind = finality(own, reason)
    identifier = _own_message_id(parts) or _first(_MESSAGE_ID.search(text))
    return Bounce(
        kind, _lower(named), own or None, identifier, _verp_local_part(message), _one_line(reason)
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]


def _own_message_id(parts: list[Message]) -> str | None:
    """The Message-ID of the returned mail: attached whole, or its header alone."""
    for part in parts[1:]:
        kind = part.get_content_type()
        if kind == "message/rfc822" and part.is_multipart():
            returned = part.get_payload(0)
            if isinstance(returned, Message) and (
                found := _first(_BARE_ID.search(_field(returned, "Message-ID")))
            ):
                return found
        elif kind in {"text/rfc822-headers", "message/rfc822", "message/rfc822-headers"}:
            if found := _first(_MESSAGE_ID.search(_text(part))):
                return found
    return None


def _verp_local_part(message: Message) -> str | None:
    for name in ("Delivered-To", "X-Original-To", "Envelope-To", "To"):
        for value in message.get_all(name, [])[:5]:
            for address in _ADDRESS.findall(str(value)[:_MAX_FIELD]):
                local = str(address).rpartition("@")[0]
                if "+" in local:
                    return local
    return None


def _walk(message: Message) -> Iterator[Message]:
    """The parts in order, without going into the returned mail."""
    waiting = [message]
    for _ in range(_MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        yield part
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            waiting[:0] = [child for child in part.get_payload() if isinstance(child, Message)]


def _text(part: Message) -> str:
    if part.is_multipart():
        return "\n".join(
            f"{name}: {value}"
            for child in part.get_payload()
            if isinstance(child, Message)
            for name, value in child.items()
        )
    payload = part.get_payload(decode=True)
    return payload[:_MAX_TEXT].decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _field(message: Message, *names: str) -> str:
    for name in names:
        value = message.get(name)
        if value is not None:
            return str(value)[:_MAX_FIELD].strip()
    return ""


def _first(match: re.Match[str] | None) -> str | None:
    return match[1] if match else None


def _lower(match: re.Match[str] | None) -> str | None:
    return match[0].lower() if match else None
