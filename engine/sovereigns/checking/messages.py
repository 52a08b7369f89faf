"""Check a ruler's new orders against those that stand: each line stands or is refused alone, with
the first refusal that applies (SF-4).
"""

from collections.abc import Sequence

from engine.chance import Chance
from engine.ruleset import Checked, Problem, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.checking.actions import (
    refusal_of_action,
    refusal_of_reading,
    refusal_of_year,
    warnings_of_action,
    warnings_of_year,
)
from engine.sovereigns.checking.deeds import refusal_of_deed, warnings_of_deed
from engine.sovereigns.checking.facts import facts_of
from engine.sovereigns.codes import COSTS
from engine.sovereigns.deeds import do
from engine.sovereigns.seasons.running_phase import base_of, objected
from engine.sovereigns.seasons.seasons import CAMP_COST, plan_for
from engine.sovereigns.setup import LEAST, MOST_NAME, START_SUM
from engine.sovereigns.state import State
from engine.sovereigns.table import Table

MOST_LINES = 60
"""No season needs more."""
_RULES = {
    "split-sum": "SS-1.2",
    "split-min": "SS-1.2",
    "bad-target": "SS-3.11",
    "harmony-trade": "SS-5.2",
    "building-trade": "SS-5.3",
    "nothing-to-deplete": "SS-3.16",
    "one-action": "SS-2.3",
    "no-increase": "SS-6.17",
    "no-tech": "SS-7.10",
    "already-owned": "SS-7.12",
    "min-one": "SS-3.1",
    "fallen": "SS-11.1",
    "no-faith": "SS-6.13",
    "no-code": "SS-7.5",
    "no-discovery": "SS-7.5",
    "no-building": "SS-7.7",
    "used-up": "SS-7.7",
    "no-offer": "SS-5.5",
    "no-ballot": "SS-11.5",
    "no-action": "SS-10.3",
    "too-late": "SS-10.3",
    "too-many": "SS-5.4",
    "out-of-range": "SS-5.6",
    "confirm": "SS-4.9",
    "not-enough": "SS-3.8",
    "no-boon": "SS-6.14",
    "not-now": "SS-2.1",
    "unknown-kingdom": "SS-13.0",
    "not-understood": "SS-13.0",
}

_SECOND_OF = (o.Do, o.Year)


def check(
    state: State, player: int, standing: Standing[o.Order], orders: Sequence[o.Order]
) -> Checked[o.Order]:
    """What becomes of these orders, sent in one message; never raises for what a player wrote.

    Deeds count for the lines behind them; they are no part of what stands.
    """
    table = Table(state, Chance(b""))
    kept = list(standing.orders)
    fresh: list[o.Order] = []
    accepted: list[o.Order] = []
    problems: list[Problem] = []
    final = standing.final
    for i, order in enumerate(orders):
        refusal = refusal_of(table.state, player, order, (*kept, *fresh), fresh)
        if refusal is not None or len(kept) + len(fresh) >= MOST_LINES:
            problems.append(
                _problem(table.state, player, refusal or "out-of-range", (*kept, *fresh), i, order)
            )
            continue
        problems += [
            _problem(table.state, player, code, (*kept, *fresh), i, order, warning=True)
            for code in _warnings_of(table.state, player, order)
        ]
        accepted.append(order)
        final = isinstance(order, o.Pass | o.Done)
        if isinstance(order, o.Deed):
            if isinstance(order, o.Object):
                objected(table, player, order.action, order.why)
            elif not isinstance(order, o.Redo):  # whose dice nobody knows yet
                do(table, player, order)
            continue
        kept = [old for old in kept if not _replaces(order, old)]
        fresh = [old for old in fresh if not _replaces(order, old)]
        if not isinstance(order, o.Done | o.CancelAll):
            fresh.append(order)
    whole = (*kept, *fresh)
    replaced = tuple(old for old in standing.orders if old not in whole)
    complete = final or is_answered(state, whole)
    return Checked(tuple(accepted), Standing(whole, final), tuple(problems), replaced, complete)


def is_answered(state: State, orders: Sequence[o.Order]) -> bool:
    """Whether these orders answer what the open phase asks (section 12 of the rules)."""
    wanted = {"setup": (o.Split,), "year-start": (o.Year,), "season": (o.Do, o.Pass)}.get(
        state.stage, ()
    )
    return any(isinstance(order, wanted) for order in orders)


def refusal_of(
    state: State, player: int, order: o.Order, whole: Sequence[o.Order], fresh: Sequence[o.Order]
) -> str | None:
    """The first refusal of a line; None if it stands."""
    if isinstance(order, o.Redo) and state.undone is not None and state.undone.player == player:
        return _refusal_of_redo(state, player, order)
    if not 1 <= player <= len(state.kingdoms) or not state.kingdom(player).alive:
        return "fallen"
    if not _is_time_for(state, order):
        return "not-now"
    second = any(
        isinstance(order, sort) and isinstance(old, sort) for old in fresh for sort in _SECOND_OF
    )
    match order:
        case o.Do():
            return refusal_of_action(state, player, order, second=second)
        case o.Year():
            return refusal_of_year(state, player, order, second=second)
        case o.Build(building):
            return _refusal_of_building(state, player, building, whole)
        case o.Camp():
            return _refusal_of_camp(state, player, whole)
        case o.Split():
            return _refusal_of_split(order)
        case o.Every(order=o.Year() as year):
            return refusal_of_year(state, player, year, standing=True)
        case o.Every(order=o.Do() as action):
            return refusal_of_reading(state, player, action) or (
                "min-one" if _has_no_points(action) else None
            )
        case o.Pass() | o.Done() | o.CancelAll():
            return None
        case o.Redo():
            return "no-action"
    return refusal_of_deed(state, player, order)


def _refusal_of_redo(state: State, player: int, order: o.Redo) -> str | None:
    """It is read in the position that it goes back to, where its ruler may live and the game be
    open (SF-9.13).
    """
    if isinstance(order.order, o.Pass):
        return None
    base = base_of(state)
    return refusal_of_action(base, player, order.order) if base.kingdom(player).alive else "fallen"


def _has_no_points(action: o.Do) -> bool:
    return any(way.points == 0 and not way.depleted for way in action.ways)


def _is_time_for(state: State, order: o.Order) -> bool:
    match order:
        case o.Split():
            return state.stage == "setup"
        case o.Year():
            return state.stage == "year-start" or (
                state.stage == "season" and state.season == "Winter"
            )
        case o.Do() | o.Build() | o.Camp() | o.Pass() | o.Offer() | o.Answer():
            return state.stage == "season"
        case o.Done() | o.CancelAll():
            return state.stage != "over"
    return state.stage in ("year-start", "season")


def _refusal_of_building(
    state: State, player: int, building: str, whole: Sequence[o.Order]
) -> str | None:
    kingdom = state.kingdom(player)
    if building not in COSTS:
        return "no-code"
    plan = plan_for(state, player, building)
    if plan is None:
        return "no-tech"
    if kingdom.has_building(building) or o.Build(building) in whole:
        return "already-owned"
    return "not-enough" if kingdom.free("R") - _cost_of(state, player, whole) < plan[0] else None


def _cost_of(state: State, player: int, whole: Sequence[o.Order]) -> int:
    """What the constructions ordered before will take."""
    plans = [
        plan_for(state, player, order.building) for order in whole if isinstance(order, o.Build)
    ]
    return sum(plan[0] for plan in plans if plan is not None) + CAMP_COST * (o.Camp() in whole)


def _refusal_of_camp(state: State, player: int, whole: Sequence[o.Order]) -> str | None:
    kingdom = state.kingdom(player)
    if not kingdom.has_building("BLD-CAMP"):
        return "no-building"
    if "BLD-CAMP" in kingdom.used or o.Camp() in whole:
        return "used-up"
    pays = kingdom.free("R") - _cost_of(state, player, whole) >= CAMP_COST
    return None if pays and kingdom.ex.M else "not-enough"


def _refusal_of_split(order: o.Split) -> str | None:
    parts = (order.resources, order.military, order.harmony)
    if sum(parts) != START_SUM:
        return "split-sum"
    if min(parts) < LEAST:
        return "split-min"
    return (
        None
        if len(order.name) <= MOST_NAME and (not order.name or order.name.isprintable())
        else "out-of-range"
    )


def _warnings_of(state: State, player: int, order: o.Order) -> tuple[str, ...]:
    """The codes of warnings, which leave the order as it is."""
    match order:
        case o.Do():
            return warnings_of_action(state, player, order)
        case o.Year():
            return warnings_of_year(state, player, order)
        case o.Redo(order=o.Do() as action):
            return warnings_of_action(base_of(state), player, action)
    return warnings_of_deed(state, player, order)


def _replaces(order: o.Order, old: o.Order) -> bool:
    match order:
        case o.CancelAll():
            return True
        case o.Do() | o.Pass():
            return isinstance(old, o.Do | o.Pass)
        case o.Year() | o.Split():
            return isinstance(old, type(order))
    return False


def _problem(
    state: State,
    player: int,
    code: str,
    whole: Sequence[o.Order],
    i: int,
    order: o.Order,
    *,
    warning: bool = False,
) -> Problem:
    facts = facts_of(state, player, code, order, _cost_of(state, player, whole))
    return Problem(code, (_RULES[code],), facts, warning, i)
