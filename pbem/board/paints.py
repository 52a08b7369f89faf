"""What an SVG says about fills and strokes, as paints of the painter's library."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import skia
from PIL import ImageColor

Style = Mapping[str, str]
"""The presentation attributes in force at an element; its keys are those of `INITIAL`, in that
order.
"""
INITIAL: Style = {
    "fill": "#000",
    "fill-opacity": "1",
    "fill-rule": "nonzero",
    "stroke": "none",
    "stroke-opacity": "1",
    "stroke-width": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-dasharray": "none",
    "paint-order": "normal",
    "shape-rendering": "auto",
    "font-family": "",
    "font-size": "12",
    "text-anchor": "start",
}
_CAPS = {
    "butt": skia.Paint.kButt_Cap,
    "round": skia.Paint.kRound_Cap,
    "square": skia.Paint.kSquare_Cap,
}
_JOINS = {
    "miter": skia.Paint.kMiter_Join,
    "round": skia.Paint.kRound_Join,
    "bevel": skia.Paint.kBevel_Join,
}
_RULES = {"nonzero": skia.PathFillType.kWinding, "evenodd": skia.PathFillType.kEvenOdd}
_MOVE = re.compile(r"(translate|scale|rotate|matrix)\(([^()]*)\)[\s,]*")


@dataclass(frozen=True, slots=True)
class Paints:
    """How a shape is painted: in this order, None where nothing is."""

    fill: skia.Paint | None
    stroke: skia.Paint | None
    rule: skia.PathFillType
    stroke_first: bool


def paints_of(style: Style) -> Paints:
    """The paints of a style; a fill with a pattern is yet to be given its shader. ValueError for
    what nobody knows.
    """
    return _paints(tuple(style.values()))


@lru_cache(maxsize=2048)
def _paints(style: tuple[str, ...]) -> Paints:
    fill, fill_opacity, rule, stroke, stroke_opacity, width, cap, join, dashes, order, *rest = style
    rendering = rest[0]
    smooth = rendering != "crispEdges"
    filled = stroked = None
    if fill != "none":
        filled = skia.Paint(AntiAlias=smooth, Color=_colour(fill, fill_opacity))
    if stroke != "none" and float(width) > 0:
        stroked = skia.Paint(
            AntiAlias=smooth,
            Color=_colour(stroke, stroke_opacity),
            Style=skia.Paint.kStroke_Style,
            StrokeWidth=float(width),
            StrokeCap=_known(_CAPS, cap),
            StrokeJoin=_known(_JOINS, join),
        )
        if dashes != "none":
            lengths = [float(length) for length in dashes.replace(",", " ").split()]
            stroked.setPathEffect(skia.DashPathEffect.Make(lengths * (1 + len(lengths) % 2), 0))
    return Paints(filled, stroked, _known(_RULES, rule), order.startswith("stroke"))


def _known(table: Mapping[str, object], word: str) -> object:
    if word not in table:
        raise ValueError(f"the painter does not know the word {word!r}")
    return table[word]


def _colour(word: str, opacity: str) -> int:
    if word.startswith("url("):
        return int(skia.ColorBLACK)
    red, green, blue = rgb(word)
    return int(skia.Color(red, green, blue, round(float(opacity) * 255)))


@cache
def rgb(word: str) -> tuple[int, int, int]:
    """The colour of a word, as `#3f6673`. ValueError for a word that is not a colour."""
    return ImageColor.getrgb(word)[:3]


@lru_cache(maxsize=2048)
def matrix_of(transform: str) -> skia.Matrix:
    """What a transform does. ValueError when it cannot be read."""
    matrix, at = skia.Matrix(), 0
    while at < len(transform):
        move = _MOVE.match(transform, at)
        if move is None:
            raise ValueError(f"no transform: {transform!r}")
        numbers, at = [float(n) for n in move[2].replace(",", " ").split()], move.end()
        match move[1], numbers:
            case "translate", [x]:
                matrix.preTranslate(x, 0)
            case "translate", [x, y]:
                matrix.preTranslate(x, y)
            case "scale", [x]:
                matrix.preScale(x, x)
            case "scale", [x, y]:
                matrix.preScale(x, y)
            case "rotate", [turn]:
                matrix.preRotate(turn)
            case "rotate", [turn, x, y]:
                matrix.preRotate(turn, x, y)
            case "matrix", [a, b, c, d, e, f]:
                matrix.preConcat(skia.Matrix.MakeAll(a, c, e, b, d, f, 0, 0, 1))
            case _:
                raise ValueError(f"no transform: {transform!r}")
    return matrix
