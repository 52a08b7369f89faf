"""Fuzzing `receive` by hand: `python -m tests.hostile.fuzz --minutes 10 --seed 7`.

Mails of every family, the fixtures and our own letters are bent byte by byte and field by field and
sent into a house at work. Nothing may leave `receive`, and nothing may be laid aside.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import structlog

from pbem.store.packing import unpacked
from tests.hostile.legitimate import KINDS
from tests.hostile.matrix import FAMILIES
from tests.hostile.world import World, besieged, build_world
from tests.mail.reading.raw import drawer

MOST_OF_A_FAMILY = 60
MOST_BYTES = 60_000
TROUBLE = (
    *(b"\r\n", b"\r\n\r\n", b"\n", b"\x00", b"\xff", b"\xed\xa0\x80", b"--b", b"--b--"),
    *(b"=?utf-8?b?", b"=?x?q?=", b"From: ", b">", b"<", b"@"),
    *(b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Type: message/rfc822\r\n"),
    *(b"Content-Transfer-Encoding: base64\r\n", b"charset=unicode_escape", b"charset*0*=x''%"),
    *(b"=", b"&#x110000;", b"<div hidden>", b"(", b'"', b"\\", b"join ", b"yes", b"final"),
    *(b"my address is also a@b.example", b"forget address ", b"GM: "),
    b"9" * 400,
    "ı\u202e\u2028İ".encode(),
    b"Date: Fri, 99 Foo 99999\r\n",
)


@dataclass(slots=True)
class Found:
    """How much was tried, and what went wrong: a name and the mail."""

    executions: int = 0
    troubles: list[tuple[str, bytes]] | None = None


def seeds(world: World) -> list[bytes]:
    """What is bent: a part of every family, legitimate mails, our letters, the fixtures."""
    mails = [
        case.raw for family in FAMILIES.values() for case in islice(family(world), MOST_OF_A_FAMILY)
    ]
    mails += [
        variant.raw for kind in KINDS.values() for variant in islice(kind(world), MOST_OF_A_FAMILY)
    ]
    mails += [*world.own, *drawer().values()]
    return [raw for raw in mails if len(raw) <= MOST_BYTES]


def bend(raw: bytes, other: bytes, dice: Random) -> bytes:
    """A few changes of bytes, lines and parts; the rest stays a mail."""
    mail = bytearray(raw)
    for _ in range(dice.choice((1, 1, 2, 3, 8))):
        place, end = sorted((dice.randrange(len(mail) + 1), dice.randrange(len(mail) + 1)))
        match dice.randrange(7):
            case 0:
                mail[place:place] = dice.choice(TROUBLE)
            case 1 if place < len(mail):
                mail[place] = dice.randrange(256)
            case 2:
                del mail[place : min(end, place + dice.choice((1, 8, 200)))]
            case 3:
                mail[place:place] = mail[place : min(end, place + 300)] * dice.choice((1, 2, 20))
            case 4:
                lines = bytes(mail).split(b"\r\n")
                dice.shuffle(lines) if dice.random() < 0.2 else lines.insert(
                    dice.randrange(len(lines)), dice.choice(lines)
                )
                mail = bytearray(b"\r\n".join(lines))
            case 5:
                cut = dice.randrange(len(other) + 1)
                mail[place:] = other[cut:]
            case _:
                mail = bytearray(
                    bytes(mail).replace(
                        dice.choice((b"\r\n", b" ", b":", b"P1")),
                        dice.choice(TROUBLE),
                        dice.randint(1, 3),
                    )
                )
    return bytes(mail[: 4 * MOST_BYTES])


def bent_mails(world: World, seed: int) -> Iterator[bytes]:
    dice, known = Random(seed), seeds(world)
    while True:
        yield bend(dice.choice(known), dice.choice(known), dice)


async def fuzz(world: World, folder: Path, *, seed: int, is_enough: Callable[[int], bool]) -> Found:
    """Send bent mails until so many are enough; a fresh house every two thousand, so that it does
    not fill up.
    """
    found, mails, houses = Found(troubles=[]), bent_mails(world, seed), 0
    while not is_enough(found.executions):
        houses += 1
        async with besieged(world, folder / str(houses)) as siege:
            for raw in islice(mails, 2000):
                await siege.send(f"bent {found.executions}", raw)
                found.executions += 1
                if is_enough(found.executions):
                    break
            await siege.desk.work()
            rows = siege.reader.execute(
                "SELECT trace, raw FROM inbox WHERE state = 'shunted'"
            ).fetchall()
            found.troubles = [
                *(found.troubles or []),
                *((str(trace), unpacked(raw)) for trace, raw in rows),
            ]
    return found


def main() -> None:
    """By hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "world").mkdir()
        world = asyncio.run(build_world(Path(folder) / "world"))
        end = time.monotonic() + asked.minutes * 60
        found = asyncio.run(
            fuzz(
                world,
                Path(folder),
                seed=asked.seed,
                is_enough=lambda _sent: time.monotonic() >= end,
            )
        )
    sys.stdout.write(f"{found.executions} executions, {len(found.troubles or [])} uncaught\n")
    for trace, raw in (found.troubles or [])[:5]:
        sys.stdout.write(f"{trace[-1500:]}\n{raw[:600]!r}\n")


if __name__ == "__main__":
    main()
