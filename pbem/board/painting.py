"""A drawing in SVG painted as PNG or WebP: the work of the painter's process (`raster`)."""

import io
import math
import re
from collections.abc import Callable
from typing import Any

from PIL import Image

from pbem.board.board import Drawing, Picture
from pbem.board.easel import Sheet, cells_of
from pbem.board.paints import rgb
from pbem.board.reduction import Colour, Reduction

MOST_BYTES = 92_000
"""Of a board that goes along with a mail, which with its words is then under 160 kB."""
EDGES, FEW_EDGES, LEVEL = 32, 10, 7
"""How many colours smooth the edges of a picture; how many do where it is too large for its bytes,
if that is enough or there is no smaller one; and how hard it is packed.
"""
FEWER_BYTES = 0.94
"""What is left of the bytes with few colours at the edges, at most."""
WIDTHS = (900, 800, 720, 640, 600)
"""How wide a board may be, px. It is drawn at the one that its markup foretells; its bytes then
foretell whether another is better.
"""
BY_MARKUP, GROWTH, SURE = 276.0, 1.22, 1.02
"""A square board at the greatest width takes about so many bytes for the square root of its
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
    out = io.BytesIO()
    image = _reduced(_reduction(Sheet.of(svg), most), EDGES).convert("RGB")
    image.save(out, "WEBP", lossless=True, method=1, quality=60)
    return out.getvalue()


def sheet_of(svg: str, wide: float) -> tuple[bytes, bytes]:
    """A drawing as a PDF, `wide` points wide, and as PNG."""
    sheet = Sheet.of(svg)
    return sheet.printed(wide), _png(_reduced(_reduction(sheet), EDGES), 9)


def render(svg: str) -> bytes:
    """A PNG in at most 256 colours, undithered, as wide as it may be to be small enough. ValueError
    for what the easel does not draw.
    """
    sheet = Sheet.of(svg)
    foretold = BY_MARKUP * math.sqrt(len(svg)) * sheet.height / sheet.width
    guess = _widest(WIDTHS[0], foretold)
    first = next((wide for wide in WIDTHS if wide <= guess), WIDTHS[-1])
    png = kept = _packed(sheet, first)
    fits = len(kept) < MOST_BYTES
    most = min(max(_widest(first, len(kept) / SURE), WIDTHS[-1]), sheet.width)
    for wide in WIDTHS:
        if wide <= most and wide != first and (wide > first) == fits:
            png = _packed(sheet, wide)
            if len(png) < MOST_BYTES:
                return png
    return kept if fits else png


def _widest(wide: float, takes: float) -> float:
    """How wide a board may be that takes so many bytes at this width."""
    return float(wide * (MOST_BYTES / takes) ** (1 / GROWTH))


def _packed(sheet: Sheet, wide: int) -> bytes:
    reduction = _reduction(sheet, wide)
    png = _png(_reduced(reduction, EDGES), LEVEL)
    if len(png) >= MOST_BYTES and (len(png) * FEWER_BYTES < MOST_BYTES or wide == WIDTHS[-1]):
        png = _png(_reduced(reduction, FEW_EDGES), LEVEL)
    return png


def _reduction(sheet: Sheet, most: float = math.inf) -> Reduction:
    return Reduction.of(cells_of(sheet.drawn(most)), colours_of(sheet.svg))


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
