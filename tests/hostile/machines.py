"""Machines that answer: vacations, tickets, bounces (forged ones too), lists, calendars, and our
own letters come back.
"""

from collections.abc import Iterator

from tests.desk.harness import GM, address_of
from tests.hostile.case import Case
from tests.hostile.forging import ANNA
from tests.hostile.world import EVE, PASS_EVE, PASS_PLAYERS, World, letter_raw

SIGNS: dict[str, tuple[str, ...]] = {
    "auto-replied": ("Auto-Submitted: auto-replied",),
    "auto-generated": ("Auto-Submitted: auto-generated (vacation)",),
    "auto-notified": ("Auto-Submitted: AUTO-NOTIFIED; owner=anna",),
    "an unknown kind": ("Auto-Submitted: perhaps",),
    "no and yes": ("Auto-Submitted: no", "Auto-Submitted: auto-replied"),
    "a comment before": ("Auto-Submitted: (no) auto-replied",),
    "precedence bulk": ("Precedence: bulk",),
    "precedence list": ("Precedence: List",),
    "precedence junk": ("Precedence: junk",),
    "precedence auto_reply": ("Precedence: auto_reply",),
    "x-autoreply": ("X-Autoreply: yes",),
    "x-autorespond": ("X-Autorespond: orders",),
    "x-autoresponder": ("X-Autoresponder: 1",),
    "x-vacation": ("X-Vacation: yes",),
    "x-mail-autoreply": ("X-Mail-Autoreply: vacation",),
    "exchange": ("X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",),
    "null return path": ("Return-Path: <>",),
    "null return path, with blanks": ("Return-Path:   <>  ",),
    "envelope": ("X-Envelope-From: <>",),
    "list-id": ("List-Id: <players.lists.example>",),
    "list-unsubscribe": ("List-Unsubscribe: <mailto:x@lists.example>",),
    "list-post": ("List-Post: <mailto:x@lists.example>",),
    "mailman": ("X-Mailman-Version: 2.1.39",),
    "beenthere": ("X-BeenThere: players@lists.example",),
    "loop header": ("X-PBEM-Loop: orders@house.example",),
    "failed recipients": ("X-Failed-Recipients: anna@players.example",),
    "zoho": ("X-Zoho-Autoreply: yes",),
    "amazon": ("X-Amazon-Auto-Reply: true",),
}

AWAY = (
    *("Out of Office: orders", "Automatic reply: [Heron] Turn 1", "Auto: Re: orders"),
    *("Abwesenheitsnotiz: [Heron] Turn 1", "Automatische Antwort: orders"),
    *("Réponse automatique : orders", "Respuesta automática: orders"),
    *("Risposta automatica: orders", "Autosvar: orders", "Automatisch antwoord: orders"),
    *("Resposta automática: orders", "Autoreply: orders", "Vacation reply: orders"),
    *("[EXT] Automatic reply: orders", "Automatische Antwort: Re: [Heron] Turn 1: orders due"),
)

MACHINE_WORDS = (
    "I am away until Monday and will answer then.",
    "Thank you for your mail! We have opened ticket 4711.",
    "Da ich bis Montag verreist bin, lese ich Ihre Nachricht erst danach.",
    "Tak for din mail. Jeg er på ferie til mandag.",
    "Si avvisa che l'ufficio è chiuso fino a lunedì.",
    "Si prega di non rispondere a questo messaggio.",
    "Jo, olen lomalla maanantaihin asti, palaan sitten asiaan.",
    *("Confirmed: your ticket 4711 was opened.", "Confirm receipt of your mail by clicking here."),
    *("OK: 1 message queued for delivery", "Ano nuevo: la oficina permanece cerrada."),
    "Ja ich bin im Urlaub und nicht erreichbar bis Montag.",
    *("Yes we are open: Monday to Friday from 9 to 5.", "Y esta es una respuesta automática."),
    *("Sim cards are sold out; we answer within two days.", "", "> yes"),
    "On Tue, 17 Nov 2026, Post Office wrote:\n> yes",
)
"""What machines say without any sign that they are machines, in answer to a question that a `yes`
would settle.
"""


def automatic_answers(world: World) -> Iterator[Case]:
    """From Anna's own program, with proof and orders in them: quoted by the machine."""
    to, sender = world.reply_to("Anna"), f"Anna <{ANNA}>"
    texts = ("I am away. You wrote:\nmarch all from P1 to P2", "golden work P1")
    for name, fields in SIGNS.items():
        for number, text in enumerate(texts):
            yield Case(
                f"{name}, {number}",
                letter_raw(sender, text, to=to, head=fields, results=PASS_PLAYERS),
            )
        yield Case(
            f"{name} confirms",
            letter_raw(
                sender,
                "yes",
                to=world.reply_to("Anna confirming"),
                head=fields,
                results=PASS_PLAYERS,
            ),
        )
    for subject in AWAY:
        for number, text in enumerate(texts):
            yield Case(
                f"{subject}, {number}",
                letter_raw(sender, text, to=to, subject=subject, results=PASS_PLAYERS),
            )
    for local in ("mailer-daemon", "postmaster", "noreply", "no-reply", "bounces+1", "donotreply"):
        raw = letter_raw(f"<{local}@players.example>", texts[1], to=to, results=PASS_PLAYERS)
        yield Case(f"from {local}", raw)


def machines_that_confirm(world: World) -> Iterator[Case]:
    """Answers of a machine at the very address that was asked."""
    asked = {
        "orders": ("Anna confirming", f"Anna <{ANNA}>", PASS_PLAYERS),
        "resignation": ("Bartek resigning", f"Bartek <{address_of('Bartek')}>", PASS_PLAYERS),
        "seat": ("Mei joining", f"Mei <{address_of('Mei')}>", PASS_PLAYERS),
        "close": ("gm confirming", GM, "mx.house.example; dmarc=pass header.from=house.example"),
    }
    for about, (letter, sender, results) in asked.items():
        for text in MACHINE_WORDS:
            yield Case(
                f"{about}: {text!r}",
                letter_raw(sender, text, to=world.reply_to(letter), results=results),
            )


def reports(world: World) -> Iterator[Case]:
    """Delivery reports that prove nothing, or that quote orders."""
    token = world.token("Anna")
    for status in ("5.1.1", "5.2.2", "4.4.1", "2.0.0", "9.9.9"):
        for action in ("failed", "delayed", "delivered", "relayed"):
            for recipient in (ANNA, address_of("Bartek"), GM, "orders@house.example"):
                body = (
                    "--b\r\nContent-Type: text/plain\r\n\r\nIt failed.\r\nmarch all from P1 to P2\r\n"
                    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.elsewhere.example\r\n\r\n"
                    f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
                    f"--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: orders@house.example\r\nTo: {recipient}\r\n"
                    "Message-ID: <turn.abcdefgh@house.example>\r\n\r\nwork P1\r\n--b--"
                )
                kind = (
                    "MIME-Version: 1.0",
                    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
                    "Return-Path: <>",
                )
                raw = letter_raw(
                    "MAILER-DAEMON@elsewhere.example",
                    body,
                    head=kind,
                    results=PASS_EVE,
                    subject="Undelivered Mail",
                )
                yield Case(f"report {status} {action} about {recipient}", raw)
    for words in ("user unknown", "mailbox full", "550 5.1.1 no such user"):
        body = f"Hi. This is the program at elsewhere.example.\r\n<{ANNA}>:\r\n{words}\r\n--- Below this line is a copy\r\nwork P1"
        yield Case(
            f"in words: {words}",
            letter_raw(
                "MAILER-DAEMON@elsewhere.example", body, subject="failure notice", results=PASS_EVE
            ),
        )
    for method in ("REPLY", "COUNTER", "REFRESH"):
        body = f"BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nDESCRIPTION:golden work P1\r\nEND:VEVENT\r\nEND:VCALENDAR"
        fields = ("MIME-Version: 1.0", f"Content-Type: text/calendar; method={method}")
        yield Case(
            f"calendar {method}",
            letter_raw(
                f"Anna <{ANNA}>",
                body,
                to=f"orders+{token}@house.example",
                head=fields,
                results=PASS_PLAYERS,
            ),
        )
    for report in ("disposition-notification", "feedback-report"):
        body = f"--b\r\n\r\ngolden work P1\r\n--b\r\nContent-Type: message/{report}\r\n\r\nDisposition: manual; displayed\r\n--b--"
        fields = (
            "MIME-Version: 1.0",
            f"Content-Type: multipart/report; report-type={report}; boundary=b",
        )
        yield Case(
            report,
            letter_raw(
                f"Anna <{ANNA}>",
                body,
                to=f"orders+{token}@house.example",
                head=fields,
                results=PASS_PLAYERS,
            ),
        )


def own_letters(world: World) -> Iterator[Case]:
    """Every letter of ours comes back: as it is, from another, forwarded by a program that strips
    what it does not know.
    """
    for number, raw in enumerate(world.own):
        yield Case(f"letter {number} as it is", raw)
        yield Case(
            f"letter {number} by a forwarder",
            b"Delivered-To: anna@players.example\r\nX-Forwarded-For: anna\r\n" + raw,
        )
        head, _, body = raw.partition(b"\r\n\r\n")
        lines, keep, kept = head.split(b"\r\n"), True, []
        for line in lines:
            if line[:1] not in b" \t":
                keep = not line.lower().startswith(
                    (
                        *(b"x-pbem-loop", b"auto-submitted", b"list-", b"precedence", b"from:"),
                        b"message-id",
                    )
                )
            kept += [line] if keep else []
        stripped = b"\r\n".join((b"From: " + EVE.encode(), *kept)) + b"\r\n\r\n" + body
        yield Case(f"letter {number} stripped, by Eve", stripped)
