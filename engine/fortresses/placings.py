"""Who came in where when a game is over (FW-1.2): for accounts across games. The game has no
prize.
"""

from engine.fortresses.atlas import alliance_of
from engine.fortresses.state import State
from engine.ruleset import Placing

RESIGNED = "resignation"


def placings(state: State) -> tuple[Placing, ...]:
    """A placing for every player, by number; ValueError if the game is not over.

    The humans of the alliance that won share the first place, the others the next; a draw is shared
    by all. Who has left the game comes last.
    """
    if state.stage != "over":
        raise ValueError("the game is not over")
    sides = {realm.seat: alliance_of(realm.kingdom) for realm in state.realms}
    ranks = {
        player.number: 2 if player.gone else int(state.winner not in ("draw", sides[player.number]))
        for player in state.players
    }
    return tuple(
        Placing(
            player=player.number,
            place=1 + sum(other < ranks[player.number] for other in ranks.values()),
            won=not player.gone and state.winner == sides[player.number],
            prize=0,
            how=RESIGNED if player.gone else state.how or "",
        )
        for player in state.players
    )
