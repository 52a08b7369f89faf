"""Mails that are broken, huge or deep, from everywhere: what cannot be read is refused, and what
holds orders proves nothing.
"""

from collections.abc import Iterator
from random import Random

from tests.desk.harness import ADDRESS
from tests.hostile.case import ORDERS, Case
from tests.hostile.forging import ANNA
from tests.hostile.world import EVE, FAIL_PLAYERS, PASS_EVE, PASS_PLAYERS, World, letter_raw


def monsters() -> dict[str, tuple[tuple[str, ...], bytes]]:
    order = ORDERS[0].encode()
    multipart = "Content-Type: multipart/mixed; boundary=b"
    deep = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(60)
    )
    return {
        "sixty deep": (
            (multipart,),
            b"--b\r\n" + deep + b"Content-Type: text/plain\r\n\r\n" + order,
        ),
        "mails in mails": (
            ("Content-Type: message/rfc822",),
            b"Content-Type: message/rfc822\r\n\r\n" * 60 + order,
        ),
        "three hundred parts": ((multipart,), b"--b\r\n\r\nx\r\n" * 300 + order),
        "no end of a part": ((multipart,), b"--b\r\nContent-Type: text/plain\r\n\r\n"),
        "no boundary": (("Content-Type: multipart/mixed",), b""),
        "an empty boundary": (('Content-Type: multipart/mixed; boundary=""',), b"--\r\n\r\n--\r\n"),
        "a boundary in itself": (
            (multipart,),
            (b"--b\r\n" + multipart.encode() + b"\r\n\r\n") * 30 + order,
        ),
        "two thousand lines of header": (tuple(f"X-A{number}: b" for number in range(2000)), order),
        "a very long field": (("X-Long: " + "a" * 200_000,), order),
        "a very long content type": (("Content-Type: text/plain; " + "a=b; " * 5000,), order),
        "parameters without end": (
            ("Content-Type: text/plain; charset*0*=utf-8''" + "; charset*1=x" * 400,),
            order,
        ),
        "nested comments": (("Cc: " + "(" * 3000,), order),
        "twenty thousand recipients": (
            ("Cc: " + ", ".join(f"p{number}@x.example" for number in range(5000)),),
            order,
        ),
        "a wrong encoding": (("Content-Transfer-Encoding: base64",), b"=" * 3000),
        "an unknown encoding": (
            ("Content-Transfer-Encoding: uuencode",),
            b"begin 644 x\r\n" + order,
        ),
        "an unknown charset": (("Content-Type: text/plain; charset=x-unknown",), b"\xff\xfe\x00"),
        "utf-7": (("Content-Type: text/plain; charset=utf-7",), b"+AGcAbwBsAGQ- work P1"),
        "utf-16": (("Content-Type: text/plain; charset=utf-16",), order.decode().encode("utf-16")),
        "rot13": (("Content-Type: text/plain; charset=rot13",), b"jbex C1"),
        "unicode_escape": (("Content-Type: text/plain; charset=unicode_escape",), b"\\x77ork P1"),
        "NUL bytes": ((), b"\x00" * 500),
        "lone surrogates": (("Content-Type: text/plain; charset=utf-8",), b"\xed\xa0\x80" * 300),
        "bidi": (("Content-Type: text/plain; charset=utf-8",), "\u202e1P krow\u202c".encode()),
        "half a million letters": ((), b"a" * 500_000),
        "two megabytes of text": ((), b"work P1\r\n" * 240_000),
        "thirty thousand lines": ((), b"x\r\n" * 30_000),
        "very deep quotes": ((), b">" * 20_000 + b" work P1"),
        "html without end": (("Content-Type: text/html",), b"<div>" * 20_000),
        "entities": (("Content-Type: text/html",), b"&" * 20_000 + b"&#1114112;&#x110000;"),
        "a style bomb": (
            ("Content-Type: text/html",),
            b"<p style='" + b"display:none;" * 3000 + b"'>work P1",
        ),
        "a date of the year 99999": (("Date: Fri, 99 Foo 99999 99:99:99 +9999",), b""),
        "an endless message id": (("Message-ID: <" + "a" * 50_000 + ">",), b""),
        "a thousand references": (
            ("References: " + " ".join(f"<r{number}@x.example>" for number in range(1500)),),
            b"",
        ),
        "bare returns": ((), b"a\rb\rc\r" * 300),
        "smuggled ends": ((), b"x\r\n.\r\nMAIL FROM:<eve@elsewhere.example>\r\nDATA\r\n" + order),
        "a mail in the body": (
            (),
            f"From: Anna <{ANNA}>\r\nTo: {ADDRESS}\r\n\r\n".encode() + order,
        ),
        "a dollar sign for each player": ((), b"$" * 9000),
        "numbers": ((), b"9" * 6000),
    }


def broken_mails(world: World) -> Iterator[Case]:
    """From a stranger, and in Anna's name with a broken signature."""
    for name, (head, body) in monsters().items():
        to = world.reply_to("Anna")
        yield Case(f"{name}, by Eve", letter_raw(EVE, body, to=to, head=head, results=PASS_EVE))
        yield Case(
            f"{name}, as Anna", letter_raw(ANNA, body, to=to, head=head, results=FAIL_PLAYERS)
        )
    yield Case("nothing at all", b"")
    for raw in (
        *(b"\r\n\r\n", b"\n", b"\x00", b"From:", b"From: \xff\xfe\r\n\r\n", b":\r\n\r\n"),
        *(b" x\r\n\r\nwork P1", b"\xef\xbb\xbfFrom: a@b\r\n\r\n"),
    ):
        yield Case(f"nearly nothing: {raw!r}", raw)


def mangled_letters(world: World) -> Iterator[Case]:
    """Anna's true mails with bytes changed, cut or put in: the signature is broken, and our server
    has seen it.
    """
    dice = Random(3)
    originals = [raw for name, raw in world.sent.items() if name.startswith("anna")]
    stamp = f"Authentication-Results: {FAIL_PLAYERS}\r\n".encode()
    for number in range(200):
        raw = bytearray(dice.choice(originals).partition(b"\r\n")[2])
        for _ in range(dice.randint(1, 12)):
            place = dice.randrange(len(raw))
            match dice.randrange(4):
                case 0:
                    raw[place] = dice.randrange(256)
                case 1:
                    del raw[place : place + dice.randint(1, 9)]
                case 2:
                    raw[place:place] = dice.choice(
                        (
                            *(b"\r\n", b"\x00", b"From: ", b">", b"--b", b"\xff", b"=?utf-8?q?"),
                            *(b"<", b"@"),
                        )
                    )
                case _:
                    other = dice.randrange(len(raw))
                    raw[place:place] = raw[other : other + 20]
        yield Case(f"mangled {number}", stamp + bytes(raw))


def proven_but_unreadable(world: World) -> Iterator[Case]:
    """Her own, with proof, and too much to be read: she is told, and nothing is guessed."""
    unread = (
        *("sixty deep", "three hundred parts", "two megabytes of text", "thirty thousand lines"),
        *("very deep quotes", "html without end"),
    )
    for name, (head, body) in monsters().items():
        if name in unread:
            yield Case(
                name,
                letter_raw(
                    f"Anna <{ANNA}>",
                    body,
                    to=world.reply_to("Anna"),
                    head=head,
                    results=PASS_PLAYERS,
                ),
            )
