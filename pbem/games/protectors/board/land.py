"""The land of one game: everything about its look that never changes, made once, stored with the
game.

Coordinates are tenths of a px on the 1080 x 1080 map square, packed as 16-bit pairs: neighbours
that share a border share these very numbers.
"""

import zlib

import msgspec

from engine.protectors.lands import LandPlan
from pbem.board.paths import Line, Points, unpack_line

FORM = 1
"""Changes whenever stored lands must be drawn again."""
LARGEST_LAND = 8_000_000
"""Bytes of a land once unpacked; more is no land of ours."""


class Border(msgspec.Struct, frozen=True):
    """What two neighbours share: usually one line, two where a ring has but two provinces."""

    a: int
    b: int
    lines: tuple[Line, ...]


class Shape(msgspec.Struct, frozen=True):
    """An area with holes: rings to be filled by the even-odd rule."""

    rings: tuple[Line, ...] = ()


class Sprig(msgspec.Struct, frozen=True):
    """One peak, tree, hill or tuft of reeds."""

    province: int
    kind: int
    x: int
    y: int
    percent: int


class Label(msgspec.Struct, frozen=True):
    """The middle of a province's label block, px, and its scale."""

    x: int
    y: int
    scale: float


class Land(msgspec.Struct, frozen=True):
    """Outlines by province (index = number - 1), and what is drawn around and inside them.

    `inner` and `deep` are the outlines drawn in by 8 and by 24 px, so that rims need no cutting
    when a turn is drawn; `hatch` are the strokes of burnt ground; `shallows` the water lines,
    widest first; `solid` all dry ground; `middle` is the middle of the inner Sea and `reach` the
    radius that is free there (0: no inner Sea), px; `scale` that of labels and marks.
    """

    form: int
    seed: int
    plan: LandPlan
    outlines: tuple[Line, ...]
    borders: tuple[Border, ...]
    coasts: tuple[Line, ...]
    islets: tuple[Line, ...]
    island: Line
    middle: tuple[int, int]
    reach: int
    labels: tuple[Label, ...]
    scale: float
    inner: tuple[Shape, ...]
    deep: tuple[Shape, ...]
    hatch: tuple[tuple[Line, ...], ...]
    shallows: tuple[Shape, ...]
    solid: Shape
    waves: tuple[tuple[int, int], ...]
    ship: tuple[int, int] | None
    scenery: tuple[Sprig, ...]

    def outline(self, province: int) -> Points:
        return unpack_line(self.outlines[province - 1])

    def label(self, province: int) -> Label:
        return self.labels[province - 1]

    def border(self, a: int, b: int) -> tuple[Points, ...]:
        """The lines two provinces share; empty when they are no neighbours."""
        for border in self.borders:
            if (border.a, border.b) == (min(a, b), max(a, b)):
                return tuple(unpack_line(line) for line in border.lines)
        return ()


def encode_land(land: Land) -> bytes:
    """A land as it is stored with its game."""
    return zlib.compress(msgspec.msgpack.encode(land), 6)


def decode_land(raw: bytes) -> Land:
    """The inverse of `encode_land`. ValueError when the bytes are no land of this form."""
    unpack = zlib.decompressobj()
    try:
        land = msgspec.msgpack.decode(unpack.decompress(raw, LARGEST_LAND), type=Land)
    except (zlib.error, msgspec.DecodeError) as fault:
        raise ValueError("these bytes are no land") from fault
    count = land.plan.provinces
    if land.form != FORM or any(
        len(part) != count
        for part in (land.outlines, land.labels, land.inner, land.deep, land.hatch)
    ):
        raise ValueError("this land is of another form")
    return land
