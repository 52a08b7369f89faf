"""Who plays which faction: chosen with the first bid, dealt, or drawn for a player who does not
choose (PR-1.4, PR-3.2, PR-11.8).
"""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.protectors.ability_events import FactionsSettled
from engine.protectors.orders import FACTIONS, ChooseFaction, Faction, Order
from engine.protectors.table import Table


def settle_factions(table: Table, given: Mapping[int, Sequence[Order]]) -> None:
    """The choices sent with the first bids; a random faction for a player who sent none."""
    if table.was.options.factions != "choice":
        return
    drawn: list[int] = []
    for player in table.active:
        if table.faction[player] is None:
            chosen = next(
                (
                    order.faction
                    for order in given.get(player, ())
                    if isinstance(order, ChooseFaction)
                ),
                None,
            )
            if chosen is None:
                chosen = draw_faction(table.chance, table.name(player))
                drawn.append(player)
            table.faction[player] = chosen
    told = tuple(
        (player, faction)
        for player in table.active
        if (faction := table.faction[player]) is not None
    )
    table.tell(FactionsSettled(told, tuple(drawn)), ["PR-11.8", *(["PR-3.2"] if drawn else [])])


def draw_faction(chance: Chance, name: str) -> Faction:
    """A faction for one player; several may have the same (PR-11.8)."""
    drawn = chance.choice(f"faction of {name}", FACTIONS)
    return next(faction for faction in FACTIONS if faction == drawn)
