"""The foot of a board, below everything else: the headline of a chronicle on a plate; or what tells
a supposed board from a real one, a ribbon here and great letters across the map, in whatever part
of it is passed on.
"""

from dataclasses import dataclass

from pbem.board.board import Chronicle
from pbem.board.faces import Words, fit, legible
from pbem.board.palette import CREAM, HOT, INK
from pbem.board.paths import SIDE
from pbem.board.templates import KIT

FOOT = 76
"""Its height, px."""
_ROOM = SIDE - 2 * 60.0
_SLOPE = -24
_LETTERS = 250.0
"""Size of the letters across the map, px."""


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


def lay_foot(top: float, chronicle: Chronicle | None, *, is_supposed: bool) -> Foot | None:
    """The foot whose upper edge lies at `top`; None: a table scene has none."""
    if is_supposed:
        letters, large = fit(KIT.say("supposed"), _LETTERS, SIDE - 40.0, 100.0, "serif")
        across = Words(letters, 0, large * 0.34, large, HOT, "serif", "middle")
        return Foot(top, _words(KIT.say("ribbon"), top, CREAM), across)
    if chronicle is None or not chronicle.headline:
        return None
    news = chronicle.headline.removeprefix(f"{chronicle.turn}: ")
    said = legible(f"{news[:1].upper()}{news[1:]}", "", "serif")
    return Foot(top, _words(said, top, INK)) if said else None


def _words(text: str, top: float, fill: str) -> Words:
    said, size = fit(text, 46.0, _ROOM, 30.0, "serif")
    return Words(said, SIDE / 2, top + FOOT / 2 + size * 0.34, size, fill, "serif", "middle")
