"""Nothing to see here!: not being in the game for one Dragon Attack (PR-11.2, PR-11.3)."""

from collections.abc import Mapping, Sequence

from engine.protectors.abilities import HIDE_COST, HIDE_COST_WITH_ASHES
from engine.protectors.events import OrderFailed
from engine.protectors.orders import Hide, Order
from engine.protectors.table import Table


def hide_players(table: Table, answers: Mapping[int, Sequence[Order]]) -> tuple[int, ...]:
    """Take those who hide, and can pay for it, out of the ranking; tells who, the highest ranked
    first.
    """
    hidden = tuple(
        player
        for player in table.ranking
        if any(isinstance(order, Hide) for order in answers.get(player, ()))
        and _hides(table, player)
    )
    table.ranking = [player for player in table.ranking if player not in hidden]
    return hidden


def return_hidden(table: Table, before: Sequence[int], hidden: Sequence[int]) -> None:
    """Everybody back to the place of before, the highest first, or to the nearest one there is
    (PR-11.2, PR-9.8).
    """
    for player in hidden:
        table.ranking.insert(before.index(player), player)


def _hides(table: Table, player: int) -> bool:
    """Pay for every province controlled, burnt ones too; with Ashes of Power it costs more and
    spends no use.
    """
    ashes = table.reads_ashes(player)
    cost = (HIDE_COST_WITH_ASHES if ashes else HIDE_COST) * len(table.held(player))
    rules = ["PR-11.2", *(["PR-11.3"] if ashes else [])]
    allowed = table.has(player, "nothing") and (ashes or "nothing" not in table.used[player])
    if not allowed or cost > table.realm[player]:
        table.tell(
            OrderFailed(player, Hide(), "cannot-pay" if allowed else "not-in-force"),
            rules,
            (player,),
        )
        return False
    table.realm[player] -= cost
    table.use(player, "nothing", cost, rules, spends=not ashes)
    return True
