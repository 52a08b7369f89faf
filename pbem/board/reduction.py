"""Pixels in few colours: those that a picture is drawn in, exactly, and the commonest of those that
smooth its edges.

Colours are told apart by cells: 5 bits of red, 6 of green, 5 of blue, so that the two bytes of a
pixel are its place in a table.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST = 256
_CELLS = 1 << 16
_PLACES = np.array([1 << 11, 1 << 5, 1])
_LEVELS = np.array([31, 63, 31])
_MIDDLES = ((np.arange(_CELLS)[:, None] // _PLACES) % (_LEVELS + 1)) * (255 / _LEVELS)
"""The colour in the middle of every cell."""

Colour = tuple[int, int, int]
Cells = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Reduced:
    """Pixels as places in a palette; rows of red, green and blue."""

    palette: NDArray[np.uint8]
    indices: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The cells of a picture, those that occur in it with the colour each stands for, and how many
    pixels they have; the first `flats` of them are colours it is drawn in. `changes`: how often the
    colour changes along the rows.
    """

    cells: Cells
    used: NDArray[np.int64]
    colours: NDArray[np.float64]
    pixels: NDArray[np.float64]
    flats: int
    changes: int

    @classmethod
    def of(cls, cells: Cells, drawn_in: Collection[Colour]) -> "Reduction":
        """Of a picture that is drawn in these colours."""
        row = cells.ravel()
        ends = np.append(np.flatnonzero(row[1:] != row[:-1]), row.size - 1)
        pixels = np.bincount(row[ends], np.diff(ends, prepend=-1), _CELLS)
        colours = _MIDDLES.copy()
        given = np.array(sorted(drawn_in)).reshape(-1, 3)
        places = np.rint(given * _LEVELS / 255).astype(np.int64) @ _PLACES
        colours[places] = given
        flat = np.unique(places[pixels[places] > 0])
        flat = flat[np.argsort(-pixels[flat], kind="stable")]
        is_edge = pixels > 0
        is_edge[flat] = False
        used = np.concatenate([flat, np.flatnonzero(is_edge)])
        return cls(cells, used, colours[used], pixels[used], len(flat), len(ends))

    def to(self, edges: int) -> Reduced:
        """In the colours it is drawn in and so many more. The same picture gives the same bytes."""
        flats = min(self.flats, MOST)
        palette = np.concatenate(
            [self.colours[:flats], self._smoothing(min(edges, MOST - flats))]
        ).round()
        # The nearest: |c - p|² without |c|², which is the same for all of a row.
        # A sum of products, for a product of matrices would wake a thread on every core.
        products = np.einsum("ik,jk->ij", self.colours.astype("f4"), palette.astype("f4"))
        distances = (palette**2).sum(1).astype("f4") - 2 * products
        table = np.zeros(_CELLS, np.uint8)
        table[self.used] = distances.argmin(1)
        return Reduced(palette.astype(np.uint8), np.take(table, self.cells))

    def _smoothing(self, most: int) -> NDArray[np.float64]:
        """The means of the commonest groups of edge colours, that are alike in 4 bits a channel."""
        used, pixels = self.used[self.flats :], self.pixels[self.flats :]
        group = (used >> 12) << 8 | ((used >> 7) & 15) << 4 | ((used >> 1) & 15)
        total = np.bincount(group, pixels, 1 << 12)
        chosen = np.argsort(-total, kind="stable")[: min(most, np.count_nonzero(total))]
        sums = [
            np.bincount(group, pixels * channel, 1 << 12)[chosen]
            for channel in self.colours[self.flats :].T
        ]
        return np.stack(sums, 1) / total[chosen, None]
