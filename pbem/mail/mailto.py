"""Links that begin a mail (RFC 6068): to whom, about what, and with which words."""

from urllib.parse import parse_qsl, quote, unquote

import msgspec

SCHEME = "mailto:"


class Mailto(msgspec.Struct, frozen=True):
    """The mail that such a link begins."""

    to: str
    subject: str = ""
    body: str = ""


def format_mailto(mail: Mailto) -> str:
    """The link. Lines of the body end as the RFC wants them, in CR LF."""
    fields = [("subject", mail.subject), ("body", "\r\n".join(mail.body.splitlines()))]
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields if value)
    return f"{SCHEME}{quote(mail.to, safe='@+')}{'?' if query else ''}{query}"


def parse_mailto(link: str) -> Mailto:
    """The inverse. ValueError for any other link."""
    if not link.casefold().startswith(SCHEME):
        raise ValueError(f"no link that begins a mail: {link[:40]!r}")
    to, _, query = link[len(SCHEME) :].partition("?")
    fields = dict(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True))
    return Mailto(
        unquote(to), fields.get("subject", ""), "\n".join(fields.get("body", "").split("\r\n"))
    )
