"""A drawing in SVG painted as PNG or WebP: the work of the painter's process (`raster`)."""

import io
import math
import re
from collections.abc import Callable
from typing import Any

from PIL import Image

from pbem.board.board import Drawing, Picture
from pbem.board.easel import cells_of, drawn, printed
from pbem.board.paints import rgb
from pbem.board.reduction import Colour, Reduction

MOST_BYTES = 92_000
"""Of a board that goes along with a mail, which with its words is then under 160 kB."""
EDGES = 32
"""How many colours smooth the edges of a picture at most."""
WIDTHS, FIRST = (900, 800, 720, 640, 600), 800
"""How wide a board may be, px. It is drawn at the first of them, which foretells the widest that
will be small enough; where that was wrong, at the next.
"""
PACKINGS = ((EDGES, 7), (10, 8))
"""How many colours smooth its edges, and how hard it is packed. The first that is small enough is
taken, or the last.
"""
USUAL_A_CHANGE, LEAST_A_CHANGE = 0.68, 0.62
"""What each change of colour along the rows takes mostly in these packings, bytes."""
_COLOURED = re.compile(r' (?:fill|stroke)="([^"(]+)"')


def picture_of(draw: Callable[[Any, bytes], Drawing], scene: object, land: bytes) -> Picture:
    """Draw here and now, in this process."""
    drawing = draw(scene, land)
    return Picture(render(drawing.svg), drawing.alt)


def image_of(svg: str, most: float = math.inf) -> bytes:
    """A drawing as WebP without loss, at most this wide: for pages, since few programs for
    mail show it.
    """
    out = io.BytesIO()
    image = _reduced(_reduction(svg, most), EDGES).convert("RGB")
    image.save(out, "WEBP", lossless=True, method=1, quality=60)
    return out.getvalue()


def sheet_of(svg: str, wide: float) -> tuple[bytes, bytes]:
    """A drawing as a PDF, `wide` points wide, and as PNG."""
    return printed(svg, wide), _png(_reduced(_reduction(svg), EDGES), 9)


def render(svg: str) -> bytes:
    """A PNG in at most 256 colours, undithered, as wide as it may be to be small enough. ValueError
    for what the easel does not draw.
    """
    png, reduction = b"", _reduction(svg, FIRST)
    most = MOST_BYTES / reduction.changes / LEAST_A_CHANGE * FIRST
    for wide in [wide for wide in WIDTHS if wide <= most] or WIDTHS[-1:]:
        if wide != FIRST:
            reduction = _reduction(svg, wide)
        is_much = reduction.changes * USUAL_A_CHANGE > MOST_BYTES
        for edges, level in PACKINGS[is_much:]:
            png = _png(_reduced(reduction, edges), level)
            if len(png) < MOST_BYTES:
                return png
    return png


def _reduction(svg: str, most: float = math.inf) -> Reduction:
    return Reduction.of(cells_of(drawn(svg, most)), colours_of(svg))


def _reduced(reduction: Reduction, edges: int) -> Image.Image:
    reduced = reduction.to(edges)
    image = Image.fromarray(reduced.indices)
    image.putpalette(reduced.palette.tobytes())
    return image


def _png(image: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def colours_of(svg: str) -> set[Colour]:
    """Those it is drawn in."""
    return {rgb(word) for word in set(_COLOURED.findall(svg)) - {"none"}}
