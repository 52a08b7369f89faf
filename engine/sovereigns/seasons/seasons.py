"""The close of a season (SS-9): constructions, rolled actions in shuffled order, what falls due;
and playing actions again after a redo.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.checking.actions import refusal_of_action
from engine.sovereigns.codes import plan_of
from engine.sovereigns.orders import Build, Camp, Do, Order, Pass, Year
from engine.sovereigns.seasons.actions import resolve
from engine.sovereigns.seasons.trades import expire
from engine.sovereigns.seasons.year import end_year, turn_order
from engine.sovereigns.state import SEASONS, Building, Dice, Played, State
from engine.sovereigns.table import Table

CAMP_COST = 2


class Play(msgspec.Struct, frozen=True):
    """An action to resolve: its number, its ruler, the order, and dice that fell for it before."""

    number: int
    player: int
    order: Do | Pass
    dice: Dice = Dice()


def close_season(table: Table, orders: Mapping[int, Sequence[Order]]) -> None:
    expire(table, at_close=True)
    abdicate(table)
    if table.is_over:
        return
    for number in table.state.living:
        construct(table, number, orders.get(number, ()))
    given = {
        number: action_of(table.state, number, orders.get(number, ()))
        for number in table.state.living
    }
    doing = {number: order for number, order in given.items() if order is not None}
    table.put(
        winter={
            number: year
            for number in table.state.living
            if (year := _year_of(orders.get(number, ()))) is not None
        }
    )
    order = turn_order(table, tuple(doing), "season order")
    first = table.state.actions + 1
    table.put(actions=table.state.actions + len(order))
    play(table, [Play(first + i, number, doing[number]) for i, number in enumerate(order)], ())


def play(table: Table, plays: Sequence[Play], earlier: Sequence[Played]) -> None:
    """Resolve these actions one after the other, each fully applied, deaths included, and end the
    season (SS-9.2).
    """
    played = list(earlier)
    for each in plays:
        before = replace(table.state, played=(), log=())
        dice = (
            each.dice
            if table.is_over
            else resolve(table, each.number, each.player, each.order, each.dice)
        )
        played.append(Played(each.number, each.player, each.order, dice, before))
    if not table.is_over:
        _end_season(table)
    table.put(played=tuple(played))


def abdicate(table: Table) -> None:
    """Who has abdicated falls at the next resolution (SS-11.9)."""
    for number in table.state.living:
        if table.of(number).abdicating and not table.is_over:
            table.tell(e.Abdicated(number), ["SS-11.9"])
            table.fall(number, "abdicated", ["SS-11.9"])


def plan_for(state: State, number: int, building: str) -> tuple[int, bool] | None:
    """What a building costs this kingdom and whether it would last, by its cheapest technology
    (SF-9.10); None without one.
    """
    plans = (plan_of(state.technologies[name], building) for name in state.kingdom(number).tech)
    return min((plan for plan in plans if plan is not None), default=None)


def construct(table: Table, number: int, orders: Sequence[Order]) -> None:
    """The constructions of a kingdom, and its camp (SS-7.10, SF-7)."""
    for order in orders:
        if isinstance(order, Build):
            _build(table, number, order.building)
    if Camp() in orders:
        _camp(table, number)


def _camp(table: Table, number: int) -> None:
    kingdom = table.of(number)
    stands = kingdom.has_building("BLD-CAMP") and "BLD-CAMP" not in kingdom.used
    if not stands or kingdom.free("R") < CAMP_COST or not kingdom.ex.M:
        table.tell(e.CampVoid(number), ["SS-7.7"], (number,))
        return
    table.expend(number, "R", CAMP_COST)
    table.expend(number, "M", -1)
    table.change(number, used=(*kingdom.used, "BLD-CAMP"))
    table.tell(e.CampUsed(number), ["SS-7.7"], (number,))


def _build(table: Table, number: int, building: str) -> None:
    """From free points only, before rolled actions, no roll (SS-7.10)."""
    plan, kingdom = plan_for(table.state, number, building), table.of(number)
    if plan is None or kingdom.has_building(building) or kingdom.free("R") < plan[0]:
        table.tell(e.BuildVoid(number, building), ["SS-7.10"])
        return
    table.expend(number, "R", plan[0])
    table.change(number, buildings=(*kingdom.buildings, Building(building, plan[1])))
    table.tell(e.Built(number, building), ["SS-7.9", "SS-7.10", "SS-2.6"])
    if building == "BLD-WONDER":
        table.gain(number, "H", 1, "SS-7.7")


def action_of(state: State, number: int, orders: Sequence[Order]) -> Do | None:
    """The action ordered, else the standing one, if it can stand now (SF-7)."""
    for order in orders:
        if isinstance(order, Do):
            return order
        if isinstance(order, Pass):
            return None
    standing = state.kingdom(number).every_season
    return (
        standing
        if standing is not None and refusal_of_action(state, number, standing) is None
        else None
    )


def _year_of(orders: Sequence[Order]) -> Year | None:
    return next((order for order in orders if isinstance(order, Year)), None)


def _end_season(table: Table) -> None:
    table.put(
        loans=tuple(
            loan if loan.due is None else replace(loan, due=loan.due - 1)
            for loan in table.state.loans
        )
    )
    for loan in table.state.loans:
        if loan.due == 0:
            table.return_loan(loan, "SS-5.6")
    for number in table.state.living:
        kingdom = table.of(number)
        mods = tuple(mod for mod in kingdom.mods if mod.until != "season")
        table.change(
            number,
            mods=mods,
            objected=False,
            year_order=table.state.winter.get(number, kingdom.year_order),
        )
    table.put(winter={}, rulings=())
    at = SEASONS.index(table.state.season)
    if at + 1 < len(SEASONS):
        table.put(season=SEASONS[at + 1])
    else:
        end_year(table)
    if not table.is_over:
        table.put(hour=0, paused=0, question=table.state.question + 1)
