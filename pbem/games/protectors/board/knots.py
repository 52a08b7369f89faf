"""What keeps the ends of arrows apart, so that nobody has to untie them: a head lies 60 px from
every other, and from every seal at a tail a little less, where there is room for that.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from pbem.games.protectors.board.grid import CELL, CELLS, Cells, Weights

HEADS_APART, SEAL_FROM_HEAD = 60.0, 48.0
"""px."""
STEEP = 0.08
"""What a px too near costs."""


@cache
def _around(reach: float) -> tuple[Cells, Weights]:
    """The cells around one, as steps from it, and how much nearer than `reach` each is, in whole
    px: sums of whole numbers return to zero exactly.
    """
    wide = int(reach / CELL)
    ys, xs = np.mgrid[-wide : wide + 1, -wide : wide + 1]
    nearer = np.floor(reach - np.hypot(xs, ys) * CELL).clip(0)
    near = nearer > 0
    steps: Cells = (ys * CELLS + xs)[near].astype(np.intp)
    return steps, nearer[near]


def _blank() -> Weights:
    """Cells of the board, and room for what reaches over its edge at the top or the bottom."""
    return np.zeros(CELLS * (CELLS + 2 * int(HEADS_APART / CELL)))


@dataclass(frozen=True, slots=True)
class Knots:
    """What it costs to end in a cell: with a head, with the seal of a tail."""

    head: Weights = field(default_factory=_blank)
    tail: Weights = field(default_factory=_blank)

    def put(self, tail: int, head: int, times: int) -> None:
        """An arrow from this cell to that is put down (1) or lifted (-1)."""
        for cost, cell, reach in (
            (self.head, head, HEADS_APART),
            (self.head, tail, SEAL_FROM_HEAD),
            (self.tail, head, SEAL_FROM_HEAD),
        ):
            steps, nearer = _around(reach)
            cost[cell + steps] += times * nearer

    def costs(self, tails: Cells, heads: Cells) -> Weights:
        """Of every candidate."""
        costs: Weights = STEEP * (self.head[heads] + self.tail[tails])
        return costs
