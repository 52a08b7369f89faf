"""The poster of a game that is over, to print: the final board in its frame, who came out where,
and who held what.
"""

from collections.abc import Iterator
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
FEW, MANY = 6, 12
"""With at most this many players their names are larger, and in fewer columns."""
SEED_FIGURES = 8
"""How many of the seed's figures are the printer's mark."""
_SPAN = Span(84.0, WIDTH - 84.0)
_TOP = 322.0
"""Where the board begins."""
_GAP, _FOOT = 34.0, 108.0
_RIBBON, _LEAST_ROW, _ROW, _HIGHEST_ROW = 330.0, 20.0, 44.0, 66.0
_HEADING = 52.0
_LABEL = 26.0


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


@dataclass(frozen=True, slots=True)
class _Column:
    """Some rows of the ribbon, each `high`, with the names of their areas, which end at `x`."""

    shown: slice
    names: tuple[str, ...]
    size: float
    x: float
    span: Span
    high: float


def poster_svg(archive: Archive, paper: Paper) -> str:
    """The poster for this paper, as SVG that our painter draws."""
    height = paper.height
    drawing = archive.steps[-1].drawing
    plot, places = holdings_of(archive), _lay_places(archive)
    rows = _rows(len(plot.rows)) if plot is not None else 0
    high = min(max(_RIBBON, _LEAST_ROW * rows), _ROW * rows)
    below = _GAP + places.height + (_HEADING + high if plot is not None else 0.0) + _FOOT
    wide, map_high = map_size(drawing)
    scale = min(_SPAN.room / wide, (height - _TOP - below) / map_high)
    end = _TOP + map_high * scale
    spare = height - end - below
    if plot is not None:
        larger = min(high + spare / 2, max(high, _HIGHEST_ROW * rows))
        spare, high = spare - (larger - high), larger
    top = end + _GAP + spare / 2
    words = _heading(archive)
    bottom = height - _FOOT
    ribbons = []
    for column in _columns(archive, rows, high):
        cells = ribbon_of(
            archive, column.span, bottom - high, bottom, column.high, shown=column.shown
        )
        ribbons.append((cells, column.span))
        words += _labels(column, bottom - column.high * len(column.names))
    if plot is not None and ribbons:
        y = bottom - high - 16
        words.append(_line(plot.title, _SPAN.left, y, 34, palette.GILT, "serif"))
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
            ribbons=ribbons,
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
    columns = 2 if len(people) == 4 else 3 if len(people) <= MANY else 4
    k = 1.0 if len(people) > FEW else 4 / 3
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


def _rows(count: int) -> int:
    """How many rows are below one another: where names had no room otherwise, half of them."""
    return count if _RIBBON / count >= _LEAST_ROW else -(-count // 2)


def _columns(archive: Archive, rows: int, high: float) -> Iterator[_Column]:
    names = _names(archive)
    count = -(-len(names) // rows) if names else 0
    step = min(high / max(rows, 1), _HIGHEST_ROW)
    size = min(_LABEL, step * 0.86)
    wide = (_SPAN.room + _GAP) / max(count, 1) - _GAP
    for place in range(count):
        shown = slice(place * rows, (place + 1) * rows)
        some, left = tuple(names[shown]), _SPAN.left + (wide + _GAP) * place
        label = max(width(name, "sans", size) for name in some) + 14
        yield _Column(shown, some, size, left + label - 12, Span(left + label, left + wide), step)


def _labels(column: _Column, top: float) -> list[Words]:
    return [
        Words(
            name,
            column.x,
            top + column.high * (row + 0.5) + column.size * 0.36,
            column.size,
            palette.SOFT_CREAM,
            anchor="end",
        )
        for row, name in enumerate(column.names)
    ]
