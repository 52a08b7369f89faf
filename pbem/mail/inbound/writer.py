"""Who wrote a mail, by its header alone: for an answer to a mail that cannot be read."""

from dataclasses import dataclass

from pbem.mail.inbound.automatic import why_automatic
from pbem.mail.inbound.message import Headers, has_malformed_header, parse_head
from pbem.mail.inbound.reader import ReadingRules
from pbem.mail.inbound.senders import read_dmarc, read_sender

HEAD_OCTETS = 256 * 1024


@dataclass(frozen=True, slots=True)
class Writer:
    """The address in From, which nothing here proves, and the Message-IDs that an answer
    refers to.
    """

    address: str
    message_id: str | None
    references: tuple[str, ...]


def read_writer(raw: bytes, rules: ReadingRules) -> Writer | None:
    """None: nobody who reads an answer, or somebody whom our own server knows to be forged."""
    head = parse_head(raw[:HEAD_OCTETS])
    if head is None:
        return None
    headers = Headers(head)
    sender = read_sender(headers, malformed=has_malformed_header(head, raw[:HEAD_OCTETS])).address
    if sender is None or read_dmarc(headers, rules.authserv_id, sender) == "fail":
        return None
    own = frozenset(address.lower() for address in rules.own_addresses)
    if (
        why_automatic(
            head,
            headers,
            sender=sender,
            subject=headers.decoded("subject"),
            own_addresses=own,
            host=rules.host,
        )
        is not None
    ):
        return None
    message_ids = headers.message_ids("message-id")
    return Writer(
        sender, message_ids[0] if message_ids else None, headers.message_ids("references")
    )
