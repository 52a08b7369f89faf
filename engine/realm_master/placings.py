"""Who came in where when a game is over (RM-7.6 to RM-7.8): for accounts across games. The game has
no prize.
"""

from engine.realm_master.state import Player, State
from engine.ruleset import Placing

ELIMINATED = "eliminated"


def placings(state: State) -> tuple[Placing, ...]:
    """A placing for every player, by number; ValueError if the game is not over.

    The winners first; then the other living, by banners, hearts, gold and cards as RM-7.8 compares
    them; then the dead, who died in a later turn before who died earlier. Who is level shares a
    place.
    """
    if state.stage != "over":
        raise ValueError("the game is not over")
    ranks = {player.number: _rank(state, player) for player in state.players}
    return tuple(
        Placing(
            player=player.number,
            place=1 + sum(other > ranks[player.number] for other in ranks.values()),
            won=player.number in state.winners,
            prize=0,
            how=state.ended_by if player.alive else ELIMINATED,
        )
        for player in state.players
    )


def _rank(state: State, player: Player) -> tuple[int, ...]:
    if player.number in state.winners:
        return (2,)
    if player.alive:
        return 1, player.banners, player.hearts, player.gold, len(player.cards)
    return 0, player.fell_in
