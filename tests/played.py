"""The games that tests of the house play, whichever these are.

Where any would do it is `GAME`, the one this house runs first; what is said in it (`bid 13`) is its
own language. Where all are played, what each needs for it stands in `tests/games/GAME/house.py`, as
its `SPOKEN`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pbem.game import Game
from pbem.grammar.kit.reading import Reading
from pbem.registry import default_game, load_games

GAMES = load_games()
GAME = default_game(GAMES)
PLAYED = GAME.ruleset.id
SMALLEST: Game = min(GAMES.values(), key=lambda game: game.ruleset.players[1])
"""The game that the fewest can play."""
HEARD = ("Anna", "Annabel", "Chloé", "May", "Mark")
"""Who sits at a table where somebody is `Heard`; fewer, where a game takes fewer."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A position, and how a text is read there that Anna writes, who has number 1; `orders` are
    some that are none of anybody else's business.
    """

    read: Callable[[str], Reading]
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """How the players of a game speak.

    `answer` is what somebody says to the first question, in its canonical text, and `asides` are
    orders of any phase. `heard` are positions, the one that matters most first. `ways` are options
    with which the game is played differently, and `windows` some that are opened then.
    """

    answer: str
    asides: tuple[str, ...]
    heard: tuple[Heard, ...]
    windows: frozenset[str]
    ways: tuple[Mapping[str, object], ...] = ({},)


def folder_of(game: str) -> str:
    """The name of a game's folders."""
    return game.replace("-", "_")


def house_of(game: str) -> Any:
    """What a game's tests have for those of the house."""
    return import_module(f"tests.games.{folder_of(game)}.house")


def spoken(game: str) -> Spoken:
    found: Spoken = house_of(game).SPOKEN
    return found
