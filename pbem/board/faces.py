"""The two fonts of the board: measuring, fitting, and what to do with letters they lack.

A text in a font that lacks its letters vanishes from the picture without a word, so names pass
through `legible`.
"""

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from markupsafe import Markup, escape
from PIL import ImageFont

from pbem.board.templates import format_number

Face = Literal["serif", "sans"]
FAMILIES: dict[Face, str] = {"serif": "Gentium Book Plus", "sans": "DejaVu Sans"}
_FILES: dict[Face, str] = {
    "serif": "GentiumBookPlus-Bold.ttf",
    "sans": "DejaVuSansCondensed-Bold.ttf",
}
_EM = 200
_ROUNDING = 0.001
"""What a text that was made to fit its room may be wider by, px."""
_NO_LETTER = "\uffff"


def font_path(face: Face) -> str:
    """The file of a font."""
    return str(files("pbem.board") / "fonts" / _FILES[face])


@cache
def _font(face: Face) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_path(face), _EM, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width(text: str, face: Face = "sans", size: float = 1.0) -> float:
    """How wide a text is, in px at this font size."""
    return _font(face).getlength(text) / _EM * size


@lru_cache(maxsize=4096)
def ink_box(text: str, face: Face, size: float) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of the ink, from the start of the baseline."""
    x0, y0, x1, y1 = _font(face).getbbox(text, anchor="ls")
    return x0 * size / _EM, y0 * size / _EM, x1 * size / _EM, y1 * size / _EM


@lru_cache(maxsize=8192)
def has_letter(letter: str, face: Face = "sans") -> bool:
    """Whether the font can draw this character."""
    if letter.isspace():
        return letter == " "
    drawn, missing = _font(face).getmask(letter), _font(face).getmask(_NO_LETTER)
    if drawn.size == (0, 0):
        return unicodedata.category(letter) in {"Mn", "Me"}
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@lru_cache(maxsize=1024)
def legible(name: str, instead: str, face: Face = "sans") -> str:
    """A name as it can be drawn: letters the font lacks left out; `instead` when most of the name
    would be lost.
    """
    known = "".join(
        letter if has_letter(letter, face) else " " for letter in unicodedata.normalize("NFC", name)
    )
    known = " ".join(known.split())
    letters = sum(letter.isalnum() for letter in name)
    kept = sum(letter.isalnum() for letter in known)
    return known if kept and 2 * kept > letters else instead


CORNER = 32.0
"""Of what stands in the corners of a board, in the serif face, px."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text and its place: what is drawn, and what a test measures."""

    text: str
    x: float
    y: float
    size: float
    fill: str
    face: Face = "sans"
    anchor: Literal["start", "middle", "end"] = "start"
    halo: str = ""

    @property
    def family(self) -> str:
        return FAMILIES[self.face]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The ink's box on the board: left, top, right, bottom."""
        x0, y0, x1, y1 = ink_box(self.text, self.face, self.size)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width(
            self.text, self.face, self.size
        )
        return self.x - shift + x0, self.y + y0, self.x - shift + x1, self.y + y1

    @property
    def markup(self) -> Markup:
        """The element of SVG. Not a template: a board has hundreds, and most were on the last."""
        return _markup(self)


@lru_cache(maxsize=4096)
def _markup(words: Words) -> Markup:
    x, y, size, halo = map(format_number, (words.x, words.y, words.size, words.size * 0.17))
    stretch = ' font-stretch="condensed"' if words.face == "sans" else ""
    anchor = f' text-anchor="{words.anchor}"' if words.anchor != "start" else ""
    line = ""
    if words.halo:
        line = (
            f' stroke="{escape(words.halo)}" stroke-width="{halo}" stroke-linejoin="round"'
            ' paint-order="stroke"'
        )
    return Markup(  # noqa: S704 - what is not ours in it is escaped
        f'<text x="{x}" y="{y}" font-family="{words.family}" font-weight="bold"{stretch}'
        f' font-size="{size}" fill="{escape(words.fill)}"{anchor}{line}>{escape(words.text)}</text>'
    )


@lru_cache(maxsize=2048)
def fit(
    text: str, size: float, room: float, least: float, face: Face = "sans"
) -> tuple[str, float]:
    """A text no wider than its room: smaller first, down to `least` px, then cut with an
    ellipsis.
    """
    size = max(min(size, least), min(size, room / max(width(text, face), 0.01)))
    whole = text
    while width(text, face, size) > room + _ROUNDING and len(whole) > 1:
        whole = whole[:-1].rstrip()
        text = whole + "…"
    return text, size


def broken(text: str, size: float, room: float, face: Face = "sans") -> list[str]:
    """A text in lines that fit their room, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, face, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@dataclass(frozen=True, slots=True)
class Lettering:
    """How a text is written: at this size, or smaller, down to `least`, where its room asks for
    it.
    """

    size: float
    fill: str
    face: Face = "sans"
    anchor: Literal["start", "middle", "end"] = "start"
    least: float | None = None
    halo: str = ""

    def write(self, text: str, x: float, y: float, room: float, least: float) -> Words:
        """The text made to fit its room; `least` where the lettering has no least size itself."""
        least = least if self.least is None else self.least
        text, size = fit(text, self.size, room, least, self.face)
        return Words(text, x, y, size, self.fill, self.face, self.anchor, self.halo)
