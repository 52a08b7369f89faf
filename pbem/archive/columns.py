"""The closes of a game side by side: what the plots over time have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.archive.model import Archive, Step
from pbem.archive.templates import say

WIDTH = 320.0
"""Of a plot as a phone shows it, px; a plot that needs more is scrolled there."""
WIDER = 1.08
"""Letters of a page are so much wider than those of the board, by which they are measured."""
_MARKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("fight", ("battle", "taken")),
    ("attack", ("attack",)),
    ("out", ("out",)),
)
_MARK, _LEAST_MARK = 9.0, 0.6
"""The width of a mark, px, and how small it may be drawn."""
_LABEL_ROOM, _DIGIT = 8.0, 7.0
"""What the number of a turn takes, and each of its digits more, px."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns from `left` on, each this many px wide: one a close, or `closes` says of which each
    is.
    """

    left: float
    wide: float
    count: int
    closes: tuple[int, ...] = ()

    def x(self, place: int) -> float:
        return self.left + place * self.wide

    def middle(self, place: int) -> float:
        return self.x(place) + self.wide / 2

    def first(self, close: int) -> int:
        """The first column of a close."""
        return self.closes.index(close) if self.closes else close

    def last(self, close: int) -> int:
        return self.first(close) + max(1, self.closes.count(close)) - 1

    @property
    def known(self) -> int:
        """Of how many closes there are columns."""
        return self.closes[-1] + 1 if self.closes else self.count

    @property
    def right(self) -> float:
        return self.x(self.count)


@dataclass(frozen=True, slots=True)
class Tick:
    """Where a turn begins: `words` are "" where there is no room for its number."""

    x: float
    words: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A mark of the timeline at a close; `size` is 1 where there is room for it."""

    kind: str
    x: float
    y: float
    key: str
    words: str
    size: float = 1.0


def columns_of(
    count: int, left: float, right: float, least: float, closes: tuple[int, ...] = ()
) -> Columns:
    return Columns(left, max(least, (right - left) / max(1, count)), count, closes)


def turns_of(archive: Archive, columns: Columns) -> tuple[Tick, ...]:
    """Where turns begin; the start, before any, has no number."""
    found: list[Tick] = []
    free = 0.0
    for place, step in enumerate(archive.steps[: columns.known]):
        if step.turn and (place == 0 or archive.steps[place - 1].turn != step.turn):
            x = columns.x(columns.first(place))
            fits = x >= free
            free = x + _LABEL_ROOM + _DIGIT * len(str(step.turn)) if fits else free
            found.append(Tick(x, str(step.turn) if fits else ""))
    return tuple(found)


def signs_of(
    archive: Archive, columns: Columns, top: float, apart: float
) -> tuple[tuple[tuple[str, float], ...], tuple[Sign, ...]]:
    """The marks of the closes in rows below one another, only those rows that have any: the rows
    with their names, and the marks.
    """
    rows: list[tuple[str, float]] = []
    size = max(_LEAST_MARK, min(1.0, columns.wide / _MARK))
    signs: list[Sign] = []
    for kind, marks in _MARKS:
        y = top + apart * len(rows)
        found = [
            Sign(kind, columns.middle(columns.last(place)), y, step.key, words, size)
            for place, step in enumerate(archive.steps[: columns.known])
            if (words := _told(step, marks))
        ]
        if found:
            rows.append((say(f"mark_{kind}"), y))
            signs += found
    return tuple(rows), tuple(signs)


def _told(step: Step, marks: Sequence[str]) -> str:
    return " ".join(one.told for one in step.news if one.mark in marks)
