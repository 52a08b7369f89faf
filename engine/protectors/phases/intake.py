"""What of the orders of a turn is carried out: each looked at once more at the close, and the
default for the missing.

Orders were checked when they came; between then and the close only a game master's act can have
changed the table (a strike), so what no longer holds is dropped here instead of executed.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.protectors.cards import FERRY, FLOOD, PIRATES, RESTLESSNESS, SEAFARERS
from engine.protectors.defaults import default_fortify
from engine.protectors.events import OrderFailed, OrdersMissed
from engine.protectors.numbers import bracket_at, golden_rights, has_island, reach_of_two
from engine.protectors.orders import (
    ISLAND,
    Fortify,
    Hold,
    March,
    OfProvince,
    Order,
    ProvinceOrder,
    Send,
    Snitch,
    Support,
    Work,
)
from engine.protectors.table import Table
from engine.protectors.view import GoldenType

Given = Mapping[int, Sequence[Order]]

_GOLDEN: Mapping[type[Order], GoldenType] = {
    March: "march",
    Support: "support",
    Fortify: "fortify",
    Work: "work",
}


_FROM = (March, Support)
"""Orders that say where they begin."""


class TurnOrders:
    """`by_province`: the order each province carries out. `sends` and `snitches` by player;
    `revealed` everything, by player.

    `crusades` are the provinces whose golden March comes from a Crusade and not from the bracket
    (PR-11.6).
    """

    def __init__(self) -> None:
        self.by_province: dict[int, ProvinceOrder] = {}
        self.sends: dict[int, list[Send]] = {}
        self.snitches: dict[int, int] = {}
        self.revealed: dict[int, tuple[Order, ...]] = {}
        self.crusades: set[int] = set()


def take_in(table: Table, given: Given) -> TurnOrders:
    """Sort the orders of all active players, with the default for a player who gave none (PR-6.1 to
    PR-6.3).
    """
    taken = TurnOrders()
    for player in table.active:
        _take_player(table, player, given.get(player, ()), taken)
    return taken


def _take_player(table: Table, player: int, orders: Sequence[Order], taken: TurnOrders) -> None:
    stand: list[Order] = []
    placed: dict[int, ProvinceOrder] = {}
    purse = table.realm[player]
    bracket = bracket_at(table.ranking.index(player), len(table.ranking))
    crusades = table.has(player, "crusade")
    rights = [*golden_rights(bracket), *(["march"] if crusades else [])]
    for told in orders:
        order, gold = told, _GOLDEN[type(told)] if getattr(told, "golden", False) else None
        if gold is not None and gold not in rights:
            # what the bracket does not allow, or a second of its type, is plain (PR-3.9, PR-3.10)
            order, gold = replace(told, golden=False), None
        if isinstance(order, OfProvince):
            place = order.origin if isinstance(order, _FROM) else order.province
            holds = place not in placed and _is_possible(table, player, place, order)
            if holds:
                placed[place] = order
                if gold is not None:
                    rights.remove(gold)
                    # the last of them is the Crusade's
                    if gold == "march" and crusades and gold not in rights:
                        taken.crusades.add(place)
        elif isinstance(order, Send):
            holds = 0 < order.amount <= purse and order.to in table.ranking and order.to != player
            if holds:
                purse -= order.amount
                taken.sends.setdefault(player, []).append(order)
        elif isinstance(order, Snitch):
            holds = (
                PIRATES in table.force
                and order.on in table.ranking
                and order.on != player
                and player not in taken.snitches
            )
            if holds:
                taken.snitches[player] = order.on
        else:
            continue  # peeks were answered at once; orders of other windows say nothing here
        if holds:
            stand.append(order)
        else:
            table.tell(OrderFailed(player, order, "not-in-force"), ["PR-6.19"])
    if not placed:
        default = default_fortify(table.was, player)
        placed = {order.province: order for order in default}
        stand += default
        rules = ["PR-6.2"]
        if any(order.golden for order in default):
            rules.append("PR-3.9")
        if RESTLESSNESS in table.force:
            rules.append("PR-4.12")
        if default or not orders or "PR-4.12" in rules:
            table.tell(OrdersMissed(player, "orders", default), rules)
    taken.by_province.update(placed)
    taken.revealed[player] = tuple(stand)


def _is_possible(table: Table, player: int, place: int, order: ProvinceOrder) -> bool:
    """Whether this can be ordered in that province, as the table lies now."""
    if not 0 <= place <= table.provinces or table.owner[place] != player or not table.units[place]:
        return False
    match order:
        case March(units=units, target=target):
            if units < 1 or target == place:
                return False
            if SEAFARERS in table.force or FERRY in table.force:
                return (ISLAND if has_island(table.was) else 1) <= target <= table.provinces
            return FLOOD not in table.force and target in table.near[place]
        case Support(player=helped, target=target, golden=golden):
            if place == ISLAND or FLOOD in table.force or not 1 <= helped < len(table.realm):
                return False
            return target in table.near[place] or (
                golden and target in reach_of_two(table.was.land)[place]
            )
        case Fortify():
            return place != ISLAND and RESTLESSNESS not in table.force
    return place != ISLAND or isinstance(order, Hold)
