"""The board's two fonts as a page of an archive brings them along: the letters that its boards
need, and no others.
"""

import base64
from dataclasses import dataclass

import uharfbuzz

from pbem.archive.layers import Layers
from pbem.board.faces import FAMILIES, Face, font_path


@dataclass(frozen=True, slots=True)
class WebFont:
    """A font for a page: `url` holds all of it."""

    family: str
    url: str


def fonts_of(layers: Layers) -> tuple[WebFont, ...]:
    """The fonts in which the texts of these layers are drawn."""
    needed: dict[str, set[str]] = {family: set() for family in FAMILIES.values()}
    for text in layers.texts():
        letters = needed.get(text.get("font-family", ""))
        if letters is not None:
            letters.update("".join(text.itertext()))
    return tuple(
        WebFont(family, _url(subset(face, needed[family])))
        for face, family in FAMILIES.items()
        if needed[family]
    )


def subset(face: Face, letters: set[str]) -> bytes:
    """A font file (TrueType) that has these letters alone."""
    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update({ord(letter) for letter in letters})
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    whole = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(font_path(face)))
    return bytes(uharfbuzz.subset(whole, wanted).blob.data)


def _url(font: bytes) -> str:
    return f"data:font/ttf;base64,{base64.b64encode(font).decode()}"
