"""How mail programs write an answer: where the new text goes, how the old one is quoted, what they
add of their own.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from typing import Literal
from zoneinfo import ZoneInfo

from pbem.demo.received import Received

_QUOTED_LINES = 400
_WIRE = SMTP.clone(cte_type="7bit")
_BODY = re.compile(r"<body[^<>]*>((?>(?:[^<]|<(?!/?body\b))*))</body>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Style:
    """One mail program. `attribution` is formatted with date, name, address, subject and to;
    `prefix` marks quoted lines.

    `form`: plain text, plain text and HTML, or HTML alone.
    """

    mailer: tuple[str, str]
    attribution: str
    date: str
    prefix: str = "> "
    form: Literal["plain", "both", "html"] = "plain"
    answer: str = "Re: "
    device: str = ""
    signature_mark: bool = False


STYLES: Mapping[str, Style] = {
    "gmail": Style(
        ("X-Google-Smtp-Source", "demo"),
        "On {date} {name} <{address}> wrote:\n",
        "%a, %b %d, %Y at %I:%M %p",
        form="both",
    ),
    "thunderbird": Style(
        ("User-Agent", "Mozilla Thunderbird"),
        "On {date}, {name} wrote:",
        "%d/%m/%Y %H:%M",
        signature_mark=True,
    ),
    "apple": Style(
        ("X-Mailer", "Apple Mail (2.3826)"),
        "> On {date}, {name} <{address}> wrote:\n> ",
        "%d %b %Y, at %H:%M",
        form="both",
    ),
    "iphone": Style(
        ("X-Mailer", "iPhone Mail (22B91)"),
        "> On {date}, {name} <{address}> wrote:\n> \n> \ufeff",
        "%d %b %Y, at %H:%M",
        device="Sent from my iPhone",
    ),
    "outlook": Style(
        ("X-Mailer", "Microsoft Outlook 16.0"),
        "-----Original Message-----\nFrom: {name} <{address}> \nSent: {date}\nTo: {to}\nSubject:"
        " {subject}\n",
        "%A, %d %B %Y %H:%M",
        prefix="",
        answer="RE: ",
    ),
    "yahoo": Style(
        ("X-Mailer", "WebService/1.1.22876 YMailNorrin"),
        "    On {date}, {name} <{address}> wrote:  \n ",
        "%A, %B %d, %Y at %I:%M:%S %p %Z",
        prefix=" ",
        form="both",
    ),
    "german": Style(
        ("User-Agent", "K-9 Mail for Android"),
        "Am {date} schrieb {name} <{address}>:",
        "%d.%m.%Y um %H:%M",
        answer="AW: ",
    ),
    "webmail": Style(
        ("X-Mailer", "Roundweb 1.6"), "On {date}, {name} wrote:", "%Y-%m-%d %H:%M", form="html"
    ),
    "mutt": Style(
        ("User-Agent", "Mutt/2.2.13"),
        "On {date}, {name} wrote:",
        "%a, %b %d, %Y at %H:%M:%S%z",
        signature_mark=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose mail it is."""

    name: str
    address: str
    zone: str
    signature: str = ""


def compose_answer(
    style: Style, sender: Sender, text: str, original: Received, at: datetime, message_id: str
) -> bytes:
    """A reply as this mail program writes it: new text on top, the original below."""
    local = at.astimezone(ZoneInfo(sender.zone))
    subject = re.sub(r"^(?:re|aw):\s*", "", original.subject, flags=re.IGNORECASE)
    message = new_message(sender, original.reply_to, style.answer + subject, at, message_id)
    message["In-Reply-To"] = original.message_id
    message["References"] = " ".join((*original.references[-8:], original.message_id))
    message[style.mailer[0]] = style.mailer[1]
    written = original.date.astimezone(ZoneInfo(sender.zone)).strftime(style.date)
    attribution = style.attribution.format(
        date=written,
        name=original.from_name,
        address=original.reply_to,
        subject=original.subject,
        to=sender.name,
        local=local,
    )
    below = _below(style, sender)
    plain = "\n".join(
        part
        for part in (f"{text}\n", below, f"{attribution}\n{_quote(style, original.text)}")
        if part
    )
    if style.form == "html":
        message.set_content(_html_answer(text, below, attribution, original), subtype="html")
        return message.as_bytes()
    message.set_content(plain)
    if style.form == "both":
        message.add_alternative(_html_answer(text, below, attribution, original), subtype="html")
    return message.as_bytes()


def new_message(
    sender: Sender, to: str, subject: str, at: datetime, message_id: str
) -> EmailMessage:
    """The header of a mail of one's own."""
    message = EmailMessage(policy=_WIRE)
    message["From"] = formataddr((sender.name, sender.address))
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = format_datetime(at.astimezone(ZoneInfo(sender.zone)))
    message["Message-ID"] = message_id
    return message


def _below(style: Style, sender: Sender) -> str:
    """What the program adds under the new text."""
    lines = [style.device] if style.device else []
    if sender.signature:
        lines.append(f"-- \n{sender.signature}" if style.signature_mark else sender.signature)
    return "\n".join(lines) + "\n" if lines else ""


def _quote(style: Style, text: str) -> str:
    return "\n".join(
        f"{style.prefix}{line}".rstrip() if style.prefix.strip() else f"{style.prefix}{line}"
        for line in text.splitlines()[:_QUOTED_LINES]
    )


def _html_answer(text: str, below: str, attribution: str, original: Received) -> str:
    found = _BODY.search(original.html)
    quoted = found.group(1) if found else f"<pre>{html.escape(original.text)}</pre>"
    said = html.escape(
        " ".join(attribution.replace(">", " ", 1).split())
        if attribution.startswith(">")
        else " ".join(attribution.split())
    )
    lines = "".join(
        f"<div>{html.escape(line) or '<br>'}</div>"
        for line in (*text.splitlines(), *below.splitlines())
    )
    return (
        f'<html><body><div dir="ltr">{lines}</div><br>\n<div class="gmail_quote"><div dir="ltr"'
        f' class="gmail_attr">{said}<br></div>\n<blockquote class="gmail_quote" type="cite"'
        ' style="margin:0 0 0 .8ex;border-left:1px solid'
        f' #ccc;padding-left:1ex">{quoted}</blockquote></div></body></html>\n'
    )
