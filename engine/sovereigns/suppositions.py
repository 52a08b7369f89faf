"""What can be supposed: nothing is drawn. Certain effects are done as at the close; rolls become
chances.

All is computed from what the asking ruler knows: two positions that this ruler cannot tell apart
give the same.
"""

from collections.abc import Mapping, Sequence

from engine.ruleset import NotSupposable, Problem, Supposed
from engine.sovereigns import events as e
from engine.sovereigns.odds import (
    ActionOdds,
    YearOdds,
    known_table,
    odds_of_order,
    odds_of_year,
    permille,
)
from engine.sovereigns.orders import Do, Order, Year
from engine.sovereigns.seasons.actions import RULES
from engine.sovereigns.seasons.seasons import abdicate, action_of, construct
from engine.sovereigns.seasons.trades import expire
from engine.sovereigns.seasons.year import answer, chosen
from engine.sovereigns.state import State
from engine.sovereigns.table import Table
from engine.sovereigns.view import view_of

STAGES = ("year-start", "season")


def suppose(state: State, player: int, orders: Mapping[int, Sequence[Order]]) -> Supposed[State]:
    """What the open phase would come to for this ruler by these orders. The state is that of what
    they know, before the first roll.

    NotSupposable in set-up, when the game is over, and for the fallen.
    """
    if state.stage not in STAGES:
        raise NotSupposable("not-now", phase=state.stage, when=STAGES)
    if not state.kingdom(player).alive:
        raise NotSupposable("not-asked", phase=state.stage)
    table, given = known_table(view_of(state, player)), orders.get(player, ())
    year = next((order for order in given if isinstance(order, Year)), None)
    hangs: list[Problem] = []
    if state.stage == "season":
        expire(table, at_close=True)
    abdicate(table)
    if table.is_over or not table.of(player).alive:
        return Supposed(table.state, tuple(table.events))
    if state.stage == "year-start":
        hangs += _suppose_year(table, player, year)
    else:
        construct(table, player, given)
        order = action_of(table.state, player, given)
        hangs += _suppose_action(table, player, order) if order is not None else ()
        hangs += _suppose_year(table, player, year) if year is not None else ()
    return Supposed(table.state, tuple(table.events), tuple(hangs))


def _suppose_action(table: Table, player: int, order: Do) -> tuple[Problem, ...]:
    odds = odds_of_order(table, player, order)
    if odds is None:
        return (_hang("too-many-dice", "SS-3.1"),)
    if not isinstance(odds, ActionOdds):
        table.tell(e.ActionVoid(table.state.actions + 1, player, odds), ["SS-9.3"], (player,))
        return ()
    table.tell(facts_of(odds), rules_of(odds), (player,))
    return (
        *((_hang("hidden-points", "SS-1.9"),) if odds.difficulty is None else ()),
        _hang("others-act-too", "SS-9.1"),
    )


def _suppose_year(table: Table, player: int, order: Year | None) -> tuple[Problem, ...]:
    """Of this year, or in a season of the next one."""
    if table.state.stage == "year-start":
        way = chosen(table, player, order)
        if way.fear:
            answer(table, player, way)
            return ()
    odds = odds_of_year(table, player, order)
    if odds is not None:
        table.tell(facts_of(odds), rules_of(odds), (player,))
    return ()


def _hang(code: str, rule: str) -> Problem:
    return Problem(code, (rule,), warning=True)


# --------------------------------------------------------------------------------- chances as facts
def facts_of(odds: ActionOdds | YearOdds) -> e.OddsTold | e.ChartTold:
    if isinstance(odds, YearOdds):
        return e.ChartTold(
            odds.kingdom,
            odds.points,
            odds.dice,
            odds.terms,
            tuple(permille(share) for _, share in odds.rows),
            permille(odds.rebellion),
            odds.rebellion_points,
            permille(odds.coup),
            odds.coup_points,
        )
    return e.OddsTold(
        odds.kingdom,
        odds.action,
        odds.attribute,
        odds.target,
        odds.points,
        odds.depleted,
        odds.dice,
        odds.terms,
        odds.defence_terms,
        odds.difficulty,
        tuple(case.free for case in odds.cases),
        tuple(case.dice for case in odds.cases),
        tuple(permille(case.shares.great) for case in odds.cases),
        tuple(permille(case.shares.success) for case in odds.cases),
        tuple(permille(case.shares.failure) for case in odds.cases),
        tuple(permille(case.shares.disaster) for case in odds.cases),
        tuple(map(permille, odds.losses)),
    )


def rules_of(odds: ActionOdds | YearOdds) -> tuple[str, ...]:
    """The rules that such a roll goes by."""
    if isinstance(odds, YearOdds):
        risings = (("SS-4.5", odds.share("rebellion")), ("SS-4.6", odds.share("coup")))
        return ("SS-4.1", "SS-4.2", "SS-4.4", *(rule for rule, share in risings if share))
    met = ("SS-3.2",) if odds.difficulty is not None else ("SS-3.11", "SS-3.13", "SS-3.14")
    return (RULES[odds.action], *met, "SS-3.4", *(("SS-3.17",) if odds.depleted else ()))
