"""How like two pictures are: the structural similarity of what we paint to the reference rendering
of the same SVG by resvg, in full colour.
"""

import io
import re

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from pbem.board.faces import FAMILIES, font_path

LIKE_ENOUGH = 0.985
"""A picture less like its reference has got worse."""
_BOX = 8
_SIZE = re.compile(r'width="[\d.]+" height="[\d.]+"')
_DARK, _FLAT = (0.01 * 255) ** 2, (0.03 * 255) ** 2

Grey = NDArray[np.float64]


def likeness(png: bytes, svg: str) -> float:
    """The mean over all boxes of 8 x 8 px, from 0 to 1."""
    ours = _grey(png)
    its = _grey(reference(svg, *ours.shape))
    mean_a, mean_b = _mean(ours), _mean(its)
    spread_a = _mean(ours * ours) - mean_a**2
    spread_b = _mean(its * its) - mean_b**2
    both = _mean(ours * its) - mean_a * mean_b
    similar = (2 * mean_a * mean_b + _DARK) * (2 * both + _FLAT)
    return float(
        (similar / ((mean_a**2 + mean_b**2 + _DARK) * (spread_a + spread_b + _FLAT))).mean()
    )


def reference(svg: str, high: int, wide: int) -> bytes:
    """The rendering by resvg at this size, as PNG."""
    size = f'width="{wide}" height="{high}" preserveAspectRatio="none"'
    svg = _SIZE.sub(size, svg, count=1)
    fonts = [font_path(face) for face in FAMILIES]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts))


def _grey(png: bytes) -> Grey:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB").convert("L"), np.float64)


def _mean(values: Grey) -> Grey:
    total = np.pad(values, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    inner = total[_BOX:, _BOX:] - total[:-_BOX, _BOX:] - total[_BOX:, :-_BOX]
    mean: Grey = (inner + total[:-_BOX, :-_BOX]) / _BOX**2
    return mean
