"""Sixteen players told apart by colour, by symbol, and in grey: the colours and arms as data
(PR-1.1).

The symbol is the owner's sign and the colour is the help; nothing is said by colour alone. Contrast
of ink on every full colour and on every tint is at least 4.5:1 (a test measures it).
"""

from dataclasses import dataclass
from functools import cache

INK = "#1c140d"
PAPER = "#f6ead0"
LAND = "#ecdcb4"
LAND_EDGE = "#cdb682"
OCEAN = "#c3d6d2"
WATER = "#3f6673"
SHADOW = "#16303a"
WALNUT = "#241a12"
GOLD = "#c9962b"
GILT = "#e3b650"
CREAM = "#f8efda"
SOFT_CREAM = "#d8c7a4"
ASH = "#4b443f"
ASH_HATCH = "#6f655b"
EMBER = "#e2622b"
HOT = "#8f170d"
BLOOD = "#8e1b12"
WHITE = "#ffffff"


def mix(a: str, b: str, share: float) -> str:
    """`share` of colour a over colour b: what a layer of that opacity would show, without the cost
    of a layer.
    """
    channels = ((int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(x * share + y * (1 - share)):02x}" for x, y in channels)


@dataclass(frozen=True, slots=True)
class Arms:
    """A player's full colour, the ink on it, the share of it that tints the land, and the symbol as
    a path in -10..10.
    """

    colour: str
    symbol: str
    full: str
    on: str
    share: float
    path: str

    @property
    def tint(self) -> str:
        """The colour of land this player controls."""
        return mix(self.full, PAPER, self.share * 0.82)

    @property
    def edge(self) -> str:
        """The rim along the borders of land this player controls."""
        return WHITE if self.colour == "white" else self.full

    @property
    def outline(self) -> str:
        """The line around men in this colour."""
        return CREAM if self.colour == "black" else INK


@dataclass(frozen=True, slots=True)
class Coat:
    """A player's arms, as the macro `coat` of `shapes.svg.j2` draws them round (x, y), `k` times
    their size; on a shield if `start`.
    """

    colour: str
    x: float
    y: float
    arms: Arms
    k: float = 1.0
    start: bool = True


ARMS: tuple[Arms, ...] = (
    Arms(
        "red",
        "heart",
        "#a5180f",
        WHITE,
        0.50,
        "M0,9C-13,-1 -9,-9 -4.6,-9C-2,-9 0,-7 0,-5C0,-7 2,-9 4.6,-9C9,-9 13,-1 0,9Z",
    ),
    Arms(
        "blue",
        "waves",
        "#0f4f9b",
        WHITE,
        0.50,
        "M-10,-7Q-6,-11 -2,-7T6,-7T10,-8V-3.5Q6,1 2,-3T-6,-3T-10,-2ZM-10,3.5Q-6,-1"
        " -2,3T6,3T10,2V6.5Q6,11 2,7T-6,7T-10,8Z",
    ),
    Arms(
        "yellow",
        "key",
        "#f0d636",
        INK,
        0.62,
        "M-5,-9.5A5,5 0 0 1 1.6,0.6V3.4H6V6.2H1.6V9.6H-1.6V0.6A5,5 0 0 1 -5,-9.5ZM0,-7.2A2.4,2.4 0"
        " 1 0 .01,-7.2Z",
    ),
    Arms(
        "green",
        "tree",
        "#5a9650",
        INK,
        0.58,
        "M0,-10L5.6,-3.6H3L7.6,2.4H4.4L9,7.6H1.8V10H-1.8V7.6H-9L-4.4,2.4H-7.6L-3,-3.6H-5.6Z",
    ),
    Arms(
        "black",
        "tower",
        "#1b1d2a",
        WHITE,
        0.48,
        "M-8,-9H-4V-6H-2V-9H2V-6H4V-9H8V-2H6V9H2.2V4A2.2,2.2 0 0 0 -2.2,4V9H-6V-2H-8Z",
    ),
    Arms(
        "sky",
        "drop",
        "#5cc9f5",
        INK,
        0.55,
        "M0,-10.5C5,-3 7.4,-.4 7.4,3.4A7.4,7 0 0 1 -7.4,3.4C-7.4,-.4 -5,-3 0,-10.5Z",
    ),
    Arms("orange", "bolt", "#f07a08", INK, 0.55, "M3.6,-10.5L-7.4,2H-1.4L-4.4,10.5L7.4,-3H1.2Z"),
    Arms(
        "pink",
        "ring",
        "#f57fbd",
        INK,
        0.58,
        "M0,-9.5A9.5,9.5 0 1 1 -.01,-9.5ZM0,-4.6A4.6,4.6 0 1 0 .01,-4.6Z",
    ),
    Arms("white", "moon", "#fbfbf7", INK, 0.95, "M3,-9.6A9.7,9.7 0 1 0 9.4,4.4A8,8 0 1 1 3,-9.6Z"),
    Arms("brown", "hammer", "#85571a", WHITE, 0.50, "M-9.4,-9H6L9.6,-5.4V-2H2.2V10H-2.2V-2H-9.4Z"),
    Arms(
        "purple",
        "star",
        "#761a94",
        WHITE,
        0.46,
        "M0,-10.4L3,-3.4L10.4,-2.8L4.7,2L6.5,9.4L0,5.4L-6.5,9.4L-4.7,2L-10.4,-2.8L-3,-3.4Z",
    ),
    Arms(
        "teal",
        "anchor",
        "#006c72",
        WHITE,
        0.50,
        "M-1.6,-4.8A3,3 0 1 1 1.6,-4.8V-3.4H5V-.4H1.6V6.2Q5,5.6"
        " 6,2.6L4,3.2L7.4,-1.4L10,3.6L8.4,3.2Q7,9.6 0,10.2Q-7,9.6"
        " -8.4,3.2L-10,3.6L-7.4,-1.4L-4,3.2L-6,2.6Q-5,5.6 -1.6,6.2V-.4H-5V-3.4H-1.6Z",
    ),
    Arms(
        "lime",
        "clover",
        "#8cc410",
        INK,
        0.58,
        "M-1,2.2A4.6,4.6 0 1 1 -3.6,-3.4A4.6,4.6 0 1 1 3.6,-3.4A4.6,4.6 0 1 1 1,2.2Q1,6"
        " 4,10H-4Q-1,6 -1,2.2Z",
    ),
    Arms("violet", "diamond", "#8878d6", INK, 0.52, "M0,-10.5L7.6,0L0,10.5L-7.6,0Z"),
    Arms(
        "grey",
        "bell",
        "#8b9299",
        INK,
        0.60,
        "M-1.6,-9A1.7,1.7 0 1 1 1.6,-9Q7,-7.4 7,0Q7,3.6 9.2,5.4V7H-9.2V5.4Q-7,3.6 -7,0Q-7,-7.4"
        " -1.6,-9ZM-2.6,8H2.6A2.6,2.4 0 0 1 -2.6,8Z",
    ),
    Arms(
        "coral",
        "cross",
        "#ffac9b",
        INK,
        0.72,
        "M-3.2,-9.6H3.2V-3.2H9.6V3.2H3.2V9.6H-3.2V3.2H-9.6V-3.2H-3.2Z",
    ),
)

COLOURS: tuple[str, ...] = tuple(arms.colour for arms in ARMS)
SYMBOLS: tuple[str, ...] = tuple(arms.symbol for arms in ARMS)


@cache
def arms_of(colour: str) -> Arms:
    """The arms of a colour word, upper or lower case. ValueError for a colour the palette does not
    have.
    """
    for arms in ARMS:
        if arms.colour == colour.casefold():
            return arms
    raise ValueError(f"no such colour: {colour}")
