"""The hand-drawn lines of a generated land: from rings to outlines that share their borders point
by point.

Rings give the angles at which borders meet; every border and coast is one line, made once, from
noise seeded by (seed, kind, ring, angle); outlines are put together from those lines. So neighbours
fit exactly, and who borders whom is what the rings say, never what the noise happened to do. Same
seed, same land.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.protectors.lands import Ring
from pbem.board.paths import MIDDLE, Points, displaced, length_of, thinned
from pbem.board.shared_edges import is_sound
from pbem.games.protectors.board.rings import ring_radii

FULL = 2 * math.pi
CALMER = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
SHORTEST_BORDER = 28.0
"""A shorter border, px before scaling, could not be seen: the draft is refused."""
ARC, RADIAL = 1, 2


@dataclass(frozen=True, slots=True)
class Sketch:
    """The lines of a land before it is scaled: by province number, by pair (a < b), and what lies
    at the Sea.
    """

    outlines: dict[int, Points]
    borders: dict[tuple[int, int], list[Points]]
    coasts: list[Points]
    sea: Points | None

    def moved(self, centre: Points, scale: Points) -> "Sketch":
        """Every line scaled about `centre`, which comes to lie in the middle of the board."""

        def move(line: Points) -> Points:
            return (line - centre) * scale + MIDDLE

        return Sketch(
            {p: move(line) for p, line in self.outlines.items()},
            {pair: [move(line) for line in lines] for pair, lines in self.borders.items()},
            [move(line) for line in self.coasts],
            None if self.sea is None else move(self.sea),
        )


def noise_line(
    a: tuple[float, float],
    b: tuple[float, float],
    swing: float,
    rough: float,
    chance: np.random.Generator,
) -> Points:
    """Points from polar node a to polar node b (radius, angle), pushed sideways by midpoint
    displacement; both ends stay put.
    """
    reach = math.hypot(b[0] - a[0], (b[1] - a[1]) * (a[0] + b[0]) / 2)
    steps = 2 ** max(3, min(7, round(math.log2(max(reach, 12) / 6))))
    t = np.linspace(0, 1, steps + 1)
    radius, angle = a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
    line = np.stack([radius * np.sin(angle), -radius * np.cos(angle)], 1)
    return displaced(line, swing, rough, chance)


def warped(line: Points, seed: int) -> Points:
    """A gentle, one-to-one bending of the whole plane, so that rings do not look drawn with
    compasses.
    """
    chance = np.random.default_rng([seed, 7])
    line = line * (
        1 - 0.035 * np.cos(4 * np.arctan2(line[:, 0], line[:, 1]) + math.pi)[:, None]
    )  # leaves the corners free
    out = line.copy()
    for wave, size in ((620, 17), (330, 8), (170, 3.4)):
        for axis in (0, 1):
            way = chance.normal(size=2)
            way *= FULL / wave / np.hypot(*way)
            out[:, axis] += size * np.sin(line @ way + chance.uniform(0, 6.28))
    return out + MIDDLE


def sketch_rings(
    rings: Sequence[Ring], seed: int, calm: float = 1.0
) -> tuple[Sketch, float] | None:
    """One draft, and how lively it is (1 down to .3): calmer noise until no line crosses another;
    None when none will do.
    """
    for calm in (step for step in CALMER if step <= calm):
        sketch = _Draft(rings, seed, calm).sketch()
        if sketch is not None:
            return sketch, calm
    return None


def _norm(angle: float) -> float:
    """One name per angle, 0 and a full turn being the same."""
    return round(angle % FULL, 5) % round(FULL, 5)


class _Draft:
    def __init__(self, rings: Sequence[Ring], seed: int, calm: float):
        self.rings, self.seed, self.calm = rings, seed, calm
        self.radii = ring_radii(rings)
        self.angles = [
            [(j + ring.turn) * FULL / ring.count for j in range(ring.count)] for ring in rings
        ]
        self.thick = min(b - a for a, b in pairwise(self.radii))
        self.lines: dict[tuple[int, int, float], Points] = {}

    def on_circle(self, circle: int) -> list[float]:
        """Every place where a border meets this circle, going round."""
        here = (self.angles[circle] if circle < len(self.rings) else []) + (
            self.angles[circle - 1] if circle else []
        )
        return sorted({_norm(angle) for angle in here})

    def node(self, circle: int, angle: float) -> tuple[float, float]:
        chance = np.random.default_rng([self.seed, 11, circle, round(_norm(angle) * 1e5)])
        count = max(
            self.rings[min(circle, len(self.rings) - 1)].count, len(self.on_circle(circle)), 6
        )
        radius = self.radii[circle] + chance.uniform(-0.09, 0.09) * self.thick * self.calm
        return radius, angle + chance.uniform(-0.08, 0.08) * FULL / count * self.calm

    def line(
        self, kind: int, circle: int, a: float, b: float
    ) -> tuple[tuple[int, int, float], Points]:
        key = (kind, circle, _norm(a))
        if key not in self.lines:
            chance = np.random.default_rng([self.seed, kind, circle, round(key[2] * 1e5)])
            p, q = self.node(circle, a), self.node(circle + 1 if kind == RADIAL else circle, b)
            if kind == ARC and q[1] < p[1]:
                q = (q[0], q[1] + FULL)
            if kind == RADIAL:
                q = (q[0], q[1] + FULL * round((p[1] - q[1]) / FULL))
            coast = kind == ARC and circle in (0, len(self.rings))
            swing, rough = (0.095, 0.62) if coast else (0.085, 0.56)
            self.lines[key] = thinned(
                warped(noise_line(p, q, swing * self.calm, rough, chance), self.seed)
            )
        return key, self.lines[key]

    def arcs(self, circle: int, a: float, b: float) -> list[tuple[tuple[int, int, float], Points]]:
        """The circle from angle a to angle b, cut at every node between."""
        span = (b - a) % FULL or FULL
        inner = sorted(
            (x - a) % FULL for x in self.on_circle(circle) if 1e-4 < (x - a) % FULL < span - 1e-4
        )
        marks = [a, *(a + x for x in inner), a + span]
        return [self.line(ARC, circle, u, v) for u, v in pairwise(marks)]

    def sketch(self) -> Sketch | None:
        sides: dict[tuple[int, int, float], list[int]] = {}
        outlines: dict[int, Points] = {}
        for k, ring in enumerate(self.rings):
            for j in range(ring.count):
                a, b = self.angles[k][j], self.angles[k][(j + 1) % ring.count]
                low, high = self.arcs(k, a, b), self.arcs(k + 1, a, b)
                left, right = self.line(RADIAL, k, a, a), self.line(RADIAL, k, b, b)
                for key, _ in (*low, *high, left, right):
                    sides.setdefault(key, []).append(ring.first + j)
                way = [
                    *(line for _, line in low),
                    right[1],
                    *(line[::-1] for _, line in reversed(high)),
                    left[1][::-1],
                ]
                outlines[ring.first + j] = np.vstack([line[:-1] for line in way])
        if not is_sound(list(outlines.values())):
            return None
        borders: dict[tuple[int, int], list[Points]] = {}
        for key, owners in sorted(sides.items()):
            if len(owners) == 2:
                borders.setdefault((min(owners), max(owners)), []).append(self.lines[key])
        if (
            min(max(length_of(line) for line in lines) for lines in borders.values())
            < SHORTEST_BORDER
        ):
            return None
        coasts = [self.lines[key] for key, owners in sorted(sides.items()) if len(owners) == 1]
        shore = sorted(key for key in sides if key[:2] == (ARC, 0))
        return Sketch(outlines, borders, coasts, np.vstack([self.lines[key][:-1] for key in shore]))
