"""What the rules order for a player who does not answer (PR-3.2, PR-6.2, PR-8.9, PR-9.1)."""

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import is_in_effect
from engine.protectors.asked import asked_players
from engine.protectors.cards import RESTLESSNESS
from engine.protectors.state import State
from engine.ruleset import Standing


def defaults(state: State, player: int, standing: Standing[o.Order]) -> tuple[o.Order, ...]:
    """What would be done for this player if nothing more came: the standing orders, or the default
    of the phase.
    """
    told = standing.orders
    if player not in asked_players(state):
        return told
    waits = is_in_effect(state, player, "bank")
    match state.stage:
        case "orders":
            return (
                told
                if any(o.ordered_province(order) is not None for order in told)
                else (*told, *default_fortify(state, player))
            )
        case "consolidation":
            bid = () if waits or numbers.is_last_turn(state) else (o.Bid(0),)
            return told or (*default_purchase(state, player), *bid)
        case "dragon" | "bank" if state.attack is not None:
            answered = any(
                isinstance(order, o.Commit | o.CommitNothing | o.Hide | o.UseBank) for order in told
            )
            return (
                told
                if answered or (waits and state.stage == "dragon")
                else (*told, o.CommitNothing())
            )
    return told if any(isinstance(order, o.Bid) for order in told) else (*told, o.Bid(0))


def default_fortify(state: State, player: int) -> tuple[o.Fortify, ...]:
    """Fortify in every province with units, golden in the lowest numbered if the bracket allows
    (PR-6.2, PR-4.12).
    """
    if RESTLESSNESS in numbers.cards_in_force(state):
        return ()
    held = [p for p in numbers.provinces_of(state, player) if state.board[p].units]
    golden = "fortify" in numbers.golden_rights(numbers.bracket_of(state, player))
    return tuple(o.Fortify(p, golden and p == held[0]) for p in held)


def default_purchase(state: State, player: int) -> tuple[o.Buy, ...]:
    """As many units as can be paid, always where fewest are, lowest number first, burnt provinces
    included (PR-8.9).
    """
    counts = {p: state.board[p].units for p in numbers.provinces_of(state, player)}
    limits = {p: numbers.supply_limit(state, p) for p in counts}
    bought = dict.fromkeys(counts, 0)
    for _ in range(state.players[player - 1].realm // numbers.UNIT_COST):
        roomy = [p for p in counts if counts[p] < limits[p]]
        if not roomy:
            break
        least = min(roomy, key=lambda p: (counts[p], p))
        counts[least] += 1
        bought[least] += 1
    return tuple(o.Buy(n, p) for p, n in bought.items() if n)
