"""What the open phase still waits for from a player, named as in orders: for reminders and for the
game master's screen.
"""

from collections.abc import Sequence

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import is_in_effect, may_choose_gift
from engine.protectors.checking.legal import can_say
from engine.protectors.checking.messages import is_complete
from engine.protectors.state import State


def lacking(state: State, player: int, orders: Sequence[o.Order]) -> tuple[str, ...]:
    """Provinces without an order, or the kinds of orders that are not given yet; empty when the
    player has answered all.
    """
    if is_complete(state, player, orders) or not can_say(state, player):
        return ()
    if state.stage == "orders":
        ordered = {o.ordered_province(order) for order in orders}
        held = sorted(
            p
            for p in numbers.provinces_of(state, player)
            if state.board[p].units and p not in ordered
        )
        return tuple(f"P{province}" for province in held) or ("orders",)
    if state.attack is not None:
        return ("Commit",)
    kinds = {type(order) for order in orders}
    asks_faction = (
        state.stage == "bidding"
        and state.options.factions == "choice"
        and state.players[player - 1].faction is None
    )
    bids = not numbers.is_last_turn(state) and not (
        state.stage == "consolidation" and is_in_effect(state, player, "bank")
    )
    wanted: list[tuple[type[o.Order], str]] = [(o.Bid, "Bid")] if bids else []
    wanted += [(o.ChooseFaction, "Faction")] if asks_faction else []
    wanted += (
        [(o.Take, "Take")]
        if state.stage == "consolidation"
        and may_choose_gift(state, player)
        and o.Refresh not in kinds
        else []
    )
    missing = tuple(word for kind, word in wanted if kind not in kinds)
    return missing or ("Buy",)
