"""Who came in where when a game is over (SS-11): for accounts across games. The game has no
prize.
"""

from engine.ruleset import Placing
from engine.sovereigns.seasons.year import rank_of
from engine.sovereigns.state import Kingdom, State

ELIMINATED = "eliminated"


def placings(state: State) -> tuple[Placing, ...]:
    """A placing for every player, by number; ValueError if the game is not over.

    The winners first (of a draw: all the living); then the other living as SS-11.8 compares them;
    then the fallen, the last to fall first.
    """
    if state.stage != "over" or state.undone is not None:
        raise ValueError("the game is not over")
    ranks = {kingdom.number: _rank(state, kingdom) for kingdom in state.kingdoms}
    return tuple(
        Placing(
            player=kingdom.number,
            place=1 + sum(other > ranks[kingdom.number] for other in ranks.values()),
            won=kingdom.number in state.winners,
            prize=0,
            how=state.ended_by if kingdom.alive else ELIMINATED,
        )
        for kingdom in state.kingdoms
    )


def _rank(state: State, kingdom: Kingdom) -> tuple[int, ...]:
    if kingdom.number in state.winners or (kingdom.alive and not state.winners):
        return (2,)
    return (1, *rank_of(kingdom.total)) if kingdom.alive else (0, kingdom.fell)
