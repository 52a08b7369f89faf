"""The shapes of arrows and hooks, from the line they follow: brush strokes, pieces, dots."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pbem.board.faces import Words
from pbem.board.palette import CREAM, GOLD, arms_of
from pbem.board.paths import Points, length_of
from pbem.games.protectors.board.blocks import Coat
from pbem.games.protectors.board.scene import March, Support

UNITS_SIZE, TWO_UNITS_SIZE = 28.0, 24.0
SEAL_RADIUS = 18.5
RIDER_APART = 70.0
"""Arms ride on a stroke where they are so far from the seal at its tail, px."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A march: the stroke as path data, the seal with the number of units at its tail, arms riding
    on it or none.
    """

    colour: str
    path: str
    fill: str
    x: float
    y: float
    radius: float
    seal: str
    ring: str
    ring_width: float
    units: Words
    rider: Coat | None


@dataclass(frozen=True, slots=True)
class Hook:
    """A support: a thin line ending in a hook, the owner's small arms at its tail; `dots` are a
    dash pattern or empty.
    """

    colour: str
    path: str
    fill: str
    widths: tuple[float, float, float]
    dots: str
    coat: Coat


def bowed_axes(
    p: Points, q: Points, bow: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lines as of `bows`, as two arrays: the x and the y of each line's points."""
    t = np.linspace(0, 1, count)
    arch = 4 * t * (1 - t)
    (dx, dy), (px, py) = (q - p).T, p.T
    return (
        px[:, None] + np.outer(dx, t) + np.outer(-dy * bow, arch),
        py[:, None] + np.outer(dy, t) + np.outer(dx * bow, arch),
    )


def path_of(points: Points, *, close: bool = False) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points.tolist()) + ("Z" if close else "")


def march_arrow(line: Points, march: March, k: float, *, rider: bool) -> Arrow:
    """A stroke that swells towards its head; in pieces if delayed, gold if golden."""
    arms = arms_of(march.colour)
    ahead = np.gradient(line, axis=0)
    normal = np.stack([-ahead[:, 1], ahead[:, 0]], 1) / np.hypot(*ahead.T)[:, None]
    last, length = len(line) - 1, length_of(line)
    neck = max(0.35, 1 - 30 * k / length)
    half = (4.2 + 3.4 * np.linspace(0, 1, len(line)))[:, None] * k
    pieces = max(2, round(length * neck / (27 * k))) if march.delayed else 1
    shapes = []
    for piece in range(pieces):
        u, v = ((piece + 0.14) / pieces, (piece + 0.72) / pieces) if march.delayed else (0.0, 1.0)
        i = int(neck * u * last)
        j = max(int(neck * v * last), i + 2)
        shapes.append(
            path_of(
                np.vstack(
                    [(line + normal * half)[i : j + 1], (line - normal * half)[i : j + 1][::-1]]
                ),
                close=True,
            )
        )
    i = int(neck * last)
    base, tip, side = line[i], line[-1], normal[i] * 19 * k
    back = (base - tip) * 0.16
    shapes.append(
        path_of(np.array([base + back + side, tip, base + back - side, base]), close=True)
    )
    (x, y), middle = line[0].tolist(), line[len(line) // 2].tolist()
    text = str(march.units)
    size = UNITS_SIZE if len(text) < 2 else TWO_UNITS_SIZE
    rider = rider and math.dist((x, y), middle) >= RIDER_APART
    return Arrow(
        colour=march.colour,
        path="".join(shapes),
        fill=GOLD if march.golden else arms.full,
        x=x,
        y=y,
        radius=SEAL_RADIUS * k,
        seal=arms.full,
        ring=GOLD if march.golden else CREAM,
        ring_width=3.4 if march.golden else 2.4,
        units=Words(text, x, y + size * 0.36 * k, size * k, arms.on, anchor="middle"),
        rider=Coat(middle[0], middle[1], 14 * k, arms) if rider else None,
    )


def support_hook(line: Points, support: Support, k: float) -> Hook:
    """It holds, it does not move: gold if golden, dotted if extended."""
    arms = arms_of(support.colour)
    way = line[-1] - line[-2]
    way = way / np.hypot(*way)
    side = np.array([-way[1], way[0]])
    hook = [
        line[-1] + side * 9 * k * (1 - math.cos(a)) + way * 9 * k * math.sin(a)
        for a in np.linspace(0, 4.0, 12)
    ]
    x, y = line[0].tolist()
    return Hook(
        colour=support.colour,
        path=path_of(np.vstack([line[::2], hook])),
        fill=GOLD if support.golden else arms.full,
        widths=(11 * k, 7.6 * k, 4.4 * k),
        dots=f"{0.1 * k:.2f} {12.5 * k:.1f}" if support.extended else "",
        coat=Coat(x, y, 14 * k, arms),
    )
