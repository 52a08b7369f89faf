"""Every single order a player may give now: help, suggestions, correspondents and tests come from
it.

Whatever is listed passes `check` on an empty sheet without refusal or warning, and the other way
round: what `check` takes there without a word is listed.
"""

from collections.abc import Callable, Iterator

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import ABILITIES, BANK_COST, FIRE_COST, MOST_MAGISTERS
from engine.protectors.asked import asked_players
from engine.protectors.checking.messages import check
from engine.protectors.checking.purchase import supply_room
from engine.protectors.state import State
from engine.ruleset import Standing

_Take = Callable[[State, int, list[o.Order]], Iterator[o.Order]]
"""Which of some candidates are listed."""


def legal(state: State, player: int) -> Iterator[o.Order]:
    """Derived from what the player may know; the likeliest first, taking back and `Final` last."""
    return _listed(state, player, _taken)


def possible(state: State, player: int) -> Iterator[o.Order]:
    """The same in the same order, and some that `check` refuses: for a player who picks few of
    them, and asks `is_legal` of those.
    """
    return _listed(state, player, lambda _state, _player, orders: iter(orders))


def is_legal(state: State, player: int, order: o.Order) -> bool:
    """Whether a possible order is a legal one."""
    return any(_taken(state, player, [order]))


def can_say(state: State, player: int) -> bool:
    """Whether there is an order to give now, besides taking one back and `Final`."""
    return any(not isinstance(order, o.Cancel | o.Final) for order in legal(state, player))


def somebody_can_say(state: State) -> bool:
    """Whether the open window has anything to ask anybody (PR-2.4)."""
    return any(can_say(state, player) for player in asked_players(state))


def _listed(state: State, player: int, take: _Take) -> Iterator[o.Order]:
    if player not in asked_players(state):
        return
    match state.stage:
        case "orders":
            yield from _of_window(state, player, take)
        case "dragon":
            yield from _against_dragon(state, player, take)
        case "bank" if state.attack is not None:
            yield from _against_dragon(state, player, take)
        case "consolidation":
            yield from _of_buying(state, player, take)
            yield from _bids(state, player, take)
        case _:
            if state.stage == "bidding":
                yield from take(state, player, [o.ChooseFaction(faction) for faction in o.FACTIONS])
            yield from _uses(state, player, take)
            yield from _bids(state, player, take)
    yield o.Cancel()
    yield from (o.Cancel(p) for p, held in enumerate(state.board) if held.owner == player)
    yield o.Final()


def _taken(state: State, player: int, orders: list[o.Order]) -> Iterator[o.Order]:
    """Those of the candidates against which nothing can be said."""
    empty = Standing[o.Order]()
    for order in orders:
        if not check(state, player, empty, (order,)).problems:
            yield order


def _of_window(state: State, player: int, take: _Take) -> Iterator[o.Order]:
    held = [
        p for p, province in enumerate(state.board) if province.owner == player and province.units
    ]
    for p in held:
        for golden in (False, True):
            yield from take(state, player, [o.Fortify(p, golden)])
            yield from _marches(state, player, p, take, golden=golden)
            yield from _supports(state, player, p, take, golden=golden)
            yield from take(state, player, [o.Work(p, golden)])
        yield o.Hold(p)
    others = [other for other in state.ranking if other != player]
    yield from take(state, player, [o.Snitch(other) for other in others])
    peeks: list[o.Order] = [
        o.Forecast(),
        o.ReadDragonDeck(),
        o.PutAtBottom(),
        o.PlaceDragon(),
        o.Palantir("sea"),
        o.Palantir("end"),
    ]
    yield from take(state, player, peeks)
    yield from (
        o.Send(amount, other)
        for other in others
        for amount in range(1, state.players[player - 1].realm + 1)
    )


def _marches(
    state: State, player: int, origin: int, take: _Take, *, golden: bool
) -> Iterator[o.Order]:
    fare_held = state.players[player - 1].realm >= numbers.FERRY_FARE
    mates = numbers.mates_of(state, player)
    for target in numbers.march_targets(state, origin):
        if state.board[target].units and state.board[target].owner in mates:
            continue  # possible, but not without a warning (PR-13.4)
        if fare_held or not numbers.pays_ferry(state, origin, target):
            for delayed in (False, True):
                march = o.March(1, origin, target, golden, delayed)
                if not golden or any(take(state, player, [march])):
                    yield from (
                        o.March(n, origin, target, golden, delayed)
                        for n in range(1, state.board[origin].units + 1)
                    )


def _supports(
    state: State, player: int, origin: int, take: _Take, *, golden: bool
) -> Iterator[o.Order]:
    if origin == o.ISLAND:
        return
    for target in numbers.support_targets(state, origin, golden=golden):
        yield from take(
            state, player, [o.Support(other, target, origin, golden) for other in state.ranking]
        )


def _against_dragon(state: State, player: int, take: _Take) -> Iterator[o.Order]:
    seat = state.players[player - 1]
    for p in numbers.provinces_of(state, player):
        for n in range(1, state.board[p].units + 1):
            yield from take(state, player, [o.Commit(n, p, sac) for sac in (None, *range(n + 1))])
    yield from take(state, player, [o.CommitNothing()])
    yield from (o.Burn(p) for p in numbers.green_provinces(state, player))
    most = min(MOST_MAGISTERS, seat.realm // FIRE_COST)
    yield from take(state, player, [o.Fire(n) for n in range(1, most + 1)])
    yield from take(state, player, [o.Hide()])
    if seat.realm >= BANK_COST:
        yield from take(state, player, [o.UseBank()])


def _of_buying(state: State, player: int, take: _Take) -> Iterator[o.Order]:
    own = numbers.provinces_of(state, player)
    most = state.players[player - 1].realm // numbers.UNIT_COST
    for p in own:
        yield from (o.Buy(n, p) for n in range(1, min(most, supply_room(state, player, p)) + 1))
    yield o.BuyNothing()
    yield from take(state, player, [order for p in own for order in (o.Upgrade(p), o.Capitol(p))])
    yield from _uses(state, player, take)
    yield from take(state, player, [o.UseFaith(), o.HireKing(), o.UseBank()])
    yield from _taken(
        state,
        player,
        [o.Refresh(ability.name) for ability in ABILITIES if ability.once is not None],
    )
    yield from take(state, player, [o.Take(ability.name) for ability in ABILITIES])


def _uses(state: State, player: int, take: _Take) -> Iterator[o.Order]:
    """A mate's purse is secret, so that any amount may be asked (PR-13.2): one stands for all."""
    team = state.players[player - 1].team
    mates = [
        seat
        for seat in state.players
        if team is not None and seat.team == team and seat.number != player
    ]
    yield from (order for mate in mates for order in take(state, player, [o.Use(1, mate.number)]))


def _bids(state: State, player: int, take: _Take) -> Iterator[o.Order]:
    if any(take(state, player, [o.Bid(0)])):
        yield from (o.Bid(n) for n in range(state.players[player - 1].realm + 1))
