"""The only source of randomness: a seeded, committed, replayable stream of labelled draws.

The seed is secret until the game is over; its SHA-256 is published before the first draw. Draw
number n is HMAC-SHA256(seed, "n/label/block"), so nobody can compute a draw from the commitment,
and anybody can replay all of them once the seed is known. The stream's place (how many draws were
made) is kept with the game, outside its state: after a roll back the decks return as they lay and
new draws continue from where the stream stands.
"""

import hashlib
import hmac
from collections.abc import Sequence

import msgspec

SEED_BYTES = 32

ScriptEntry = str | int | tuple[str, ...]
"""One use of the stream told beforehand: a coin's side or a choice, a die's number, a shuffle's new
order.
"""


class Draw(msgspec.Struct, frozen=True):
    """One use of the stream, as it is shown in a replay. `of` is what was drawn from: the names in
    the order they lay, or a die's sides.
    """

    place: int
    label: str
    result: ScriptEntry
    of: tuple[str, ...] | int = ()


class ScriptMismatchError(ValueError):
    """A scripted outcome does not fit the draw it is meant for."""


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed, to be published before the first draw."""
    return hashlib.sha256(seed).hexdigest()


class Chance:
    """A cursor on the stream. Create one per adjudication from (seed, place); keep `place`
    afterwards.

    `script` holds outcomes to use first, in order of use (adjudication cases); after it the stream
    continues.
    """

    def __init__(self, seed: bytes, place: int = 0, script: Sequence[ScriptEntry] = ()) -> None:
        self._seed = seed
        self._script = list(script)
        self.place = place
        self.draws: list[Draw] = []

    @property
    def unused(self) -> tuple[ScriptEntry, ...]:
        """Scripted outcomes that no draw has asked for."""
        return tuple(self._script)

    def coin(self, label: str) -> bool:
        """Flip a coin: True is heads, the first named of two possibilities."""
        told = self._told()
        if told is None:
            heads = self._below(2, label, 0) == 0
        elif told in ("heads", "tails"):
            heads = told == "heads"
        else:
            raise ScriptMismatchError(f"{label}: a coin falls heads or tails, not {told!r}")
        self._drawn(label, "heads" if heads else "tails", ("heads", "tails"))
        return heads

    def choice(self, label: str, names: Sequence[str]) -> str:
        """One of these, each as likely."""
        told = self._told()
        if told is None:
            chosen = names[self._below(len(names), label, 0)]
        elif isinstance(told, str) and told in names:
            chosen = told
        else:
            raise ScriptMismatchError(f"{label}: {told!r} is none of {', '.join(names)}")
        self._drawn(label, chosen, tuple(names))
        return chosen

    def die(self, label: str, sides: int) -> int:
        """A number from 1 to `sides`."""
        told = self._told()
        if told is None:
            number = 1 + self._below(sides, label, 0)
        elif isinstance(told, int) and 1 <= told <= sides:
            number = told
        else:
            raise ScriptMismatchError(f"{label}: {told!r} is no number of 1..{sides}")
        self._drawn(label, number, sides)
        return number

    def shuffle(self, label: str, names: Sequence[str]) -> tuple[str, ...]:
        """All of these in a new order, every order as likely (Fisher and Yates)."""
        told = self._told()
        if told is None:
            order = list(names)
            for i in range(len(order) - 1, 0, -1):
                j = self._below(i + 1, label, i)
                order[i], order[j] = order[j], order[i]
        elif isinstance(told, tuple) and sorted(told) == sorted(names):
            order = list(told)
        else:
            raise ScriptMismatchError(f"{label}: {told!r} is no new order of {', '.join(names)}")
        self._drawn(label, tuple(order), tuple(names))
        return tuple(order)

    def _told(self) -> ScriptEntry | None:
        return self._script.pop(0) if self._script else None

    def _drawn(self, label: str, result: ScriptEntry, of: tuple[str, ...] | int) -> None:
        self.draws.append(Draw(self.place, label, result, of))
        self.place += 1

    def _below(self, bound: int, label: str, step: int) -> int:
        """A number under `bound` without bias: 64-bit words, those past the last whole multiple
        thrown away.
        """
        limit = (1 << 64) - (1 << 64) % bound
        block = 0
        while True:
            digest = hmac.digest(
                self._seed, f"{self.place}/{label}/{step}.{block}".encode(), "sha256"
            )
            for i in range(0, 32, 8):
                word = int.from_bytes(digest[i : i + 8], "big")
                if word < limit:
                    return word % bound
            block += 1
