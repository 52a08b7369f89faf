"""Arms as mails and archives show them: a patch of colour with a sign, and both in words. Sixteen
of them are dealt in every game; a game whose board has arms of its own brings these.

Within a mail they are small pictures (badges): fonts of phones lack half of the signs, and draw the
others unlike the board. They are files next to the templates (`mail/arms`, and `arms` of a game
that has its own), painted from the board's own symbols, so that nothing is painted when a mail goes
out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_INK, _WHITE = "#1c140d", "#ffffff"
SIDE = 48
"""Width and height of a badge, px; a mail shows it at half of that."""
_NAMED = re.compile(r'"cid:arms-((?:[a-z_]+\.)?[a-z]+)"')


@dataclass(frozen=True, slots=True)
class Arms:
    """`full` is the patch, `on` the ink upon it, `sign` a character near to the symbol on the
    board, `emoji` the symbol as phones show it. Arms of a game's own have their symbol as a `path`
    in -10..10, and their picture in the `package` of its templates.
    """

    colour: str
    symbol: str
    full: str
    on: str
    sign: str
    emoji: str
    path: str = ""
    package: str = ""

    @property
    def said(self) -> str:
        return f"{self.colour} {self.symbol}".strip()

    @property
    def badge(self) -> str:
        """What mails call their picture."""
        return f"{self.package}.{self.colour}" if self.package else self.colour


ARMS: Mapping[str, Arms] = {
    arms.colour: arms
    for arms in (
        Arms("red", "heart", "#a5180f", _WHITE, "\u2665", "\u2764\ufe0f"),
        Arms("blue", "waves", "#0f4f9b", _WHITE, "\u2248", "\U0001f30a"),
        Arms("yellow", "key", "#f0d636", _INK, "\u26b7", "\U0001f511"),
        Arms("green", "tree", "#5a9650", _INK, "\u2660", "\U0001f333"),
        Arms("black", "tower", "#1b1d2a", _WHITE, "\u265c", "\U0001f3f0"),
        Arms("sky", "drop", "#5cc9f5", _INK, "\u25cf", "\U0001f4a7"),
        Arms("orange", "bolt", "#f07a08", _INK, "\u2607", "\u26a1"),
        Arms("pink", "ring", "#f57fbd", _INK, "\u25ef", "\u2b55"),
        Arms("white", "moon", "#fbfbf7", _INK, "\u263e", "\U0001f319"),
        Arms("brown", "hammer", "#85571a", _WHITE, "\u2692", "\U0001f528"),
        Arms("purple", "star", "#761a94", _WHITE, "\u2605", "\u2b50"),
        Arms("teal", "anchor", "#006c72", _WHITE, "\u2693\ufe0e", "\u2693"),
        Arms("lime", "clover", "#8cc410", _INK, "\u2663", "\U0001f340"),
        Arms("violet", "diamond", "#8878d6", _INK, "\u2666", "\U0001f537"),
        Arms("grey", "bell", "#8b9299", _INK, "\u237e", "\U0001f514"),
        Arms("coral", "cross", "#ffac9b", _INK, "\u271a", "\u2716\ufe0f"),
    )
}
_UNKNOWN = Arms("", "", "#8b9299", _INK, "\u25a0", "\u25aa\ufe0f")


def arms_of(colour: str) -> Arms:
    """The arms of a colour; a plain patch for one that is not dealt."""
    return ARMS.get(colour, _UNKNOWN)


def badges_in(html: str) -> tuple[str, ...]:
    """The names of the arms that a page shows, each once, in their order there."""
    return tuple(name for name in dict.fromkeys(_NAMED.findall(html)) if _file(name).is_file())


def with_badges(html: str, address: str) -> str:
    """The page with its arms at another address: `{}` stands for their name."""
    return _NAMED.sub(lambda found: f'"{address.format(found[1])}"', html)


@cache
def badge_png(name: str) -> bytes:
    """The arms of this name (`Arms.badge`) as PNG."""
    return _file(name).read_bytes()


def said_of(name: str) -> str:
    """What the arms of this name are called where they cannot be seen."""
    return ARMS[name].symbol if name in ARMS else name.rpartition(".")[2]


def _file(name: str) -> Traversable:
    package, _, colour = name.rpartition(".")
    return files("templates").joinpath(package or "mail", "arms", f"{colour}.png")
