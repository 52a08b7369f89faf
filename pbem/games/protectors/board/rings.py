"""How wide the rings of a generated land lie: radii in px for a plan whose topology the engine has
decided.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import pi, sqrt

from engine.protectors.lands import Ring

COAST = 480.0
SEAS_OF_ONE_RING = (196.0, 252.0)
SEAS_OF_MANY = (98.0, 156.0)
EQUAL_DEPTH = 0.6
"""The rest is equal area: rings as deep as each other look right, but the inner provinces must not
be cramped.
"""


def ring_radii(rings: Sequence[Ring]) -> tuple[float, ...]:
    """Where the rings begin and end, from the Sea outwards: between equal areas and equal depths,
    around a Sea that leaves the roomiest provinces.
    """
    low, high = SEAS_OF_ONE_RING if len(rings) == 1 else SEAS_OF_MANY
    counts = [ring.count for ring in rings]
    return max(
        (_radii(low + (high - low) * step / 20, counts) for step in range(21)),
        key=lambda radii: round(_room(radii, counts), 6),
    )


def _radii(sea: float, counts: Sequence[int]) -> tuple[float, ...]:
    radii, so_far = [sea], 0
    for ring, count in enumerate(counts, start=1):
        so_far += count
        by_area = sqrt(sea * sea + (COAST * COAST - sea * sea) * so_far / sum(counts))
        by_depth = sea + (COAST - sea) * ring / len(counts)
        radii.append(by_area + (by_depth - by_area) * EQUAL_DEPTH)
    return tuple(radii)


def _room(radii: Sequence[float], counts: Sequence[int]) -> float:
    return min(
        min(pi * (a + b) / count, (b - a) / 1.15)
        for (a, b), count in zip(pairwise(radii), counts, strict=True)
    )
