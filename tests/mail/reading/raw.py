"""Raw mails in a line, and the rules they are read under."""

from pathlib import Path

from pbem.mail.inbound.message import InboundMail
from pbem.mail.inbound.reader import ReadingRules, read_mail

RULES = ReadingRules(frozenset({"orders@realm.example"}), "realm.example", "mx.realm.example")
FIXTURES = Path(__file__).parent.parent / "fixtures"
_ADDRESSED = "From: anna@example.org\nTo: orders+o12-345-gx22n5y4mbw3kwt5br3gozowdm@realm.example\n"


def drawer() -> dict[str, bytes]:
    """Real mails, and one nested a thousand deep, by their names."""
    nested = "".join(
        f"Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n" for depth in range(1000)
    )
    mails = {path.stem: path.read_bytes() for path in sorted(FIXTURES.glob("*.eml"))}
    return mails | {"nested-1000-deep": f"{_ADDRESSED}{nested}\nP1 fortify\n".encode()}


def mail(
    *fields: str, body: str | bytes = "P1: fortify\r\n", sender: str = "Anna <anna@example.org>"
) -> bytes:
    head = "\r\n".join([f"From: {sender}", "Subject: Re: [Heron] Turn 6", *fields]) + "\r\n\r\n"
    return head.encode() + (body.encode() if isinstance(body, str) else body)


def read(
    *fields: str, body: str | bytes = "P1: fortify\r\n", rules: ReadingRules = RULES
) -> InboundMail:
    return read_mail(mail(*fields, body=body), rules)
