"""The Island and its Wizard Sanctum: who controls it, and what that gives and takes (section 12 of
the rules).
"""

from collections.abc import Sequence

from engine.protectors.abilities import ABILITIES, Ability, abilities_with, ability_named
from engine.protectors.ability_events import GiftChosen, IslandChanged
from engine.protectors.orders import ISLAND, Order, Refresh, Take
from engine.protectors.table import Table


def settle_island(table: Table) -> None:
    """Control is whose unit stands there when Consolidation comes; with it goes what the Sanctum
    gave (PR-12.1, PR-12.3).
    """
    before, now = table.owner[ISLAND], table.holder[ISLAND]
    lost = tuple(
        name
        for player in table.active
        if player != now and table.extra[player]
        for name in _take_back(table, player)
    )
    table.owner[ISLAND] = now
    if before != now:
        table.tell(IslandChanged(now, before, lost), ["PR-12.1", *(["PR-12.3"] if lost else [])])


def choose_gift(table: Table, player: int, orders: Sequence[Order]) -> None:
    """The one choice of a capture: a used ability refreshed, or another one; a random one without
    an answer (PR-12.3).
    """
    if table.owner[ISLAND] != player or not table.units[ISLAND] or table.extra[player]:
        return
    own = abilities_with(table.faction[player], ())
    for order in orders:
        ability = ability_named(order.ability) if isinstance(order, Refresh | Take) else None
        if isinstance(order, Refresh) and ability in own and ability.once in table.used[player]:
            table.used[player].remove(ability.once)
            _give(table, player, ability, refreshed=True, by_chance=False)
            return
        if isinstance(order, Take) and ability is not None and ability not in own:
            _give(table, player, ability, refreshed=False, by_chance=False)
            return
    names = tuple(ability.name for ability in ABILITIES if ability not in own)
    drawn = table.chance.choice(f"gift of the Sanctum to {table.name(player)}", names)
    _give(
        table,
        player,
        next(ability for ability in ABILITIES if ability.name == drawn),
        refreshed=False,
        by_chance=True,
    )


def _give(table: Table, player: int, ability: Ability, *, refreshed: bool, by_chance: bool) -> None:
    table.extra[player] = (ability.name,)
    rules = ["PR-12.3", *(["PR-12.6"] if table.faction[player] is None else [])]
    table.tell(GiftChosen(player, ability.name, refreshed, by_chance), rules)


def _take_back(table: Table, player: int) -> tuple[str, ...]:
    """Everything as it was before the capture: a refreshed use is spent again, a borrowed ability
    gone with what it left.
    """
    gifts = table.extra[player]
    own = abilities_with(table.faction[player], ())
    used, effects = table.used[player], table.effects[player]
    for ability in (found for name in gifts if (found := ability_named(name)) is not None):
        spent = ability.once in used
        if ability.effect is not None and (spent or ability.effect == "guard"):
            effects.pop(ability.effect, None)
        if ability.once is None or spent == (ability in own):
            continue
        if spent:
            used.remove(ability.once)
        else:
            used.append(ability.once)
    table.extra[player] = ()
    return gifts
