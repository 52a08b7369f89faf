"""Forged senders, and forged words of the mail server about them."""

from collections.abc import Iterator

from tests.desk.harness import ADDRESS, AUTHSERV
from tests.hostile.case import ORDERS, WORDS, Case
from tests.hostile.world import EVE, FAIL_PLAYERS, NONE, PASS_EVE, PASS_PLAYERS, World, letter_raw

ANNA = "anna@players.example"

AMBIGUOUS: dict[str, str | tuple[str, ...]] = {
    "two fields": (f"Eve <{EVE}>", f"Anna <{ANNA}>"),
    "two fields, hers first": (f"Anna <{ANNA}>", f"Eve <{EVE}>"),
    "two fields, one in capitals": (f"=HEAD=FROM: Eve <{EVE}>", f"=HEAD=from: Anna <{ANNA}>"),
    "two fields, one with a blank before the colon": (
        f"=HEAD=From : Eve <{EVE}>",
        f"Anna <{ANNA}>",
    ),
    "two fields, one with a tab before the colon": (f"=HEAD=From\t: Eve <{EVE}>", f"Anna <{ANNA}>"),
    "a field behind a line that is none": (
        f"=HEAD=From: Eve <{EVE}>",
        "=HEAD=this is no field",
        f"=HEAD=From: Anna <{ANNA}>",
    ),
    "a folded field name": (f"=HEAD=From\r\n : Eve <{EVE}>", f"Anna <{ANNA}>"),
    "a line that begins with a blank": (f"=HEAD= From: Eve <{EVE}>", f"Anna <{ANNA}>"),
    "an envelope line": (f"=HEAD=From {EVE} Tue Nov 17 12:00:00 2026", f"Anna <{ANNA}>"),
    "two addresses": f"Anna <{ANNA}>, Eve <{EVE}>",
    "two addresses, hers last": f"Eve <{EVE}>, Anna <{ANNA}>",
    "two bare addresses": f"{EVE},{ANNA}",
    "two addresses in one": f"<{EVE}><{ANNA}>",
    "two angles": f"Eve <{EVE}> <{ANNA}>",
    "a nested angle": f"<{EVE}<{ANNA}>>",
    "a group": f"players:Anna <{ANNA}>,Eve <{EVE}>;",
    "a group of one": f"players: Anna <{ANNA}>;",
    "an empty group and an address": f"nobody:;, Anna <{ANNA}>",
    "a route": f"<@elsewhere.example:{ANNA}>",
    "a long route": f"<@a.example,@elsewhere.example:{ANNA}>",
    "a quoted local part": '<"anna"@players.example>',
    "a quoted local part with a blank": '<"anna "@players.example>',
    "a quoted address as local part": f'<"{ANNA}"@elsewhere.example>',
    "a quoted address without a host": f'"<{ANNA}>" {EVE}',
    "a comment in the address": "<anna(comment)@players.example>",
    "a comment with another address": f"<anna@(<{EVE}>)players.example>",
    "a comment before the host": "anna@(elsewhere.example)players.example",
    "an address in a nested comment": f"({EVE}(x)) {ANNA}",
    "an encoded address": "=?utf-8?b?PGFubmFAcGxheWVycy5leGFtcGxlPg==?=",
    "an encoded address before a true one": f"=?utf-8?q?=3Canna=40players.example=3E=2C?= <{EVE}>",
    "an encoded name with an angle": f"=?utf-8?q?Eve_=3C{EVE.replace('@', '=40')}=3E?= <{ANNA}>",
    "an encoded name with an address": f"=?utf-8?q?eve=40elsewhere.example?= <{ANNA}>",
    "an encoded local part": "<=?utf-8?q?anna?=@players.example>",
    "an encoded host": "<anna@=?utf-8?q?players.example?=>",
    "nothing but a name": "Anna",
    "a name and no address": "Anna <>",
    "an empty field": "",
    "a NUL behind the address": f"<{ANNA}\x00@elsewhere.example>",
    "a NUL in the host": "<anna@players.example\x00.elsewhere.example>",
    "a NUL between": f"Anna <{ANNA}>\x00, <{EVE}>",
    "an escape in the name": f"Anna\x1b[2K <{ANNA}>",
    "a bare carriage return": f"Eve <{EVE}>\rFrom: Anna <{ANNA}>",
    "a fold within the address": "<anna@\r\n players.example>",
    "a fold before another address": f"Anna\r\n <{EVE}>\r\n <{ANNA}>",
    "a bracketed host": "<anna@[players.example]>",
    "a bare host number": "<anna@[192.0.2.1]>",
    "a dot at the end of the host": "<anna@players.example.>",
    "a percent route": "<anna%players.example@elsewhere.example>",
    "a bang route": "<elsewhere.example!anna@players.example>",
    "two at signs": "<anna@players.example@elsewhere.example>",
    "two at signs, hers last": "<eve@elsewhere.example@players.example>",
    "a semicolon": f"{EVE}; {ANNA}",
    "a slash": f"<{EVE}/{ANNA}>",
    "a backslash": f"<{EVE}\\,{ANNA}>",
    "an unclosed quote": f'"Anna <{EVE}> <{ANNA}>',
    "an unclosed comment": f"(Anna <{EVE}> <{ANNA}>",
    "an unclosed angle": f"Anna <{EVE} <{ANNA}",
    "a full-width at sign": "<anna\uff20players.example>",
    "a Cyrillic a": "<\u0430nna@players.example>",
    "a Cyrillic a in the host": "<anna@pl\u0430yers.example>",
    "a host that looks the same in punycode": "<anna@xn--plyers-3ve.example>",
    "a full-width dot": "<anna@players\uff0eexample>",
    "a soft hyphen": "<an\u00adna@players.example>",
    "a zero-width blank": "<anna\u200b@players.example>",
    "a right-to-left mark": "<\u202eelpmaxe.sreyalp@anna\u202c>",
    "another local part": "<anna.@players.example>",
    "a plus of hers": "<anna+x@players.example>",
    "a dot more": "<an.na@players.example>",
    "a longer host": "<anna@players.example.elsewhere.example>",
    "a lower host": "<anna@mail.players.example>",
    "a shorter host": "<anna@layers.example>",
    "her address as a name": f'"{ANNA}" <{EVE}>',
    "her address as a bare name": f"{ANNA} <{EVE}>",
    "her address and ours as names": f'"{ANNA} via {ADDRESS}" <{EVE}>',
    "her address in a comment": f"{EVE} ({ANNA})",
    "a thousand blanks": f"{' ' * 1200}<{ANNA}>",
    "a very long name": f"{'A' * 1200} <{ANNA}>",
    "a hundred addresses": ", ".join(
        [*(f"e{number}@elsewhere.example" for number in range(40)), ANNA]
    ),
    "none at all": (),
}
"""From fields that two programs may read in two ways: the mail server has found what it found about
another address.
"""

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "sender": (f"Sender: Anna <{ANNA}>",),
    "reply-to": (f"Reply-To: Anna <{ANNA}>",),
    "return-path": (f"Return-Path: <{ANNA}>",),
    "resent-from": (f"Resent-From: <{ANNA}>",),
    "x-original-from": (f"X-Original-From: <{ANNA}>",),
    "envelope-from": (f"X-Envelope-From: <{ANNA}>", f"Envelope-From: <{ANNA}>"),
    "errors-to": (f"Errors-To: <{ANNA}>",),
    "on-behalf-of": (f"X-On-Behalf-Of: <{ANNA}>",),
    "disposition": (f"Disposition-Notification-To: <{ANNA}>",),
    "a from in another case behind a colon": (f"X-From: From: Anna <{ANNA}>",),
    "a from that is folded into the subject": (f"X-Subject: hello\r\n From: Anna <{ANNA}>",),
}
"""Her address in every field but the one that counts."""


def places_of(world: World, token: str) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """The places that a token may stand in: a name, the To field, more fields, and a line for the
    body.
    """
    yield "to", f"orders+{token}@house.example", (), ""
    yield "delivered-to", ADDRESS, (f"Delivered-To: orders+{token}@house.example",), ""
    yield "references", ADDRESS, (f"References: <{token}.abcdefgh@house.example>",), ""
    yield "body", ADDRESS, (), f"\n\n> -- \n> This mail is for Anna only. Code {token}"


def spoofed_senders(world: World) -> Iterator[Case]:
    for name, senders in AMBIGUOUS.items():
        for place, to, head, below in places_of(world, world.token("Anna")):
            text = WORDS[0] if place == "references" else ORDERS[0]
            yield Case(
                f"{name}, token in {place}",
                letter_raw(senders, text + below, to=to, head=head, results=PASS_EVE),
            )
        yield Case(f"{name}, no token", letter_raw(senders, ORDERS[1], results=PASS_EVE))
        yield Case(f"{name}, no token, nothing known", letter_raw(senders, ORDERS[1], results=NONE))
    for name, fields in ELSEWHERE.items():
        for place, to, head, below in places_of(world, world.token("Anna")):
            for text in ORDERS[:2]:
                yield Case(
                    f"{name}, token in {place}: {text}",
                    letter_raw(
                        f"Eve <{EVE}>", text + below, to=to, head=(*fields, *head), results=PASS_EVE
                    ),
                )


def plainly_spoofed(world: World) -> Iterator[Case]:
    """A true From of hers, and the mail server has seen that it is not."""
    for shape in (ANNA, f"Anna <{ANNA}>", f'"Anna" <{ANNA.upper()}>', f"{ANNA} (Anna)"):
        for place, to, head, below in places_of(world, world.token("Anna")):
            for text in (*ORDERS, *WORDS, "resign"):
                yield Case(
                    f"{shape}, token in {place}: {text!r}",
                    letter_raw(shape, text + below, to=to, head=head, results=FAIL_PLAYERS),
                )
        for results in (
            FAIL_PLAYERS,
            NONE,
            None,
            f"{AUTHSERV}; none",
            f"{AUTHSERV}; dmarc=temperror header.from=players.example",
        ):
            for text in (*ORDERS[:2], "resign"):
                yield Case(
                    f"{shape}, no token, {results}: {text!r}",
                    letter_raw(shape, text, results=results),
                )


OURS_SAYS = {"fail": FAIL_PLAYERS, "nothing": NONE, "a pass of hers": PASS_EVE}

FORGED_RESULTS: dict[str, tuple[str, ...]] = {
    "a pass below ours": (PASS_PLAYERS,),
    "many passes below ours": (PASS_PLAYERS,) * 5,
    "another server's pass": ("mx.elsewhere.example; dmarc=pass header.from=players.example",),
    "a name that begins as ours": (
        f"{AUTHSERV}.elsewhere.example; dmarc=pass header.from=players.example",
    ),
    "a name that ends as ours": (f"evil-{AUTHSERV}; dmarc=pass header.from=players.example",),
    "ours in a comment": (
        f"({AUTHSERV}) mx.elsewhere.example; dmarc=pass header.from=players.example",
    ),
    "ours behind": (f"mx.elsewhere.example ({AUTHSERV}); dmarc=pass header.from=players.example",),
    "ours as a property": (
        f"mx.elsewhere.example; auth={AUTHSERV}; dmarc=pass header.from=players.example",
    ),
    "capitals": (f"{AUTHSERV.upper()}; DMARC=PASS HEADER.FROM=PLAYERS.EXAMPLE",),
    "quoted": (f'"{AUTHSERV}"; dmarc=pass header.from=players.example',),
    "folded": (f"{AUTHSERV};\r\n dmarc=pass\r\n header.from=players.example",),
    "a version": (f"{AUTHSERV} 1; dmarc=pass header.from=players.example",),
    "an empty name": ("; dmarc=pass header.from=players.example",),
    "no name": ("dmarc=pass header.from=players.example",),
    "a NUL": (f"{AUTHSERV}\x00; dmarc=pass header.from=players.example",),
    "properties first": (f"{AUTHSERV}; header.from=players.example dmarc=pass",),
    "pass and fail": (
        f"{AUTHSERV}; dmarc=pass header.from=players.example; dmarc=fail header.from=players.example",
    ),
    "a pass of another name": (f"{AUTHSERV}; dmarc=pass header.from=elsewhere.example",),
    "spf and dkim": (
        f"{AUTHSERV}; spf=pass smtp.mailfrom=players.example; dkim=pass header.d=players.example",
    ),
    "an ARC set": (PASS_EVE,),
    "a comment that says pass": (
        f"{AUTHSERV}; dmarc=fail (dmarc=pass header.from=players.example)",
    ),
}


def forged_results(world: World) -> Iterator[Case]:
    """Below what our server found, or above it under another name."""
    sender = f"Anna <{ANNA}>"
    for name, forged in FORGED_RESULTS.items():
        below = tuple(f"Authentication-Results: {value}" for value in forged)
        arc = tuple(f"ARC-Authentication-Results: i=1; {value}" for value in forged)
        renamed = tuple(f"X-Original-Authentication-Results: {value}" for value in forged)
        for ours, stamp in OURS_SAYS.items():
            text = ORDERS[0]
            yield Case(
                f"{name}, ours says {ours}: {text}",
                letter_raw(sender, text, results=stamp, head=below),
            )
            yield Case(
                f"{name}, as ARC, ours says {ours}: {text}",
                letter_raw(sender, text, results=stamp, head=arc),
            )
        for place, to, head, tail in places_of(world, world.token("Anna")):
            fields = (*below, *arc, *renamed, *head)
            yield Case(
                f"{name}, token in {place}",
                letter_raw(sender, ORDERS[0] + tail, to=to, results=FAIL_PLAYERS, head=fields),
            )
        foreign = tuple(
            value
            for value in forged
            if not value.lower().lstrip('"').startswith(AUTHSERV)
            or "elsewhere" in value.split(";")[0]
        )
        if foreign:
            for stamp in (FAIL_PLAYERS, NONE):
                yield Case(
                    f"{name}, above ours ({stamp})",
                    letter_raw(sender, ORDERS[0], results=(*foreign, stamp)),
                )
