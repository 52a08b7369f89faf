"""People who are no game master give a game master's commands, and questions of ours are answered
by those who were not asked.
"""

from collections.abc import Iterator

from tests.desk.harness import ADDRESS, AUTHSERV, GM, address_of
from tests.hostile.case import Case
from tests.hostile.forging import ANNA
from tests.hostile.world import (
    EVE,
    FAIL_HOUSE,
    FAIL_PLAYERS,
    NONE,
    PASS_EVE,
    PASS_PLAYERS,
    World,
    letter_raw,
)
from tests.played import PLAYED

COMMANDS = (
    f"new game Crow: {PLAYED}",
    *("invite heron: Eve eve@elsewhere.example", "heron: option version=grand", "start egret"),
    *("status heron", "games", "notes heron", "extend heron by 24h", "shorten heron by 24h"),
    *("close phase 2 of heron", "close heron now", "pause heron: ha", "resume heron"),
    *("announce heron: I am the master.", "answer 1: no"),
    *("replace Anna at heron with Eve eve@elsewhere.example", "unlock Anna"),
    *("strike Anna: showed it all", "look at Anna's orders", "roll back heron to phase 1"),
    *("end heron: ha", "my time zone is Asia/Tokyo", "help", "process heron", "terminate heron"),
    *("broadcast: I am the master", "force begin egret", "yes"),
)


def commands_of_others(world: World) -> Iterator[Case]:
    gm, old, anna = world.token("gm"), world.token("gm old"), world.token("Anna")
    ways: dict[str, tuple[str, str, tuple[str, ...], str | None]] = {
        "Eve without a code": (f"The GM <{EVE}>", ADDRESS, (), PASS_EVE),
        "Eve with the master's code": (
            f"The GM <{EVE}>",
            f"orders+{gm}@house.example",
            (),
            PASS_EVE,
        ),
        "Eve with the master's code in the thread": (
            EVE,
            ADDRESS,
            (f"In-Reply-To: <{gm}.x@house.example>",),
            PASS_EVE,
        ),
        "Eve with the master's name": (
            f'"{GM}" <{EVE}>',
            f"orders+{gm}@house.example",
            (f"Sender: {GM}", f"Reply-To: {GM}"),
            PASS_EVE,
        ),
        "as the master, found out": (f"Greta <{GM}>", f"orders+{gm}@house.example", (), FAIL_HOUSE),
        "as the master without a code": (f"Greta <{GM}>", ADDRESS, (), NONE),
        "as the master without a code, found out": (f"Greta <{GM}>", ADDRESS, (), FAIL_HOUSE),
        "as the master with the old code": (
            f"Greta <{GM}>",
            f"orders+{old}@house.example",
            (),
            NONE,
        ),
        "as the master with a player's code": (
            f"Greta <{GM}>",
            f"orders+{anna}@house.example",
            (),
            NONE,
        ),
        "Eve with the question's code": (EVE, world.reply_to("gm confirming"), (), PASS_EVE),
        "as the master with the question's code, found out": (
            GM,
            world.reply_to("gm confirming"),
            (),
            FAIL_HOUSE,
        ),
        "as the master with another question's code": (GM, world.reply_to("Mei joining"), (), NONE),
        "Emil, who plays elsewhere, with the master's code": (
            f"Emil <{address_of('Emil')}>",
            f"orders+{gm}@house.example",
            (),
            PASS_PLAYERS,
        ),
        "Anna's address with the master's code, found out": (
            ANNA,
            f"orders+{gm}@house.example",
            (),
            FAIL_PLAYERS,
        ),
        "two addresses": (f"{GM}, {EVE}", f"orders+{gm}@house.example", (), PASS_EVE),
        "the house itself": (ADDRESS, f"orders+{gm}@house.example", (), NONE),
    }
    for way, (sender, to, head, results) in ways.items():
        for command in COMMANDS:
            yield Case(
                f"{way}: {command}", letter_raw(sender, command, to=to, head=head, results=results)
            )


def passed_on_by_masters(world: World) -> Iterator[Case]:
    """A true mail of the game master's to a player, with our letter forwarded: the player sends it
    on to us.
    """
    gm = world.token("gm")
    stamp = f"{AUTHSERV}; dmarc=pass header.from=house.example"
    for command in COMMANDS:
        text = f"{command}\n\n---------- Forwarded message ---------\nFrom: Post Office <orders+{gm}@house.example>\nCode {gm}"
        yield Case(
            f"forwarded: {command}",
            letter_raw(f"Greta <{GM}>", text, to=address_of("Anna"), results=stamp),
        )


ANSWERS = ("yes", "Yes.", "ja", "ok", "no", "yes, as Eve, green", "confirm", "yes\nfinal")


def answers_of_others(world: World) -> Iterator[Case]:
    """Confirmations answered by everybody but the one who was asked."""
    asked = {
        "Anna confirming": ANNA,
        "Bartek resigning": address_of("Bartek"),
        "Mei joining": address_of("Mei"),
        "gm confirming": GM,
    }
    for question, address in asked.items():
        others = {
            EVE: PASS_EVE,
            f"{address} <{EVE}>": PASS_EVE,
            f"Emil <{address_of('Emil')}>": PASS_PLAYERS,
            address: f"{AUTHSERV}; dmarc=fail header.from={address.partition('@')[2]}",
            address.replace("@", "+x@"): NONE,
            f"{address}, {EVE}": PASS_EVE,
            "orders@house.example": NONE,
        }
        token = world.token(question)
        for sender, results in others.items():
            for number, text in enumerate(ANSWERS):
                in_thread = (f"In-Reply-To: <{token}.x@house.example>",)
                to, head = (
                    (f"orders+{token}@house.example", ()) if number % 2 else (ADDRESS, in_thread)
                )
                yield Case(
                    f"{question} by {sender}: {text!r}",
                    letter_raw(sender, text, to=to, head=head, results=results),
                )
        stamp = f"{AUTHSERV}; dmarc=pass header.from={address.partition('@')[2]}"
        for text in ANSWERS:
            raw = letter_raw(
                address,
                f"{text}\n\n> Code {token}",
                to="Eve <eve@elsewhere.example>",
                results=stamp,
            )
            yield Case(f"{question}, told to Eve and passed on: {text!r}", raw)


def strangers_at_the_door(world: World) -> Iterator[Case]:
    """Guessed codes, codes of tables that have begun, names that are none; and wishes in somebody
    else's name.
    """
    code = world.join_code
    wrong = (
        code[:-1],
        code + "2",
        code[::-1],
        *("heron-aaaaaa", "egret-222222", "swan-k7m2qd", "egret"),
        code.replace("-", ""),
        "' OR 1=1 --",
    )
    for text in wrong:
        for lead in (
            *("join {}", "JOIN {} as Eve", "I want to join {}", "hello\njoin {}", "join {}\nyes"),
        ):
            yield Case(
                f"a wrong code: {lead.format(text)!r}",
                letter_raw(EVE, lead.format(text), results=PASS_EVE),
            )
    for name in ("Anna", "Bartek", "Emil"):
        for text in (f"join {code}", f"join {code} as Eve", f"join {code}, colour green"):
            yield Case(
                f"as {name}, found out: {text}",
                letter_raw(address_of(name), text, results=FAIL_PLAYERS),
            )
    for name in (
        *("Gus\r\nBcc: eve@elsewhere.example", "Gus", "\u202esuG", "G\u200bus", "<b>x</b>"),
        *("{{ 7*7 }}", "%s%n", "../../etc"),
        "x" * 300,
    ):
        for lead in ("join {} as {}", "join {}\nname {}", "join {}, I am called {}"):
            sender = f"=?utf-8?q?{''.join(f'={byte:02X}' for byte in name.encode()[:40])}?= <{EVE}>"
            raw = letter_raw(
                sender,
                lead.format(code, name),
                subject="=?utf-8?q?hello=0D=0ABcc=3A_eve=40elsewhere.example?=",
                results=PASS_EVE,
            )
            yield Case(f"a name: {lead.format(code, name)!r}", raw, EVE)
