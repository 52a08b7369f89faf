"""Arrows as shapes: a brush stroke that swells towards its head, whole or in pieces."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pbem.board.paths import Points

HEAD, HALF_HEAD = 25.0, 16.0
"""Length and half the width of a head, px."""
EDGE = 3.0
"""What an outline and its cream edge add to a shape, px."""
DASH = 17.0


def bows(tails: Points, heads: Points, bends: NDArray[np.float64], count: int = 17) -> Points:
    """Lines (n x count x 2) from each tail to each head, bent sideways by a share of their
    length.
    """
    t = np.linspace(0, 1, count)[None, :, None]
    ways = (heads - tails)[:, None]
    aside = np.stack([-ways[..., 1], ways[..., 0]], -1) * bends[:, None, None]
    return np.asarray(tails[:, None] + ways * t + aside * 4 * t * (1 - t))


def through(tails: Points, middles: Points, heads: Points, count: int = 27) -> Points:
    """Soft lines (n x count x 2) through three points each."""
    t = np.linspace(0, 1, count)[None, :, None]
    a, c = tails[:, None], heads[:, None]
    b = middles[:, None] * 2 - (a + c) / 2
    return np.asarray((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c)


def boxes_of(lines: Points, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The boxes (n x m x 4) that strokes along these lines take: small along the body, larger at
    the head.
    """
    shares = np.linspace(0, 1, lines.shape[1])[None]
    lengths = np.hypot(*np.diff(lines, axis=1).transpose(2, 0, 1)).sum(1)[:, None]
    size = sizes[:, None]
    to_tip = (1 - shares) * lengths
    body = (3.8 + 3.2 * shares) * size + EDGE
    head = HALF_HEAD / HEAD * np.minimum(to_tip, HEAD * size) + EDGE
    half = np.where(to_tip < 1.16 * HEAD * size + 2 * EDGE, head, body)[..., None]
    return np.concatenate([lines - half, lines + half], -1)


def brush(line: Points, size: float, *, broken: bool = False) -> str:
    """The outline of a stroke as path data."""
    fine = np.linspace(0, len(line) - 1, 41)
    line = np.stack([np.interp(fine, range(len(line)), axis) for axis in line.T], 1)
    ahead = np.gradient(line, axis=0)
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], 1) / np.hypot(*ahead.T)[:, None]
    last = len(line) - 1
    length = float(np.hypot(*np.diff(line, axis=0).T).sum())
    neck = max(0.3, 1 - HEAD * size / length)
    half = (3.8 + 3.2 * np.linspace(0, 1, last + 1))[:, None] * size
    pieces = max(2, round(length * neck / DASH)) if broken else 1
    parts = []
    for piece in range(pieces):
        start = int(neck * (piece + 0.1) / pieces * last) if broken else 0
        end = int(neck * (piece + (0.66 if broken else 1.0)) / pieces * last)
        span = slice(start, max(end, start + 1) + 1)
        left, right = (line + aside * half)[span], (line - aside * half)[span]
        parts.append(_closed([*left, *right[::-1]]))
    base, tip = line[int(neck * last)], line[-1]
    barb, back = aside[int(neck * last)] * HALF_HEAD * size, (line[int(neck * last)] - tip) * 0.16
    parts.append(_closed([base + back + barb, tip, base + back - barb, base]))
    return "".join(parts)


def _closed(points: Sequence[NDArray[np.float64]] | Iterable[NDArray[np.float64]]) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points) + "Z"
