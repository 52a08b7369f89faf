"""What a board of Realm-Master is laid out with: places and sizes, which a template turns into
shapes and a test measures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from pbem.board.faces import Face as FontFace
from pbem.board.faces import Lettering, Words, legible, width
from pbem.board.palette import Arms, arms_of
from pbem.games.realm_master.board.scene import Die, Hero
from pbem.games.realm_master.board.words import say

LONGEST_NAME = 80
TEXT = 30.0
"""Of texts that have the room, px: 10 on a phone 360 wide."""
LEAST = 24.0
"""The smallest size of any text, px; but on a card below its name."""
LEAST_ON_CARD = 20.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A text, where it belongs, and the box it must stay in."""

    where: str
    words: Words
    room: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape of the template by its name, around its middle; `faint` where there is none of it."""

    kind: str
    x: float
    y: float
    k: float = 1.0
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A hero's token: the portrait on the player's colour with the player's symbol; a gravestone if
    he fell.
    """

    x: float
    y: float
    radius: float
    arms: Arms
    hero: str
    alive: bool = True
    active: bool = False
    winner: bool = False
    small: bool = False

    @property
    def k(self) -> float:
        return self.radius / 46


@dataclass(frozen=True, slots=True)
class DieOnBoard:
    """A die that lies on the board."""

    x: float
    y: float
    k: float
    die: Die


@dataclass(frozen=True, slots=True)
class Box:
    """A card, a plate or a panel by its kind."""

    kind: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Pip:
    """A place for a token, taken or free."""

    x: float
    y: float
    taken: bool


@dataclass(frozen=True, slots=True)
class Layer:
    """Pieces that belong together. Boxes lie lowest, words on top."""

    boxes: tuple[Box, ...] = ()
    pips: tuple[Pip, ...] = ()
    marks: tuple[Mark, ...] = ()
    casts: tuple[DieOnBoard, ...] = ()
    discs: tuple[Disc, ...] = ()
    texts: tuple[Placed, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A layer with what it is for those who click on it: `kind` of the picture's groups, the name
    of a land, the colour of a player.
    """

    kind: Literal["pieces", "battles", "margins"]
    layer: Layer
    area: str = ""
    colour: str = ""


def together(layers: Sequence[Layer]) -> Layer:
    return Layer(
        tuple(chain.from_iterable(layer.boxes for layer in layers)),
        tuple(chain.from_iterable(layer.pips for layer in layers)),
        tuple(chain.from_iterable(layer.marks for layer in layers)),
        tuple(chain.from_iterable(layer.casts for layer in layers)),
        tuple(chain.from_iterable(layer.discs for layer in layers)),
        tuple(chain.from_iterable(layer.texts for layer in layers)),
    )


def line(
    where: str, text: str, x: float, y: float, room: float, lettering: Lettering
) -> tuple[Placed, ...]:
    """A text made to fit its room, from `x` to the side its anchor says; nothing for no text."""
    if not text:
        return ()
    least = min(lettering.size, lettering.least or LEAST)
    words = replace(lettering, least=least).write(text, x, y, room, LEAST)
    left = {"start": x, "middle": x - room / 2, "end": x - room}[words.anchor]
    return (Placed(where, words, (left, y - words.size, left + room, y + words.size * 0.35)),)


def name_of(hero: Hero) -> str:
    """A player's name as it can be drawn; the word of the colour where no font can."""
    return legible(hero.name[:LONGEST_NAME], say("colour", hero.colour))


def disc_of(hero: Hero, x: float, y: float, radius: float, *, small: bool = False) -> Disc:
    return Disc(
        x,
        y,
        radius,
        arms_of(hero.colour),
        hero.hero,
        hero.alive,
        hero.active and not small,
        hero.winner and not small,
        small,
    )


def reach(placed: Sequence[Placed]) -> float:
    """Where the last of some texts ends."""
    return max((text.words.box[2] for text in placed), default=0.0)


def wide(text: str, size: float, face: FontFace = "sans") -> float:
    return width(text, face, size)
