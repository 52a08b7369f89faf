"""Digests and seals: they show which part of a record was changed, before anything is played again.

Every digest is the SHA-256 of canonical JSON: keys in order, no blanks, UTF-8. Single items (a
player's orders, an act, an option) have one of their own, so that a changed one can be named. A
seal covers a whole phase and the seal before it: to change one thing is to make every seal after it
again, and then the last one is not the fingerprint that everybody was told.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from engine.ruleset import Actor
from pbem.record.record import Phase, Player, Record, Start, Votes

_ENCODER = msgspec.json.Encoder(order="sorted")


def digest(*values: object) -> str:
    """The SHA-256 of these values as a canonical JSON array, in hexadecimal digits."""
    return hashlib.sha256(_ENCODER.encode(values)).hexdigest()


def state_digest(encoded: bytes) -> str:
    """The SHA-256 of a state as the rules encode it."""
    return hashlib.sha256(encoded).hexdigest()


def orders_digest(phase: int, player: int, texts: tuple[str, ...]) -> str:
    return digest("orders", phase, player, texts)


def act_digest(phase: int, index: int, actor: Actor, act: Mapping[str, Any]) -> str:
    return digest("act", phase, index, actor, act)


def header_items(
    title: str, options: Mapping[str, Any], players: tuple[Player, ...], votes: Votes | None
) -> Iterator[tuple[str, object]]:
    """What was agreed before the start, item by item, with the names that their digests go by."""
    yield "the title", title
    for name in sorted(options):
        yield f"the option {name}", options[name]
    for player in players:
        yield f"player {player.number}", player
    yield "the votes", votes


def header_digests(
    title: str, options: Mapping[str, Any], players: tuple[Player, ...], votes: Votes | None
) -> dict[str, str]:
    return {
        name: digest(name, value) for name, value in header_items(title, options, players, votes)
    }


COMMITMENT = "the commitment"


def commitment_digest(commitment: str) -> str:
    """Of what was committed to: the seed alone cannot be changed without it."""
    return digest(COMMITMENT, commitment)


def start_seal(record: Record) -> str:
    """The seal of everything up to the deal, as it stands in the record."""
    head = {
        name: getattr(record, name)
        for name in Record.__struct_fields__
        if name not in ("start", "phases")
    }
    return digest(head, _unsealed(record.start))


def phase_seal(before: str, phase: Phase) -> str:
    """The seal of a phase, as it stands in the record, after the seal before it."""
    return digest(before, _unsealed(phase))


def sealed(record: Record) -> Record:
    """The same record with every seal made again, whatever was there."""
    start = msgspec.structs.replace(record.start, seal=start_seal(record))
    before, phases = start.seal, []
    for phase in record.phases:
        before = phase_seal(before, phase)
        phases.append(msgspec.structs.replace(phase, seal=before))
    return msgspec.structs.replace(record, start=start, phases=tuple(phases))


def _unsealed(part: Start | Phase) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(part).items() if name != "seal"}
