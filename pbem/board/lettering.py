"""Texts as outlines of the board's own fonts, shaped as their scripts are written: kerning, marks,
joined letters, and runs from right to left.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby

import skia
import uharfbuzz

from pbem.board.faces import FAMILIES, Face, font_path

FACES: dict[str, Face] = {family: face for face, family in FAMILIES.items()}


@dataclass(frozen=True, slots=True)
class Lettering:
    """A text from the start of its baseline, at a font size of 1 px: its outline, and how wide
    it is.
    """

    path: skia.Path
    width: float


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a text by their numbers in its font, each with its place in units of the
    font.
    """

    face: Face
    glyphs: tuple[tuple[int, float, float], ...]

    @property
    def em(self) -> int:
        return int(_font(self.face).face.upem)

    @property
    def typeface(self) -> skia.Typeface:
        return _typeface(self.face)

    def outline(self, glyph: int) -> skia.Path:
        return _glyph(self.face, glyph, 0)


@lru_cache(maxsize=1024)
def lettering(text: str, family: str, halo: int = 0) -> Lettering | None:
    """A text in this family, or the line around it, this many hundredths of the font size wide and
    rounded; what the font lacks is a box. None when there is no such family.
    """
    face = FACES.get(family)
    if face is None:
        return None
    glyphs, wide = _shaped(text, face)
    path, sized, em = skia.Path(), skia.Path(), _font(face).face.upem
    for glyph, x, y in glyphs:
        path.addPath(_glyph(face, glyph, halo), x, y)
    sized.addPath(path, skia.Matrix.Scale(1 / em, 1 / em))
    return Lettering(sized, wide / em)


def letters_of(text: str, family: str) -> Letters:
    """A text by its letters. KeyError when there is no such family."""
    face = FACES[family]
    return Letters(face, tuple(_shaped(text, face)[0]))


def _shaped(text: str, face: Face) -> tuple[list[tuple[int, float, float]], float]:
    """The glyphs of a text by their numbers, each with its place, and how wide all are, in the
    units of the font.
    """
    found, x = [], 0.0
    for run, direction in _runs(text):
        buffer = uharfbuzz.Buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        buffer.direction = direction
        uharfbuzz.shape(_font(face), buffer)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            found.append((glyph.codepoint, x + place.x_offset, -place.y_offset))
            x += place.x_advance
    return found, x


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Parts that are written in one direction, from left to right; boards are written in English,
    so a line as a whole is, too.
    """
    kinds = [unicodedata.bidirectional(letter) for letter in text]
    rightward = [kind in {"R", "AL"} for kind in kinds]
    at = 0
    while at < len(text):
        if not rightward[at]:
            end = next((i for i in range(at, len(text)) if rightward[i]), len(text))
            yield text[at:end], "ltr"
        else:
            strong = next((i for i in range(at, len(text)) if kinds[i] == "L"), len(text))
            end = max(i for i in range(at, strong) if rightward[i]) + 1
            parts = groupby(range(at, end), lambda i: kinds[i] in {"EN", "AN"})
            for is_number, part in reversed([(number, list(part)) for number, part in parts]):
                yield text[part[0] : part[-1] + 1], "ltr" if is_number else "rtl"
        at = end


@cache
def _font(face: Face) -> uharfbuzz.Font:
    blob = uharfbuzz.Blob.from_file_path(font_path(face))
    return uharfbuzz.Font(uharfbuzz.Face(blob))


@cache
def _typeface(face: Face) -> skia.Typeface:
    return skia.FontMgr.New_Custom_Empty().makeFromFile(font_path(face))


@lru_cache(maxsize=1024)
def _glyph(face: Face, number: int, halo: int) -> skia.Path:
    path = skia.Path()
    if not halo:
        _font(face).draw_glyph(number, _pen(), path)
        return path
    line = skia.Paint(
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=_font(face).face.upem * halo / 100,
        StrokeJoin=skia.Paint.kRound_Join,
        StrokeCap=skia.Paint.kRound_Cap,
    )
    line.getFillPath(_glyph(face, number, 0), path, None, 0.1)
    return skia.Simplify(path)


@cache
def _pen() -> uharfbuzz.DrawFuncs:
    """Draws a glyph into a path; fonts count upwards, pictures downwards."""
    pen = uharfbuzz.DrawFuncs()
    pen.set_move_to_func(lambda x, y, path: path.moveTo(x, -y))
    pen.set_line_to_func(lambda x, y, path: path.lineTo(x, -y))
    pen.set_quadratic_to_func(lambda a, b, x, y, path: path.quadTo(a, -b, x, -y))
    pen.set_cubic_to_func(lambda a, b, c, d, x, y, path: path.cubicTo(a, -b, c, -d, x, -y))
    pen.set_close_path_func(lambda path: path.close())
    return pen
