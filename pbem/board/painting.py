"""A drawing in SVG painted as PNG: the work of the painter's process (`raster`)."""

import io
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import resvg_py
from PIL import Image

from pbem.board.board import Drawing, Picture
from pbem.board.faces import font_paths

MOST_BYTES = 200_000
COLOURS = (256, 192, 128, 64)
QUICK, SMALL = 6, 9


def picture_of(draw: Callable[[Any, bytes], Drawing], scene: object, land: bytes) -> Picture:
    """Draw here and now, in this process."""
    drawing = draw(scene, land)
    return Picture(render(drawing.svg), drawing.alt)


@lru_cache(maxsize=1)
def _fonts() -> list[str]:
    return font_paths()


def render(svg: str) -> bytes:
    """A PNG in 256 colours by median cut, undithered; packed harder, then in fewer colours, when it
    would be too large.
    """
    drawn = bytes(
        resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=_fonts())
    )
    image = Image.open(io.BytesIO(drawn)).convert("RGB")
    png = b""
    for colours in COLOURS:
        reduced = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        for level in (QUICK, SMALL) if colours == COLOURS[0] else (SMALL,):
            out = io.BytesIO()
            reduced.save(out, "PNG", compress_level=level)
            png = out.getvalue()
            if len(png) < MOST_BYTES:
                return png
    return png
