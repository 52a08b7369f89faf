"""An SVG drawn on pixels: the part of SVG that boards are drawn in, and nothing else.

Elements: `svg g defs use path rect circle ellipse text pattern`; presentation attributes are
attributes, those of `INITIAL` and `opacity`; lengths are px. What else there is, is refused: a
board must not be sent with something missing. What only a browser needs is passed over: classes,
`data-area`, `data-colour` and `pointer-events`.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from xml.etree import ElementTree as ET

import numpy as np
import skia
from numpy.typing import NDArray

from pbem.board.kept import KEPT
from pbem.board.lettering import Letters, lettering, letters_of
from pbem.board.outlines import outline_of
from pbem.board.paints import INITIAL, Paints, Style, matrix_of, paints_of

Pixels = NDArray[np.uint8]
"""Rows of RGBA."""
STILL = "still"
"""The class of a group that is the same in many pictures: it is painted once, and its pixels are
kept.
"""
DEEPEST = 32
"""Elements within elements, uses counted."""

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_KNOWN = INITIAL.keys() | {
    *("x", "y", "cx", "cy", "r", "rx", "ry", "d", "width", "height", "viewBox", "id", "href"),
    *("transform", "opacity", "class", "patternUnits", "font-weight", "font-stretch", _LINK),
    *("data-area", "data-colour", "pointer-events"),
}
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}

Element = ET.Element


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture as it is written and as it is read, what may be used by name in it, and its own
    size in px.
    """

    svg: str
    root: Element
    named: dict[str, Element]
    width: float
    height: float

    @classmethod
    def of(cls, svg: str) -> "Sheet":
        """ValueError for what is no SVG."""
        try:
            root = ET.fromstring(svg)  # noqa: S314 - our own templates wrote it
        except ET.ParseError as fault:
            raise ValueError(f"no SVG: {fault}") from fault
        if root.tag != f"{_SVG}svg":
            raise ValueError(f"no SVG, but {root.tag}")
        named = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        return cls(svg, root, named, _number(root, "width"), _number(root, "height"))

    def drawn(self, most: float = math.inf) -> Pixels:
        """Its pixels, on white, at most this wide. ValueError for what is not drawn here."""
        width, height = (
            round(side * min(1.0, most / self.width)) for side in (self.width, self.height)
        )
        pixels = np.full((height, width, 4), 255, np.uint8)
        easel = Easel(_surface(pixels), self.named, is_blank=True)
        easel.canvas.scale(width / self.width, height / self.height)
        box = self.root.get("viewBox", "").replace(",", " ").split()
        if box:
            left, top, wide, high = map(float, box)
            easel.canvas.scale(self.width / wide, self.height / high)
            easel.canvas.translate(-left, -top)
        easel.draw_all(self.root, INITIAL)
        return pixels

    def printed(self, wide: float) -> bytes:
        """A page of a PDF, `wide` points wide: lines and areas, and texts as outlines. ValueError
        as in `drawn`.
        """
        stream = skia.DynamicMemoryWStream()
        document = skia.PDF.MakeDocument(stream)
        # what a canvas is asked about, is asked of a surface of one pixel
        page = Easel(skia.Surface(1, 1), self.named, is_printed=True)
        page.canvas = document.beginPage(wide, self.height * wide / self.width)
        page.canvas.scale(wide / self.width, wide / self.width)
        page.draw_all(self.root, INITIAL)
        document.endPage()
        document.close()
        return bytes(stream.detachAsData())


def cells_of(pixels: Pixels) -> NDArray[np.uint16]:
    """The same in two bytes a pixel: 5 bits of red, 6 of green, 5 of blue."""
    height, width = pixels.shape[:2]
    cells = np.empty((height, width), np.uint16)
    info = skia.ImageInfo.Make(width, height, skia.kRGB_565_ColorType, skia.kOpaque_AlphaType)
    if not _surface(pixels).readPixels(info, cells, width * 2, 0, 0):
        raise RuntimeError("the pixels cannot be read")
    return cells


def _surface(pixels: Pixels) -> skia.Surface:
    height, width = pixels.shape[:2]
    info = skia.ImageInfo.Make(
        width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType, None
    )
    return skia.Surface.MakeRasterDirect(info, pixels, width * 4)


@dataclass(slots=True)
class Easel:
    """A surface, and what may be used by name on it."""

    surface: skia.Surface
    named: dict[str, Element]
    depth: int = 0
    is_blank: bool = False
    """Whether there is nothing yet but white."""
    is_printed: bool = False
    """Whether it is for paper: nothing is laid on as pixels."""
    canvas: skia.Canvas = field(init=False)

    def __post_init__(self) -> None:
        self.canvas = self.surface.getCanvas()

    def draw_all(self, parent: Element, style: Style) -> None:
        """Everything in a group, of which this is the style."""
        for element in parent:
            self.draw(element, style)

    def draw(self, element: Element, style: Style) -> None:
        """One element within a group of this style."""
        draw = _DRAWN.get(element.tag)
        if draw is None:
            if element.tag in _UNSEEN:
                return
            raise ValueError(f"the painter does not draw {element.tag.removeprefix(_SVG)}")
        if self.depth > DEEPEST:
            raise ValueError("the picture uses itself, or is too deep")
        given = element.attrib
        styled = _styled(tuple(given))
        if styled:
            style = {**style, **{name: given[name] for name in styled}}
        self.depth += 1
        before = self.canvas.getSaveCount()
        if "transform" in given:
            self.canvas.save()
            self.canvas.concat(matrix_of(given["transform"]))
        if "opacity" in given:
            self.canvas.saveLayerAlpha(None, round(float(given["opacity"]) * 255))
        draw(self, element, style)
        self.is_blank = False
        self.canvas.restoreToCount(before)
        self.depth -= 1

    def group(self, element: Element, style: Style) -> None:
        if element.get("class") == STILL and not self.is_printed:
            self.still(element, style)
        else:
            self.draw_all(element, style)

    def still(self, element: Element, style: Style) -> None:
        """A group by its kept pixels. They are kept by all that they depend on, and laid on in the
        same way whether they were there or not: what is kept changes no picture.
        """
        matrix = self.canvas.getTotalMatrix()
        info = self.surface.imageInfo()
        if self.is_blank:
            info = info.makeAlphaType(skia.kOpaque_AlphaType)
        facts = (self.is_blank, info.width(), info.height(), [*map(matrix.get, range(9))], style)
        key = hashlib.sha256(repr(facts).encode() + ET.tostring(element)).digest()
        image = KEPT.get(key)
        if image is None:
            under = Easel(skia.Surface.MakeRaster(info), self.named, self.depth)
            if self.is_blank:
                under.canvas.clear(skia.ColorWHITE)
            under.canvas.setMatrix(matrix)
            under.draw_all(element, style)
            image = under.surface.makeImageSnapshot()
            KEPT.put(key, image)
        self.canvas.save()
        self.canvas.resetMatrix()
        self.canvas.drawImage(image, 0, 0)
        self.canvas.restore()

    def use(self, element: Element, style: Style) -> None:
        given = element.attrib
        name = given.get("href", given.get(_LINK, "")).removeprefix("#")
        if name not in self.named:
            raise ValueError(f"nothing in the picture is named {name!r}")
        if "x" in element.attrib or "y" in element.attrib:
            self.canvas.save()
            self.canvas.translate(_number(element, "x"), _number(element, "y"))
        self.draw(self.named[name], style)

    def path(self, element: Element, style: Style) -> None:
        outline, paints = outline_of(element.get("d", "")), paints_of(style)
        outline.setFillType(paints.rule)
        self._paint(paints, style, partial(self.canvas.drawPath, outline))

    def rect(self, element: Element, style: Style) -> None:
        rect = skia.Rect.MakeXYWH(
            *(_number(element, name) for name in ("x", "y", "width", "height"))
        )
        rx = _number(element, "rx", "ry")
        ry = _number(element, "ry", "rx")
        if style["stroke-dasharray"] == "none":
            laid = partial(self.canvas.drawRoundRect, rect, rx, ry)
        else:  # dashes begin behind the first corner, and continue clockwise (SVG 1.1, 9.2)
            outline = skia.Path().addRRect(
                skia.RRect.MakeRectXY(rect, rx, ry), skia.PathDirection.kCW, 0
            )
            laid = partial(self.canvas.drawPath, outline)
        self._paint(paints_of(style), style, laid)

    def ellipse(self, element: Element, style: Style) -> None:
        x, y = _number(element, "cx"), _number(element, "cy")
        rx, ry = _number(element, "rx", "r"), _number(element, "ry", "r")
        oval = skia.Rect.MakeLTRB(x - rx, y - ry, x + rx, y + ry)
        self._paint(paints_of(style), style, lambda paint: self.canvas.drawOval(oval, paint))

    def text(self, element: Element, style: Style) -> None:
        """A text whose font is among ours; that of another family is left out, as all painters
        do.
        """
        said = " ".join("".join(element.itertext()).split())
        size, family = float(style["font-size"]), style["font-family"]
        words, halo = lettering(said, family), None
        if words is None:
            return
        if style["stroke"] != "none":
            halo = lettering(said, family, round(float(style["stroke-width"]) * 100 / size))
        x = _number(element, "x") - size * words.width * _ANCHORS[style["text-anchor"]]
        self.canvas.save()
        self.canvas.translate(x, _number(element, "y"))
        if self.is_printed:
            self._write(letters_of(said, family), size, style)
            self.canvas.restore()
            return
        self.canvas.scale(size, size)
        inked = [(words, {**style, "stroke": "none"})]
        if halo is not None:
            line = {"fill": style["stroke"], "fill-opacity": style["stroke-opacity"]}
            first = style["paint-order"].startswith("stroke")
            inked.insert(0 if first else 1, (halo, {**style, **line, "stroke": "none"}))
        for shape, ink in inked:
            self._paint(paints_of(ink), ink, partial(self.canvas.drawPath, shape.path))
        self.canvas.restore()

    def _write(self, text: Letters, size: float, style: Style) -> None:
        """For paper: the letters by their numbers, since a PDF keeps each once; and the line around
        each of them.
        """
        k = size / text.em
        builder = skia.TextBlobBuilder()
        builder.allocRunPos(
            skia.Font(text.typeface, size),
            [glyph for glyph, _, _ in text.glyphs],
            [skia.Point(x * k, y * k) for _, x, y in text.glyphs],
        )
        written = builder.make()

        def lay(paint: skia.Paint) -> None:
            if paint.getStyle() == skia.Paint.kFill_Style:
                self.canvas.drawTextBlob(written, 0, 0, paint)
                return
            line = skia.Paint(paint)
            line.setStrokeWidth(paint.getStrokeWidth() / k)
            for glyph, x, y in text.glyphs:
                self.canvas.save()
                self.canvas.scale(k, k)
                self.canvas.translate(x, y)
                self.canvas.drawPath(text.outline(glyph), line)
                self.canvas.restore()

        self._paint(paints_of(style), style, lay)

    def _paint(self, paints: Paints, style: Style, laid: Callable[[skia.Paint], object]) -> None:
        fill = paints.fill
        if fill is not None and style["fill"].startswith("url("):
            fill = skia.Paint(fill)
            fill.setShader(self._pattern(style["fill"][4:-1].removeprefix("#")))
        order = (paints.stroke, fill) if paints.stroke_first else (fill, paints.stroke)
        for paint in order:
            if paint is not None:
                laid(paint)

    def _pattern(self, name: str) -> skia.Shader:
        pattern = self.named.get(name)
        if pattern is None or pattern.tag != f"{_SVG}pattern":
            raise ValueError(f"no pattern in the picture is named {name!r}")
        tile = skia.Rect.MakeWH(_number(pattern, "width"), _number(pattern, "height"))
        recorder = skia.PictureRecorder()
        below = Easel(self.surface, self.named, self.depth + 1)
        below.canvas = recorder.beginRecording(tile)
        below.draw_all(pattern, INITIAL)
        repeat, picture = skia.TileMode.kRepeat, recorder.finishRecordingAsPicture()
        if (
            self.is_printed
        ):  # a PDF repeats an image, and draws a picture as pixels of the whole page
            surface = skia.Surface(round(tile.width()), round(tile.height()))
            surface.getCanvas().drawPicture(picture)
            return surface.makeImageSnapshot().makeShader(repeat, repeat, skia.SamplingOptions())
        return picture.makeShader(repeat, repeat, skia.FilterMode.kNearest, None, tile)


@lru_cache(maxsize=1024)
def _styled(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of an element's attributes that are of its style. ValueError for one that is not known
    here.
    """
    unknown = [name for name in names if name not in _KNOWN]
    if unknown:
        raise ValueError(f"the painter does not know the attribute {unknown[0]}")
    return tuple(name for name in names if name in INITIAL)


def _number(element: Element, *names: str) -> float:
    """The first of these attributes that is given, in px; 0 when there is none."""
    for name in names:
        if name in element.attrib:
            return float(element.attrib[name])
    return 0.0


_UNSEEN = {f"{_SVG}{name}" for name in ("defs", "pattern", "title", "desc")}
_DRAWN: dict[str, Callable[[Easel, Element, Style], None]] = {
    f"{_SVG}g": Easel.group,
    f"{_SVG}use": Easel.use,
    f"{_SVG}path": Easel.path,
    f"{_SVG}rect": Easel.rect,
    f"{_SVG}circle": Easel.ellipse,
    f"{_SVG}ellipse": Easel.ellipse,
    f"{_SVG}text": Easel.text,
}
