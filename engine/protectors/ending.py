"""The end of a game: last one standing, the Dragon's victory, Time's Up! (section 14 of the rules)."""

from engine.protectors.events import GameWon
from engine.protectors.numbers import PRIZE, points_of
from engine.protectors.orders import ISLAND
from engine.protectors.state import DRAGON, State
from engine.protectors.table import Table

Score = tuple[int, int, int, int, int, int, int, int]
"""Player, VP tokens, provinces' VP, the Island's VP, total, units, $Realm, rank."""


def scores(state: State) -> tuple[Score, ...]:
    """Where everybody active stands, the best first: VP, then units, $Realm and rank (PR-14.3)."""
    rows: list[Score] = []
    for rank, player in enumerate(state.ranking, start=1):
        held = [i for i, province in enumerate(state.board) if province.owner == player]
        lands, isle = sum(points_of(state, i) for i in held if i != ISLAND), sum(points_of(state, i) for i in held if i == ISLAND)
        seat = state.players[player - 1]
        rows.append((player, seat.vp, lands, isle, seat.vp + lands + isle, sum(state.board[i].units for i in held), seat.realm, rank))
    return tuple(sorted(rows, key=lambda row: (-row[4], -row[5], -row[6], row[7])))


def settle_eliminations(table: Table) -> None:
    """End the game if the Dragon has won, else if one player is left (PR-14.1, PR-14.2)."""
    fallen = sum(by == (DRAGON,) for by in table.fell_to)
    burnt = sum(table.burnt)
    if fallen >= -(-table.was.starting_players // 2) or burnt >= (66 * table.provinces + 99) // 100 or not table.ranking:
        _finish(table, "dragon", (), ("PR-14.2",))
    elif len(table.ranking) == 1:
        _finish(table, "last-standing", (table.ranking[0],), ("PR-14.1", "PR-14.4"))


def close_last_turn(table: Table) -> None:
    """Time's Up!: most VP wins (PR-14.3)."""
    best, *others = scores(table.freeze())
    by_rank = any(other[4:7] == best[4:7] for other in others)
    _finish(table, "times-up", (best[0],), ("PR-4.21", "PR-14.3", *(["PR-3.11"] if by_rank else []), "PR-14.4"))


def _finish(table: Table, how: str, winners: tuple[int, ...], rules: tuple[str, ...]) -> None:
    table.stage, table.attack, table.ties, table.owed, table.winners = "over", None, [], {}, winners
    table.ended_by = "dragon" if how == "dragon" else "last-standing" if how == "last-standing" else "times-up"
    facts = GameWon(
        how=table.ended_by,
        winners=winners,
        scores=scores(table.freeze()),
        prize=PRIZE if winners else 0,
        burnt=sum(table.burnt),
        eliminated_by_dragon=sum(by == (DRAGON,) for by in table.fell_to),
    )
    table.tell(facts, rules)
