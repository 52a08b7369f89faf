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
"""The most numbers of points that fit on a phone."""
MOST_ROWS = 8
"""The most numbers of Harmony points in a letter."""
MOST_TARGETS = 4
"""The most rows of targets, the likeliest to be overcome."""
Kinds = tuple[tuple[str, Attribute | None], ...]
"""Kinds of actions, each with what it raises."""


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """What has the same chances: actions against nobody by their `kinds`, or `targets` of the
    actions of the table; the chance in permille for each number of points, in a contest the least.
    """

    kinds: Kinds
    targets: tuple[int, ...]
    chances: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chances:
    """What the points of one attribute can do against nobody (`kinds` is empty), or by these kinds
    of actions against others; of `more` targets the chances are less.
    """

    attribute: Attribute
    kinds: Kinds
    points: tuple[int, ...]
    rows: tuple[ChanceRow, ...]
    more: int = 0


def chances(view: TableView) -> tuple[Chances, ...]:
    """Of all actions that the reader could order now, by attribute."""
    own = view.you
    if own is None:
        return ()
    table, actions = known_table(view), facts.actions(view)
    found: list[Chances] = []
    for attribute in ATTRIBUTES:
        points = _columns(own.free.of(attribute))
        mine = [action for action in actions if action.attribute == attribute and points]
        told = [(one, _cells(table, own.number, one, points)) for one in mine]
        found += _alone(attribute, points, [entry for entry in told if entry[0].target is None])
        found += _against(attribute, points, [entry for entry in told if entry[0].target])
    return tuple(found)


Told = Sequence[tuple[o.Action, tuple[int, ...]]]
"""Actions with their chances for each number of points."""


def _alone(attribute: Attribute, points: tuple[int, ...], told: Told) -> Iterator[Chances]:
    grouped: dict[tuple[int, ...], list[tuple[str, Attribute | None]]] = {}
    for action, cells in told:
        if cells:
            grouped.setdefault(cells, []).append((action.kind, action.raises))
    rows = tuple(ChanceRow(tuple(kinds), (), cells) for cells, kinds in grouped.items())
    if rows:
        yield Chances(attribute, (), points, rows)


def _against(attribute: Attribute, points: tuple[int, ...], told: Told) -> Iterator[Chances]:
    """A table for each set of actions that have the same chances against everybody."""
    by_kind: dict[str, dict[int, tuple[int, ...]]] = {}
    for action, cells in told:
        if action.target is not None and cells:
            by_kind.setdefault(action.kind, {})[action.target] = cells
    alike: list[tuple[dict[int, tuple[int, ...]], list[str]]] = []
    for kind, cells_of in by_kind.items():
        same = next((kinds for known, kinds in alike if known == cells_of), None)
        if same is None:
            alike.append((cells_of, [kind]))
        else:
            same.append(kind)
    for cells_of, kinds in alike:
        targets: dict[tuple[int, ...], list[int]] = {}
        for target, cells in cells_of.items():
            targets.setdefault(cells, []).append(target)
        rows = [ChanceRow((), tuple(whom), cells) for cells, whom in targets.items()]
        likely = sorted(rows, key=lambda row: row.chances, reverse=True)
        named = tuple((kind, None) for kind in kinds)
        shown, rest = tuple(likely[:MOST_TARGETS]), likely[MOST_TARGETS:]
        yield Chances(attribute, named, points, shown, len(rest))


def _columns(free: int) -> tuple[int, ...]:
    """Some numbers of points, all that are free among them."""
    if free <= MOST_COLUMNS:
        return tuple(range(1, free + 1))
    return (*range(1, MOST_COLUMNS), free)


def _cells(table: Table, player: int, action: o.Action, points: Sequence[int]) -> tuple[int, ...]:
    """The chances for each number of points; empty where there is no chance."""
    told = [
        odds_of_order(table, player, o.Do((replace(action, points=number),))) for number in points
    ]
    cells = tuple(permille(one.worst.passed) for one in told if isinstance(one, ActionOdds))
    return cells if len(cells) == len(points) and any(cells) else ()


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
