"""The plots of a game as pictures in a page: they are made when it is written, can be printed, and
need no script. What they show they also say in words.

Sizes are px on a phone of 328; on wide windows a plot grows by half. Every element of a player has
`data-player` or `data-holder`, so that a page can set one of them off (`data-focus` on the figure).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup

from pbem.archive.columns import WIDER, WIDTH, columns_of, signs_of, turns_of
from pbem.archive.curves import draw_dots, draw_lines, draw_threat
from pbem.archive.model import Archive, coat_key
from pbem.archive.scales import figure
from pbem.archive.templates import coats_of, render, say
from pbem.board.faces import fit, width
from pbem.pages.archive import Cell, Chances, Dots, Figures, Holdings, Lines, Plot, Threat

KINDS: Mapping[type[Any], str] = {
    Holdings: "holds",
    Lines: "lines",
    Threat: "threat",
    Dots: "dots",
    Chances: "chances",
    Figures: "figures",
}
"""What each kind is called in `data-plot`, and its template."""
_LABELS, _MOST_LABELS = 52.0, 124.0
_FACES, _MOST_FACES = 84.0, 156.0
_LEAST_CELL, _LEAST_SIGN = 5.0, 4.6
_FACE = 22.0


def render_plots(archive: Archive, focus: int | None = None) -> Markup:
    """All plots of a game, in its order, with the style they need; once a page. `focus` is the
    player whose line stands out; the others fade.
    """
    plots = [render_plot(archive, plot, focus) for plot in archive.plots]
    return render("plots/plots.j2", plots=plots, coats=coats_of(archive).values())


def render_plot(archive: Archive, plot: Plot, focus: int | None = None) -> Markup:
    """One plot; the arms it uses and its style are those that `render_plots` brings."""
    kind = KINDS[type(plot)]
    return render(
        f"plots/{kind}.j2",
        kind=kind,
        title=plot.title,
        focus=focus,
        coats=coats_of(archive),
        archive=archive,
        **_DRAWN[type(plot)](archive, plot),
    )


# ---------------------------------------------------------------------------------------- holdings
@dataclass(frozen=True, slots=True)
class _Run:
    """Closes in a row, from the place `first` on, through which nothing changed in an area; `key`
    names the holder's arms.
    """

    area: str
    first: int
    many: int
    x: float
    y: float
    width: float
    height: float
    holder: int | None
    coat: int
    key: str
    is_burnt: bool
    sign: float
    """How large the holder's sign is, px."""
    is_new: bool


def draw_holdings(archive: Archive, plot: Holdings) -> dict[str, object]:
    """The cells, and above them the runs with the sign of each new holder."""
    count = max((len(cells) for _, cells in plot.rows), default=0)
    names = {area.key: area.name for step in archive.steps for area in step.areas}
    left = _room_for([names.get(key, key) for key, _ in plot.rows], _LABELS, _MOST_LABELS)
    columns = columns_of(count, left, WIDTH - 1, _LEAST_CELL, plot.closes)
    high = 17.0 if len(plot.rows) <= 12 else 13.0
    bottom = high * len(plot.rows)
    rows, signs = signs_of(archive, columns, bottom + 11, 14)
    runs = [
        run
        for place, (area, cells) in enumerate(plot.rows)
        for run in _runs(area, cells, columns.x, place * high, high)
    ]
    return {
        "desc": _tell_holdings(archive, plot),
        "width": columns.right + 5,
        "height": bottom + 14 * len(rows) + 20,
        "columns": columns,
        "labels": [
            (place * high + high / 2, fit(names.get(key, key), 12, (left - 6) / WIDER, 11)[0])
            for place, (key, _) in enumerate(plot.rows)
        ],
        "bottom": bottom,
        "runs": runs,
        "marks": rows,
        "signs": signs,
        "turns": turns_of(archive, columns),
    }


def _room_for(labels: Sequence[str], least: float, most: float) -> float:
    """The left edge of a plot, behind its labels, px."""
    widest = max((width(label, "sans", 12) for label in labels), default=0.0)
    return min(most, max(least, WIDER * widest + 8))


def _runs(
    area: str, cells: tuple[Cell, ...], x: Callable[[int], float], y: float, high: float
) -> Iterator[_Run]:
    before: str = ""
    for cell, first, last in runs_of(cells):
        left, width = x(first), x(last + 1) - x(first)
        sign = min(high - 4, width - 1.5)
        key = "" if cell.holder is None else coat_key(cell.holder, cell.coat)
        yield _Run(
            area,
            first,
            last + 1 - first,
            left,
            y,
            width,
            high,
            cell.holder,
            cell.coat,
            key,
            "burnt" in cell.states,
            max(sign, _LEAST_SIGN),
            bool(key) and key != before,
        )
        before = key


def runs_of(cells: tuple[Cell, ...]) -> Iterator[tuple[Cell, int, int]]:
    """Equal cells in a row as one, with the places of the first and the last of them."""
    for cell, group in groupby(enumerate(cells), key=lambda entry: entry[1]):
        places = [place for place, _ in group]
        yield cell, places[0], places[-1]


def _tell_holdings(archive: Archive, plot: Holdings) -> str:
    told = []
    names = {area.key: area.name for step in archive.steps for area in step.areas}
    for key, cells in plot.rows:
        runs = [
            say(
                "held_run",
                archive.person(cell.holder).name if cell.holder else say("nobody"),
                archive.steps[plot.closes[first] if plot.closes else first],
                archive.steps[plot.closes[last] if plot.closes else last],
                archive.turn_word,
            )
            for cell, first, last in runs_of(tuple(Cell(cell.holder) for cell in cells))
        ]
        told.append(say("held_row", names.get(key, key), runs))
    return " ".join(told)


# ----------------------------------------------------------------------------- chances and figures
def draw_chances(_archive: Archive, plot: Chances) -> dict[str, object]:
    """A bar a face, and the span in which 19 of 20 games would have it."""
    most = max((max(face.count, face.high) for face in plot.faces), default=1) or 1
    left, right = _room_for([face.name for face in plot.faces], _FACES, _MOST_FACES), WIDTH - 40
    scale = (right - left) / most
    told = [
        say("face_row", face.name, *map(figure, (face.count, face.expected, face.low, face.high)))
        for face in plot.faces
    ]
    return {
        "desc": " ".join(told),
        "width": WIDTH,
        "height": _FACE * len(plot.faces) + 22,
        "faces": plot.faces,
        "left": left,
        "scale": scale,
        "high": _FACE,
    }


def draw_figures(_archive: Archive, plot: Figures) -> dict[str, object]:
    return {"columns": plot.columns, "rows": plot.rows}


_DRAWN: Mapping[type[Any], Callable[[Archive, Any], dict[str, object]]] = {
    Holdings: draw_holdings,
    Lines: draw_lines,
    Threat: draw_threat,
    Dots: draw_dots,
    Chances: draw_chances,
    Figures: draw_figures,
}
