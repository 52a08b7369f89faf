"""The signs of the four kingdoms: colour, charge, the bands of their Lands, and a shape, which is
that of their alliance.

Silver and Gold are metals: light, dark ink, round ends. Red and Blue are tinctures: dark, light
ink, cut corners. Colour is never the only sign.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from engine.fortresses.atlas import Kingdom, alliance_of
from pbem.board.palette import INK, WHITE


@dataclass(frozen=True, slots=True)
class Banner:
    """`full` with ink `on` it for signs; `tint`, `wash` and `rim` for the ground, from the middle
    of a Land outwards; `light` is seen on walnut. `charge` is a path in -10..10.
    """

    kingdom: Kingdom
    full: str
    on: str
    tint: str
    wash: str
    rim: str
    light: str
    charge: str

    @property
    def is_metal(self) -> bool:
        return alliance_of(self.kingdom) == "silver_gold"


def _around(count: int, turn: float, radius: float) -> tuple[float, float]:
    angle = math.tau * turn / count
    return radius * math.sin(angle), -radius * math.cos(angle)


def _sun() -> str:
    rays = []
    for ray in range(8):
        points = (
            _around(8, ray - 0.43, 5.4),
            _around(8, ray, 8.8 if ray % 2 else 10.6),
            _around(8, ray + 0.43, 5.4),
        )
        rays.append("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points) + "Z")
    return "M0,-4.6A4.6,4.6 0 1 1 -.01,-4.6Z" + "".join(rays)


def _rose() -> str:
    """Five petals around a hole: arcs from dent to dent."""
    dents = [_around(5, petal + 0.5, 6.2) for petal in range(5)]
    path = f"M{dents[-1][0]:.1f},{dents[-1][1]:.1f}"
    path += "".join(f"A4.7,4.7 0 1 1 {x:.1f},{y:.1f}" for x, y in dents)
    return path + "ZM0,-2.7A2.7,2.7 0 1 0 .01,-2.7Z"


_LILY = (
    "M0,-10.5C3.6,-6.5 4.2,-3 2.2,1.4H3.4C3.6,-3.4 9.6,-5.4 10,0C10.2,3 7.4,4.2 6,2.6C6.2,4 5,5.2"
    " 2.6,5.2L3.4,6.8C3,8.6 1.4,9.6 0,10.5C-1.4,9.6 -3,8.6 -3.4,6.8L-2.6,5.2C-5,5.2 -6.2,4 -6,2.6"
    "C-7.4,4.2 -10.2,3 -10,0C-9.6,-5.4 -3.6,-3.4 -3.4,1.4H-2.2C-4.2,-3 -3.6,-6.5 0,-10.5Z"
)
_WOLF = (
    "M-9,-10.5L-3.6,-6.4Q0,-7.4 3.6,-6.4L9,-10.5L9.4,-1L5.6,3.6L2.6,10H-2.6L-5.6,3.6L-9.4,-1Z"
    "M-6,-2.6L-1.8,-.2L-4.6,.8ZM6,-2.6L1.8,-.2L4.6,.8ZM-1.8,5.4L0,8L1.8,5.4Z"
)

BANNERS: Mapping[Kingdom, Banner] = {
    "silver": Banner("silver", "#eceef0", INK, "#e3e4e1", "#cbd0d2", "#8d979e", "#eceef0", _LILY),
    "red": Banner("red", "#a5180f", WHITE, "#dba391", "#cb8472", "#a5180f", "#d78c87", _rose()),
    "blue": Banner("blue", "#174a8c", WHITE, "#9fb6cd", "#7f9cbc", "#174a8c", "#809fcb", _WOLF),
    "gold": Banner("gold", "#eebc1d", INK, "#f1d97f", "#e6c04a", "#b98a05", "#eebc1d", _sun()),
}
