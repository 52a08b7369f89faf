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
AREA, WIDE = 60, 4
"""What is drawn half transparent makes areas of a colour that is nowhere named: of this many
pixels, this many in a row.
"""
_CELLS = 1 << 16
_PLACES = np.array([1 << 11, 1 << 5, 1])
_LEVELS = np.array([31, 63, 31])
_MIDDLES = ((np.arange(_CELLS)[:, None] // _PLACES) % (_LEVELS + 1)) * (255 / _LEVELS)
"""The colour in the middle of every cell."""

Colour = tuple[int, int, int]
Colours = NDArray[np.floating]
"""Rows of red, green, blue."""
Cells = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Reduced:
    """Pixels as places in a palette; rows of red, green and blue."""

    palette: NDArray[np.uint8]
    indices: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The cells of a picture, those that occur in it with the colour each stands for, and how many
    pixels they have; the first `flats` of them are those of areas. `changes`: how often the colour
    changes along the rows.
    """

    cells: Cells
    used: NDArray[np.int64]
    colours: Colours
    pixels: NDArray[np.float64]
    flats: int
    changes: int

    @classmethod
    def of(cls, cells: Cells, drawn_in: Collection[Colour]) -> "Reduction":
        """Of a picture that is drawn in these colours."""
        row = cells.ravel()
        ends = np.append(np.flatnonzero(row[1:] != row[:-1]), row.size - 1)
        runs = np.bincount(row[ends], minlength=_CELLS)
        pixels = np.bincount(row[ends], np.diff(ends, prepend=-1), _CELLS)
        colours = _MIDDLES.copy()
        given = np.array(sorted(drawn_in)).reshape(-1, 3)
        places = np.rint(given * _LEVELS / 255).astype(np.int64) @ _PLACES
        colours[places] = given
        is_flat = (pixels >= AREA) & (pixels >= WIDE * runs)
        is_flat[places] = pixels[places] > 0
        flat = np.flatnonzero(is_flat)
        flat = flat[np.argsort(-pixels[flat], kind="stable")]
        is_edge = pixels > 0
        is_edge[flat] = False
        used = np.concatenate([flat, np.flatnonzero(is_edge)])
        return cls(cells, used, colours[used], pixels[used], len(flat), len(ends))

    def to(self, edges: int) -> Reduced:
        """In the colours it is drawn in and this many more. The same picture gives the same
        bytes.
        """
        flats = min(self.flats, MOST)
        palette = self.colours[:flats]
        if edges and flats < MOST:
            more = self._smoothing(palette, min(edges, MOST - flats))
            palette = np.concatenate([palette, more]).round()
        table = np.zeros(_CELLS, np.uint8)
        table[self.used] = _distances(self.colours, palette).argmin(1)
        return Reduced(palette.astype(np.uint8), np.take(table, self.cells))

    def _smoothing(self, palette: Colours, most: int) -> Colours:
        """The means of those groups of colours, alike in 4 bits a channel, that this palette serves
        worst: by how far they are from it, and how many pixels they have.
        """
        used, colours, pixels = (
            self.used[self.flats :],
            self.colours[self.flats :],
            self.pixels[self.flats :],
        )
        astray = pixels
        if len(palette):
            astray = pixels * _distances(colours, palette).min(1, initial=np.inf)
        group = (used >> 12) << 8 | ((used >> 7) & 15) << 4 | ((used >> 1) & 15)
        worst = np.argsort(-np.bincount(group, astray, 1 << 12), kind="stable")
        total = np.bincount(group, pixels, 1 << 12)
        chosen = worst[total[worst] > 0][:most]
        sums = [np.bincount(group, pixels * channel, 1 << 12)[chosen] for channel in colours.T]
        return np.stack(sums, 1) / total[chosen, None]


def _distances(colours: Colours, palette: Colours) -> Colours:
    """The square of each of these colours' distance from each of that palette. Not by a product of
    matrices, which would wake a thread on every core.
    """
    ours, its = colours.astype("f4"), palette.T.astype("f4", order="C")  # quick along its rows
    squares = (ours**2).sum(1)[:, None] + (its**2).sum(0)
    distances: Colours = squares - 2 * np.einsum("ik,kj->ij", ours, its)
    return distances
