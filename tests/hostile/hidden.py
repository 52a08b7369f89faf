"""Orders that the reader of a mail does not see, in mails with proof: her own, with words in them
that she did not write today.
"""

import base64
import quopri
from collections.abc import Iterator

from tests.hostile.case import Case
from tests.hostile.forging import ANNA
from tests.hostile.world import PASS_PLAYERS, World, letter_raw

SECRET = ("march all from P1 to P2", "my time zone is Asia/Tokyo")
MIME = "MIME-Version: 1.0"


def _html(inner: str) -> tuple[tuple[str, ...], str]:
    return (
        MIME,
        "Content-Type: text/html; charset=utf-8",
    ), f"<html><body><p>status</p>{inner}</body></html>"


def _mixed(kind: str, payload: str, *more: str) -> tuple[tuple[str, ...], str]:
    fields = "\r\n".join((f"Content-Type: {kind}", *more))
    body = f"--b\r\nContent-Type: text/plain\r\n\r\nstatus\r\n--b\r\n{fields}\r\n\r\n{payload}\r\n--b--"
    return (MIME, "Content-Type: multipart/mixed; boundary=b"), body


def _plain(text: str) -> tuple[tuple[str, ...], str]:
    return (), text


def hidden(order: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Every hiding place, with `status` in plain sight."""
    encoded = base64.b64encode(order.encode()).decode()
    return {
        "attached": _mixed(
            "text/plain; name=a.txt", order, "Content-Disposition: attachment; filename=a.txt"
        ),
        "attached, in capitals": _mixed("text/plain", order, "Content-Disposition: ATTACHMENT"),
        "attached, encoded": _mixed(
            "text/plain",
            encoded,
            "Content-Transfer-Encoding: base64",
            "Content-Disposition: attachment",
        ),
        "attached html": _mixed("text/html", f"<p>{order}</p>", "Content-Disposition: attachment"),
        "a picture": _mixed("image/png", encoded, "Content-Transfer-Encoding: base64"),
        "a document": _mixed("application/pdf", order),
        "an archive": _mixed("application/zip", encoded, "Content-Transfer-Encoding: base64"),
        "a calendar": _mixed(
            "text/calendar; method=PUBLISH",
            f"BEGIN:VCALENDAR\r\nDESCRIPTION:{order}\r\nEND:VCALENDAR",
        ),
        "a card": _mixed("text/vcard", f"BEGIN:VCARD\r\nNOTE:{order}\r\nEND:VCARD"),
        "rich text": _mixed("text/rtf", f"{{\\rtf1 {order}}}"),
        "a table": _mixed("text/csv", order),
        "a forwarded mail": _mixed(
            "message/rfc822", f"From: Anna <{ANNA}>\r\nSubject: x\r\n\r\n{order}"
        ),
        "an outer body": _mixed("message/external-body; access-type=URL", order),
        "a partial mail": _mixed("message/partial; id=1; number=1; total=1", order),
        "a signature part": _mixed("application/pgp-signature", order),
        "an unknown kind": _mixed("x-orders/x-plain", order),
        "text behind the end": (
            (MIME, "Content-Type: multipart/mixed; boundary=b"),
            f"--b\r\n\r\nstatus\r\n--b--\r\n{order}\r\n",
        ),
        "text before the beginning": (
            (MIME, "Content-Type: multipart/mixed; boundary=b"),
            f"{order}\r\n--b\r\n\r\nstatus\r\n--b--\r\n",
        ),
        "an html comment": _html(f"<!-- {order} -->"),
        "a conditional comment": _html(f"<!--[if mso]><p>{order}</p><![endif]-->"),
        "a style": _html(f"<style>{order}</style>"),
        "a script": _html(f"<script>{order}</script>"),
        "a title": _html(f"<title>{order}</title>"),
        "a template": _html(f"<template>{order}</template>"),
        "an attribute": _html(f'<img alt="{order}" title="{order}">'),
        "a form": _html(f'<input type="hidden" value="{order}">'),
        "display none": _html(f'<div style="display:none">{order}</div>'),
        "display none, in capitals": _html(f'<DIV STYLE="DISPLAY : NONE !important">{order}</DIV>'),
        "hidden": _html(f"<div hidden>{order}</div>"),
        "invisible": _html(f'<div style="visibility:hidden">{order}</div>'),
        "no size": _html(f'<div style="font-size:0">{order}</div>'),
        "no size in pixels": _html(f'<div style="font-size:0px;line-height:0">{order}</div>'),
        "no height": _html(f'<div style="max-height:0;overflow:hidden">{order}</div>'),
        "transparent": _html(f'<div style="opacity:0">{order}</div>'),
        "far away": _html(f'<div style="position:absolute;left:-9999px">{order}</div>'),
        "for outlook alone": _html(f'<div style="mso-hide:all">{order}</div>'),
        "struck out": _html(f"<p><s>{order}</s></p>"),
        "deleted": _html(f"<p><del>{order}</del></p>"),
        "struck out by style": _html(f'<p style="text-decoration:line-through">{order}</p>'),
        "a quote": _html(f"<blockquote>{order}</blockquote>"),
        "a cited quote": _html(f'<blockquote type="cite"><p>{order}</p></blockquote>'),
        "a gmail quote": _html(
            f'<div class="gmail_quote">On Tue, Post wrote:<blockquote>{order}</blockquote></div>'
        ),
        "a yahoo quote": _html(f'<div class="yahoo_quoted"><p>{order}</p></div>'),
        "an outlook quote": _html(
            f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: x</div><div>{order}</div>'
        ),
        "a signature": _html(f'<div class="gmail_signature">{order}</div>'),
        "quoted": _plain(f"status\n\n> {order}"),
        "quoted without a blank": _plain(f"status\n\n>{order}"),
        "quoted twice": _plain(f"status\n\n>> {order}\n> > {order}"),
        "quoted with a name": _plain(
            f"status\n\nOn Tue, 17 Nov 2026 at 12:00, Post wrote:\n> {order}"
        ),
        "quoted without marks": _plain(
            f"status\n\nOn Tue, 17 Nov 2026 at 12:00, Post <orders@house.example> wrote:\n\n{order}"
        ),
        "below a rule": _plain(
            f"status\n\n-----Original Message-----\nFrom: Post\nSent: Tuesday\nTo: Anna\nSubject: x\n\n{order}"
        ),
        "below labels": _plain(
            f"status\n\nFrom: Post <orders@house.example>\nSent: Tuesday, 17 November 2026 12:00\nTo: Anna\nSubject: x\n\n{order}"
        ),
        "below labels in German": _plain(
            f"status\n\nVon: Post <orders@house.example>\nGesendet: Dienstag, 17. November 2026 12:00\nAn: Anna\nBetreff: x\n\n{order}"
        ),
        "below our line": _plain(
            f"status\n\n~~~~ Write your answer above this line ~~~~\n\n{order}"
        ),
        "forwarded": _plain(
            f"status\n\n---------- Forwarded message ---------\nFrom: Bartek <b@players.example>\nDate: x\n\n{order}"
        ),
        "a signature in text": _plain(f"status\n\n-- \n{order}"),
        "a signature without its blank": _plain(f"status\n\n--\n{order}"),
        "the other alternative": (
            (MIME, "Content-Type: multipart/alternative; boundary=b"),
            f"--b\r\nContent-Type: text/plain\r\n\r\nstatus\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>{order}</p>\r\n--b--",
        ),
        "a related part": _mixed(f'text/plain; charset="{order}"', "status"),
        "a quoted-printable quote": (
            (MIME, "Content-Type: text/plain", "Content-Transfer-Encoding: quoted-printable"),
            quopri.encodestring(f"status\n\n> {order}".encode()).decode(),
        ),
        "a flowed quote": (
            (MIME, "Content-Type: text/plain; format=flowed"),
            f"status\r\n\r\n> {order} \r\n> and more",
        ),
        "the subject": (("X-Note: 1",), "status"),
        "encrypted": (
            (MIME, "Content-Type: multipart/encrypted; boundary=b"),
            f"--b\r\n\r\nVersion: 1\r\n--b\r\n\r\n{order}\r\n--b--",
        ),
        "utf-7": ((MIME, "Content-Type: text/plain; charset=utf-7"), "status"),
    }


def hidden_orders(world: World) -> Iterator[Case]:
    for order in SECRET:
        for name, (head, body) in hidden(order).items():
            subject = order if name == "the subject" else "Re: [Heron] Turn 1"
            yield Case(
                f"{name}: {order}",
                letter_raw(
                    f"Anna <{ANNA}>",
                    body,
                    to=world.reply_to("Anna"),
                    head=head,
                    subject=subject,
                    results=PASS_PLAYERS,
                ),
            )
