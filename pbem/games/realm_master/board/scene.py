"""What a picture of Realm-Master shows: plain values in the field's words, no rules, no places.

A scene is what the engine's public view and the events of the last close come to. Same scene, same
picture, byte for byte. Colours are the words of `palette`; heroes, lands and cards are keys with
the names to be written.
"""

from typing import Literal

import msgspec

from pbem.board.board import Chronicle

Face = Literal["-", "b", "s", "c", "h", "R"]


class Tokens(msgspec.Struct, frozen=True):
    hearts: int = 0
    gold: int = 0
    banners: int = 0

    @property
    def sum(self) -> int:
        return self.hearts + self.gold + self.banners


class Die(msgspec.Struct, frozen=True):
    """A die as it counts; `wild` if it was rolled as an R (RM-3.6)."""

    face: Face
    wild: bool = False


class Blow(msgspec.Struct, frozen=True):
    """What an attack did to one hero (RM-4.4)."""

    seat: int
    damage: int


class Roll(msgspec.Struct, frozen=True):
    """The dice of a hero's last turn, and whom he hit."""

    turn: int
    dice: tuple[Die, ...]
    blows: tuple[Blow, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """A buy card: it stays (`keep`) or works once, and may be an enchantment (RM-2.4)."""

    key: str
    name: str
    keep: bool = False
    enchantment: bool = False


class Pile(msgspec.Struct, frozen=True):
    """A place of the row: the visible card, its price, and what it covers, the next first
    (RM-6.3).
    """

    card: Card
    price: int
    covers: tuple[Card, ...] = ()


class Land(msgspec.Struct, frozen=True):
    """A land in play: what it costs and gives, what lies on it, who stands there (the place in
    `Scene.heroes`), dice rolled for it.
    """

    key: str
    name: str
    cost: Tokens
    bonus: Tokens
    attack: int
    capacity: int
    tokens: Tokens
    occupant: int | None = None
    dice: tuple[Die, ...] = ()

    @property
    def room(self) -> int:
        return self.capacity - self.tokens.sum


class Hero(msgspec.Struct, frozen=True):
    """A player's hero. `hero` and `title` are empty until heroes are chosen; `name` is as the
    player wrote it: the picture cuts it.

    `at` is the short name of a land, empty outside; `fell_to` the name of the killer, empty where
    there was none.
    """

    name: str
    colour: str
    hero: str
    title: str
    tokens: Tokens
    maximum: int
    cards: tuple[Card, ...] = ()
    at: str = ""
    alive: bool = True
    fell_round: int = 0
    fell_to: str = ""
    active: bool = False
    winner: bool = False
    roll: Roll | None = None


class TurnCard(msgspec.Struct, frozen=True):
    key: str
    name: str
    kind: str


class Scene(msgspec.Struct, frozen=True):
    """One picture. `heroes` in seat order, the first player first; `lands` in row order; `due` are
    three lines, upper right.

    `revealed` is a card that lies open until its buyer decides. A `hypothesis` is drawn so that
    nobody can take it for what happened.
    """

    table: str
    round: int
    phase: str
    due: tuple[str, str, str]
    card: TurnCard | None
    rounds_left: int
    lands: tuple[Land, ...]
    heroes: tuple[Hero, ...]
    row: tuple[Pile, ...]
    deck: int
    discard: int
    revealed: Card | None = None
    over: bool = False
    hypothesis: bool = False
    chronicle: Chronicle | None = None
    is_first: bool = False
    """A legend stands below."""
