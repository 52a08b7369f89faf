"""The end of a game: last one standing, the Dragon's victory, Time's Up! (section 14 of the
rules).
"""

from typing import Literal

from engine.protectors.events import GameWon, Score
from engine.protectors.numbers import PRIZE, is_team_game, points_of
from engine.protectors.orders import ISLAND
from engine.protectors.state import DRAGON, State
from engine.protectors.table import Table

TeamScore = tuple[str, int, int, int, int]
"""Team, VP, units, $Realm, the rank of its best ranked member."""


def scores(state: State) -> tuple[Score, ...]:
    """Where everybody active stands, the best first: VP, then units, $Realm and rank (PR-14.3)."""
    rows: list[Score] = []
    for rank, player in enumerate(state.ranking, start=1):
        held = [i for i, province in enumerate(state.board) if province.owner == player]
        lands, isle = (
            sum(points_of(state, i) for i in held if i != ISLAND),
            sum(points_of(state, i) for i in held if i == ISLAND),
        )
        seat = state.players[player - 1]
        rows.append(
            (
                player,
                seat.vp,
                lands,
                isle,
                seat.vp + lands + isle,
                sum(state.board[i].units for i in held),
                seat.realm,
                rank,
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row[4], -row[5], -row[6], row[7])))


def team_scores(state: State) -> tuple[TeamScore, ...]:
    """Where the teams stand that have somebody left, the best first: everything summed over the
    members, then the best ranked of them.

    The VP tokens of members who were eliminated count: their units and $Realm are gone, what they
    won is not (PR-13.3).
    """
    sums: dict[str, TeamScore] = {}
    for player, _, _, _, points, units, realm, rank in scores(state):
        team = state.players[player - 1].team
        if team is not None:
            fallen = sum(
                seat.vp for seat in state.players if seat.team == team and not seat.is_active
            )
            _, *before, best = sums.get(team, (team, fallen, 0, 0, rank))
            sums[team] = (
                team,
                before[0] + points,
                before[1] + units,
                before[2] + realm,
                min(best, rank),
            )
    return tuple(sorted(sums.values(), key=lambda row: (-row[1], -row[2], -row[3], row[4])))


def settle_eliminations(table: Table) -> None:
    """End the game if the Dragon has won, else if one player or one team is left (PR-14.1, PR-14.2,
    PR-13.3).
    """
    fallen = table.fell_to.count((DRAGON,))
    burnt = sum(table.burnt)
    if (
        fallen >= -(-table.was.starting_players // 2)
        or burnt >= (66 * table.provinces + 99) // 100
        or not table.ranking
    ):
        _finish(table, "dragon", (), ("PR-14.2",))
    elif (
        len(table.ranking) == 1
        or len({table.was.players[player - 1].team or player for player in table.ranking}) == 1
    ):
        winners = _whole_team(table, table.ranking[0])
        _finish(table, "last-standing", winners, ("PR-14.1", "PR-14.4"))


def close_last_turn(table: Table) -> None:
    """Time's Up!: most VP wins, of a player or of a team (PR-14.3, PR-13.3)."""
    state = table.freeze()
    if is_team_game(state):
        winner, *rivals = team_scores(state)
        by_rank = any(rival[1:4] == winner[1:4] for rival in rivals)
        winners = tuple(seat.number for seat in state.players if seat.team == winner[0])
    else:
        best, *others = scores(state)
        by_rank = any(other[4:7] == best[4:7] for other in others)
        winners = (best[0],)
    _finish(
        table,
        "times-up",
        winners,
        ("PR-4.21", "PR-14.3", *(["PR-3.11"] if by_rank else []), "PR-14.4"),
    )


def end_by_agreement(table: Table, winners: tuple[int, ...]) -> None:
    """The players still in the game end it: as a draw among them all, or as a victory of one of
    them (and of that one's team). The rules know no such end, and no prize for it.
    """
    if winners:
        _finish(table, "conceded", _whole_team(table, winners[0]), ())
    else:
        _finish(table, "draw", (), ())


def _whole_team(table: Table, player: int) -> tuple[int, ...]:
    """A player's team, the eliminated included: it wins as a whole; without teams the player
    alone.
    """
    team = table.was.players[player - 1].team
    return (
        (player,)
        if team is None
        else tuple(seat.number for seat in table.was.players if seat.team == team)
    )


def _finish(
    table: Table,
    how: Literal["dragon", "last-standing", "times-up", "draw", "conceded"],
    winners: tuple[int, ...],
    rules: tuple[str, ...],
) -> None:
    table.stage, table.attack, table.ties, table.owed, table.bids, table.peeks = (
        "over",
        None,
        [],
        {},
        {},
        [],
    )
    table.winners, table.ended_by = winners, how
    state = table.freeze()
    facts = GameWon(
        how=how,
        winners=winners,
        scores=scores(state),
        prize=PRIZE if winners and how != "conceded" else 0,
        burnt=sum(table.burnt),
        eliminated_by_dragon=table.fell_to.count((DRAGON,)),
        teams=team_scores(state),
    )
    table.tell(facts, [*rules, *(["PR-13.3"] if rules and is_team_game(state) else [])])
