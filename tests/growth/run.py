"""Feeds everything that reads text with texts of growing length, and tells where the time grows
faster than the text.

    python -m tests.growth.run [patterns|parsers] [LENGTH] [NAME...]

What takes little for a text of LENGTH (4,000) cannot grow much faster than the text, and is done
with. What takes longer is compared with four texts of a quarter of the length, thrice, before it is
told. One line of JSON for each.
"""

import json
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from tests.growth.attacks import Attack, attacks_on, plain_attacks
from tests.growth.walk import Found, Parser, parsers, patterns
from tests.rings import at_length

LITTLE = 0.05
"""Seconds of CPU that are not looked at further."""
MOST = 2.0
PARTS = 4
TIMES = 2
"""So many times as long as its parts may a text take: once, and what a clock is wrong by. A square
takes four times as long.
"""
MOST_IN_ALL = 900
"""Seconds of CPU after which the system ends this process, whatever it hangs in."""
ATTACKS_OF_A_PARSER = at_length(2, 8)
SHARES = 3
LINES = (
    *("press to Anna: hello\n", "GM: hello\n", "bid 1 ", "P1 work\n", "what if P1 works?\n"),
    *("> a\n", "yes 1, ", "march 1 from P1 to P2, "),
)


class Late(BaseException):
    """It took longer than `MOST`."""


@dataclass(frozen=True, slots=True)
class Grows:
    """Where time grows faster than the text, and how fast: seconds for four texts of a quarter of
    the length, and for one of the length.
    """

    name: str
    way: str
    attack: Attack
    before: float
    after: float


def cost(work: Callable[[], object]) -> float:
    """CPU seconds of this process; `MOST` where it did not end."""
    signal.setitimer(signal.ITIMER_PROF, MOST)
    began = time.process_time()
    try:
        work()
    except Late:
        return MOST
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - began


def grows(read: Callable[[str], object], attack: Attack, length: int) -> tuple[float, float] | None:
    """The seconds for the parts and for the whole, where it grows faster than the text; None: it
    does not.
    """
    whole, parts = [attack.text(length)], [attack.text(length // PARTS)] * PARTS
    after = cost(partial(_read_each, read, whole))
    if after < LITTLE:
        return None
    before = 0.0
    for _ in range(3):
        before = max(before, cost(partial(_read_each, read, parts)))
        if after <= TIMES * before:
            # where the whole did not come to its end, a shorter text tells more
            shorter = length // PARTS if after >= MOST else 0
            return grows(read, attack, shorter) if shorter else None
        after = min(after, cost(partial(_read_each, read, whole)))
    return before, after


def _read_each(read: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        with suppress(Exception, SystemExit):
            read(text)


def of_patterns(length: int, names: tuple[str, ...]) -> Iterator[Grows]:
    for found in patterns():
        if names and found.name not in names:
            continue
        for way in found.ways:
            worst = _worst(
                found.name, way, partial(ask, found, way), attacks_on(found.pattern), length
            )
            if worst is not None:
                yield worst


def ask(found: Found, way: str, text: str) -> None:
    said: Any = (
        text.encode("latin-1", "replace") if isinstance(found.pattern.pattern, bytes) else text
    )
    if way == "scan":
        for _ in found.pattern.finditer(said):
            pass
    else:
        getattr(found.pattern, way)(said)


def of_parsers(length: int, names: tuple[str, ...]) -> Iterator[Grows]:
    made: dict[str, list[Attack]] = {}
    for found in patterns():
        made.setdefault(
            found.name.rpartition(":")[0] or found.name.split("[")[0].rpartition(".")[0], []
        ).extend(attacks_on(found.pattern))
    for parser in parsers():
        if names and parser.name not in names:
            continue
        worst = _worst(
            parser.name,
            "read",
            parser.read,
            _share_of(parser, _attacks_on(parser, made.get(parser.module, []))),
            length,
        )
        if worst is not None:
            yield worst


def _attacks_on(parser: Parser, made: list[Attack]) -> Iterator[Attack]:
    """What everybody gets, whole lines, and some of what was made for the patterns of its module:
    once as one line, once as many.
    """
    yield from plain_attacks()
    yield from (Attack("", line, "") for line in LINES)
    own = list(dict.fromkeys(made))
    for attack in own[:: max(1, len(own) // ATTACKS_OF_A_PARSER)]:
        yield attack
        yield Attack("", f"{attack.before}{attack.pump}\n", "")


def _share_of(parser: Parser, attacks: Iterator[Attack]) -> Iterator[Attack]:
    return attacks if parser.turn is None else islice(attacks, parser.turn % SHARES, None, SHARES)


def _worst(
    name: str, way: str, read: Callable[[str], object], attacks: Iterator[Attack], length: int
) -> Grows | None:
    worst = None
    listed = list(attacks)
    if _is_quick(read, [attack.text(length) for attack in listed]):
        return None
    for attack in listed:
        seconds = grows(read, attack, length)
        if seconds is not None and (worst is None or seconds[1] > worst.after):
            worst = Grows(name, way, attack, *seconds)
            if worst.after >= MOST:
                break
    return worst


def _is_quick(read: Callable[[str], object], texts: list[str]) -> bool:
    """Whether all of them together take no longer than one may: then none is looked at by
    itself.
    """
    return cost(partial(_read_each, read, texts)) < LITTLE


def late(number: int, frame: object) -> None:
    raise Late


def main(arguments: list[str]) -> None:
    signal.signal(signal.SIGPROF, late)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_IN_ALL, MOST_IN_ALL))
    what, length, *names = [*arguments, *("patterns", "4000")[len(arguments) :]]
    for found in (of_patterns if what == "patterns" else of_parsers)(int(length), tuple(names)):
        said = [
            found.name,
            found.way,
            found.attack.before[:40],
            found.attack.pump[:40],
            found.attack.end,
            found.before,
            found.after,
        ]
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()
    sys.stdout.write(json.dumps({"cpu": round(time.process_time(), 1)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
