"""What a player's faction, the Sanctum and the Palantír still let them do, in the exact words of the orders (PR-11.8, PR-12.3)."""

from collections.abc import Iterator

from engine.protectors import abilities as a
from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.asking import STAGES_OF
from engine.protectors.checking import check
from engine.protectors.state import State
from engine.protectors.view import AbilityView, UsableView
from engine.ruleset import Standing


def abilities_view(state: State, player: int) -> tuple[AbilityView, ...]:
    """Everything a player has, used up or not: public (PR-11.8)."""
    seat = state.players[player - 1]
    return tuple(
        AbilityView(
            key=ability.key,
            name=ability.name,
            tier=ability.tier,
            borrowed=ability.name in seat.extra,
            spent=ability.once in seat.used if ability.once is not None else None,
            until=next((last for name, last in seat.effects if name == ability.effect), None),
        )
        for ability in a.abilities_of(state, player)
    )


def usable(state: State, player: int) -> tuple[UsableView, ...]:
    """The orders that the abilities not used up are good for, with their costs; `now` where the open window takes them."""
    if player not in state.ranking:
        return ()
    names = {seat.number: seat.name for seat in state.players}
    return tuple(
        UsableView(key, o.format_order(order, names), cost, tuple(STAGES_OF[type(order)]), _is_taken(state, player, order))
        for key, order, cost in _orders(state, player)
    )


def _is_taken(state: State, player: int, order: o.Order) -> bool:
    problems = check(state, player, Standing(), (order,)).problems
    return all(problem.warning for problem in problems)


def _orders(state: State, player: int) -> Iterator[tuple[str, o.Order, int]]:
    """Ability, order, cost in $Realm."""
    for ability in a.abilities_of(state, player):
        spent = ability.once is not None and a.has_used(state, player, ability.once)
        match ability.key:
            case "fire" if not spent:
                most = max(1, min(a.MOST_MAGISTERS, state.players[player - 1].realm // a.FIRE_COST))
                yield "fire", o.Fire(most), most * a.FIRE_COST
            case "forecast":
                yield "forecast", o.Forecast(), 0
                if not spent:
                    yield "forecast", o.ReadDragonDeck(), a.ASHES_COST
                if a.reads_ashes(state, player):
                    yield "forecast", o.PutAtBottom(), 0
                    yield "forecast", o.PlaceDragon(), 0
            case "nothing" if not spent or a.reads_ashes(state, player):
                each = a.HIDE_COST_WITH_ASHES if a.reads_ashes(state, player) else a.HIDE_COST
                yield "nothing", o.Hide(), each * len(numbers.provinces_of(state, player))
            case "king" if not spent and numbers.capitols(state, player):
                yield "king", o.HireKing(), a.GUARD_COST
            case "faith" if not spent:
                yield "faith", o.UseFaith(), a.FAITH_COST
            case "bank" if not spent:
                yield "bank", o.UseBank(), a.BANK_COST
    if a.holds_island(state, player):
        yield "palantir", o.Palantir("sea"), a.PALANTIR_COST
        yield "palantir", o.Palantir("end"), a.PALANTIR_COST
    if a.may_choose_gift(state, player):
        yield from (("gift", o.Refresh(ability.name), 0) for ability in a.refreshable(state, player))
        yield from (("gift", o.Take(ability.name), 0) for ability in a.takeable(state, player))
