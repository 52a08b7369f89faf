"""Raw mails in a line, and the rules they are read under."""

from pathlib import Path

from pbem.mail.inbound.message import InboundMail
from pbem.mail.inbound.reading import ReadingRules, read_mail

RULES = ReadingRules(frozenset({"orders@realm.example"}), "realm.example", "mx.realm.example")
FIXTURES = Path(__file__).parent.parent / "fixtures"


def mail(
    *fields: str, body: str | bytes = "P1: fortify\r\n", sender: str = "Anna <anna@example.org>"
) -> bytes:
    head = "\r\n".join([f"From: {sender}", "Subject: Re: [Heron] Turn 6", *fields]) + "\r\n\r\n"
    return head.encode() + (body.encode() if isinstance(body, str) else body)


def read(
    *fields: str, body: str | bytes = "P1: fortify\r\n", rules: ReadingRules = RULES
) -> InboundMail:
    return read_mail(mail(*fields, body=body), rules)
