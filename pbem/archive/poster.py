"""The poster of a game that is over, to print: the final board in its frame, who came out where,
and who held what.
"""

from dataclasses import dataclass

from pbem.archive.model import Archive
from pbem.archive.pictures import map_size
from pbem.archive.share import (
    BADGE,
    CHIP,
    Chip,
    Span,
    best_first,
    chip_of,
    holdings_of,
    inside,
    ribbon_of,
)
from pbem.archive.templates import days_of, render, say
from pbem.board import palette
from pbem.board.faces import Face, Lettering, Words, width

WIDTH = 1800
"""Of every poster, px."""
FEW = 6
"""With at most this many players their names are larger, in fewer columns."""
SEED_FIGURES = 8
"""How many of the seed's figures are the printer's mark."""
_SPAN = Span(84.0, WIDTH - 84.0)
_TOP = 322.0
"""Where the board begins."""
_GAP, _FOOT = 34.0, 108.0
_RIBBON, _ROW, _HIGHEST_ROW = 330.0, 44.0, 66.0
_HEADING = 52.0
_LABEL, _LEAST_LABEL = 26.0, 17.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet as printers know it, upright, in points."""

    name: str
    wide: float
    high: float

    @property
    def height(self) -> int:
        """Of the picture for it, px."""
        return round(WIDTH * self.high / self.wide)

    @property
    def paths(self) -> tuple[str, str]:
        """Where its PDF and its PNG lie in the folder of a game."""
        return f"poster-{self.name}.pdf", f"poster-{self.name}.png"


PAPERS = (Paper("a3", 841.89, 1190.55), Paper("letter", 612.0, 792.0))


@dataclass(frozen=True, slots=True)
class _Places:
    """Who came out where, in columns, downwards: as large as `k`."""

    chips: tuple[Chip, ...]
    left: float
    k: float
    height: float


def poster_svg(archive: Archive, paper: Paper) -> str:
    """The poster for this paper, as SVG that our painter draws."""
    height = paper.height
    drawing = archive.steps[-1].drawing
    plot, places = holdings_of(archive), _lay_places(archive)
    high = min(_RIBBON, _ROW * len(plot.rows)) if plot is not None else 0.0
    below = _GAP + places.height + (_HEADING + high if plot is not None else 0.0) + _FOOT
    wide, map_high = map_size(drawing)
    scale = min(_SPAN.room / wide, (height - _TOP - below) / map_high)
    end = _TOP + map_high * scale
    spare = height - end - below
    if plot is not None:
        larger = min(high + spare / 2, max(high, _HIGHEST_ROW * len(plot.rows)))
        spare, high = spare - (larger - high), larger
    top = end + _GAP + spare / 2
    words = _heading(archive)
    label = _label(archive, high)
    ribbon = Span(_SPAN.left + label, _SPAN.right)
    bottom = height - _FOOT
    cells = ribbon_of(archive, ribbon, bottom - high, bottom, _HIGHEST_ROW)
    if plot is not None and cells:
        words.append(_line(plot.title, _SPAN.left, cells[0].y - 16, 34, palette.GILT, "serif"))
        words += _labels(archive, label, high, cells[0].y)
    mark = say("poster_mark", archive.title, archive.proof.seed[:SEED_FIGURES])
    words.append(
        Lettering(26, palette.SOFT_CREAM, "serif", "middle").write(
            mark, WIDTH / 2, height - 62, _SPAN.room, 18
        )
    )
    return str(
        render(
            "poster.svg.j2",
            width=WIDTH,
            height=height,
            x=(WIDTH - wide * scale) / 2,
            top=_TOP,
            wide=wide * scale,
            high=map_high * scale,
            scale=scale,
            board=inside(drawing),
            words=words,
            places=places,
            places_top=top,
            cells=cells,
            span=ribbon,
            badge=BADGE,
            colours=palette,
        )
    )


def _heading(archive: Archive) -> list[Words]:
    middle = WIDTH / 2
    lines: tuple[tuple[str, float, float, str, Face], ...] = (
        (archive.title, 128, 92, palette.GILT, "serif"),
        (say("poster_about", archive.game, days_of(archive)), 186, 36, palette.SOFT_CREAM, "sans"),
        (archive.lead.headline, 272, 68, palette.CREAM, "serif"),
    )
    return [
        Lettering(size, fill, face, "middle").write(text, middle, y, _SPAN.room, 24)
        for text, y, size, fill, face in lines
    ]


def _line(text: str, x: float, y: float, size: float, fill: str, face: Face) -> Words:
    return Lettering(size, fill, face).write(text, x, y, _SPAN.room, 18)


def _lay_places(archive: Archive) -> _Places:
    people = best_first(archive)
    columns, k = (4, 1.0) if len(people) > FEW else (2 if len(people) == 4 else 3, 4 / 3)
    rows = -(-len(people) // columns)
    wide = (_SPAN.room + _GAP) / k / columns
    chips = []
    for place, person in enumerate(people):
        left = wide * (place // rows)
        span = Span(left, left + wide - _GAP)
        chips.append(chip_of(archive, person, span, CHIP * (place % rows), has_place=True))
    return _Places(tuple(chips), _SPAN.left, k, CHIP * rows * k)


def _names(archive: Archive) -> list[str]:
    """Those of the areas, a row of the ribbon each."""
    plot = holdings_of(archive)
    known = {area.key: area.name for step in archive.steps for area in step.areas}
    return [known.get(key, key) for key, _ in plot.rows] if plot is not None else []


def _label(archive: Archive, high: float) -> float:
    """How much room the names of the areas take; none where the rows are too low for them."""
    names = _names(archive)
    size = _size(names, high)
    return max(width(name, "sans", size) for name in names) + 14 if size else 0.0


def _size(names: list[str], high: float) -> float:
    size = min(_LABEL, high / max(len(names), 1) * 0.86)
    return size if size >= _LEAST_LABEL else 0.0


def _labels(archive: Archive, room: float, high: float, top: float) -> list[Words]:
    names = _names(archive)
    size, step = _size(names, high), high / max(len(names), 1)
    if not size:
        return []
    return [
        Words(
            name,
            _SPAN.left + room - 12,
            top + step * (row + 0.5) + size * 0.36,
            size,
            palette.SOFT_CREAM,
            anchor="end",
        )
        for row, name in enumerate(names)
    ]
