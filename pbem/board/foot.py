"""The foot of a board, below everything else: the headline of a chronicle on a plate; on the first
board of a game what the signs mean; or what tells a supposed board from a real one, a ribbon here
and great letters across the map, in whatever part of it is passed on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.board.board import Chronicle
from pbem.board.faces import Lettering, Words, fit, legible
from pbem.board.palette import CREAM, HOT, INK
from pbem.board.paths import SIDE
from pbem.board.templates import KIT

FOOT = 76
"""Its height, px."""
_ROOM = SIDE - 2 * 60.0
_SLOPE = -24
_LETTERS = 250.0
"""Size of the letters across the map, px."""


_COLUMNS, _ROW, _TITLE = 2, 62, 74
"""Of a legend: its columns, the height of a row and of what stands above them, px."""
_LEFT, _STEP, _SIGN = 84.0, 494.0, 52.0


@dataclass(frozen=True, slots=True)
class Spot:
    """The middle of a sign in a legend, and what it means."""

    x: float
    y: float
    words: Words


@dataclass(frozen=True, slots=True)
class Foot:
    """The foot at `top` with its words. `across` are those on the map of a supposed board, turned
    by `slope` degrees around the middle of the square.
    """

    top: float
    words: Words
    across: Words | None = None
    slope: int = _SLOPE
    height: int = FOOT
    spots: tuple[Spot, ...] = ()

    @property
    def texts(self) -> tuple[Words, ...]:
        """All that is written on it."""
        return (self.words, *(spot.words for spot in self.spots))


def lay_foot(
    top: float,
    chronicle: Chronicle | None,
    *,
    is_supposed: bool,
    meanings: Sequence[str] = (),
) -> Foot | None:
    """The foot whose upper edge lies at `top`; None: a table scene has none, unless it tells the
    `meanings` of signs.
    """
    if is_supposed:
        letters, large = fit(KIT.say("supposed"), _LETTERS, SIDE - 40.0, 100.0, "serif")
        across = Words(letters, 0, large * 0.34, large, HOT, "serif", "middle")
        return Foot(top, _words(KIT.say("ribbon"), top, CREAM), across)
    if meanings:
        return _legend(top, meanings)
    if chronicle is None or not chronicle.headline:
        return None
    news = chronicle.headline.removeprefix(f"{chronicle.turn}: ")
    said = legible(f"{news[:1].upper()}{news[1:]}", "", "serif")
    return Foot(top, _words(said, top, INK)) if said else None


def _legend(top: float, meanings: Sequence[str]) -> Foot:
    rows = -(-len(meanings) // _COLUMNS)
    ink = Lettering(30.0, INK)
    spots = []
    for place, meaning in enumerate(meanings):
        x = _LEFT + _STEP * (place // rows)
        y = top + _TITLE + _ROW * (place % rows + 0.5)
        words = ink.write(meaning, x + _SIGN, y + 11, _STEP - _SIGN - 40, 24.0)
        spots.append(Spot(x, y, words))
    title = _words(KIT.say("legend"), top, INK)
    return Foot(top, title, height=_TITLE + _ROW * rows + 24, spots=tuple(spots))


def _words(text: str, top: float, fill: str) -> Words:
    said, size = fit(text, 46.0, _ROOM, 30.0, "serif")
    return Words(said, SIDE / 2, top + FOOT / 2 + size * 0.34, size, fill, "serif", "middle")
