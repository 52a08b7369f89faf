"""The one entrance for raw mails: bytes in, `InboundMail` out, whatever the bytes are.

Nothing is looked up, nothing is answered, no clock is read: the same bytes under the same rules
always mean the same.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message

from pbem.mail.inbound.automatic import why_automatic
from pbem.mail.inbound.caps import Limits, head_of, survey
from pbem.mail.inbound.markup import has_too_many_tags, words_of_html
from pbem.mail.inbound.message import (
    Body,
    DmarcVerdict,
    Headers,
    InboundMail,
    has_attachment,
    has_malformed_header,
    parse,
    parse_head,
    written_body,
)
from pbem.mail.inbound.newtext import new_text
from pbem.mail.inbound.notifications import why_notified
from pbem.mail.inbound.phrases import flatten, load_phrases
from pbem.mail.inbound.rewrapped import mark_rewrapped
from pbem.mail.inbound.senders import addresses_in, read_dmarc, read_sender, without_detail
from pbem.mail.tokens import (
    CODE_LINE,
    TokenClaim,
    format_token,
    parse_message_id_token,
    parse_token,
)

MAX_TOKENS = 20
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_TOKEN_FIELDS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_TOKENISH = re.compile(r"(?=[^@]*[0-9])[a-z0-9][a-z0-9.-]{14,62}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """What the reader must know of this installation.

    `own_addresses` are the bare addresses of the service in lower case, `host` the right-hand side
    of our Message-IDs; left empty, as for looking at a file without a configuration, any address
    and host may carry a token. `authserv_id` is the name our mail server signs its
    Authentication-Results with; None means that no DMARC verdict is ever believed. `letters` are
    the words of our own letters that a mail may quote, `own_names` what they say that they are
    from.
    """

    own_addresses: frozenset[str] = frozenset()
    host: str = ""
    authserv_id: str | None = None
    subaddressing: bool = True
    limits: Limits = field(default_factory=Limits)
    letters: tuple[str, ...] = ()
    own_names: frozenset[str] = frozenset()


def prepare_reading() -> None:
    """Load what reading needs; worth a thread at the start of a service, so that the first mail
    does not hold the event loop.
    """
    import pbem.mail.inbound.htmltext  # noqa: F401 - only to have it

    load_phrases()


def read_mail(raw: bytes, rules: ReadingRules, *, oversize: bool = False) -> InboundMail:
    """What this mail means. Never raises, on any bytes; takes time linear in their number.

    `oversize` says that the mail was too large to be fetched and `raw` is its header alone.
    """
    refused = "too-large" if oversize else survey(raw, rules.limits).refused
    message = parse(raw) if refused is None else None
    if message is None:
        refused = refused or "too-deep"
        message = parse_head(head_of(raw, rules.limits)) or Message()
        body = Body("none", "")
    else:
        body = written_body(message, rules.limits)
    return _read(raw, message, body, refused, rules)


def _read(
    raw: bytes, message: Message, body: Body, refused: str | None, rules: ReadingRules
) -> InboundMail:
    headers = Headers(message)
    sender = read_sender(headers, malformed=has_malformed_header(message, raw))
    subject = headers.decoded("subject")
    own = frozenset(address.lower() for address in rules.own_addresses)
    full, text = _texts(body, rules, own | {flatten(name) for name in rules.own_names})
    tokens, token_text = find_tokens(headers, full, rules)
    in_reply_to = headers.message_ids("in-reply-to")
    message_ids = headers.message_ids("message-id")
    recipients = addresses_in([*headers.all("to"), *headers.all("cc")])
    return InboundMail(
        message_id=message_ids[0] if message_ids else None,
        digest=hashlib.sha256(raw).hexdigest(),
        sender=sender.address,
        sender_name=sender.name,
        subject=subject,
        tokens=tokens,
        token_text=token_text,
        dmarc=read_dmarc(headers, rules.authserv_id, sender.address),
        automatic=why_automatic(
            message,
            headers,
            sender=sender.address,
            subject=subject,
            own_addresses=own,
            host=rules.host,
        )
        or why_notified(message, subject, full, text or ""),
        refused=refused
        or sender.refused
        or ("too-much-text" if text is None else _body_refused(body, text)),
        text=text or "",
        dated=headers.date(),
        in_reply_to=in_reply_to[0] if in_reply_to else None,
        references=headers.message_ids("references"),
        recipients_seen=tuple(
            address for address in recipients if without_detail(address) not in own
        ),
        addressed=not own or any(without_detail(address) in own for address in recipients),
        has_attachment=has_attachment(message),
        quotes=text is not None and full.strip() != text.strip(),
    )


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a mail alone tells: enough to say how soon it should be read."""

    sender: str | None
    tokens: tuple[TokenClaim, ...]
    dmarc: DmarcVerdict


def read_head(raw: bytes, rules: ReadingRules) -> Head:
    """Read only the head of a mail. Never raises."""
    head = head_of(raw, rules.limits)
    message = parse_head(head) or Message()
    headers = Headers(message)
    sender = read_sender(headers, malformed=has_malformed_header(message, head)).address
    return Head(
        sender, find_tokens(headers, "", rules)[0], read_dmarc(headers, rules.authserv_id, sender)
    )


def _texts(body: Body, rules: ReadingRules, own: frozenset[str]) -> tuple[str, str | None]:
    """Everything that is in the body, and the new text; None for one that is too much to read."""
    if body.kind != "html":
        return body.text, new_text(mark_rewrapped(body.text, rules.letters), own)
    full = words_of_html(body.text)
    if has_too_many_tags(body.text):
        return full, None
    # Its parsers take a while to load: a process that reads no mails never loads them.
    from pbem.mail.inbound.htmltext import new_html_to_text

    laid_out = new_html_to_text(body.text, own)
    limits = rules.limits
    if len(laid_out) > limits.text_bytes or laid_out.count("\n") > limits.text_lines:
        return full, None
    return full, new_text(mark_rewrapped(laid_out, rules.letters), own)


def _body_refused(body: Body, text: str) -> str | None:
    if body.too_long:
        return "too-much-text"
    if body.is_unread:
        return "refused-charset"
    if _ARMOUR in text:
        return "encrypted"
    return "encrypted" if body.encrypted and not body.text.strip() else None


def find_tokens(
    headers: Headers, full_text: str, rules: ReadingRules
) -> tuple[tuple[TokenClaim, ...], str | None]:
    """Every token claim, in the order of the places they stand in, each once; and the first text
    that was meant as a token.

    Addresses first (the reply address does its work), then our Message-IDs in In-Reply-To and
    References, the newest first, then the code in the footer of our mail, which most clients quote.
    """
    found: dict[str, TokenClaim] = {}
    meant: str | None = None
    for text in _candidates(headers, full_text, rules):
        claim = parse_token(text)
        if claim is not None:
            found.setdefault(format_token(claim), claim)
        if meant is None and (claim is not None or _TOKENISH.fullmatch(text)):
            meant = text.lower()
        if len(found) >= MAX_TOKENS:
            break
    tokens = tuple(found.values())
    return tokens, format_token(tokens[0]) if tokens else meant


def _candidates(headers: Headers, full_text: str, rules: ReadingRules) -> Iterator[str]:
    if rules.subaddressing:
        own = frozenset(address.lower() for address in rules.own_addresses)
        for name in _TOKEN_FIELDS:
            for address in addresses_in(headers.all(name)):
                local, _, _host = address.partition("@")
                _, plus, detail = local.partition("+")
                if plus and (not own or without_detail(address) in own):
                    yield detail
    for name in ("in-reply-to", "references"):
        for message_id in reversed(headers.message_ids(name)):
            token = parse_message_id_token(message_id, rules.host)
            if token is not None:
                yield token
    for match in CODE_LINE.finditer(full_text):
        yield match.group(1).lower()


def format_inspection(mail: InboundMail) -> dict[str, str | None]:
    """A mail as `pbem mail inspect --json` shows it."""
    return {
        "from": mail.sender,
        "token": mail.token_text,
        "automatic": mail.automatic,
        "refused": mail.refused,
        "text": mail.text,
    }
