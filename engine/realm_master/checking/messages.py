"""Check a player's new orders against those that stand: refusals, warnings, and what replaces what
(RM-11.7, section 12 of the rules).
"""

from collections.abc import Sequence

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.checking.deeds import foresee, judge_deed
from engine.realm_master.checking.plan_lines import judge_line, warnings_of
from engine.realm_master.heroes import free_heroes
from engine.realm_master.plans import answers, is_act, is_deed
from engine.realm_master.state import State
from engine.realm_master.table import Table
from engine.realm_master.wording import format_order
from engine.ruleset import Checked, Fact, Problem, Standing

MOST_LINES = 60
"""No plan needs more."""


def check(
    state: State, player: int, standing: Standing[o.Order], orders: Sequence[o.Order]
) -> Checked[o.Order]:
    """What becomes of these orders, sent in one message; never raises for what a player wrote.

    A plan may be changed until the close (RM-11.7): a later line takes the place of an earlier one
    that speaks of the same thing; of two in one message the first stands.
    """
    table = Table(state, Chance(b""))
    kept = list(standing.orders)
    fresh: list[o.Order] = []
    accepted: list[o.Order] = []
    replaced: list[o.Order] = []
    problems: list[Problem] = []
    for i, order in enumerate(orders):
        waits = is_deed(order) or (player in state.asked and answers(state.stage, order))
        met = _table_after(state, player, (*kept, *fresh)) if waits else table
        refusal = _judge(met, player, order, (*kept, *fresh, *orders)) or _clash(order, fresh)
        if refusal is None and len(kept) + len(fresh) >= MOST_LINES:
            refusal = Problem("too-many-orders", ("RM-11.7",))
        if refusal is not None:
            problems.append(_of(refusal, i))
            continue
        problems += [_of(warning, i) for warning in warnings_of(table, player, order)]
        accepted.append(order)
        if is_act(order):
            continue
        fallen = [old for old in kept if _replaces(order, old)]
        replaced += fallen
        kept = [old for old in kept if old not in fallen]
        fresh.append(order)
    stands = (*kept, *fresh)
    complete = is_complete(state, player, stands)
    return Checked(
        accepted=tuple(accepted),
        standing=Standing(orders=stands, final=complete and bool(stands)),
        problems=tuple(problems),
        replaced=tuple(replaced),
        complete=complete,
    )


def takes(table: Table, player: int, order: o.Order) -> bool:
    """Whether `check` takes this order on an empty sheet without a word."""
    refused = _judge(table, player, order, (order,)) is not None
    return not refused and not warnings_of(table, player, order)


def _table_after(state: State, player: int, orders: Sequence[o.Order]) -> Table:
    """The table as the next deed will find it: those that stand come first, and all are paid from
    one purse.
    """
    table = Table(state, Chance(b""))
    foresee(table, player, filter(is_deed, orders))
    return table


def is_complete(state: State, player: int, orders: Sequence[o.Order]) -> bool:
    """Whether the open question waits for nothing more from this player (RM-11.4)."""
    if player not in state.asked:
        return True
    if any(isinstance(order, o.Wait) for order in orders):
        return False
    if state.stage != "round":
        return any(is_deed(order) or answers(state.stage, order) for order in orders)
    says = [order.on for order in orders if isinstance(order, o.Auto)]
    return bool(orders) or (says[-1] if says else state.players[player - 1].plan.auto)


def _judge(table: Table, player: int, order: o.Order, beside: Sequence[o.Order]) -> Problem | None:
    """The first reason against an order, or None."""
    if table.is_over:
        return refuse("not-now", phase="over")
    if player not in table.players or not table.players[player].alive:
        return (
            None
            if isinstance(order, o.Objection) and player in table.players
            else refuse("dead", "RM-7.1")
        )
    if isinstance(order, o.PickHero):
        return _judge_hero(table, player, order)
    match order:
        case o.AttackOne(hero=hero):
            return _judge_attack_one(table, player, hero)
        case o.GoOn() | o.PlaceCard():
            if player not in table.asked or not answers(table.stage, order):
                return refuse("not-now", "RM-11.2", phase=table.stage)
            if isinstance(order, o.PlaceCard):
                return judge_deed(table, player, order)
            return None
        case o.Drop() | o.Auto() | o.Wait():
            return None
    return (
        judge_deed(table, player, order)
        if is_deed(order) or is_act(order)
        else judge_line(table, player, order, beside)
    )


def _judge_hero(table: Table, player: int, order: o.PickHero) -> Problem | None:
    taken = {other.hero: other.number for other in table.players.values() if other.hero is not None}
    held = [hero for hero in order.heroes if hero in taken and taken[hero] != player]
    if held:
        return refuse("hero-taken", "RM-1.5", heroes=tuple(held), free=free_heroes(set(taken)))
    if table.stage != "heroes":
        return refuse("not-now", "RM-9.1", phase=table.stage, when=("heroes",))
    return judge_line(table, player, order, ())


def _judge_attack_one(table: Table, player: int, hero: str) -> Problem:
    target = table.who_is(hero)
    inside = table.players[player].at is not None
    if target is not None and inside and table.players[target].at is not None:
        return refuse("no-infighting", "RM-4.3", hero=hero)
    return refuse("no-single-target", "RM-4.2", hero=hero, side="outside" if inside else "inside")


def _clash(order: o.Order, fresh: Sequence[o.Order]) -> Problem | None:
    for first in fresh:
        if o.is_same_line(order, first):
            return refuse("second-order", "RM-11.7", stands=format_order(first))
    return None


def _replaces(order: o.Order, old: o.Order) -> bool:
    match order:
        case o.Drop(key=None):
            return not isinstance(old, o.Auto | o.Wait)
        case o.Drop(key=key):
            return o.key_of(old) == key or old == order
        case o.Auto():
            return isinstance(old, o.Auto)
        case o.Wait():
            return isinstance(old, o.Wait)
        case o.GoOn() | o.PlaceCard():
            return isinstance(old, o.GoOn | o.PlaceCard)
    return o.is_same_line(order, old)


def _of(problem: Problem, i: int) -> Problem:
    return Problem(problem.code, problem.rules, problem.facts, problem.warning, i)


def refuse(code: str, *rules: str, **facts: Fact) -> Problem:
    return Problem(code, rules, facts)
