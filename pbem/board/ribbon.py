"""What tells a supposed board from a real one: a ribbon below the map and great letters across it,
in whatever part of it is passed on.
"""

from dataclasses import dataclass

from pbem.board.faces import Words, fit
from pbem.board.palette import CREAM, HOT
from pbem.board.paths import SIDE
from pbem.board.templates import KIT

RIBBON = 76
"""Height of the ribbon, px."""
_ROOM = SIDE - 2 * 60.0
_SLOPE = -24
_LETTERS = 250.0
"""Size of the letters across the map, px."""


@dataclass(frozen=True, slots=True)
class Ribbon:
    """The ribbon at `top`, and the words across the map, turned by `slope` degrees around the
    middle of the square.
    """

    top: float
    height: float
    words: Words
    across: Words
    slope: int


def lay_ribbon(top: float) -> Ribbon:
    """The ribbon whose upper edge lies at `top`."""
    said, size = fit(KIT.say("ribbon"), 46.0, _ROOM, 30.0, "serif")
    letters, large = fit(KIT.say("supposed"), _LETTERS, SIDE - 40.0, 100.0, "serif")
    return Ribbon(
        top=top,
        height=RIBBON,
        words=Words(said, SIDE / 2, top + RIBBON / 2 + size * 0.34, size, CREAM, "serif", "middle"),
        across=Words(letters, 0, large * 0.34, large, HOT, "serif", "middle"),
        slope=_SLOPE,
    )
