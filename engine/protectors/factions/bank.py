"""The Bank of Lannuvár and the Great Game of politics: answering last, and bids that count for more
(PR-11.7).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from engine.protectors.abilities import BANK_COST, POLITICS
from engine.protectors.events import OrderFailed
from engine.protectors.orders import Order, UseBank
from engine.protectors.phases.purses import Purse
from engine.protectors.table import Table


def hire_for_attack(table: Table, answers: Mapping[int, Sequence[Order]]) -> tuple[int, ...]:
    """Those who take the Bank for the attack under way and can pay for it; it covers this turn
    until the attack is over.
    """
    takers = (
        player
        for player in table.ranking
        if any(isinstance(order, UseBank) for order in answers.get(player, ()))
    )
    return tuple(player for player in takers if hire_bank(table, Purse(table, player), table.turn))


def hire_bank(table: Table, purse: Purse, last_turn: int) -> bool:
    """Pay for the Bank up to the end of a turn; False, told to the player alone, if that
    cannot be.
    """
    player = purse.player
    allowed = table.can_use(player, "bank", "bank")
    if not allowed or purse.held < BANK_COST:
        reason: Literal["cannot-pay", "not-in-force"] = "cannot-pay" if allowed else "not-in-force"
        table.tell(OrderFailed(player, UseBank(), reason), ["PR-11.7"], (player,))
        return False
    purse.pay(BANK_COST)
    table.use(player, "bank", BANK_COST, ["PR-11.7"])
    table.effects[player]["bank"] = last_turn
    return True


def dismiss_bank(table: Table, hired: Sequence[int]) -> None:
    """The attack for which the Bank was taken is over."""
    for player in hired:
        table.effects[player].pop("bank", None)


def counted_bid(table: Table, player: int, bid: int) -> int:
    """What a bid counts: more for each province, burnt ones too, with the Great Game of
    politics.
    """
    return bid + POLITICS * len(table.held(player)) if table.has(player, "politics") else bid
