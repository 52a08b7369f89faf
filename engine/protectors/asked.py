"""Who is asked in the open phase, and which phases take which kind of order."""

from collections.abc import Mapping

from engine.protectors import orders as o
from engine.protectors.abilities import is_in_effect
from engine.protectors.state import Stage, State

_BUYING = (o.Buy, o.BuyNothing, o.Upgrade, o.Capitol, o.UseFaith, o.HireKing, o.Refresh, o.Take)
_DRAGON = (o.Commit, o.CommitNothing, o.Burn, o.Fire, o.Hide)
_WINDOW: tuple[type[o.Order], ...] = (
    o.Fortify,
    o.March,
    o.Support,
    o.Work,
    o.Hold,
    o.Send,
    o.Snitch,
    o.Forecast,
    o.ReadDragonDeck,
    o.PutAtBottom,
    o.PlaceDragon,
    o.Palantir,
)

STAGES_OF: Mapping[type[o.Order], tuple[Stage, ...]] = {
    **dict.fromkeys(_WINDOW, ("orders",)),
    **dict.fromkeys(_BUYING, ("consolidation",)),
    **dict.fromkeys(_DRAGON, ("dragon",)),
    o.Bid: ("bidding", "rebid", "consolidation"),
    o.Use: ("bidding", "rebid", "consolidation"),
    o.ChooseFaction: ("bidding",),
    o.UseBank: ("dragon", "consolidation"),
    o.Cancel: ("bidding", "rebid", "orders", "dragon", "consolidation", "bank"),
    o.Final: ("bidding", "rebid", "orders", "dragon", "consolidation", "bank"),
}
"""When an order can be given; in a bank window a bid, or in a Dragon Attack what the Dragon window
takes, besides.
"""


def asked_players(state: State) -> tuple[int, ...]:
    """Whose answer the open phase waits for, by number."""
    match state.stage:
        case "over":
            return ()
        case "rebid":
            return tuple(sorted(player for tie in state.ties for player in tie))
        case "bank":
            return tuple(
                sorted(player for player in state.ranking if is_in_effect(state, player, "bank"))
            )
        case "dragon":  # who has the Bank answers after the others (PR-11.7)
            return tuple(
                sorted(
                    player for player in state.ranking if not is_in_effect(state, player, "bank")
                )
            )
    return tuple(sorted(state.ranking))


def is_time_for(state: State, order: o.Order) -> bool:
    """Whether the open phase takes orders of this kind."""
    stages = STAGES_OF[type(order)]
    if state.stage == "bank":
        return "bank" in stages or (
            isinstance(order, _DRAGON)
            if state.attack is not None
            else isinstance(order, o.Bid | o.Use)
        )
    return state.stage in stages
