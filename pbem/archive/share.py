"""The picture that stands for a game where a link to it is shared: the final board, the headline,
who played, and who held what.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pbem.archive.model import Archive, Person
from pbem.archive.pictures import size_of
from pbem.archive.scales import figure
from pbem.archive.templates import Coat, coats_of, render, say
from pbem.board import palette
from pbem.board.board import Drawing
from pbem.board.faces import Words, broken, fit, legible, width
from pbem.pages.archive import Holdings, Lines

WIDTH, HEIGHT = 1200, 630
LEAST_TEXT = 32.0
"""Shared pictures are shown at a third of their size."""
MOST_CHIPS = 5
_HEADLINE, _LEAST_HEADLINE, _MOST_LINES = 54.0, 36.0, 3
CHIP, BADGE = 44.0, 34.0
_SMALL = 26.0
"""Of what is said of somebody who is out, on a poster."""
_RIBBON_TO = HEIGHT - 30.0
_MOST_RIBBON, _MOST_ROW, _LEAST_SIGN = 190.0, 26.0, 11.0
_FRAME = re.compile(r"^<svg[^>]*>|</svg>\s*$")


@dataclass(frozen=True, slots=True)
class Span:
    """The room of what is written side by side: from and to."""

    left: float
    right: float

    @property
    def room(self) -> float:
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class Chip:
    """A player with coats, name and score."""

    coats: tuple[tuple[Coat, float], ...]
    """Side by side, each with its middle."""
    y: float
    words: tuple[Words, ...]
    struck: tuple[float, float] | None
    """The line that strikes out an eliminated player's name: from and to."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Some closes in which one player held an area."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    coat: Coat | None
    """The sign of the player who took an area, where there is room for it."""


_SPAN = Span(HEIGHT + 30.0, WIDTH - 34.0)


def share_svg(archive: Archive) -> str:
    """The picture as SVG that our painter draws, 1200 by 630 px."""
    board = archive.steps[-1].drawing
    lines, size = _headline(archive.lead.headline)
    words = [Words(_title(archive), _SPAN.left, 62, LEAST_TEXT, palette.SOFT_CREAM)]
    y = 76.0
    for line in lines:
        y += size * 1.06
        words.append(Words(line, _SPAN.left, y, size, palette.CREAM, "serif"))
    y += 24
    chips = [
        chip_of(archive, person, _SPAN, y + CHIP * place)
        for place, person in enumerate(best_first(archive)[:MOST_CHIPS])
    ]
    y += CHIP * len(chips) + 14
    return str(
        render(
            "share.svg.j2",
            width=WIDTH,
            height=HEIGHT,
            scale=HEIGHT / min(size_of(board)),
            board=inside(board),
            words=words,
            chips=chips,
            cells=ribbon_of(
                archive, _SPAN, max(y, _RIBBON_TO - _MOST_RIBBON), _RIBBON_TO, _MOST_ROW
            ),
            walnut=palette.WALNUT,
            soft=palette.SOFT_CREAM,
            left=_SPAN.left,
            room=_SPAN.room,
            gold=palette.GOLD,
            cream=palette.CREAM,
            badge=BADGE,
        )
    )


def inside(drawing: Drawing) -> Markup:
    """A drawing as a part of another."""
    return Markup(_FRAME.sub("", drawing.svg.strip()))  # noqa: S704 - our own drawing


def _title(archive: Archive) -> str:
    """As much of what is played, and at which table, as there is room for."""
    for title in (f"{archive.title} · {archive.game}", archive.game):
        if width(title, "sans", LEAST_TEXT) <= _SPAN.room:
            return title
    return fit(archive.title, LEAST_TEXT, _SPAN.room, LEAST_TEXT)[0]


def _headline(text: str) -> tuple[list[str], float]:
    """The headline in as few lines as it takes, as large as it fits."""
    said, size = legible(text, text, "serif"), _HEADLINE
    while True:
        lines = broken(said, size, _SPAN.room, "serif")
        if len(lines) <= _MOST_LINES or size <= _LEAST_HEADLINE:
            break
        size -= 2
    last = " ".join(lines[_MOST_LINES - 1 :])
    kept = [*lines[: _MOST_LINES - 1], *([last] if last else [])]
    return [fit(line, size, _SPAN.room, size, "serif")[0] for line in kept], size


def best_first(archive: Archive) -> list[Person]:
    """Those who came out best first; in a running game all in their order."""
    return sorted(archive.people, key=lambda one: (one.place is None, one.place or one.number))


def chip_of(
    archive: Archive, person: Person, at: Span, y: float, *, has_place: bool = False
) -> Chip:
    """A player in this room, at this height; with their place in the result if asked for."""
    value, is_out = _score(archive, person.number)
    shown, large = legible(person.name, person.arms.colour), LEAST_TEXT
    if is_out and has_place:
        large = _SMALL
    if is_out:
        value = say("out_in", _fell(archive, person.number)) if has_place else say("out")
    elif has_place and person.place and not archive.sides:
        shown = f"{person.place} {shown}"
    coats = [coat for (number, _), coat in coats_of(archive).items() if number == person.number]
    wide = BADGE * len(coats) + 6 * (len(coats) - 1)
    room = at.room - wide - 14 - width(value, "sans", large) - 20
    name, size = fit(shown, 34.0, room, LEAST_TEXT)
    x, base = at.left + wide + 14, y + BADGE / 2 + 12
    words = (
        Words(name, x, base, size, palette.SOFT_CREAM if is_out else palette.CREAM),
        Words(value, at.right, base, large, palette.GILT, anchor="end"),
    )
    return Chip(
        tuple(
            (coat, at.left + BADGE / 2 + (BADGE + 6) * place) for place, coat in enumerate(coats)
        ),
        y + BADGE / 2,
        words if value else words[:1],
        (x, x + width(name, "sans", size)) if is_out else None,
    )


def _fell(archive: Archive, number: int) -> str:
    """The turn in which a player was out, in words."""
    turn = next(
        step.turn
        for step in archive.steps
        if any(chip.player == number and chip.is_out for chip in step.chips)
    )
    return f"{archive.turn_word} {turn}"


def _score(archive: Archive, number: int) -> tuple[str, bool]:
    """A player's result, in the words of the plot of points or else of the chips; and whether they
    are out.
    """
    chip = next((chip for chip in archive.steps[-1].chips if chip.player == number), None)
    is_out = chip is not None and chip.is_out
    lines = next((plot for plot in archive.plots if isinstance(plot, Lines)), None)
    for series in lines.series if lines is not None else ():
        known = [value for value in series.values if value is not None]
        if series.player == number and known and lines is not None:
            return say("amount", figure(known[-1] + (series.last or 0)), lines.unit), is_out
    name, value = chip.figures[0] if chip is not None and chip.figures else ("", "")
    return f"{value} {name}".strip(), is_out


def holdings_of(archive: Archive) -> Holdings | None:
    """Who held what; None: that is not known."""
    return next((plot for plot in archive.plots if isinstance(plot, Holdings)), None)


def ribbon_of(
    archive: Archive,
    span: Span,
    top: float,
    bottom: float,
    most: float,
    shown: slice = slice(None),
) -> list[Cell]:
    """Who held what between these heights, a row an area (as high as `most`) of those `shown`, a
    column a close; no cells where it is not known or there is no room.
    """
    plot = holdings_of(archive)
    rows = plot.rows[shown] if plot is not None else ()
    if not rows or bottom - top < len(rows):
        return []
    high = min((bottom - top) / len(rows), most)
    first = bottom - high * len(rows)
    coats, cells = coats_of(archive), []
    for place, (_, row) in enumerate(rows):
        wide = span.room / len(row)
        begun = 0
        for at in range(1, len(row) + 1):
            if at == len(row) or row[at] != row[begun]:
                cell, long = row[begun], (at - begun) * wide
                coat = coats.get((cell.holder or 0, cell.coat))
                fill = _fill(cell.states, coat)
                y = first + place * high
                cells.append(
                    Cell(
                        span.left + begun * wide,
                        y,
                        long,
                        high,
                        fill,
                        coat if min(long, high) >= _LEAST_SIGN else None,
                    )
                )
                begun = at
    return cells


def _fill(states: Sequence[str], coat: Coat | None) -> str:
    if "burnt" in states:
        return palette.ASH_HATCH
    return palette.LAND if coat is None else coat.full
