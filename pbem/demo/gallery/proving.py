"""The last step of a demonstration: a player checks the game from the mails alone."""

import asyncio
import re
from dataclasses import dataclass

from pbem.demo.received import Received
from pbem.record.compare import compare
from pbem.record.difference import format_difference
from pbem.record.record import Record, parse_record
from pbem.record.replay import Rules
from pbem.registry import load_games

_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Proof:
    """The record that came with the last letter, and the result of playing it again: a match if
    `differences` is empty.
    """

    filename: str
    raw: bytes
    draws: int
    differences: tuple[str, ...]


async def prove(welcome: Received, ending: Received) -> Proof | None:
    """Play the attached record again, and compare its numbers with those in the two letters. None:
    no record came.
    """
    found = next(
        ((name, raw) for name, raw in ending.attachments.items() if name.endswith("-record.json")),
        None,
    )
    if found is None:
        return None
    name, raw = found
    record = parse_record(raw)
    game = load_games()[record.ruleset]
    comparison = await asyncio.to_thread(compare, record, Rules(game.ruleset, game.read_canonical))
    wrong = [format_difference(difference) for difference in comparison.differences]
    if record.commitment not in _numbers(welcome):
        wrong.append("the commitment is not the one in the welcome")
    if record.fingerprint not in _numbers(ending):
        wrong.append("the fingerprint is not the one in the last letter")
    return Proof(name, raw, _draws(record), tuple(wrong))


def _numbers(letter: Received) -> frozenset[str]:
    return frozenset(_HEX.findall(re.sub(r"\s", "", letter.text))) | frozenset(
        _HEX.findall(letter.text)
    )


def _draws(record: Record) -> int:
    return len(record.start.draws) + sum(len(phase.draws) for phase in record.phases)
