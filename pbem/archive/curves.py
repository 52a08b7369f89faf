"""Plots with a scale: the places of step lines, of a level with its attacks, and of dots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.archive.columns import WIDER, WIDTH, Columns, columns_of, turns_of
from pbem.archive.model import Archive
from pbem.archive.scales import Scale, figure, scale_of, spread
from pbem.archive.templates import say
from pbem.board.faces import fit, width
from pbem.board.templates import format_number
from pbem.pages.archive import Dot, Dots, Lines, Series, Threat

_LEFT, _TOP, _BOTTOM, _DEEP = 28.0, 8.0, 196.0, 236.0
_LABEL_ROOM, _LABELS_APART = 96.0, 16.0
_LANE = 0.8
"""How far lines of the same value are from one another, px."""
_BADGES_APART = 46.0
_LEAST_COLUMN = 3.0
_WORDS, _COUNTS_APART = 52.0, 15.0
_BADGE = 10.0


@dataclass(frozen=True, slots=True)
class _Line:
    """A player's line, its label at the right, and badges on the way."""

    player: int
    path: str
    end_x: float
    end_y: float
    label_y: float
    name: str
    size: float
    value: str
    values: str
    badges: tuple[tuple[float, float], ...]
    is_out: bool


def draw_lines(archive: Archive, plot: Lines) -> dict[str, object]:
    """Step lines; the last column, where there is one, is what the end added."""
    count = max((len(series.values) for series in plot.series), default=1)
    has_last = any(series.last is not None for series in plot.series)
    right = WIDTH - _LABEL_ROOM
    columns = columns_of(count, _LEFT, right - (12 if has_last else 0), _LEAST_COLUMN)
    right = columns.right + (12 if has_last else 0)
    values = [value for series in plot.series for value in series.values if value is not None]
    scale = scale_of([*values, *map(_final, plot.series)], _BOTTOM - 6, _TOP + 6)
    middle = (len(plot.series) - 1) / 2
    ends = [scale.at(_final(series)) for series in plot.series]
    low = max(_BOTTOM, _LABELS_APART * len(plot.series))
    labels = spread(ends, _LABELS_APART, _TOP + 4, low)
    lines = [
        _line(archive, series, columns, scale, _LANE * (i - middle), right, labels[i])
        for i, series in enumerate(plot.series)
    ]
    told = [
        say(
            "line_row",
            line.name,
            figure(_known(series)[-1] if _known(series) else 0.0),
            figure(series.last) if series.last is not None else "",
            plot.unit,
            line.is_out,
        )
        for line, series in zip(lines, plot.series, strict=True)
    ]
    low = max(_BOTTOM, *labels) if labels else _BOTTOM
    return {
        "desc": " ".join(told),
        "width": right + _LABEL_ROOM,
        "height": low + 22,
        "lines": lines,
        "right": right,
        "end": columns.right if has_last else None,
        **_axes(archive, columns, scale, _BOTTOM),
    }


def _line(
    archive: Archive,
    series: Series,
    columns: Columns,
    scale: Scale,
    lane: float,
    right: float,
    label_y: float,
) -> _Line:
    points = [
        (columns.x(place), scale.at(value) + lane)
        for place, value in enumerate(series.values)
        if value is not None
    ]
    is_out = bool(series.values) and series.values[-1] is None
    end_x = points[-1][0] + columns.wide if points else columns.left
    path = _steps(points, end_x)
    end_y = points[-1][1] if points else scale.zero
    if series.last is not None and points:
        end_y = scale.at(_final(series)) + lane
        path += f"V{format_number(end_y)}H{format_number(right)}"
        end_x = right
    final = figure(_final(series))
    room = (_LABEL_ROOM - 29) / WIDER - width(final, "sans", 12)
    name, size = fit(archive.person(series.player).name, 12.0, room, 10.0)
    return _Line(
        series.player,
        path,
        end_x,
        end_y,
        label_y,
        name,
        size,
        final,
        _values(_told(series)),
        _badges(points, end_x),
        is_out,
    )


def _steps(points: Sequence[tuple[float, float]], end: float) -> str:
    if not points:
        return ""
    parts = [f"M{format_number(points[0][0])},{format_number(points[0][1])}"]
    for (_, y), (x, later) in pairwise(points):
        if later != y:
            parts.append(f"H{format_number(x)}V{format_number(later)}")
    return "".join((*parts, f"H{format_number(end)}"))


def _badges(points: Sequence[tuple[float, float]], end: float) -> tuple[tuple[float, float], ...]:
    """The sign on a line where it rises or falls, not too often."""
    found: list[tuple[float, float]] = []
    for (_, y), (x, later) in pairwise(points):
        last = found[-1][0] if found else _LEFT - _BADGES_APART / 2
        if later != y and x - last >= _BADGES_APART and end - x >= _BADGE:
            found.append((x + _BADGE / 2, later))
    return tuple(found)


def _told(series: Series) -> tuple[float | None, ...]:
    """The value of each column; at the last one what the end made of it."""
    if series.last is None or series.values[-1:] in ((), (None,)):
        return series.values
    return (*series.values[:-1], _final(series))


def _known(series: Series) -> list[float]:
    return [value for value in series.values if value is not None]


def _values(values: Sequence[float | None]) -> str:
    """One a column, for a script: a list with commas."""
    return ",".join("" if value is None else figure(value) for value in values)


def _final(series: Series) -> float:
    known = _known(series)
    return (known[-1] if known else 0.0) + (series.last or 0.0)


# ------------------------------------------------------------------------------------------ threat
@dataclass(frozen=True, slots=True)
class _Attack:
    """A dot: over it what was sent, below it what was needed, where there is room for figures."""

    x: float
    is_lost: bool
    sent: str
    needed: str
    words: str
    has_room: bool


def draw_threat(archive: Archive, plot: Threat) -> dict[str, object]:
    """The level as an area, the threshold as a dashed line, attacks as a row of dots."""
    columns = columns_of(len(plot.levels), _WORDS, WIDTH - 78, _LEAST_COLUMN)
    top = 46.0 if plot.bars else 4.0
    scale = scale_of([*plot.levels, *plot.thresholds], top + _BOTTOM - 30, top + 6)
    base = scale.zero
    levels = [(columns.x(place), scale.at(value)) for place, value in enumerate(plot.levels)]
    thresholds = [(columns.x(place), scale.at(one)) for place, one in enumerate(plot.thresholds)]
    area = (
        f"{_steps(levels, columns.right)}V{format_number(base)}H{format_number(columns.left)}Z"
        if levels
        else ""
    )
    ends = [levels[-1][1], thresholds[-1][1]] if levels else [base, base]
    label_y, threshold_y = spread(ends, 14.0, top + 8, base)
    attacks = tuple(_attacks(archive, plot, columns))
    return {
        "desc": " ".join(one.words for one in attacks) or say("no_bar"),
        "width": columns.right + 78,
        "height": base + 22,
        "area": area,
        "threshold": _steps(thresholds, columns.right),
        "level_y": label_y,
        "threshold_y": threshold_y,
        "level_value": figure(plot.levels[-1]) if plot.levels else "0",
        "threshold_value": figure(plot.thresholds[-1]) if plot.thresholds else "0",
        "levels": _values(plot.levels),
        "thresholds": _values(plot.thresholds),
        "attacks": attacks,
        **_axes(archive, columns, scale, base),
    }


def _attacks(archive: Archive, plot: Threat, columns: Columns) -> Iterator[_Attack]:
    free = 0.0
    for bar in plot.bars:
        x = columns.middle(bar.close)
        has_room = x >= free
        free = x + _COUNTS_APART if has_room else free
        where = say("at", archive.steps[bar.close], archive.turn_word)
        sent, needed = figure(bar.sent), figure(bar.needed)
        words = say("bar_row", where, sent, needed, bar.is_lost)
        yield _Attack(x, bar.is_lost, sent, needed, words, has_room)


# -------------------------------------------------------------------------------------------- dots
@dataclass(frozen=True, slots=True)
class _Spot:
    player: int
    x: float
    y: float
    is_best: bool
    value: str


def draw_dots(archive: Archive, plot: Dots) -> dict[str, object]:
    """A column a turn; dots that would cover one another lie side by side."""
    turns = sorted({dot.turn for dot in plot.dots})
    columns = columns_of(len(turns), _LEFT + 6, WIDTH - 4, 24.0)
    scale = scale_of([dot.value for dot in plot.dots], _DEEP - 8, _TOP + 22, may_bend=True)
    spots: list[_Spot] = []
    for place, turn in enumerate(turns):
        mine = [dot for dot in plot.dots if dot.turn == turn]
        spots += _swarm(mine, columns.middle(place), columns.wide, scale)
    told = [
        say(
            "dot_row",
            dot.turn,
            archive.person(dot.player).name,
            figure(dot.value),
            plot.unit,
            archive.turn_word,
        )
        for dot in plot.dots
        if dot.is_best
    ]
    return {
        "desc": " ".join(told),
        "width": columns.right + 4,
        "height": _DEEP + 22,
        "spots": spots,
        "values": _given(plot, turns),
        "places": _places(archive, turns),
        "unit": plot.unit,
        "badge": _BADGE,
        "turns": [(columns.middle(place), str(turn)) for place, turn in enumerate(turns)],
        "columns": columns,
        "base": _DEEP,
        "ticks": [(scale.at(tick), figure(tick)) for tick in scale.ticks(20)],
    }


def _given(plot: Dots, turns: Sequence[int]) -> list[tuple[int, str]]:
    """What each player gave in each of these turns."""
    given = {(dot.player, dot.turn): dot.value for dot in plot.dots}
    players = sorted({player for player, _ in given})
    return [(one, _values([given.get((one, turn)) for turn in turns])) for one in players]


def _places(archive: Archive, turns: Sequence[int]) -> list[int]:
    """The first step of each of these turns."""
    known = [step.turn for step in archive.steps]
    return [known.index(turn) for turn in turns if turn in known]


def _swarm(dots: Sequence[Dot], middle: float, wide: float, scale: Scale) -> list[_Spot]:
    """The best first, so that it lies in the middle; each next one where it covers least."""
    spots: list[_Spot] = []
    room = min(_BADGE + 1, max(0.0, wide / 2 - _BADGE / 2))
    tries = [middle + share * room for share in (0.0, 1.0, -1.0, 0.5, -0.5)]
    for dot in sorted(dots, key=lambda dot: (not dot.is_best, -dot.value, dot.player)):
        y = scale.at(dot.value)
        x = min(tries, key=lambda x: sum(_covered(spot, x, y) for spot in spots))
        spots.append(_Spot(dot.player, x, y, dot.is_best, figure(dot.value)))
    return spots


def _covered(spot: _Spot, x: float, y: float) -> float:
    """What of a dot is covered by one at this place, px squared."""
    wide = _BADGE + 6 * spot.is_best
    return max(0.0, wide - abs(spot.x - x)) * max(0.0, wide - abs(spot.y - y))


def _axes(archive: Archive, columns: Columns, scale: Scale, base: float) -> dict[str, object]:
    return {
        "columns": columns,
        "base": base,
        "ticks": [(scale.at(tick), figure(tick)) for tick in scale.ticks(28)],
        "turns": turns_of(archive, columns),
    }
