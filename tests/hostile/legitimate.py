"""Mails as people's programs really write them: each carries known orders, with proof of one of the
kinds there are.
"""

import base64
import quopri
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.desk.harness import ADDRESS, text_of
from tests.hostile.forging import ANNA
from tests.hostile.world import NONE, PASS_PLAYERS, World, letter_raw
from tests.mail.reading.clients import ATTRIBUTIONS, HEADS, HTML_STYLES, OUR_HTML, TRIMMINGS

NEW = ("fortify P1", "march 1 from P1 to P2", "golden work P1")
"""Orders that replace one another."""

WORK = "anna@work.example"
TAGGED = "anna+games@players.example"


@dataclass(frozen=True, slots=True)
class Variant:
    """`order` is what should stand afterwards, as it was written."""

    name: str
    raw: bytes
    order: str


Kind = Callable[[World], Iterator[Variant]]


def _mail(
    world: World,
    body: str | bytes,
    number: int,
    *head: str,
    sender: str = f"Anna <{ANNA}>",
    to: str | None = None,
    results: str | None = PASS_PLAYERS,
    message_id: str | None = None,
    **fields: str,
) -> bytes:
    return letter_raw(
        sender,
        body,
        to=to or world.reply_to("Anna"),
        results=results,
        head=(f"X-Number: {number}", *head),
        message_id=message_id,
        subject="Re: [Heron] Turn 1: orders due Fri 20 Nov 13:00",
        **fields,
    )


def _quoted(world: World) -> tuple[str, str]:
    """Our mail, marked and bare."""
    bare = text_of(world.letters["Anna"])
    return "\n".join(f"> {line}".rstrip() for line in bare.splitlines()), bare


TEXT = (
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
)


def above_and_below(world: World) -> Iterator[Variant]:
    """Over and under a marked quote, with every program's line of attribution."""
    marked, _bare = _quoted(world)
    for number, (style, line) in enumerate(ATTRIBUTIONS.items()):
        order, said = NEW[number % 3], line.format(addr=world.reply_to("Anna"))
        yield Variant(
            f"{style}, above",
            _mail(world, f"{order}\n\n{said}\n\n{marked}\n", number, *TEXT),
            order,
        )
        order = NEW[(number + 1) % 3]
        yield Variant(
            f"{style}, below", _mail(world, f"{said}\n{marked}\n\n{order}\n", number, *TEXT), order
        )


def over_headers(world: World) -> Iterator[Variant]:
    """Over a mail that is quoted without any mark."""
    _marked, bare = _quoted(world)
    for number, (style, block) in enumerate(HEADS.items()):
        order = NEW[number % 3]
        body = f"{order}\n\n{block.format(addr=world.reply_to('Anna'))}\n\n{bare}\n"
        yield Variant(style, _mail(world, body, number, *TEXT), order)


def with_trimmings(world: World) -> Iterator[Variant]:
    """With signatures, device lines, notices, banners, list footers; alone and over a quote."""
    marked, _bare = _quoted(world)
    for number, (style, frame) in enumerate(TRIMMINGS.items()):
        order = NEW[number % 3]
        yield Variant(style, _mail(world, frame.format(new=order), number, *TEXT), order)
        order = NEW[(number + 1) % 3]
        said = f"On Fri, 20 Nov 2026 at 21:12, Post Office <{world.reply_to('Anna')}> wrote:"
        yield Variant(
            f"{style}, over a quote",
            _mail(world, f"{frame.format(new=order)}\n\n{said}\n{marked}\n", number, *TEXT),
            order,
        )


def _encoded(text: str, encoding: str) -> bytes:
    data = text.encode("utf-8")
    return (
        base64.encodebytes(data)
        if encoding == "base64"
        else quopri.encodestring(data)
        if encoding == "quoted-printable"
        else data
    )


def in_html(world: World) -> Iterator[Variant]:
    """HTML alone, in every encoding."""
    for index, (style, frame) in enumerate(HTML_STYLES.items()):
        for shift, encoding in enumerate(("8bit", "quoted-printable", "base64")):
            order = NEW[(index + shift) % 3]
            html = (
                frame.replace("{addr}", world.reply_to("Anna"))
                .replace("{new}", order)
                .replace("{ours}", OUR_HTML)
            )
            head = (
                "MIME-Version: 1.0",
                "Content-Type: text/html; charset=utf-8",
                f"Content-Transfer-Encoding: {encoding}",
            )
            yield Variant(
                f"{style}, {encoding}",
                _mail(world, _encoded(html, encoding), index * 3 + shift, *head),
                order,
            )


SENDERS = {
    "plain": ANNA,
    "in capitals": f"Anna <{ANNA.upper()}>",
    "an encoded name": f"=?utf-8?q?Ann=C3=A4_M=C3=BCller?= <{ANNA}>",
    "a quoted name": f'"Müller, Anna" <{ANNA}>',
    "a comment": f"{ANNA} (Anna)",
    "a folded field": f'"Anna"\r\n <{ANNA}>',
}


def encodings(order: str) -> Iterator[tuple[str, tuple[str, ...], str | bytes]]:
    mime = "MIME-Version: 1.0"
    yield "plain", (), order
    yield (
        "quoted-printable",
        (mime, "Content-Transfer-Encoding: quoted-printable"),
        f"{order[:5]}=\r\n{order[5:]}",
    )
    yield "base64", (mime, "Content-Transfer-Encoding: base64"), base64.b64encode(order.encode())
    yield "flowed", (mime, "Content-Type: text/plain; format=flowed"), f"{order} \r\nplease"
    yield (
        "latin-1",
        (mime, "Content-Type: text/plain; charset=iso-8859-1"),
        f"{order}\r\n\r\n-- \r\nAnn\xe4".encode("latin-1"),
    )
    yield "utf-8 without a word of it", (), f"{order}\r\n\r\n-- \r\nAnnä".encode()
    yield (
        "an RFC 2231 charset",
        (mime, "Content-Type: text/plain; charset*=us-ascii'en'utf-8"),
        order,
    )
    yield (
        "alternatives",
        (mime, "Content-Type: multipart/alternative; boundary=b"),
        (
            f"--b\r\nContent-Type: text/plain\r\n\r\n{order}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>{order}</p>\r\n--b--"
        ),
    )
    yield (
        "a receipt for the reader",
        (mime, "Disposition-Notification-To: anna@players.example"),
        order,
    )


def places(world: World) -> Iterator[tuple[str, str, tuple[str, ...], str, str | None]]:
    """Where the proof is: To field, more fields, a tail of the body, and what the server says."""
    token = world.token("Anna")
    yield "reply address", world.reply_to("Anna"), (), "", NONE
    yield "reply address in capitals", world.reply_to("Anna").upper(), (), "", None
    yield "plus lost, delivered", ADDRESS, (f"Delivered-To: {world.reply_to('Anna')}",), "", NONE
    yield (
        "plus lost, references",
        ADDRESS,
        (f"References: <a@b.example> <{token}.abcdef@house.example>",),
        "",
        NONE,
    )
    yield (
        "plus lost, in reply to",
        ADDRESS,
        (f"In-Reply-To: <{token}.abcdef@house.example>",),
        "",
        NONE,
    )
    yield "plus lost, code", ADDRESS, (), f"\r\n\r\n> Times are in UTC. Code {token}\r\n", NONE
    yield "no code, but a pass", ADDRESS, (), "", PASS_PLAYERS
    yield (
        "as a copy",
        "Bartek <bartek@players.example>",
        (f"Cc: {world.reply_to('Anna')}",),
        "",
        PASS_PLAYERS,
    )


def by_every_road(world: World) -> Iterator[Variant]:
    """Every sender, encoding and place of proof with one another."""
    number = 0
    for place, to, fields, tail, results in places(world):
        for index, (who, sender) in enumerate(SENDERS.items()):
            for shift, (encoding, head, body) in enumerate(encodings(NEW[number % 3])):
                if (index + shift) % 2 or (
                    tail and encoding not in ("plain", "utf-8 without a word of it")
                ):
                    continue
                order = NEW[number % 3]
                number += 1
                _name, head, body = next(item for item in encodings(order) if item[0] == encoding)
                whole = (body.encode() if isinstance(body, str) else body) + tail.encode()
                raw = _mail(
                    world, whole, number, *fields, *head, sender=sender, to=to, results=results
                )
                yield Variant(f"{place}, {who}, {encoding}", raw, order)


def oddities(world: World) -> Iterator[Variant]:
    """Dates that are wrong, no Message-ID, bare line feeds, roads with relays, threads, forwarded
    answers.
    """
    dates = (
        *("Thu, 01 Jan 1970 00:00:00 +0000", "Fri, 31 Dec 2099 23:59:59 -1200", "yesterday"),
        *("17.11.2026 13:00", "Tue, 17 Nov 26 12:00 EST", ""),
    )
    for number, date in enumerate(dates):
        order = NEW[number % 3]
        yield Variant(f"dated {date!r}", _mail(world, order, number, date=date), order)
        order = NEW[(number + 1) % 3]
        yield Variant(
            f"without an ID, dated {date!r}",
            _mail(
                world,
                order,
                number,
                date=date or f"Tue, 17 Nov 2026 13:0{number}:00 +0000",
                message_id="",
            ),
            order,
        )
    for number, subject in enumerate(
        (
            *("Fwd: [Heron] Turn 1", "AW: WG: [Heron]", "", "=?utf-8?b?UmU6IFp1Zw==?="),
            *("[EXTERNAL] Re: Turn 1", "orders"),
        )
    ):
        order = NEW[number % 3]
        raw = _mail(world, order, 50 + number).replace(
            b"Subject: Re: [Heron] Turn 1: orders due Fri 20 Nov 13:00",
            f"Subject: {subject}".encode(),
        )
        yield Variant(f"about {subject!r}", raw, order)
        order = NEW[(number + 1) % 3]
        yield Variant(
            f"bare line feeds {number}",
            _mail(world, order, 70 + number).replace(b"\r\n", b"\n"),
            order,
        )
    heads = (
        *("X-Mailer: iPhone Mail (22B91)", "X-Spam-Status: No", "Importance: high"),
        *("X-Priority: 1", "Auto-Submitted: no", "X-Auto-Response-Suppress: All"),
        *("ARC-Seal: i=1; a=b", "Reply-To: anna@elsewhere.example", "Organization: Work Inc."),
        *("Precedence: normal", "X-Virus-Scanned: clean", "Sender: assistant@players.example"),
    )
    for number, field in enumerate(heads):
        order = NEW[number % 3]
        yield Variant(f"with {field}", _mail(world, order, 90 + number, field), order)


def from_other_addresses(world: World) -> Iterator[Variant]:
    """From addresses that were registered by mail: at work, and with a tag."""
    for who, address in enumerate((WORK, TAGGED)):
        results = f"mx.house.example; dmarc=pass header.from={address.partition('@')[2]}"
        for number, (place, to, fields, tail, _results) in enumerate(places(world)):
            for case, sender in enumerate((address, f"Anna <{address.title()}>")):
                order = NEW[(number + who + case) % 3]
                raw = _mail(
                    world,
                    order + tail,
                    200 + number,
                    *fields,
                    sender=sender,
                    to=to,
                    results=results,
                )
                yield Variant(f"{sender}, {place}", raw, order)


KINDS: Mapping[str, Kind] = {
    "over and under quotes": above_and_below,
    "over mails without marks": over_headers,
    "with trimmings": with_trimmings,
    "in HTML": in_html,
    "by every road": by_every_road,
    "oddities": oddities,
    "from other addresses": from_other_addresses,
}
