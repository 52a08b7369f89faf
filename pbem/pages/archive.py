"""What a game shows of itself in its archive: who holds what after each close, and its plots.

All of it is made from what the public may see, so that the archive of a running game tells nothing
that is secret. The archive decides how a page shows it (`pbem.archive`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.ruleset import Event


@dataclass(frozen=True, slots=True)
class Close:
    """The start (number 0) or one close as a game is asked about it: the public's view of the table
    after it, and what everybody saw happen.
    """

    number: int
    turn: int
    kind: str
    view: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """A place on the board that can be clicked, and mostly held (a sea cannot).

    `key` is one word, without spaces and the same in every phase: the `data-area` of the picture
    and a part of addresses. `words` say how it lies (`3 units, level II, burnt`), `states` what
    else one sees of it (`burnt`). `coat` is the place of the arms that it shows, among those of
    its holder (`UsualPages.coats_of`).
    """

    key: str
    name: str
    holder: int | None
    words: str
    states: tuple[str, ...] = ()
    coat: int = 0


@dataclass(frozen=True, slots=True)
class Chip:
    """A player below the board: figures are few and short (`("lands", "3")`), for the eye."""

    player: int
    figures: tuple[tuple[str, str], ...]
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """Who held an area after a close; `states` and `coat` as in `Area`."""

    holder: int | None
    states: tuple[str, ...] = ()
    coat: int = 0

    @classmethod
    def of(cls, area: Area) -> "Cell":
        return cls(area.holder, area.states, area.coat)


@dataclass(frozen=True, slots=True)
class Holdings:
    """Who held what: a row an area, a column a close, or several: `closes` are the places of those
    that columns are of, if not of one each; the last of a close is how it lay after it.
    """

    title: str
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    closes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """A player's values after each close (None: out, or not known yet); `last` is what the end
    added.
    """

    player: int
    values: tuple[float | None, ...]
    last: float | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Step lines of players, labelled at their ends. `unit` names the values."""

    title: str
    unit: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """An attack on all: the place of its close (the start is 0), what was sent, what was needed."""

    close: int
    sent: float
    needed: float
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Threat:
    """A level against its threshold after each close, and the attacks."""

    title: str
    levels: tuple[float, ...]
    thresholds: tuple[float, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    turn: int
    player: int
    value: float
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """What each player gave in each turn; the best is ringed."""

    title: str
    unit: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """How often something came up, and how often one expects it: between `low` and `high` in 19 of
    20 games.
    """

    name: str
    count: int
    expected: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Chances:
    title: str
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """A table of numbers, a row a player."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


Plot = Holdings | Lines | Threat | Dots | Chances | Figures


def held(title: str, areas: Sequence[Sequence[Area]], closes: tuple[int, ...] = ()) -> Holdings:
    """The holdings of all closes, from the areas of each column; rows are in the order of the
    board.
    """
    rows = {area.key: area.name for close in areas for area in close}
    found = [{area.key: Cell.of(area) for area in close} for close in areas]
    return Holdings(
        title,
        tuple((key, tuple(close.get(key, Cell(None)) for close in found)) for key in rows),
        closes,
    )


def only(closes: Sequence[Close], kept: Collection[int]) -> tuple[Close, ...]:
    """The same closes with those of their events whose facts are kept (by their `id`). The view of
    one that keeps not all is that of the close before.
    """
    found: list[Close] = []
    for close in closes:
        events = tuple(event for event in close.events if id(event.facts) in kept)
        is_whole = len(events) == len(close.events)
        view = found[-1].view if found else close.view
        found.append(close if is_whole else replace(close, view=view, events=events))
    return tuple(found)
