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
        nothing, but for what they may lie `over`.
        """
        if not len(candidates):
            return np.zeros(0, bool)
        low, high = candidates[..., :2] - gap, candidates[..., 2:] + gap
        good = (candidates[..., :2] >= within[:2]).all((1, 2)) & (
            candidates[..., 2:] <= within[2:]
        ).all((1, 2))
        near = (self._boxes[:, :2] < high.reshape(-1, 2).max(0)).all(1) & (
            self._boxes[:, 2:] > low.reshape(-1, 2).min(0)
        ).all(1)
        if over:
            near &= np.array([what != over for what, _ in self.taken], bool)
        for box in self._boxes[near]:
            hit = (
                (low[..., 0] < box[2])
                & (high[..., 0] > box[0])
                & (low[..., 1] < box[3])
                & (high[..., 1] > box[1])
            )
            good &= ~hit.any(1)
        return np.asarray(good)
