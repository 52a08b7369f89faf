"""The board's two fonts as an archive brings them along: a file each, of the letters that it needs,
with their licences.
"""

from collections.abc import Mapping
from pathlib import Path

import uharfbuzz

from pbem.archive.layers import Layers
from pbem.board.faces import FAMILIES, Face, font_path

LETTERS = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) | set("–—‘’“”…−")
"""What a heading of a page can have: the letters of Western and Central Europe."""
LICENCES = "fonts-licence.txt"


def font_files(layers: Layers) -> Mapping[str, bytes]:
    """The fonts of an archive by their paths: the serif for headings too, the other for the texts
    of these layers alone.
    """
    needed: dict[str, set[str]] = {family: set() for family in FAMILIES.values()}
    for text in layers.texts():
        needed.get(text.get("font-family", ""), set()).update("".join(text.itertext()))
    return {
        **heading_font(needed[FAMILIES["serif"]]),
        "sans.ttf": subset("sans", needed[FAMILIES["sans"]]),
    }


def heading_font(letters: set[str] | frozenset[str] = frozenset()) -> Mapping[str, bytes]:
    """The font of headings, of these letters too, and the licences of both fonts."""
    folder = Path(font_path("serif")).parent
    licences = b"\n\n".join(path.read_bytes() for path in sorted(folder.glob("LICENCE-*.txt")))
    return {"serif.ttf": subset("serif", LETTERS | letters), LICENCES: licences}


def subset(face: Face, letters: set[str] | frozenset[str]) -> bytes:
    """A font file (TrueType) that has these letters alone."""
    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update({ord(letter) for letter in letters})
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    whole = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(font_path(face)))
    return bytes(uharfbuzz.subset(whole, wanted).blob.data)
