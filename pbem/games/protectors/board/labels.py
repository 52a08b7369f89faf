"""Where the label of each province lies, and how large all labels of a land can be.

A label stays in its place all game long. What is written must lie wholly inside its province, and
nearly all of the block; the scale is the largest at which that holds for every province, so a draft
is as good as its tightest province.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from shapely.geometry import Polygon

from pbem.board.paths import Points

BLOCK = (-57.0, -47.0, 57.0, 47.0)
"""Left, top, right, bottom of a whole label at scale 1, px from its middle: arms, number, army and
level.
"""
WRITING = (-32.0, -44.0, 58.0, 20.0)
"""Where its number may come to stand, with arms or without, with a row of men below or without."""
ROOMIEST = 2.6
"""A label lies where one larger by up to this factor would fit as well."""
MARGIN = 2.5
"""Between writing and border, px."""
ENOUGH = 0.955
"""This much of the block lies inside; a corner of a shield or a man may touch the border."""
CELL = 3.0
LARGEST, SMALLEST, STEP = 1.42, 0.56, 0.02
SHRINK = 0.87
"""A tight province may have a label smaller than the others by this factor."""

SHARE_OF_LAND, SHARE_WHEN_DENSE, LEGIBLE = 0.42, 0.56, 0.80
"""A label takes at most the first share of an average province, for arrows want room too; below
scale .80 the second.
"""

Box = tuple[float, float, float, float]
Counts = NDArray[np.int64]


class _Inside:
    """How much of a box lies inside a province, by a summed-area table over cells of 3 px."""

    def __init__(self, outline: Points):
        self.corner = outline.min(0) - CELL
        size = np.ceil((outline.max(0) - self.corner) / CELL).astype(int) + 2
        mask = Image.new("1", (int(size[0]), int(size[1])))
        ImageDraw.Draw(mask).polygon(
            [(float(x), float(y)) for x, y in (outline - self.corner) / CELL], fill=1
        )
        filled = np.asarray(mask).astype(np.int64)
        self.sums: Counts = np.pad(filled.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def covered(self, box: Box) -> NDArray[np.float64]:
        """The share of a box that is inside, the middle of the box's label being at each cell."""
        tall, wide = self.sums.shape[0] - 1, self.sums.shape[1] - 1
        left, top = (int(np.floor(edge / CELL)) for edge in box[:2])
        right, bottom = (int(np.ceil(edge / CELL)) for edge in box[2:])
        xs, ys = np.arange(wide), np.arange(tall)
        x0, x1 = np.clip(xs + left, 0, wide), np.clip(xs + right, 0, wide)
        y0, y1 = np.clip(ys + top, 0, tall)[:, None], np.clip(ys + bottom, 0, tall)[:, None]
        held = self.sums[y1, x1] - self.sums[y0, x1] - self.sums[y1, x0] + self.sums[y0, x0]
        share: NDArray[np.float64] = held / ((right - left) * (bottom - top))
        return share

    def fit(self, scale: float) -> NDArray[np.float64]:
        """For each cell: how much of the block is inside, nothing where the writing would not be
        wholly so.
        """
        margin = np.array([-MARGIN, -MARGIN, MARGIN, MARGIN])
        block, writing = (
            tuple(np.array(box) * scale + edge)
            for box, edge in ((BLOCK, 0 * margin), (WRITING, margin))
        )
        return np.where(self.covered(writing) >= 1.0, self.covered(block), 0.0)

    def fits(self, scale: float) -> bool:
        return bool(self.fit(scale).max() >= ENOUGH)

    def spot(self, scale: float) -> tuple[float, float]:
        """The best place for the middle of the block: inside if it can be, and as central as that
        allows.
        """
        fit = self.fit(scale)
        if not fit.any():
            fit = self.covered(tuple(np.array(WRITING) * scale))
        ys, xs = np.nonzero(fit >= min(ENOUGH + 0.05, fit.max() - 1e-9))
        best = int(np.argmin((xs - xs.mean()) ** 2 + (ys - ys.mean()) ** 2))
        return float(self.corner[0] + (xs[best] + 0.5) * CELL), float(
            self.corner[1] + (ys[best] + 0.5) * CELL
        )


def label_scale(outlines: Sequence[Points]) -> float:
    """The scale of a land's labels, .56 to 1.42: the largest that no province has to shrink by more
    than `SHRINK`.
    """
    land = sum(Polygon(outline).area for outline in outlines) / len(outlines)
    ratio = land / ((BLOCK[2] - BLOCK[0]) * (BLOCK[3] - BLOCK[1]))
    scale = min(
        LARGEST,
        max((SHARE_OF_LAND * ratio) ** 0.5, min(LEGIBLE, (SHARE_WHEN_DENSE * ratio) ** 0.5)),
    )
    for inside in map(_Inside, outlines):
        while scale > SMALLEST and not inside.fits(scale * SHRINK):
            scale -= STEP
    return float(round(max(scale, SMALLEST), 2))


def label_spots(
    outlines: Mapping[int, Points], scale: float
) -> dict[int, tuple[float, float, float]]:
    """The middle of each province's label block, and its own scale."""
    spots = {}
    for province, outline in outlines.items():
        inside, own = _Inside(outline), scale
        while own > scale * SHRINK and not inside.fits(own):
            own -= STEP
        own = round(max(own, scale * SHRINK), 2)
        room = own
        while room < ROOMIEST * own and inside.fits(room * 1.1):
            room *= 1.1
        spots[province] = (*inside.spot(room), own)
    return spots
