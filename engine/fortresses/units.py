"""Numbers of units by type, and their short text: `2L 1K` (FW-3.4: units of one type, kingdom and
zone are interchangeable).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from msgspec.structs import astuple

UnitCode = Literal["L", "K", "W", "G", "D"]
CODES: tuple[UnitCode, ...] = ("L", "K", "W", "G", "D")
LAND_CODES: tuple[UnitCode, ...] = ("L", "K", "W")
NOBODY = "-"
MOST = 999
"""No text speaks of more units of a type than this."""

_PART = re.compile(r"([1-9]\d{0,2})([LKWGD])")


class Units(msgspec.Struct, frozen=True, omit_defaults=True):
    """Legions, Knights, Warbeasts, Galleons, Dragons."""

    L: int = 0
    K: int = 0
    W: int = 0
    G: int = 0
    D: int = 0

    def of(self, code: UnitCode) -> int:
        count: int = getattr(self, code)
        return count

    def pairs(self) -> Iterator[tuple[UnitCode, int]]:
        """The types there are, with their numbers, in the order L K W G D."""
        return ((code, count) for code, count in zip(CODES, astuple(self), strict=True) if count)

    @property
    def total(self) -> int:
        return self.L + self.K + self.W + self.G + self.D

    @property
    def land(self) -> int:
        """How many land units."""
        return self.L + self.K + self.W

    @property
    def is_whole(self) -> bool:
        """No number below nothing or beyond what a text can say."""
        return all(0 <= count <= MOST for count in astuple(self))

    def __add__(self, other: "Units") -> "Units":
        return Units(
            self.L + other.L, self.K + other.K, self.W + other.W, self.G + other.G, self.D + other.D
        )

    def __sub__(self, other: "Units") -> "Units":
        return Units(
            self.L - other.L, self.K - other.K, self.W - other.W, self.G - other.G, self.D - other.D
        )

    def holds(self, other: "Units") -> bool:
        """Whether this many of each type are among these."""
        return all(self.of(code) >= count for code, count in other.pairs())

    def only(self, codes: Iterable[UnitCode]) -> "Units":
        wanted = tuple(codes)
        return Units(*(self.of(code) if code in wanted else 0 for code in CODES))

    @property
    def text(self) -> str:
        """`2L 1K`; `-` for none."""
        return " ".join(f"{count}{code}" for code, count in self.pairs()) or NOBODY


NONE = Units()


def one(code: UnitCode, count: int = 1) -> Units:
    return Units(*(count if code == own else 0 for own in CODES))


def parse_units(text: str) -> Units:
    """The units of a short text. ValueError if it is not one, names a type twice, or has the types
    in another order.
    """
    found = Units()
    for part in () if text == NOBODY else text.split(" "):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(f"{text!r} is no number of units (such as 2L 1K)")
        found += next(one(code, int(match[1])) for code in CODES if code == match[2])
    if found.text != text:
        raise ValueError(f"{text!r} does not name each type once in the order L K W G D")
    return found
