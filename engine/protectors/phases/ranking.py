"""Protector Ranking: bids, ties and second bids (section 3 of the rules)."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from engine.protectors.events import BidsRevealed, OrdersMissed, RankingSet, TieAsked, TieDrawn
from engine.protectors.factions.bank import counted_bid
from engine.protectors.factions.choice import settle_factions
from engine.protectors.numbers import bracket_sizes
from engine.protectors.orders import Bid, Order
from engine.protectors.phases.purses import Purse, purses_in_turn
from engine.protectors.table import Table

MISSING = -1
"""Stands for a bid nobody made."""

Given = Mapping[int, Sequence[Order]]
Bids = Mapping[int, tuple[int, int]]
"""What was paid for a bid, and what was asked for (MISSING: nothing), by player."""


def close_bidding(table: Table, given: Given) -> None:
    """The factions, and the first bids of turn 1; ties above 0 are left to a second round, those at
    0 are drawn (PR-3.2 to PR-3.4).
    """
    settle_factions(table, given)
    counted = tell_bids(table, _take_first_bids(table, given, table.active, "bidding"), "PR-3.1")
    ranking: list[int] = []
    for amount, tied in _by_bid(counted, table.active):
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
    tied = sorted(player for tie in table.ties for player in tie)
    settle_ties(
        table,
        tell_bids(
            table, _take_first_bids(table, given, tied, "rebid"), "PR-3.1", "PR-3.3", rebid=True
        ),
    )


def settle_ties(table: Table, counted: Mapping[int, int]) -> None:
    """Give the places of each tie to those who bid again, and tell the ranking."""
    for tie in table.ties:
        places = sorted(table.ranking.index(player) for player in tie)
        settled: list[int] = []
        for _, tied in _by_bid(counted, sorted(tie)):
            settled += (
                _draw(table, tied, "tie after the second bids", "PR-3.3") if len(tied) > 1 else tied
            )
        for place, player in zip(places, settled, strict=True):
            table.ranking[place] = player
    table.ties = []
    _tell_ranking(table)


def rank_by_bids(table: Table, bids: Bids) -> None:
    """The ranking from turn 2 on, from these bids and those revealed before; ties by the ranking as
    it stood (PR-3.5).

    Who came back into the game after the bids, by a game master's word, has bid nothing.
    """
    counted = dict.fromkeys(table.ranking, 0)
    counted |= {player: counted_bid(table, player, spent) for player, spent in table.bids.items()}
    counted |= tell_bids(table, bids, "PR-3.1")
    table.bids = {}
    ranking: list[int] = []
    for _, tied in _by_bid(counted, table.ranking):
        if len(tied) > 1:
            table.tell(TieDrawn(tuple(tied), "ranking"), ["PR-3.5"])
        ranking += tied
    table.ranking = ranking
    _tell_ranking(table)


def take_bids(table: Table, given: Given, asked: Sequence[int]) -> Bids:
    """Collect what is bid where nothing else can be said, and take it from the purses (PR-3.1,
    PR-3.6).
    """
    return {
        purse.player: pay_bid(purse, given.get(purse.player, ()))
        for purse in purses_in_turn(table, asked, given)
    }


def pay_bid(purse: Purse, orders: Sequence[Order]) -> tuple[int, int]:
    """Take a bid, cut to what can be spent: what was paid, and what was asked for."""
    asked = bid_of(orders)
    spent = min(max(asked, 0), purse.held)
    purse.pay(spent)
    return spent, asked


def bid_of(orders: Sequence[Order]) -> int:
    """The amount a player bids, MISSING without a bid; of several the last counts."""
    return next(
        (
            order.amount
            for order in reversed(orders)
            if isinstance(order, Bid) and order.amount >= 0
        ),
        MISSING,
    )


def _take_first_bids(table: Table, given: Given, asked: Sequence[int], stage: str) -> Bids:
    """The bids of turn 1; no answer is a bid of 0 (PR-3.2)."""
    for player in asked:
        if bid_of(given.get(player, ())) == MISSING:
            table.tell(OrdersMissed(player, stage, (Bid(0),)), ["PR-3.2"])
    return take_bids(table, given, asked)


def tell_bids(table: Table, bids: Bids, *rules: str, rebid: bool = False) -> dict[int, int]:
    """Reveal bids that were paid; what each of them counts (PR-11.7)."""
    counted = {player: counted_bid(table, player, spent) for player, (spent, _) in bids.items()}
    if not bids:
        return counted
    rows = tuple(
        (player, counted[player], asked, spent) for player, (spent, asked) in sorted(bids.items())
    )
    cut = any(asked > spent for _, _, asked, spent in rows)
    raised = any(counted[player] > spent for player, (spent, _) in bids.items())
    told = [*rules, "PR-1.9"]
    told += [rule for applies, rule in ((cut, "PR-3.6"), (raised, "PR-11.7")) if applies]
    table.tell(BidsRevealed(rows, rebid), told)
    return counted


def _by_bid(counted: Mapping[int, int], players: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The players by what they bid, highest first; those of one bid in the order they came in."""
    falling = sorted(players, key=lambda player: -counted[player])
    return [
        (amount, list(tied))
        for amount, tied in groupby(falling, key=lambda player: counted[player])
    ]


def _draw(table: Table, tied: list[int], label: str, rule: str) -> list[int]:
    """A tie settled by the stream: one shuffle of the tied, listed by number."""
    numbers = {table.name(player): player for player in sorted(tied)}
    drawn = [numbers[name] for name in table.chance.shuffle(label, tuple(numbers))]
    table.tell(TieDrawn(tuple(drawn), "chance"), [rule])
    return drawn


def _tell_ranking(table: Table) -> None:
    table.tell(
        RankingSet(tuple(table.ranking), bracket_sizes(len(table.ranking))), ["PR-3.1", "PR-3.8"]
    )
