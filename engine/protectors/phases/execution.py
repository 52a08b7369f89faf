"""Execute Orders: reveal, transfers and costs, the plank, the two stages of marches and battles
(sections 6 and 7).
"""

from engine.protectors.cards import FERRY, FLOOD, PIRATES, SEAFARERS
from engine.protectors.events import (
    CostPaid,
    MarchMade,
    MoneySent,
    OrderFailed,
    OrdersRevealed,
    SupportCut,
)
from engine.protectors.factions.peeks import take_peeks
from engine.protectors.numbers import FERRY_FARE
from engine.protectors.orders import ISLAND, March, ProvinceOrder, Support, Work
from engine.protectors.phases.battles import Field, Line, fight_battles
from engine.protectors.phases.intake import Given, TurnOrders, take_in
from engine.protectors.phases.pirates import hear_snitches, walk_plank
from engine.protectors.table import Table


def execute_orders(table: Table, given: Given) -> None:
    """Close the orders window and carry everything out, up to the Consolidation (PR-7.1)."""
    take_peeks(table, given)
    taken = take_in(table, given)
    _reveal(table, taken)
    walkers = hear_snitches(table, taken.snitches) if PIRATES in table.force else ()
    _transfer(table, taken)
    _pay_fares(table, taken.by_province)
    for walker in walkers:
        walk_plank(table, walker, taken.by_province)
    field = Field(table, taken.by_province, taken.crusades)
    _march(table, field, delayed=False)
    _march(table, field, delayed=True)
    field.tell_idle_support(table)
    table.order = [None] * (table.provinces + 1)
    for i, order in field.orders.items():
        if isinstance(order, Work):
            table.order[i] = "golden work" if order.golden else "work"
    for i, forces in enumerate(field.forces):
        table.holder[i], table.units[i] = next(iter(forces.items()), (None, 0))
    table.peeks = []


def _reveal(table: Table, taken: TurnOrders) -> None:
    rules = ["PR-1.8", "PR-6.1", "PR-7.1"]
    holding = tuple(
        [i for i, units in enumerate(table.units) if units and i not in taken.by_province]
    )
    if holding:
        rules.append("PR-6.3")
    orders = tuple(taken.revealed.items())
    table.last_orders = orders
    table.tell(OrdersRevealed(orders, holding), rules)


def _transfer(table: Table, taken: TurnOrders) -> None:
    """Money held at the start changes hands; what comes in can pay for this window's costs
    (PR-6.16).
    """
    for player, sends in taken.sends.items():
        for send in sends:
            table.realm[player] -= send.amount
            table.realm[send.to] += send.amount
            table.tell(MoneySent(player, send.to, send.amount), ["PR-6.16"])


# -------------------------------------------------------------------------------------------- fares
def _sea_way(table: Table, march: March) -> Line:
    """By what sea card a march goes, if not over land (PR-4.15 to PR-4.17)."""
    if FLOOD not in table.force and march.target in table.near[march.origin]:
        return ""
    return "seafarers" if SEAFARERS in table.force else "ferry"


def _pay_fares(table: Table, orders: dict[int, ProvinceOrder]) -> None:
    """25 $Realm for each province the Ferry is used from; what cannot be paid falls away from the
    highest number down (PR-6.18).
    """
    if FERRY not in table.force:
        return
    for player in table.active:
        marches = [
            order
            for i, order in orders.items()
            if table.owner[i] == player and isinstance(order, March)
        ]
        marches = [march for march in marches if _sea_way(table, march) == "ferry"]
        marches.sort(
            key=lambda march: march.origin or table.provinces + 1
        )  # the Island counts as the highest
        while marches and len(marches) * FERRY_FARE > table.realm[player]:
            failed = marches.pop()
            del orders[failed.origin]
            table.tell(OrderFailed(player, failed, "cannot-pay"), ["PR-6.18"])
        for march in marches:
            table.realm[player] -= FERRY_FARE
            table.tell(CostPaid(player, "ferry", march.origin, FERRY_FARE), ["PR-4.17", "PR-6.17"])


# ------------------------------------------------------------------------------------------ marches
def _march(table: Table, field: Field, *, delayed: bool) -> None:
    """One stage: all its marches together, then the battles they lead to (PR-6.5, PR-6.7,
    PR-7.2).
    """
    moves: list[tuple[int, March, int]] = []
    for i, order in field.orders.items():
        if isinstance(order, March) and order.delayed == delayed:
            player = field.commander[i]
            moves.append((player, order, min(order.units, field.forces[i][player])))
    if not moves:
        return
    ways = {(order.origin, order.target) for _, order, _ in moves}
    for player, order, units in moves:
        del field.orders[order.origin]
        field.leave(order.origin, player, units)
    field.open_stage(delayed=delayed)
    for player, order, units in moves:
        crusade = order.golden and order.origin in field.crusades
        field.enter(
            order.target,
            player,
            units,
            gold="crusade" if crusade else "golden-march" if order.golden else None,
        )
        sea = _sea_way(table, order)
        rules = ["PR-6.7" if delayed else "PR-6.5"]
        if units < order.units:
            rules.append("PR-6.5")
        if order.golden:
            rules.append("PR-6.6")
        if crusade:
            rules.append("PR-11.6")
        if ISLAND in (order.origin, order.target):
            rules.append("PR-12.1")
        if (order.target, order.origin) in ways:
            rules.append("PR-7.2")
        if sea:
            rules.append("PR-4.16" if sea == "seafarers" else "PR-4.17")
        if sea and FLOOD in table.force:
            rules.append("PR-4.15")
        facts = MarchMade(
            player,
            order.origin,
            order.target,
            order.units,
            units,
            order.golden,
            delayed,
            sea,
            crusade,
        )
        table.tell(facts, rules)
    _cut_support(table, field)
    fight_battles(table, field)


def _cut_support(table: Table, field: Field) -> None:
    """Support ends where anybody else's units entered, friend or foe, even if they lose
    (PR-6.10).
    """
    for i in sorted(field.entered):
        order = field.orders.get(i)
        if isinstance(order, Support):
            intruders = tuple(sorted(field.entered[i] - {field.commander[i]}))
            if intruders:
                del field.orders[i]
                table.tell(SupportCut(field.commander[i], i, intruders), ["PR-6.10"])
