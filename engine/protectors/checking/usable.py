"""What a player's faction, the Sanctum and the Palantír still let them do, in the exact words of
the orders (PR-11.8, PR-12.3).
"""

from collections.abc import Iterator

from engine.protectors import abilities as a
from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.asked import STAGES_OF
from engine.protectors.checking.messages import check
from engine.protectors.factions.seeing import is_movable, seen_card
from engine.protectors.state import DeckName, State
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
            ashes=a.reads_ashes(state, player),
            until=next((last for name, last in seat.effects if name == ability.effect), None),
        )
        for ability in a.abilities_of(state, player)
    )


def usable(state: State, player: int) -> tuple[UsableView, ...]:
    """The orders that the abilities not used up are good for, with their costs; `now` where the
    open window takes them.
    """
    if player not in state.ranking:
        return ()
    return tuple(
        _usable(state, player, key, order, cost) for key, order, cost in _orders(state, player)
    )


def _usable(state: State, player: int, key: str, order: o.Order, cost: int) -> UsableView:
    text = o.format_order(order, {seat.number: seat.name for seat in state.players})
    again = isinstance(order, o.HireKing) and a.is_in_effect(state, player, "guard")
    return UsableView(
        key, text, cost, tuple(STAGES_OF[type(order)]), _is_taken(state, player, order), again
    )


def _is_taken(state: State, player: int, order: o.Order) -> bool:
    problems = check(state, player, Standing(), (order,)).problems
    return all(problem.warning for problem in problems)


def _may_move(state: State, player: int, order: o.Order, deck: DeckName, *, looks: bool) -> bool:
    """Whether the card looked at can be moved by the ashes; where none was looked at yet, whether
    the player still `looks` (PR-11.3).
    """
    if any((seen.player, seen.deck) == (player, deck) for seen in state.peeks):
        card = seen_card(state.peeks, player, deck)
        return card is not None and is_movable(order, card)
    return looks


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
                    if _may_move(state, player, o.PutAtBottom(), "event", looks=True):
                        yield "forecast", o.PutAtBottom(), 0
                    if _may_move(state, player, o.PlaceDragon(), "dragons", looks=not spent):
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
        yield from (
            ("gift", o.Refresh(ability.name), 0) for ability in a.refreshable(state, player)
        )
        yield from (("gift", o.Take(ability.name), 0) for ability in a.takeable(state, player))
