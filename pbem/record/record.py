"""The record of a finished game as a value, and as the text of a file.

It holds what the players gave (options, seats, votes, orders, acts), the seed, and the results
(draws, events, a digest of every state), so that anyone with the rules can play the game again and
compare. It has no name or address from outside the table, and no word of what people wrote to one
another.

The text is JSON in UTF-8, one act, player's orders, draw or event a line. Blanks and line ends
between values mean nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from engine.chance import Draw
from engine.ruleset import Actor

FORMAT = "pbem-record"
VERSION = 1

MOST_OCTETS = 16 * 1024 * 1024
"""A record of more bytes than this is not read: a game of sixteen players over a hundred phases
needs a tenth of it.
"""

_SPREAD = {
    "record": "",
    "options": "",
    "players": "player",
    "digests": "",
    "start": "",
    "phases": "phase",
    "phase": "",
    "draws": "draw",
    "events": "event",
    "acts": "act",
    "orders": "given",
}
"""What is written with a line for each member, and what the members of the lists among them are
called; all else stands on one line.
"""

Ending = Literal["close", "act", "roll back", "over", "broken off"]
"""How a phase ended; the last one of a record is `over` (the game's end, nothing is asked) or
`broken off`.
"""


class RecordError(ValueError):
    """The bytes are no record, or not one that can be read; the message says what is wrong and
    where.
    """


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of everything in a record: a member it does not know is an error, not a place to hide
    something.
    """


class Player(_Part, frozen=True, omit_defaults=True):
    """A seat at the table, as it was handed to the rules."""

    number: int
    name: str
    colour: str
    team: str | None = None
    place: int | None = None
    faction: str | None = None


class Votes(_Part, frozen=True):
    """The votes before the start, one object a seat in the order of the seats: the arguments of
    `Ruleset.settle_votes`.
    """

    questions: tuple[str, ...]
    votes: tuple[dict[str, str], ...]


class Orders(_Part, frozen=True):
    """What counted of a player's orders when a phase was closed, in canonical texts; empty for
    somebody who was asked and gave none.
    """

    player: int
    orders: tuple[str, ...]
    digest: str


class Act(_Part, frozen=True):
    """What took effect at once. `state` is the digest of the state after it, `place` where the
    stream of chance stood then.
    """

    actor: Actor
    act: dict[str, Any]
    place: int
    state: str
    digest: str


class Start(_Part, frozen=True):
    """The votes' count and the deal."""

    draws: tuple[Draw, ...]
    events: tuple[dict[str, Any], ...]
    seal: str


class Phase(_Part, frozen=True):
    """A phase: how it opened, what the players gave, how it ended, and its results.

    `state` is the digest of the state it opened with and `place` where the stream of chance stood
    then. Orders are there only where it ended by its close. `to` and `reshuffle` tell of a roll
    back. `course` has acts and roll back a second time, by kind (see `pbem.record.course`).
    """

    number: int
    kind: str
    turn: int
    state: str
    place: int
    course: tuple[str, ...]
    acts: tuple[Act, ...]
    ended: Ending
    to: int | None
    reshuffle: bool
    orders: tuple[Orders, ...]
    draws: tuple[Draw, ...]
    events: tuple[dict[str, Any], ...]
    seal: str


class Record(_Part, frozen=True):
    """A whole game. `digests` are those of the title, the options, the players, the votes and the
    commitment, by name (see `seals`).
    """

    format: str
    version: int
    ruleset: str
    ruleset_version: str
    title: str
    seed: str
    commitment: str
    options: dict[str, Any]
    players: tuple[Player, ...]
    votes: Votes | None
    digests: dict[str, str]
    start: Start
    phases: tuple[Phase, ...]

    @property
    def fingerprint(self) -> str:
        """The last seal: it changes with anything in the record, so that two people who compare it
        have the same record.
        """
        return self.phases[-1].seal

    @property
    def seed_bytes(self) -> bytes:
        return bytes.fromhex(self.seed)

    def name_of(self, number: int) -> str:
        """A player's name at the table."""
        return next(
            (player.name for player in self.players if player.number == number), f"player {number}"
        )


class _Head(msgspec.Struct):
    """What tells which kind of file it is, whatever else is in it."""

    format: str = ""
    version: int = 0


def format_record(record: Record) -> bytes:
    """The text of the file; `parse_record` reads it back to the same value."""
    return ("".join(_lines(msgspec.to_builtins(record), "record")) + "\n").encode()


def parse_record(raw: bytes) -> Record:
    """Read a file. RecordError, saying what and where, for anything but a whole record of a known
    version.
    """
    if len(raw) > MOST_OCTETS:
        raise RecordError(f"it is too big: a record has at most {MOST_OCTETS} bytes")
    try:
        head = msgspec.json.decode(raw, type=_Head)
        if head.format != FORMAT:
            raise RecordError(
                f"it is no record of a game: its format is {head.format or 'not named'}, not"
                f" {FORMAT}"
            )
        if head.version != VERSION:
            raise RecordError(
                f"it is a record of version {head.version}; this program reads version {VERSION}"
            )
        record = msgspec.json.decode(raw, type=Record)
    except RecursionError:
        raise RecordError("it is nested deeper than any record") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"it is no text in UTF-8: byte {error.start}") from None
    except msgspec.ValidationError as error:
        raise RecordError(f"it is no whole record: {error}") from None
    except msgspec.DecodeError as error:
        cut = " (it ends too early: a part of it is missing)" if "truncated" in str(error) else ""
        raise RecordError(f"it cannot be read: {error}{cut}") from None
    fault = next(_faults(record), None)
    if fault is not None:
        raise RecordError(fault)
    return record


def _faults(record: Record) -> Iterator[str]:
    """What no game could have left, and what comparing relies on."""
    for name, value, length in (("seed", record.seed, None), ("commitment", record.commitment, 64)):
        if not _is_hex(value) or (length is not None and len(value) != length):
            yield f"its {name} is no number in hexadecimal digits"
    numbers = [player.number for player in record.players]
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        yield "its players are not numbered from 1 without a gap"
    if len({player.name for player in record.players}) != len(numbers):
        yield "two of its players have the same name"
    if not record.phases:
        yield "it has no phases"
    for phase in record.phases:
        given = [orders.player for orders in phase.orders]
        if len(set(given)) != len(given):
            yield f"phase {phase.number}: the orders of one player stand there twice"
        if (phase.ended == "roll back") != (phase.to is not None) or (
            phase.reshuffle and phase.to is None
        ):
            yield f"phase {phase.number}: only a roll back, and every roll back, says where it goes"


def _is_hex(text: str) -> bool:
    return bool(text) and len(text) % 2 == 0 and all(digit in "0123456789abcdef" for digit in text)


def _lines(value: object, name: str, depth: int = 0) -> Iterator[str]:
    """JSON with a line for each member of what is spread; `name` is what the value is called where
    it stands.
    """
    spread = _SPREAD.get(name) if value else None
    if isinstance(value, Mapping) and spread is not None:
        brackets, members = (
            "{}",
            [(f"{_compact(str(key))}: ", str(key), member) for key, member in value.items()],
        )
    elif isinstance(value, list | tuple) and spread is not None:
        brackets, members = "[]", [("", spread, member) for member in value]
    else:
        yield _compact(value)
        return
    yield brackets[0]
    for index, (key, called, member) in enumerate(members):
        yield f"{',' if index else ''}\n{' ' * (depth + 1)}{key}"
        yield from _lines(member, called, depth + 1)
    yield f"\n{' ' * depth}{brackets[1]}"


def _compact(value: object) -> str:
    return msgspec.json.encode(value).decode()
