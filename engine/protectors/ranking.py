"""Protector Ranking: bids, ties and second bids (section 3 of the rules)."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from engine.protectors.events import BidsRevealed, OrdersMissed, RankingSet, TieAsked, TieDrawn
from engine.protectors.numbers import bracket_sizes
from engine.protectors.orders import Bid, Order
from engine.protectors.table import Table

MISSING = -1
"""Stands for a bid nobody made."""

Given = Mapping[int, Sequence[Order]]


def close_bidding(table: Table, given: Given) -> None:
    """The first bids of turn 1; ties above 0 are left to a second round, those at 0 are drawn (PR-3.2 to PR-3.4)."""
    bids = _take_first_bids(table, given, table.active, "bidding")
    _tell_bids(table, bids, ("PR-3.1",), rebid=False)
    ranking: list[int] = []
    for amount, tied in _by_bid(bids, table.active):
        if len(tied) > 1 and amount:
            table.tell(TieAsked(tuple(tied), len(ranking) + 1), ["PR-3.3"])
            table.ties.append(tuple(tied))
        elif len(tied) > 1:
            tied = _draw(table, tied, "tie at bid 0", "PR-3.4")
        ranking += tied
    table.ranking = ranking
    if not table.ties:
        _tell_ranking(table)


def close_rebid(table: Table, given: Given) -> None:
    """The second bids, each tie for its own places (PR-3.3)."""
    bids = _take_first_bids(table, given, sorted(player for tie in table.ties for player in tie), "rebid")
    _tell_bids(table, bids, ("PR-3.1", "PR-3.3"), rebid=True)
    settle_ties(table, bids)


def settle_ties(table: Table, bids: Mapping[int, tuple[int, int]]) -> None:
    """Give the places of each tie to those who bid again, and tell the ranking."""
    for tie in table.ties:
        places = sorted(table.ranking.index(player) for player in tie)
        settled: list[int] = []
        for _, tied in _by_bid(bids, sorted(tie)):
            settled += _draw(table, tied, "tie after the second bids", "PR-3.3") if len(tied) > 1 else tied
        for place, player in zip(places, settled, strict=True):
            table.ranking[place] = player
    table.ties = []
    _tell_ranking(table)


def rank_by_bids(table: Table, bids: Mapping[int, tuple[int, int]]) -> None:
    """The ranking from turn 2 on; ties by the ranking as it stood (PR-3.5). `bids`: what counted and what was asked for."""
    for player, (counted, _) in bids.items():
        table.realm[player] -= counted
    _tell_bids(table, bids, ("PR-3.1",), rebid=False)
    ranking: list[int] = []
    for _, tied in _by_bid(bids, table.ranking):
        if len(tied) > 1:
            table.tell(TieDrawn(tuple(tied), "ranking"), ["PR-3.5"])
        ranking += tied
    table.ranking = ranking
    _tell_ranking(table)


def bid_of(orders: Sequence[Order]) -> int:
    """The amount a player bids, MISSING without a bid; of several the last counts."""
    return next((order.amount for order in reversed(orders) if isinstance(order, Bid) and order.amount >= 0), MISSING)


def _take_first_bids(table: Table, given: Given, asked: Sequence[int], stage: str) -> dict[int, tuple[int, int]]:
    """Collect and take what is bid in turn 1, where nothing else can be said."""
    bids: dict[int, tuple[int, int]] = {}
    for player in asked:
        amount = bid_of(given.get(player, ()))
        if amount == MISSING:
            table.tell(OrdersMissed(player, stage, (Bid(0),)), ["PR-3.2"])
        bids[player] = (min(max(amount, 0), table.realm[player]), amount)
        table.realm[player] -= bids[player][0]
    return bids


def _tell_bids(table: Table, bids: Mapping[int, tuple[int, int]], rules: tuple[str, ...], *, rebid: bool) -> None:
    rows = tuple((player, counted, asked, counted) for player, (counted, asked) in sorted(bids.items()))
    cut = any(asked > counted for _, counted, asked, _ in rows)
    table.tell(BidsRevealed(rows, rebid), [*rules, "PR-1.9", *(["PR-3.6"] if cut else [])])


def _by_bid(bids: Mapping[int, tuple[int, int]], players: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The players by what they bid, highest first; those of one bid in the order they came in."""
    falling = sorted(players, key=lambda player: -bids[player][0])
    return [(amount, list(tied)) for amount, tied in groupby(falling, key=lambda player: bids[player][0])]


def _draw(table: Table, tied: list[int], label: str, rule: str) -> list[int]:
    """A tie settled by the stream: one shuffle of the tied, listed by number."""
    numbers = {table.name(player): player for player in sorted(tied)}
    drawn = [numbers[name] for name in table.chance.shuffle(label, tuple(numbers))]
    table.tell(TieDrawn(tuple(drawn), "chance"), [rule])
    return drawn


def _tell_ranking(table: Table) -> None:
    table.tell(RankingSet(tuple(table.ranking), bracket_sizes(len(table.ranking))), ["PR-3.1", "PR-3.8"])
