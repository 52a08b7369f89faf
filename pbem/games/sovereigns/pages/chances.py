"""Tables of chances for a letter: every action by the points put into it, and every number of
Harmony points by the support it brings. Exact, from what the reader knows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES, Attribute
from engine.sovereigns.odds import ActionOdds, known_table, odds_of_order, odds_of_year, permille
from engine.sovereigns.table import Table
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages import facts

MOST_COLUMNS = 5
"""So many numbers of points fit on a phone."""
MOST_ROWS = 8
"""So many numbers of Harmony points a letter lists."""


@dataclass(frozen=True, slots=True)
class Row:
    """Actions that have the same chances: their kinds with what is raised, the target (None: they
    roll against a number), and the chance in permille for each number of points; in a contest it is
    the least.
    """

    kinds: tuple[tuple[str, Attribute | None], ...]
    target: int | None
    chances: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chances:
    """What the points of one attribute can do."""

    attribute: Attribute
    points: tuple[int, ...]
    rows: tuple[Row, ...]


def chances(view: TableView) -> tuple[Chances, ...]:
    """Of all actions that the reader could order now, by attribute."""
    own = view.you
    if own is None:
        return ()
    table, actions = known_table(view), facts.actions(view)
    found: list[Chances] = []
    for attribute in ATTRIBUTES:
        mine = [action for action in actions if action.attribute == attribute]
        points = _columns(own.free.of(attribute))
        rows = tuple(_rows(table, own.number, mine, points)) if points else ()
        if rows:
            found.append(Chances(attribute, points, rows))
    return tuple(found)


def _columns(free: int) -> tuple[int, ...]:
    """Some numbers of points, all that are free among them."""
    if free <= MOST_COLUMNS:
        return tuple(range(1, free + 1))
    return (*range(1, MOST_COLUMNS), free)


def _rows(
    table: Table, player: int, actions: Sequence[o.Action], points: Sequence[int]
) -> Iterator[Row]:
    grouped: dict[tuple[int | None, tuple[int, ...]], list[tuple[str, Attribute | None]]] = {}
    for action in actions:
        told = [
            odds_of_order(table, player, o.Do((replace(action, points=number),)))
            for number in points
        ]
        cells = tuple(permille(one.worst.passed) for one in told if isinstance(one, ActionOdds))
        if len(cells) == len(points):
            key = action.target, cells
            grouped.setdefault(key, []).append((action.kind, action.raises))
    for (target, cells), kinds in grouped.items():
        yield Row(tuple(kinds), target, cells)


def examples(view: TableView) -> tuple[o.Do | o.Build, ...]:
    """What a letter proposes: of each attribute the action that is the likeliest to succeed with
    all free points, and the dearest building that can be paid.
    """
    own = view.you
    if own is None:
        return ()
    table, actions = known_table(view), facts.actions(view)

    def passed(action: o.Action) -> Fraction:
        told = odds_of_order(table, own.number, o.Do((action,)))
        return told.worst.passed if isinstance(told, ActionOdds) else Fraction(-1)

    able = [action for action in actions if passed(action) > 0]
    best = [
        max(mine, key=passed)
        for attribute in ATTRIBUTES
        if (mine := [action for action in able if action.attribute == attribute])
    ]
    new = facts.example_of(view)
    told = [
        replace(action, proposal=new) if action.kind == "Research" else action for action in best
    ]
    built = [o.Build(code) for code, _ in facts.buildings(view)[-1:]]
    return (*(o.Do((action,)) for action in told), *built)


def year_rows(view: TableView) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """For numbers of Harmony points the chances in permille of Full Support, Support, Indifference,
    Protest, Strike, and of Rebellion or Coup.
    """
    own = view.you
    if own is None or view.stage != "year-start" or own.number not in view.living:
        return ()
    table, total = known_table(view), view.kingdom(own.number).total.H
    numbers = range(max(1, total - MOST_ROWS + 1), total + 1)
    told = ((n, odds_of_year(table, own.number, o.Year((o.Way(points=n),)))) for n in numbers)
    return tuple(
        (
            n,
            tuple(
                permille(year.share(*supports))
                for supports in (
                    ("full-support",),
                    ("support",),
                    ("indifference",),
                    ("protest",),
                    ("strike",),
                    ("rebellion", "coup"),
                )
            ),
        )
        for n, year in told
        if year is not None
    )
