"""What a picture of the court is laid out with: places and sizes, which a template turns into
shapes and a test measures.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.board.faces import Lettering, Words, legible, width
from pbem.board.palette import CREAM, INK, Arms
from pbem.games.sovereigns.board.scene import Kingdom
from pbem.games.sovereigns.board.words import say

WIDE = 1080
EDGE = 24.0
"""From the edge of the picture to the charters, px."""
LONGEST_NAME = 80
TEXT = 30.0
"""Of texts that have the room, px: 10 on a phone 360 wide."""
SHRUNK = 0.72
"""How far a text shrinks before it is cut."""

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, px."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, rounded by `r`."""

    x: float
    y: float
    width: float
    height: float
    r: float
    fill: str
    edge: str = INK
    line: float = 2.2
    dashes: str = ""
    tail: float = 0.0
    """How far the lower edge is notched, as that of a banner."""

    @property
    def rect(self) -> Rect:
        return self.x, self.y, self.x + self.width, self.y + self.height


@dataclass(frozen=True, slots=True)
class Sign:
    """A shape of the template by its name, `half` px from its middle to its edges."""

    kind: str
    x: float
    y: float
    half: float
    fill: str = INK
    own: float = 12.0
    """Half the size it is drawn with in the template."""
    narrow: float = 1.0
    """How wide it is for its height."""
    inside: bool = False
    """It is drawn within another one."""

    @property
    def k(self) -> float:
        return self.half / self.own

    @property
    def rect(self) -> Rect:
        wide = self.half * self.narrow
        return self.x - wide, self.y - self.half, self.x + wide, self.y + self.half


@dataclass(frozen=True, slots=True)
class Die:
    x: float
    y: float
    size: float
    pips: int
    fill: str

    @property
    def rect(self) -> Rect:
        half = self.size / 2
        return self.x - half, self.y - half, self.x + half, self.y + half


@dataclass(slots=True)
class Layer:
    """Parts that lie side by side: boxes lowest, words on top. `where` tells tests whose they
    are, `of` a browser: the place of a kingdom.
    """

    where: str
    boxes: list[Box] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    texts: list[Words] = field(default_factory=list)
    of: int | None = None

    def write(self, text: str, x: float, y: float, room: float, lettering: Lettering) -> float:
        """A text made to fit its room; how wide it came out, px."""
        if not text:
            return 0.0
        words = lettering.write(text, x, y, room, lettering.size * SHRUNK)
        self.texts.append(words)
        return width(words.text, words.face, words.size)

    def rects(self) -> Iterator[Rect]:
        """What must not lie on one another."""
        yield from (sign.rect for sign in self.signs if not sign.inside)
        yield from (die.rect for die in self.dice)
        yield from (words.box for words in self.texts)


def name_of(kingdom: Kingdom, place: int) -> str:
    """The kingdom's name as it can be drawn, that of its ruler before it has one."""
    instead = say("kingdom", place + 1)
    return legible((kingdom.name or kingdom.ruler)[:LONGEST_NAME], instead, "serif")


def ruler_of(kingdom: Kingdom, place: int) -> str:
    return legible(kingdom.ruler[:LONGEST_NAME], say("seat", place + 1))


def meet(a: Rect, b: Rect, gap: float = 0.0) -> bool:
    """Whether two rectangles come nearer than `gap` px."""
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def token(where: str, of: int, x: float, y: float, n: int, action: str, arms: Arms) -> Layer:
    """The number of an action in its ruler's colour, and its sign. `of`: whose it is."""
    wide, high = TOKEN
    said = str(n)
    layer = Layer(
        where,
        [
            Box(x - wide / 2, y - high / 2, wide, high, high / 2, CREAM, line=2.4),
            Box(x - wide / 2 + 3, y - 15.5, token_dot(said), 31, 15.5, arms.full, line=1.6),
        ],
        [Sign(action, x + wide / 2 - 18, y, 11.5)],
        of=of,
    )
    middle = x - wide / 2 + 3 + token_dot(said) / 2
    layer.write(
        said,
        middle,
        y + 8,
        token_dot(said) - 7,
        Lettering(23, arms.on, anchor="middle", least=23 * 0.4),
    )
    return layer


TOKEN = (74.0, 38.0)


def token_dot(said: str) -> float:
    """The width of the spot a number stands on."""
    return 31.0 if len(said) < 3 else 37.0
