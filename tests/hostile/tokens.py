"""Stale, forged and foreign tokens, in every place where a token may stand."""

from collections.abc import Iterator
from random import Random

from tests.desk.harness import ADDRESS, address_of
from tests.hostile.case import ORDERS, Case
from tests.hostile.forging import ANNA, places_of
from tests.hostile.world import EVE, FAIL_PLAYERS, NONE, PASS_EVE, PASS_PLAYERS, World, letter_raw

_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def bent(token: str) -> Iterator[tuple[str, str]]:
    """A true token, a little wrong."""
    head, _, mac = token.rpartition("-")
    kind_and_seat, _, phase = head.partition("-")
    yield "cut", token[:-1]
    yield "cut by half", f"{head}-{mac[:13]}"
    yield "without its code", head
    yield "longer", token + "a"
    yield "one letter off", f"{head}-{'b' if mac[0] == 'a' else 'a'}{mac[1:]}"
    yield "last letter off", f"{head}-{mac[:-1]}{'m' if mac[-1] != 'm' else 'e'}"
    yield "turned round", f"{head}-{mac[::-1]}"
    yield (
        "look-alikes",
        f"{head}-{mac.replace('o', '0').replace('l', '1').replace('i', '1').replace('b', '8')}",
    )
    yield "another phase", f"{kind_and_seat}-{int(phase) + 1}-{mac}"
    yield "no phase", f"{kind_and_seat}-0-{mac}"
    yield "another seat", f"o2-{phase}-{mac}"
    yield "zeros in front", f"o0{kind_and_seat[1:]}-{phase}-{mac}"
    for letter in "cbgx":
        yield f"purpose {letter}", f"{letter}{token[1:]}"
    yield "all a", f"{head}-{'a' * 26}"
    yield "a very large seat", f"o999999999-{phase}-{mac}"
    yield "with a dash", f"{head}--{mac}"
    yield "quoted", f'"{token}x"'


def stale_and_forged_tokens(world: World) -> Iterator[Case]:
    """Of an earlier phase (that answers questions which are closed), an earlier tenure, another
    game, another purpose; and bent ones.
    """
    senders = {
        "as Anna, fail": (f"Anna <{ANNA}>", FAIL_PLAYERS),
        "as Anna, nothing known": (f"Anna <{ANNA}>", NONE),
        "as Eve": (f"Eve <{EVE}>", PASS_EVE),
    }
    stale = [
        (name, world.token(name))
        for name in (
            *("Anna early", "Bartek early", "Bartek", "Chloé early", "Chloé", "Dmytro", "Emil"),
            *("Gus", "gm old", "gm", "Mei joining", "Gus joining", "Bartek resigning", "bounce"),
            *("tenure to come", "phase to come", "other key", "no seat", "no question"),
        )
    ]
    for name, token in (*stale, *bent(world.token("Anna"))):
        for who, (sender, results) in senders.items():
            for place, to, head, below in places_of(world, token):
                text = ORDERS[len(name + who + place) % 2]
                yield Case(
                    f"{name}, {who}, in {place}",
                    letter_raw(sender, text + below, to=to, head=head, results=results),
                )


def guessed_tokens(world: World) -> Iterator[Case]:
    """Many guesses in many mails, from her own address without a word of the server about it."""
    dice = Random(16)
    for number in range(120):
        guesses = [f"o1-2-{''.join(dice.choice(_BASE32) for _ in range(26))}" for _ in range(12)]
        head = (f"References: {' '.join(f'<{guess}.x@house.example>' for guess in guesses)}",)
        to = ", ".join(f"orders+{guess}@house.example" for guess in guesses[:6])
        yield Case(
            f"guess {number}",
            letter_raw(f"Anna <{ANNA}>", ORDERS[0], to=to, head=head, results=NONE),
        )


FOREIGN = ("Bartek", "Dmytro", "Emil", "Gus")
"""Players with proof of who they are, and a token that is somebody else's."""


def foreign_tokens(world: World) -> Iterator[Case]:
    """Another player has Anna's mail, by a forward, as a copy, quoted or found; and those who sat
    there once.
    """
    token = world.token("Anna")
    shapes = {
        "to": (f"orders+{token}@house.example", (), ""),
        "as a copy": (ADDRESS, (f"Cc: orders+{token}@house.example",), ""),
        "delivered": (ADDRESS, (f"Delivered-To: orders+{token}@house.example",), ""),
        "original": (ADDRESS, (f"X-Original-To: orders+{token}@house.example",), ""),
        "in reply to": (ADDRESS, (f"In-Reply-To: <{token}.abc@house.example>",), ""),
        "quoted": (ADDRESS, (), f"\n\nAnna wrote:\n> Times are in UTC. Code {token}"),
        "forwarded": (
            ADDRESS,
            (),
            f"\n\n---------- Forwarded message ---------\nFrom: Anna\nCode {token}",
        ),
        "with plus and case": (f"Orders+{token.upper()}@House.Example", (), ""),
    }
    for name in FOREIGN:
        for shape, (to, head, below) in shapes.items():
            for text in ORDERS:
                raw = letter_raw(
                    f"{name} <{address_of(name)}>",
                    text + below,
                    to=to,
                    head=head,
                    results=PASS_PLAYERS,
                )
                yield Case(f"{name}, {shape}: {text!r}", raw)
    for shape, (to, head, below) in shapes.items():
        for text in (*ORDERS, "yes", "GM: a note"):
            raw = letter_raw(
                f"Chloe <{address_of('Chloé')}>",
                text + below,
                to=to,
                head=head,
                results=PASS_PLAYERS,
            )
            yield Case(f"who sat there once, {shape}: {text!r}", raw)
    for own in ("Chloé", "Chloé early"):
        for place, to, head, below in places_of(world, world.token(own)):
            for text in (
                *ORDERS,
                *("resign", "my time zone is Asia/Tokyo", "GM: hello", "final", "leave"),
            ):
                raw = letter_raw(
                    f"Chloe <{address_of('Chloé')}>",
                    text + below,
                    to=to,
                    head=head,
                    results=PASS_PLAYERS,
                )
                yield Case(f"who sat there once with the old code ({own}, {place}): {text!r}", raw)


def passed_on(world: World) -> Iterator[Case]:
    """True mails of Anna's to somebody else, signed by her server: whoever got one sends it on to
    us, byte for byte.
    """
    token = world.token("Anna")
    fellow = (
        "bartek@players.example",
        "Bartek <bartek@players.example>",
        "undisclosed-recipients:;",
        "friends@lists.example",
    )
    quoted = f"\n\n---------- Forwarded message ---------\nFrom: Post Office <orders+{token}@house.example>\nCode {token}"
    added: dict[str, tuple[str, ...]] = {
        "nothing added": (),
        "delivered": (f"Delivered-To: orders+{token}@house.example",),
        "delivered plainly": (f"Delivered-To: {ADDRESS}",),
        "original": (f"X-Original-To: orders+{token}@house.example",),
        "envelope": (f"Envelope-To: orders+{token}@house.example",),
        "resent": (f"Resent-To: {ADDRESS}", f"Resent-From: {EVE}"),
        "thread": (f"References: <{token}.abcd@house.example>",),
    }
    for to in fellow:
        for name, fields in added.items():
            for text in (*ORDERS[:2], "resign"):
                stamped = (*(f"=HEAD={value}" for value in fields), f"Anna <{ANNA}>")
                yield Case(
                    f"to {to}, {name}: {text!r}",
                    letter_raw(stamped, text, to=to, results=PASS_PLAYERS),
                )
                yield Case(
                    f"to {to}, {name}, forwarding: {text!r}",
                    letter_raw(stamped, text + quoted, to=to, results=PASS_PLAYERS),
                )
