"""The board as cells of 4 px: whose land a place is, and how much lies there already.

Marks are placed by sampling cells, all candidates at once; shapes are never intersected while a
turn is drawn.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pbem.board.paths import SIDE, Points, unpack_line
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.shores import CORNERS

CELL = 4.0
CELLS = int(SIDE / CELL)
FRAME = 24
WRITTEN = ((0, 0, 262, 192), (SIDE - 236, 0, SIDE, 156), (0, SIDE - 136, 272, SIDE))
"""Boxes in which the board writes, where land may come near, but no mark."""
_TURN = np.linspace(0, 2 * np.pi, 13)[:-1]
DISC = np.concatenate([np.stack([np.cos(_TURN), np.sin(_TURN)], 1), [[0.0, 0.0]]])
"""Places of a disc of radius 1."""
Cells = NDArray[np.intp]
Weights = NDArray[np.float64]


def cells_at(points: Points) -> Cells:
    """The flat cell of each point (any shape ending in x, y); points beyond the edge count as the
    edge.
    """
    return cells_of(points[..., 0], points[..., 1])


def cells_of(x: Weights, y: Weights) -> Cells:
    """The same of two arrays: large ones are worked through sooner by their axes."""
    flat, column = (y / CELL).astype(np.intp), (x / CELL).astype(np.intp)
    for axis in (flat, column):
        np.maximum(axis, 0, out=axis)
        np.minimum(axis, CELLS - 1, out=axis)
    flat *= CELLS
    flat += column
    return flat


@lru_cache(maxsize=16)
def owner_cells(land: Land) -> NDArray[np.int16]:
    """The province number of every cell, 0 for water (and the Island)."""
    image = Image.new("I", (CELLS, CELLS), 0)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(land.outlines, start=1):
        draw.polygon((unpack_line(line) / CELL).ravel().tolist(), fill=number)
    return np.asarray(image).astype(np.int16).ravel()


def share_inside(land: Land, province: int, x: float, y: float, radius: float) -> float:
    """How much of a disc lies in a province, by the cells of its rim and its middle."""
    disc = np.array((x, y)) + DISC * radius
    return float((owner_cells(land)[cells_at(disc)] == province).mean())


@lru_cache(maxsize=16)
def edge_cells(land: Land) -> Weights:
    """Where nothing may be put: the corners in which the board writes, and the frame."""
    taken = np.zeros((CELLS, CELLS))
    for x0, y0, x1, y1 in (*CORNERS, *WRITTEN):
        taken[cell(y0) : cell(y1) + 1, cell(x0) : cell(x1) + 1] = 1
    edge = cell(FRAME)
    for side in (taken[:edge], taken[-edge:], taken[:, :edge], taken[:, -edge:]):
        side[...] = 1
    if land.island:
        x, y = land.middle
        half = land.reach * 0.3
        taken[cell(y - half) : cell(y + half), cell(x - half) : cell(x + half)] = 1
    return taken.ravel()


def cell(coordinate: float) -> int:
    return int(min(max(coordinate / CELL, 0), CELLS - 1))


def box_cells(box: tuple[float, float, float, float]) -> tuple[slice, slice]:
    """Every cell a box touches, of cells in rows."""
    return slice(cell(box[1]), cell(box[3]) + 1), slice(cell(box[0]), cell(box[2]) + 1)
