"""A game as its archive shows it: one value, read from the store once, from which every page is
made.

Only what is public is in it. While a game runs that is what the public was told; when it is over,
everything in its record.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pbem.board.board import Drawing
from pbem.pages.archive import Area, Chip, Close, Plot
from pbem.pages.kit.arms import Arms
from pbem.pages.kit.narrator import Told
from pbem.pages.kit.rules import Book
from pbem.pages.news import Lead, News
from pbem.pages.press import Piece


def picture_name(drawing: Drawing) -> str:
    return hashlib.sha256(drawing.svg.encode()).hexdigest()[:16]


def coat_key(number: int, place: int) -> str:
    """What a page calls the coat at this place of a player."""
    return f"{number}-{place}" if place else str(number)


@dataclass(frozen=True, slots=True)
class Person:
    """A player: `place` in the end result (from 1, by the score alone; None while the game runs, or
    for a player who is out without one), `fate` in words, `slug` the name of their page. `coats`
    are as in `UsualPages.coats_of`; `won` is what was booked at the end.
    """

    number: int
    name: str
    coats: tuple[Arms, ...]
    fate: str
    slug: str
    place: int | None = None
    won: bool = False

    @property
    def arms(self) -> Arms:
        """The one that stands for the player."""
        return self.coats[0]

    @property
    def keys(self) -> tuple[str, ...]:
        """What a page calls the coats."""
        return tuple(coat_key(self.number, place) for place in range(len(self.coats)))


@dataclass(frozen=True, slots=True)
class Step:
    """The start or one close: what a reader steps to.

    `key` is what permalinks say, by turn and phase (`start`, `t7-orders`, `t7-dragon-2`), never by
    number; `also` are the keys of later closes told in this step, which lead here. `name` is
    the phase in words. `lines` are all facts that the public was told, in order.
    `orders` are those that the close made public, by player; `all_orders` those that counted, empty
    while the game runs. `is_painted`: its board lies as a picture with the pages.
    """

    key: str
    name: str
    at: datetime
    lead: Lead
    news: tuple[News, ...]
    lines: tuple[str, ...]
    orders: Mapping[int, tuple[str, ...]]
    all_orders: Mapping[int, tuple[str, ...]]
    areas: tuple[Area, ...]
    chips: tuple[Chip, ...]
    drawing: Drawing
    close: Close
    also: tuple[str, ...] = ()
    is_painted: bool = True

    @property
    def turn(self) -> int:
        return self.close.turn

    @property
    def number(self) -> int:
        return self.close.number

    @property
    def picture(self) -> str:
        """Where the board of this step lies as a picture, without its ending: the same drawing has
        the same name.
        """
        return picture_name(self.drawing)


@dataclass(frozen=True, slots=True)
class Proof:
    """What checks the game: the commitment from the beginning; from the end on the seed, the record
    and its fingerprint.
    """

    commitment: str
    seed: str = ""
    record_name: str = ""
    record: bytes = b""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Archive:
    """A whole game.

    `lead` is its headline: who won and by how much, or how it stands; `outcome` the same in a
    sentence. `status` is `running`, `over` or `broken off`; `due` when the open phase closes,
    `due_name` what it asks for. `chronicle` is the page a game tells its history on ("": none).
    `channels` are those by which people play, `sides` the teams with their players, `signs` what
    the signs of the board mean; `points` decided the game, `turns` are a paragraph a turn.
    """

    slug: str
    title: str
    game: str
    turn_word: str
    status: str
    zone: str
    lead: Lead
    outcome: str
    people: tuple[Person, ...]
    steps: tuple[Step, ...]
    plots: tuple[Plot, ...]
    press: tuple[Piece, ...]
    proof: Proof
    book: Book
    due: datetime | None = None
    due_name: str = ""
    chronicle: str = ""
    channels: tuple[str, ...] = ()
    sides: tuple[tuple[str, tuple[int, ...]], ...] = ()
    signs: tuple[tuple[str, str], ...] = ()
    points: tuple[Told, ...] = ()
    turns: Mapping[int, str] = field(default_factory=dict)
    names: str = ""
    """Who the players were, where that was hidden until the end."""

    @property
    def is_over(self) -> bool:
        return self.status != "running"

    @property
    def is_painted(self) -> bool:
        """Whether every board lies as a picture with the pages."""
        return all(step.is_painted for step in self.steps)

    def person(self, number: int) -> Person:
        return self.people[number - 1]
