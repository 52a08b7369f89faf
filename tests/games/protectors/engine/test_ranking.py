"""Bids, ties and brackets (section 3 of the rules)."""

import pytest

from engine.protectors.events import (
    BidsRevealed,
    OrdersMissed,
    RankingSet,
    TieAsked,
    TieDrawn,
    WindowOpened,
)
from engine.protectors.numbers import bracket_at, bracket_of, bracket_sizes, golden_rights, rank_of
from engine.protectors.phases.ranking import MISSING
from tests.games.protectors.engine.tabletop import close, position
from tests.rows import each_row

FIVE = "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Eve 1"
FIFTY = dict.fromkeys(("Ann", "Ben", "Cid", "Dan", "Eve"), 50)


def test_ties_above_nothing_bid_again_and_ties_at_nothing_are_drawn() -> None:
    # The rulebook's own example, with two who bid nothing.
    state = position(FIVE + ", 6 Fay 1", turn=1, phase="bidding", purses=FIFTY | {"Fay": 50})
    told = {"Ann": "Bid 25", "Ben": "Bid 25", "Cid": "Bid 10", "Dan": "Bid 10", "Eve": "Bid 0"}
    first = close(state, told, chance=[("Fay", "Eve")])
    assert first.state.stage == "rebid"
    assert first.state.ties == ((1, 2), (3, 4))
    assert first.ranking == ["Ann", "Ben", "Cid", "Dan", "Fay", "Eve"]
    assert first.told(TieAsked) == [TieAsked((1, 2), 1), TieAsked((3, 4), 3)]
    assert first.one(TieDrawn) == TieDrawn((6, 5), "chance")
    assert first.rules(TieDrawn) == {"PR-3.4"}
    assert first.one(OrdersMissed).player == 6
    assert first.rules(OrdersMissed) == {"PR-3.2"}
    assert first.one(BidsRevealed).bids[5] == (6, 0, MISSING, 0)
    window = first.one(WindowOpened)
    assert (window.phase, window.asked, window.hours) == ("rebid", (1, 2, 3, 4), 16)
    assert "ranking" not in first.kinds
    second = close(
        first.state,
        {"Ann": "Bid 5", "Ben": "Bid 6", "Cid": "Bid 0", "Eve": "Bid 9"},
        chance=[("Dan", "Cid")],
    )
    assert second.ranking == ["Ben", "Ann", "Dan", "Cid", "Fay", "Eve"]
    assert second.realm == {"Ann": 20, "Ben": 19, "Cid": 40, "Dan": 40, "Eve": 50, "Fay": 50}
    assert second.one(BidsRevealed).rebid
    assert second.rules(TieDrawn) == {"PR-3.3"}
    assert second.one(RankingSet).brackets == (2, 2, 1, 1)
    assert second.state.stage == "orders"
    assert second.state.ties == ()


def test_from_turn_2_ties_go_by_the_ranking_as_it_stood() -> None:
    state = position(FIVE, phase="consolidation", ranking=["Eve", "Cid", "Ann", "Dan", "Ben"])
    closed = close(
        state, {"Ann": "Bid 5", "Ben": "Bid 20", "Cid": "Bid 5", "Dan": "Bid 0", "Eve": "Bid 0"}
    )
    assert closed.ranking == ["Ben", "Cid", "Ann", "Eve", "Dan"]
    assert closed.told(TieDrawn) == [TieDrawn((3, 1), "ranking"), TieDrawn((5, 4), "ranking")]
    assert closed.rules(TieDrawn) == {"PR-3.5"}
    assert closed.realm["Ben"] == 80, "spent, won or lost"


@each_row(
    ("players", "sizes"),
    [
        (1, (1,)),
        (2, (1, 1)),
        (3, (1, 1, 1)),
        (4, (1, 1, 1, 1)),
        (5, (2, 1, 1, 1)),
        (6, (2, 2, 1, 1)),
        (7, (2, 2, 2, 1)),
        (11, (3, 3, 3, 2)),
        (16, (4, 4, 4, 4)),
    ],
)
def test_the_brackets_are_as_even_as_can_be_the_larger_first(
    players: int, sizes: tuple[int, ...]
) -> None:
    assert bracket_sizes(players) == sizes
    assert [bracket_at(place, players) for place in range(players)] == [
        b + 1 for b, size in enumerate(sizes) for _ in range(size)
    ]
    with pytest.raises(ValueError):
        bracket_at(players, players)


def test_each_bracket_has_its_golden_orders() -> None:
    assert [golden_rights(bracket) for bracket in (1, 2, 3, 4, None)] == [
        ("march", "support", "fortify", "work"),
        ("support", "fortify", "work"),
        ("fortify", "work"),
        ("work",),
        (),
    ]
    state = position(
        "1 Ann 1, 2 Ben 1, 3 Cid 1", eliminated={"Zoe": "dragon"}, ranking=["Cid", "Ann", "Ben"]
    )
    assert [(rank_of(state, n), bracket_of(state, n)) for n in (1, 2, 3, 4)] == [
        (2, 2),
        (3, 3),
        (1, 1),
        (None, None),
    ]
