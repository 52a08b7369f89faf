"""A drawing in SVG painted as PNG or WebP: the work of the painter's process (`raster`)."""

import io
import re
from collections.abc import Callable
from typing import Any

from PIL import Image

from pbem.board.board import Drawing, Picture
from pbem.board.easel import cells_of, drawn, printed
from pbem.board.paints import rgb
from pbem.board.reduction import Colour, Reduction

MOST_BYTES = 200_000
ATTEMPTS = (
    (32, 2, 210_000),
    (32, 4, 240_000),
    (32, 5, None),
    (16, 6, None),
    (8, 9, None),
    (0, 9, None),
)
"""How many colours smooth edges, and how hard it is packed: the first that is small enough. With
more changes of colour along the rows than are told here, an attempt is as good as lost.
"""
_COLOURED = re.compile(r' (?:fill|stroke)="([^"(]+)"')


def picture_of(draw: Callable[[Any, bytes], Drawing], scene: object, land: bytes) -> Picture:
    """Draw here and now, in this process."""
    drawing = draw(scene, land)
    return Picture(render(drawing.svg), drawing.alt)


def image_of(svg: str) -> bytes:
    """The same pixels as `render` makes, as WebP without loss: two thirds of the PNG's bytes, for
    pages (few programs for mail show it).
    """
    out = io.BytesIO()
    with Image.open(io.BytesIO(render(svg))) as image:
        image.convert("RGB").save(out, "WEBP", lossless=True, method=1, quality=60)
    return out.getvalue()


def sheet_of(svg: str, wide: float) -> tuple[bytes, bytes]:
    """The same drawing as a PDF, `wide` points wide, and as PNG."""
    return printed(svg, wide), render(svg)


def render(svg: str) -> bytes:
    """A PNG in at most 256 colours, undithered; in fewer and packed harder, when it would be too
    large. ValueError for what the easel does not draw.
    """
    reduction = Reduction.of(cells_of(drawn(svg)), colours_of(svg))
    png = b""
    for edges, level, most in ATTEMPTS:
        if most is not None and reduction.changes > most:
            continue
        reduced = reduction.to(edges)
        image = Image.fromarray(reduced.indices)
        image.putpalette(reduced.palette.tobytes())
        out = io.BytesIO()
        image.save(out, "PNG", compress_level=level)
        png = out.getvalue()
        if len(png) < MOST_BYTES:
            break
    return png


def colours_of(svg: str) -> set[Colour]:
    """Those it is drawn in."""
    return {rgb(word) for word in set(_COLOURED.findall(svg)) - {"none"}}
