"""What texts about a game claim, checked against what happened.

A claim is a pattern of plain English and a question to the facts: it knows neither templates nor
the code that fills them. Each game has its own in `tests/games/GAME/claims.py`, as `CLAIMS`, with
how a table of it is played.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from engine.ruleset import Facts
from tests.moments import NAMES, Moment, Whole
from tests.played import folder_of

NAME = f"(?:{'|'.join(NAMES)})"
NUMBER = r"[-−+]?\d+"
F = TypeVar("F", bound=Facts)


@dataclass(frozen=True, slots=True)
class Happened:
    """A close as claims ask about it: `view` is the public's after it, `before` the one before, and
    `story` the turn of the paragraph that tells it (0: no story does).
    """

    moment: Moment
    before: Any
    view: Any
    story: int = 0

    def facts(self, kind: type[F]) -> list[F]:
        return [event.facts for event in self.moment.public if isinstance(event.facts, kind)]

    def number(self, name: str) -> int:
        """Who is called so; 0 for nobody."""
        return NAMES.index(name) + 1 if name in NAMES else 0


Claim = Callable[[Happened, "re.Match[str]"], bool]


@dataclass(frozen=True, slots=True)
class Claims:
    """`players` and `options` are those of a table that comes to an end within so many `closes`.
    `claims` are patterns with what must be true where they are found. `missing` are things that
    happened and that the texts of a close, joined, do not tell. `figures` are what a result counts,
    by player; `shown` reads battles won and lost in the table of numbers, `battles` counts those that
    somebody won and lost. `seed` is the first that is played: a game in which much happened.
    """

    players: int
    claims: Mapping[str, Claim]
    winners: Callable[[Any], Sequence[int]]
    battles: Callable[[Whole], Mapping[int, tuple[int, int]] | None]
    shown: Callable[[Sequence[str]], tuple[int, int] | None]
    missing: Callable[[Happened, str], Iterator[str]]
    figures: Callable[[Any], Mapping[int, int]]
    options: tuple[tuple[str, object], ...] = ()
    closes: int = 150
    seed: int = 1


def claims_of(game: str) -> Claims:
    found: Claims = import_module(f"tests.games.{folder_of(game)}.claims").CLAIMS
    return found


def value(text: str) -> int:
    """A number as texts write it, with a real minus."""
    return int(text.replace("−", "-"))
