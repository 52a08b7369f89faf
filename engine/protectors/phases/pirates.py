"""Pirates and Snitches: who was named, who pays, who walks the plank (section 10 of the rules)."""

from collections.abc import Mapping

from engine.protectors.events import OrderFailed, PiratesPaid, PlankWalked, SnitchesRevealed
from engine.protectors.orders import Fortify, ProvinceOrder, Work
from engine.protectors.table import Table

SILENCE_PRICE = 25
SNITCH_PRICE = 50
PLANK_PRICE = 75


def hear_snitches(table: Table, named: Mapping[int, int]) -> tuple[int, ...]:
    """Settle a game of Snitches: note the debts and tell who walks (PR-10.2, PR-10.3). `named`: who
    named whom.
    """
    players = table.active
    different = len(set(named.values()))
    all_on = next(
        (
            suspect
            for suspect in players
            if len(players) > 2
            and all(named.get(other) == suspect for other in players if other != suspect)
        ),
        None,
    )
    debts: dict[int, int] = {}
    walkers: tuple[int, ...] = ()
    if all_on is not None:
        walkers, rule = (all_on,), "PR-10.3"
    elif different <= 1:
        debts = {player: SILENCE_PRICE for player in players if player not in named}
        walkers, rule = tuple(set(named.values())), "PR-10.2"
    else:
        debts, rule = dict.fromkeys(named, SNITCH_PRICE), "PR-10.2"
    table.owed = debts
    facts = SnitchesRevealed(
        named=tuple((player, named.get(player, 0)) for player in players),
        different=different,
        walkers=walkers,
        debts=tuple(sorted(debts.items())),
        all_on=all_on,
    )
    table.tell(facts, ["PR-10.1", "PR-4.22", rule])
    return walkers


def walk_plank(table: Table, player: int, orders: dict[int, ProvinceOrder]) -> None:
    """The Pirates take a unit where the walker is weakest, before anything is executed (PR-10.4).

    `orders` are the province orders about to be executed; that of a province left empty is taken
    out (PR-7.11).
    """
    held = [i for i in range(1, table.provinces + 1) if table.owner[i] == player and table.units[i]]
    if not held:
        table.owed[player] = table.owed.get(player, 0) + PLANK_PRICE
        table.tell(PlankWalked(player, None, 0), ["PR-10.4"])
        return
    more = 1 if table.has(player, "defenders") else 0
    strength, weakest = min((table.units[i] + _modifier(orders.get(i), more), i) for i in held)
    table.lose_units(weakest, 1)
    fortified = more and isinstance(orders.get(weakest), Fortify)
    table.tell(
        PlankWalked(player, weakest, strength), ["PR-10.4", *(["PR-11.1"] if fortified else [])]
    )
    if not table.units[weakest] and weakest in orders:
        table.tell(OrderFailed(player, orders.pop(weakest), "plank"), ["PR-7.11"])


def pay_pirates(table: Table) -> None:
    """What is owed, or as much as is held, right after production (PR-10.5)."""
    for player, owed in sorted(table.owed.items()):
        paid = min(owed, table.realm[player])
        table.realm[player] -= paid
        table.tell(PiratesPaid(player, owed, paid), ["PR-10.5", "PR-1.9"], audience=(player,))
    table.owed = {}


def _modifier(order: ProvinceOrder | None, more: int) -> int:
    """What a province's own order adds to its Defender (PR-6.4, PR-6.14); `more` of a Fortify
    (PR-11.1).
    """
    match order:
        case Fortify(golden=golden):
            return (2 if golden else 1) + more
        case Work():
            return -1
    return 0
