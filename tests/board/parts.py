"""What an SVG says of its parts to those who look at it in a browser."""

import io
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from PIL import Image

from pbem.board.painting import WIDTHS

KINDS = {"ground", "lands", "pieces", "orders", "battles", "margins"}
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {f"{SVG}{name}" for name in ("path", "rect", "circle", "ellipse", "use")}


FULLEST_BYTES = 120_000
"""What a table fuller than any game makes it may take, bytes."""


def is_whole(png: bytes, width: float, height: float) -> bool:
    """Whether a picture has the shape of its board, and a width that one has in a mail."""
    wide, high = Image.open(io.BytesIO(png)).size
    return WIDTHS[-1] <= wide <= WIDTHS[0] and abs(high - height * wide / width) <= 0.5


def parts_of(svg: str, kind: str) -> Iterator[ET.Element]:
    """Everything within the groups of this kind. AssertionError when something lies in no group."""
    for part in ET.fromstring(svg):  # noqa: S314 - our own templates wrote it
        assert part.tag == f"{SVG}defs" or part.get("class") in KINDS, ET.tostring(part)[:200]
        if part.get("class") == kind:
            yield from part.iter()


def areas_of(svg: str, kind: str) -> set[str]:
    """The areas that have a shape to click on in groups of this kind."""
    return {
        part.attrib["data-area"]
        for part in parts_of(svg, kind)
        if "data-area" in part.attrib and any(shape.tag in SHAPES for shape in part.iter())
    }


def colours_of(svg: str, kind: str) -> list[str]:
    """Whose the parts of this kind are, in the order they are drawn in."""
    return [
        part.attrib["data-colour"] for part in parts_of(svg, kind) if "data-colour" in part.attrib
    ]
