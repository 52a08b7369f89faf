"""What is taken on a map, so that nothing is laid on anything else: boxes alone, tested many at
once. A stroke is a chain of small boxes.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pbem.games.fortresses.board.ground import FRAME

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, px."""
Boxes = NDArray[np.float64]
"""... x 4."""
GAP = 2.0
"""So far everything stays from everything else, px."""


def as_box(numbers: NDArray[np.float64]) -> Box:
    left, top, right, bottom = map(float, numbers)
    return left, top, right, bottom


class Room:
    """Boxes by what lies in them, in the order in which they were laid."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, Box]] = []
        self._boxes: Boxes = np.empty((0, 4))

    def copy(self) -> "Room":
        other = Room()
        other.taken, other._boxes = [*self.taken], self._boxes
        return other

    def take(self, what: str, boxes: Iterable[Box]) -> None:
        laid = [(what, box) for box in boxes]
        self.taken += laid
        if laid:
            self._boxes = np.vstack([self._boxes, np.array([box for _, box in laid], float)])

    def free(
        self, candidates: Boxes, *, gap: float = GAP, within: Box = FRAME, over: str = ""
    ) -> NDArray[np.bool_]:
        """Which of these candidates (each of as many boxes: n x m x 4) lie in the frame and on
        nothing, except for what they may lie `over`.
        """
        if not len(candidates):
            return np.zeros(0, bool)
        # By the boxes around them first: most candidates lie far from most of what is taken.
        axes = np.ascontiguousarray(candidates.transpose(2, 1, 0))
        (x0, y0), (x1, y1) = axes[:2].min(1), axes[2:].max(1)
        good = (x0 >= within[0]) & (y0 >= within[1]) & (x1 <= within[2]) & (y1 <= within[3])
        left, top, right, bottom = self._boxes.T
        near = (left < x1.max() + gap) & (top < y1.max() + gap)
        near &= (right > x0.min() - gap) & (bottom > y0.min() - gap)
        if over:
            near &= np.array([what != over for what, _ in self.taken], bool)
        taken = self._boxes[near]
        left, top, right, bottom = taken.T
        meets = (x0[:, None] - gap < right) & (x1[:, None] + gap > left) & good[:, None]
        meets &= (y0[:, None] - gap < bottom) & (y1[:, None] + gap > top)
        which, box = np.nonzero(meets)
        left, top, right, bottom = taken[box].T[..., None]
        parts = candidates[which]
        hit = (
            (parts[..., 0] - gap < right)
            & (parts[..., 2] + gap > left)
            & (parts[..., 1] - gap < bottom)
            & (parts[..., 3] + gap > top)
        )
        good[which[hit.any(1)]] = False
        return np.asarray(good)
