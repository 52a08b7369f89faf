"""Who came in where when a game is over (PR-14.1 to PR-14.4, PR-13.3): for accounts across
games.
"""

from itertools import accumulate

from engine.protectors.numbers import PRIZE, is_team_game
from engine.protectors.phases.ending import scores, team_scores
from engine.protectors.state import Player, State
from engine.ruleset import Placing

ELIMINATED = "eliminated"

Side = tuple[int, ...]
"""Players who win or lose together: a team (PR-13.3), or one alone."""


def placings(state: State) -> tuple[Placing, ...]:
    """A placing for every player of a game that is over, by number. ValueError for a game that is
    not.

    Places are counted over players: two who are level are both second, and the next is fourth.
    Survivors go before the eliminated; of these, the one who fell in the later turn goes first, and
    those of one turn are level. A team is placed as one: by its survivors, or by its last to fall.
    Only Time's Up! ranks the survivors (PR-14.3).

    A drawn game has no winner: the survivors are level in the first place. In a conceded game the
    winner goes before the other survivors, who are level. Neither has a prize.

    After the Dragon's victory the first place is the Dragon's: nobody has won, the survivors are
    level behind it, and there is no prize.

    There is one prize, also where a team has won: PR-14.4 speaks of the winner's prize, and the
    winner is then the whole team, with its eliminated members. They share it in equal parts,
    rounded down, as the rules divide everywhere; the remainder is lost.
    """
    if state.stage != "over":
        raise ValueError("the game is not over")
    order, dragons = _in_order(state), int(state.ended_by == "dragon")
    ahead = list(accumulate((sum(map(len, level)) for level in order), initial=dragons))
    places = {
        player: ahead[i] + 1 for i, level in enumerate(order) for side in level for player in side
    }
    share = PRIZE // len(state.winners) if state.winners and state.ended_by != "conceded" else 0
    return tuple(
        Placing(
            player=seat.number,
            place=places[seat.number],
            won=seat.number in state.winners,
            prize=share if seat.number in state.winners else 0,
            how=state.ended_by if seat.is_active else ELIMINATED,
            beside=dragons,
        )
        for seat in state.players
    )


def _in_order(state: State) -> list[list[Side]]:
    """The sides, the best first; those in one list are level."""
    levels: dict[tuple[int, int], list[Side]] = {}
    sides = _sides(state)
    ranks = _ranks(state, sides)
    for side in sides:
        members = [state.players[player - 1] for player in side]
        stands = any(member.is_active for member in members)
        key = (0, ranks[side]) if stands else (1, -max(map(_fell_in, members)))
        levels.setdefault(key, []).append(side)
    return [levels[key] for key in sorted(levels)]


def _sides(state: State) -> list[Side]:
    if not is_team_game(state):
        return [(seat.number,) for seat in state.players]
    teams: dict[str | int, list[int]] = {}
    for seat in state.players:
        teams.setdefault(seat.team or seat.number, []).append(seat.number)
    return [tuple(members) for members in teams.values()]


def _ranks(state: State, sides: list[Side]) -> dict[Side, int]:
    """How those who stand follow one another."""
    if state.ended_by == "conceded":
        return {side: int(side[0] not in state.winners) for side in sides}
    if state.ended_by != "times-up":
        return dict.fromkeys(sides, 0)
    if is_team_game(state):
        standing = {team: rank for rank, (team, *_) in enumerate(team_scores(state))}
        return {
            side: standing.get(state.players[side[0] - 1].team or "", len(sides)) for side in sides
        }
    alone = {player: rank for rank, (player, *_) in enumerate(scores(state))}
    return {side: alone.get(side[0], len(sides)) for side in sides}


def _fell_in(seat: Player) -> int:
    return seat.fell_in or 0
