"""What a board picture shows: plain values in the field's words, no rules, no places.

A scene is what the engine's public view and the last turn's events come to; the land tells where
things lie. Same scene and same land, same picture, byte for byte. Colours are the words of
`palette`; ValueError when a colour is unknown.
"""

from typing import Literal

import msgspec

from pbem.board.board import Chronicle

ISLAND = 0
"""The Island's number among the provinces."""


class OrderMark(msgspec.Struct, frozen=True):
    """A Work or Fortify order of last turn, shown next to the arms."""

    kind: Literal["work", "fortify"]
    colour: str
    golden: bool = False


class Province(msgspec.Struct, frozen=True):
    """One province: its owner's colour (None: ownerless), whether somebody started there, and the
    state of the land. `burning`: it burnt in what the picture shows; else it is ash by now.
    """

    number: int
    owner: str | None = None
    units: int = 0
    level: int = 0
    burnt: bool = False
    start: bool = False
    order: OrderMark | None = None
    burning: bool = False


class March(msgspec.Struct, frozen=True):
    """A march as it was made. `fought` when it led to a battle."""

    colour: str
    origin: int
    target: int
    units: int
    golden: bool = False
    delayed: bool = False
    fought: bool = False


class Support(msgspec.Struct, frozen=True):
    """A support as ordered. `extended`: over two borders. `fought` when it counted in a battle."""

    colour: str
    origin: int
    target: int
    golden: bool = False
    extended: bool = False
    fought: bool = False


class Fight(msgspec.Struct, frozen=True):
    """Two sides and their strengths, the winner first."""

    winner: str
    loser: str
    strength: int
    against: int


class Battle(msgspec.Struct, frozen=True):
    """What was fought in one province last turn, in order; rarely more than one fight."""

    province: int
    fights: tuple[Fight, ...]


class Seat(msgspec.Struct, frozen=True):
    """A player in the ranking. `name` and `team` are as people wrote them; the picture cuts them
    and escapes them. `worth` are tokens, and points once the game is over; `place` (0: none yet) is
    then where the player came out.
    """

    name: str
    colour: str
    worth: int
    provinces: int
    units: int
    team: str = ""
    place: int = 0


class Dragon(msgspec.Struct, frozen=True):
    """The Dragon's power, its threshold, and what each card adds."""

    power: int
    threshold: int
    step: int


class Scene(msgspec.Struct, frozen=True):
    """One picture. `ranking` are the brackets, best first, or, once it `is_over`, the players by
    their places; `out` the eliminated; `arrows_turn` the turn of marches and battles.

    `due` are the three lines of the upper right corner; `staying` are cards in force besides those
    in play. A `hypothesis` is drawn so that nobody can take it for a real event.
    """

    table: str
    turn: int
    phase: str
    due: tuple[str, str, str]
    dragon: Dragon
    cards: tuple[str, ...]
    provinces: tuple[Province, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    staying: tuple[str, ...] = ()
    arrows_turn: int | None = None
    marches: tuple[March, ...] = ()
    supports: tuple[Support, ...] = ()
    battles: tuple[Battle, ...] = ()
    island: Province | None = None
    out: tuple[Seat, ...] = ()
    hypothesis: bool = False
    chronicle: Chronicle | None = None
    is_first: bool = False
    """A legend stands below."""
    is_over: bool = False

    def province(self, number: int) -> Province:
        """KeyError when there is no such province."""
        if number == ISLAND and self.island is not None:
            return self.island
        if not 1 <= number <= len(self.provinces):
            raise KeyError(number)
        return self.provinces[number - 1]
