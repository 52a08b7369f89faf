"""A drawing in SVG painted as PNG or WebP: the work of the painter's process (`raster`)."""

import io
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from pbem.board.board import Drawing, Picture
from pbem.board.easel import Sheet, cells_of
from pbem.board.paints import rgb
from pbem.board.reduction import Colour, Reduced, Reduction
from pbem.png import HARD, HARDER, LEVEL, Paletted, format_png, ihdr_of

MOST_BYTES = 92_000
"""Of a board that goes along with a mail, which with its words is then under 160 kB."""
EDGES, FEW_EDGES = 32, 10
"""How many colours smooth the edges of a picture, and of one that would be too large for its bytes,
which is packed harder if that is not enough.
"""
A_CHANGE, FEWER_BYTES, UNLIKELY = 0.72, 0.92, 0.87
"""What each change of colour along the rows mostly takes, bytes, and what is left of all of them
with few edges; a smaller share of the most says that they had been foretold wrongly.
"""
PACKED_HARD = 0.97
"""What is left of a picture's bytes, at the least, when it is packed hard."""
WIDTHS = (900, 800, 720, 640, 600)
"""How wide a board may be, px. It is drawn at the one that its markup foretells; its bytes then
foretell whether another is better.
"""
BY_MARKUP, GROWTH, SURE = 262.0, 1.22, 1.1
"""A square board at the greatest width takes about this number of bytes for the square root of its
characters of markup, and at others as this power of their width; another width is drawn where it is
foretold to take at most this share of the bytes.
"""
_COLOURED = re.compile(r' (?:fill|stroke)="([^"(]+)"')


def picture_of(draw: Callable[[Any, bytes], Drawing], scene: object, land: bytes) -> Picture:
    """Draw here and now, in this process."""
    drawing = draw(scene, land)
    return Picture(render(drawing.svg), drawing.alt)


def image_of(svg: str, most: float = math.inf) -> bytes:
    """A drawing as WebP without loss, at most this wide: for pages, since few programs for
    mail show it.
    """
    reduced = _reduction(Sheet.of(svg), most).to(EDGES)
    image = Image.fromarray(reduced.palette[reduced.indices])
    out = io.BytesIO()
    image.save(out, "WEBP", lossless=True, method=1, quality=60)
    return out.getvalue()


def sheet_of(svg: str, wide: float) -> tuple[bytes, bytes]:
    """A drawing as a PDF, `wide` points wide, and as PNG."""
    sheet = Sheet.of(svg)
    return sheet.printed(wide), _png(_reduction(sheet).to(EDGES), 9)


def render(svg: str) -> bytes:
    """A PNG in at most 256 colours, undithered, as wide as it may be to be small enough. ValueError
    for what the easel does not draw.
    """
    sheet = Sheet.of(svg)
    foretold = BY_MARKUP * math.sqrt(len(svg)) * sheet.height / sheet.width
    guess = _widest(WIDTHS[0], foretold)
    first = next((wide for wide in WIDTHS if wide <= guess), WIDTHS[-1])
    kept, takes = _packed(sheet, first)
    png, fits = kept, len(kept) < MOST_BYTES
    most = min(max(_widest(first, takes / SURE), WIDTHS[-1]), sheet.width)
    for wide in WIDTHS:
        if wide <= most and wide != first and (wide > first) == fits:
            png, _ = _packed(sheet, wide)
            if len(png) < MOST_BYTES:
                return png
    return kept if fits else png


def _widest(wide: float, takes: float) -> float:
    """How wide a board may be that takes this number of bytes at this width."""
    return float(wide * (MOST_BYTES / takes) ** (1 / GROWTH))


def _packed(sheet: Sheet, wide: int) -> tuple[bytes, float]:
    """The picture, and how many bytes it takes with as many edges as may be."""
    reduction = _reduction(sheet, wide)
    takes = reduction.changes * A_CHANGE
    is_near = MOST_BYTES <= takes < MOST_BYTES / FEWER_BYTES
    few = _of_few(reduction, takes) if is_near else b""
    if len(few) < MOST_BYTES * UNLIKELY:
        edged = reduction.to(EDGES)
        png = _png(edged)
        takes = len(png)
        if MOST_BYTES <= takes < MOST_BYTES / PACKED_HARD:
            png = _png(edged, HARD)
        if len(png) < MOST_BYTES or (takes * FEWER_BYTES >= MOST_BYTES and wide > WIDTHS[-1]):
            return png, takes
    return few or _of_few(reduction, takes), takes


def _of_few(reduction: Reduction, takes: float) -> bytes:
    few = reduction.to(FEW_EDGES)
    png = _png(few, LEVEL if takes * FEWER_BYTES < MOST_BYTES * PACKED_HARD else HARD)
    return png if len(png) < MOST_BYTES else _png(few, HARDER)


def _reduction(sheet: Sheet, most: float = math.inf) -> Reduction:
    return Reduction.of(cells_of(sheet.drawn(most)), colours_of(sheet.svg))


def _png(picture: Reduced, level: int = LEVEL) -> bytes:
    """Rows without a filter, which helps no picture in so few colours."""
    high, wide = picture.indices.shape
    rows = np.zeros((high, 1 + wide), np.uint8)
    rows[:, 1:] = picture.indices
    palette = picture.palette.tobytes()
    return format_png(Paletted(ihdr_of(wide, high), palette, rows.tobytes()), level)


def colours_of(svg: str) -> set[Colour]:
    """Those it is drawn in."""
    return {rgb(word) for word in set(_COLOURED.findall(svg)) - {"none"}}
