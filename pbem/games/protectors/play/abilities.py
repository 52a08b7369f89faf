"""How the correspondents use factions, the Island and team-mates: now and then, so that a game
shows all of it.
"""

import random

from engine.protectors import abilities as a
from engine.protectors import orders as o
from pbem.games.protectors.play.sight import Sight
from pbem.play import Temper

_OF_ONES_OWN = 0.75
_FORECAST, _DRAGON_DECK, _PALANTIR, _ASHES = 0.6, 0.25, 0.5, 0.6
_FAITH, _KING, _BANK, _BANK_IN_ATTACK = 0.4, 0.5, 0.4, 0.3
_FIRE, _HIDE = 0.6, 0.5
_LENT = 0.4


def choose_faction(sight: Sight, rng: random.Random) -> tuple[o.Order, ...]:
    """Most have a favourite, so that every faction has somebody."""
    offered = [order for order in sight.legal if isinstance(order, o.ChooseFaction)]
    if not offered:
        return ()
    favourite = offered[(sight.me.number - 1) % len(offered)]
    return (favourite if rng.random() < _OF_ONES_OWN else rng.choice(offered),)


def look_first(sight: Sight, rng: random.Random) -> tuple[o.Order, ...]:
    """What is looked at before the orders are given: it is answered at once."""
    looks: tuple[tuple[float, o.Order], ...] = (
        (_FORECAST, o.Forecast()),
        (_DRAGON_DECK, o.ReadDragonDeck()),
        (_PALANTIR, o.Palantir("sea")),
        (_PALANTIR / 2, o.Palantir("end")),
    )
    likely = [
        order for likelihood, order in looks if order in sight.offered and rng.random() < likelihood
    ]
    return tuple(likely[:1])


def use_ashes(sight: Sight, rng: random.Random) -> tuple[o.Order, ...]:
    """What becomes of a card that was looked at, for a player who holds the Ashes of Power."""
    for order in (o.PlaceDragon(), o.PutAtBottom()):
        if order in sight.offered and rng.random() < _ASHES:
            return (order,)
    return ()


def buy_abilities(sight: Sight, rng: random.Random, money: int) -> tuple[list[o.Order], int]:
    """What is bought before units are, and the money left."""
    chosen: list[o.Order] = []
    wishes: tuple[tuple[float, o.Order, int], ...] = (
        (_FAITH, o.UseFaith(), a.FAITH_COST),
        (_KING, o.HireKing(), a.GUARD_COST),
        (_BANK, o.UseBank(), a.BANK_COST),
    )
    for likelihood, order, cost in wishes:
        if order in sight.offered and money >= cost and rng.random() < likelihood:
            chosen.append(order)
            money -= cost
    refreshed = [order for order in sight.legal if isinstance(order, o.Refresh)]
    taken = [order for order in sight.legal if isinstance(order, o.Take)]
    gifts: list[o.Order] = [*(refreshed or taken)]
    if gifts:
        chosen.append(rng.choice(gifts))
    return chosen, money


def borrow(sight: Sight, temper: Temper, rng: random.Random) -> o.Use | None:
    """Something of a team-mate's for the bid; the ambitious ask for more."""
    mates = sight.mates
    if not mates or rng.random() > _LENT:
        return None
    return o.Use(5 * rng.randint(1, 2 + round(6 * temper.ambition)), rng.choice(mates))


def hide_from_dragon(sight: Sight, rng: random.Random) -> tuple[o.Order, ...]:
    """Nothing to see here, where there is nothing to win."""
    return (o.Hide(),) if o.Hide() in sight.offered and rng.random() < _HIDE else ()


def wait_for_others(sight: Sight, rng: random.Random) -> tuple[o.Order, ...]:
    """The Bank: to answer when everybody else's answer is shown."""
    return (o.UseBank(),) if o.UseBank() in sight.offered and rng.random() < _BANK_IN_ATTACK else ()


def summon(sight: Sight, rng: random.Random, missing: int) -> tuple[o.Order, ...]:
    """Highmagisters, where a few more may do it."""
    counts = [order.count for order in sight.legal if isinstance(order, o.Fire)]
    return (o.Fire(min(max(counts), max(1, missing))),) if counts and rng.random() < _FIRE else ()
