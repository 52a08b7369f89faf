"""What can be asked that is no order: chances of any roll, and why something came out as it did."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns.codes import Attribute
from engine.sovereigns.odds import (
    MOST_DICE,
    ActionOdds,
    YearOdds,
    known_table,
    odds_of_answer,
    odds_of_way,
)
from engine.sovereigns.orders import Action, Do, Way
from engine.sovereigns.seasons.actions import ruling_for
from engine.sovereigns.seasons.rolls import has_works
from engine.sovereigns.seasons.year import end_year
from engine.sovereigns.state import Season
from engine.sovereigns.suppositions import STAGES
from engine.sovereigns.table import Table
from engine.sovereigns.view import TableView

MOST_EACH = 12
"""The numbers of points with chances, where the question names none."""

Topic = Literal[
    "all",
    "action",
    "lost",
    "gained",
    "support",
    "fall",
    "technology",
    "building",
    "trade",
    "vote",
    "end",
]


class Odds(msgspec.Struct, frozen=True):
    """How likely an action, or the roll of a year start, is to go well; of `kingdom` (None: the
    asker's own). Points need not be free now; None: told for each number that can be.
    """

    roll: Action | Way
    kingdom: int | None = None


class Question(msgspec.Struct, frozen=True):
    """Why something happened as it did: the newest event that fits. `kingdoms` all had a part in
    it; `number` is an action's, or the asker's number of an offer; `action` an action's kind;
    `season` is one of the four, or a year's start.
    """

    topic: Topic
    kingdoms: tuple[int, ...] = ()
    number: int | None = None
    action: str = ""
    attribute: Attribute | None = None
    year: int | None = None
    season: Season | Literal["start"] | None = None


def chances_of(view: TableView, asked: Odds) -> tuple[ActionOdds | YearOdds, ...] | Problem:
    """The chances asked for, from the fewest points on, or why there are none."""
    player = asked.kingdom or (view.you.number if view.you is not None else None)
    if view.stage not in STAGES:
        return Problem("not-now", ("SS-2.1",), {"phase": view.stage})
    if player is None:
        return Problem("whose-odds", ("SS-13.0",))
    if not view.kingdom(player).alive:
        return Problem("bad-target", ("SS-11.1",))
    table = known_table(view)
    if isinstance(asked.roll, Way):
        return _of_years(table, player, asked.roll)
    return _of_actions(view, table, player, asked.roll)


def _of_years(table: Table, player: int, way: Way) -> tuple[YearOdds, ...] | Problem:
    if table.state.stage == "season":
        end_year(table)
    if table.is_over:
        return Problem("no-next-year", ("SS-11.8",))
    total = table.of(player).total
    wanted = range(1, min(max(total.H, 1), MOST_EACH) + 1) if way.points is None else (way.points,)
    if max(wanted) > MOST_DICE:
        return _too_many()
    found = []
    for points in wanted:
        table.change(player, total=replace(total, H=max(points, total.H) if total.H else total.H))
        found.append(odds_of_answer(table, player, replace(way, points=points)))
    told = tuple(odds for odds in found if odds is not None)
    return told if len(told) == len(found) else _too_many()


def _of_actions(
    view: TableView, table: Table, player: int, way: Action
) -> tuple[ActionOdds, ...] | Problem:
    problem = _problem_of(table, player, way)
    if problem is not None:
        return problem
    ruling = ruling_for(table.state, player, Do((way,)))
    kingdom, knower = table.of(player), view.you.number if view.you is not None else None
    free = kingdom.free(way.attribute) or kingdom.total.of(way.attribute)
    each = range(0 if way.depleted else 1, min(max(free, 1), MOST_EACH) + 1)
    wanted = each if way.points is None else (way.points,)
    if max(wanted) > MOST_DICE or way.depleted > MOST_DICE:
        return _too_many()
    found = [
        odds_of_way(table, player, way, ruling, points, way.depleted, knower) for points in wanted
    ]
    told = tuple(odds for odds in found if odds is not None)
    return told if len(told) == len(found) else _too_many()


def _problem_of(table: Table, player: int, way: Action) -> Problem | None:
    """What keeps such an action from ever being rolled."""
    kingdom = table.of(player)
    if way.target is not None and (way.target == player or not table.of(way.target).alive):
        return Problem("bad-target", ("SS-3.11",))
    if way.points == 0 and not way.depleted:
        return Problem("min-one", ("SS-3.1",))
    if way.depleted and way.attribute != "R":
        return Problem("depletes-resources-alone", ("SS-3.21",))
    if way.boon and not kingdom.boons:
        return Problem("no-boon", ("SS-6.14",))
    if way.works and not has_works(kingdom, way.attribute):
        return Problem("no-building", ("SS-7.7",))
    return None


def _too_many() -> Problem:
    return Problem("too-many-dice", ("SS-3.1",), {"most": MOST_DICE})
