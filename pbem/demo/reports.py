"""Delivery status notifications as a mail server writes them (RFC 3464)."""

import re
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message, MIMEPart
from email.policy import SMTP, compat32
from email.utils import format_datetime

_HEADER_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedDelivery:
    """A mail that was taken and could not be delivered; `reply` is the SMTP reply that says why,
    with its enhanced status code.
    """

    reporting_host: str
    sender: str
    recipient: str
    reply: str
    at: datetime
    serial: int
    raw: bytes


def format_report(failure: FailedDelivery) -> bytes:
    """The notification to the envelope sender, with the header of the mail that failed."""
    status = re.search(r"\b[45]\.\d{1,3}\.\d{1,3}\b", failure.reply)
    notice = MIMEPart(policy=SMTP)
    notice.set_content(
        f"This is the mail system at host {failure.reporting_host}.\n\nYour message could not be"
        f" delivered to one or more recipients.\n\n<{failure.recipient}>: {failure.reply}\n"
    )
    facts = MIMEPart(policy=SMTP)
    facts["Content-Type"] = "message/delivery-status"
    facts.set_payload(
        [
            _fields(
                ("Reporting-MTA", f"dns; {failure.reporting_host}"),
                ("Arrival-Date", format_datetime(failure.at)),
            ),
            _fields(
                ("Final-Recipient", f"rfc822; {failure.recipient}"),
                ("Action", "failed"),
                ("Status", status[0] if status else "5.0.0"),
                ("Diagnostic-Code", f"smtp; {failure.reply}"),
            ),
        ]
    )
    returned = MIMEPart(policy=SMTP)
    returned["Content-Type"] = "text/rfc822-headers"
    header = _HEADER_END.split(failure.raw, maxsplit=1)[0]
    returned.set_payload(
        header.decode("ascii", "replace").replace("�", "?").replace("\r\n", "\n") + "\n"
    )
    report = EmailMessage(policy=SMTP)
    report["From"] = f"Mail Delivery System <MAILER-DAEMON@{failure.reporting_host}>"
    report["To"] = failure.sender
    report["Subject"] = "Undelivered Mail Returned to Sender"
    report["Date"] = format_datetime(failure.at)
    report["Message-ID"] = (
        f"<report.{failure.serial}.{int(failure.at.timestamp())}@{failure.reporting_host}>"
    )
    report["Auto-Submitted"] = "auto-replied"
    report["MIME-Version"] = "1.0"
    report["Content-Type"] = (
        f'multipart/report; report-type=delivery-status; boundary="=_report_{failure.serial}"'
    )
    report.set_payload([notice, facts, returned])
    return report.as_bytes()


def _fields(*fields: tuple[str, str]) -> Message:
    group = Message(policy=compat32)
    for name, value in fields:
        group[name] = value
    return group
