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
EDGES, LEAST_WIDE = 32, 600
ATTEMPTS = (
    (900, ((EDGES, 7),)),
    (800, ((EDGES, 7),)),
    (720, ((EDGES, 7),)),
    (640, ((EDGES, 7), (16, 9))),
    (LEAST_WIDE, ((EDGES, 7), (16, 9), (8, 9))),
)
"""How wide a board is at most, px; then how many colours smooth its edges, and how hard it is
packed. The first that is small enough is taken, or the last.
"""
LEAST_A_CHANGE, USUAL_A_CHANGE = 0.58, 0.65
"""What each change of colour along the rows takes at least and mostly, bytes."""
SPARED = 0.97
"""Bytes grow as the width does, or somewhat slower."""
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
    """A PNG in at most 256 colours, undithered, so wide that it is small enough; widths that would
    be too large by the bytes of a wider attempt are not drawn. ValueError for what the easel does
    not draw.
    """
    png, bytes_a_px = b"", 0.0
    for wide, packings in ATTEMPTS:
        if wide * bytes_a_px > MOST_BYTES and wide > LEAST_WIDE:
            continue
        reduction = _reduction(svg, wide)
        if reduction.changes * LEAST_A_CHANGE > MOST_BYTES and wide > LEAST_WIDE:
            bytes_a_px = reduction.changes * USUAL_A_CHANGE * SPARED / wide
            continue
        for edges, level in packings:
            png = _png(_reduced(reduction, edges), level)
            if len(png) < MOST_BYTES:
                return png
        bytes_a_px = len(png) * SPARED / wide
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
