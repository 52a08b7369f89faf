"""Hunger, capture, production, buying and bidding (section 8), and the Pirates' game (section
10).
"""

from typing import Any

import pytest

from engine.protectors.events import (
    BidsRevealed,
    CapitolNamed,
    GameWon,
    LevelRaised,
    PiratesPaid,
    PlankWalked,
    PlayerEliminated,
    PurchaseCut,
    RankingChanged,
    RealmProduced,
    SnitchesRevealed,
    UnitsBought,
    UnitsOverLimit,
    WindowOpened,
    WorkDone,
)
from engine.protectors.numbers import production
from engine.protectors.state import State
from tests.games.protectors.engine.tabletop import Closed, close, position
from tests.rows import each_row

QUIET = {"event": ["Calms of Summer"], "dragons": ["The Misty Mountains Cold"]}


def buying(lands: str, **told: Any) -> State:
    return position(lands, phase="consolidation", decks=QUIET, **told)


def income(closed: Closed, player: int) -> list[tuple[int, int, str]]:
    (facts,) = [facts for facts in closed.told(RealmProduced) if facts.player == player]
    return [(part.province, part.amount, part.source) for part in facts.income]


# -------------------------------------------------------------------------------- before production
def test_units_above_the_supply_limit_starve_before_provinces_change_hands() -> None:
    # Five of Ann's units in P2, which was Ben's: 3 stay, 2 under the crabs.
    lands = "1 Ann 3, 2 Ben 0, 3 Ann 2, 4 Ben 1"
    orders = {"Ann": "March! 3 from P1 to P2; March! 2 from P3 to P2", "Ben": "Hold P4"}
    closed = close(position(lands), orders)
    assert closed.one(UnitsOverLimit) == UnitsOverLimit(2, 1, 2, 3)
    assert closed.land(2) == ("Ann", 3)
    crabs = close(
        position(
            lands, in_play=["Calms of Summer", "The Misty Mountains Cold", "Crab Infestation!"]
        ),
        orders,
    )
    assert crabs.one(UnitsOverLimit) == UnitsOverLimit(2, 1, 3, 2)
    assert crabs.rules(UnitsOverLimit) == {"PR-8.2", "PR-4.18"}


def test_the_captors_share_half_of_the_purse_rounded_down_twice() -> None:
    # Cid holds 75: half is 37, 18 each for Ann (two provinces) and Ben (one); 39 are lost.
    lands = "1 Ann 1, 2 Cid 0, 3 Ben 1, 4 Cid 0, 5 Ben 1, 6 Cid 0, 7 Ann 1, 8 Dan 1"
    state = position(lands, purses={"Cid": 75}, ranking=["Cid", "Ann", "Ben", "Dan"])
    told = {
        "Ann": "March! 1 from P1 to P2; March! 1 from P7 to P6",
        "Ben": "March! 1 from P3 to P4",
        "Cid": "Send 0 to Ann",
        "Dan": "Hold P8",
    }
    closed = close(state, told)
    out = closed.one(PlayerEliminated)
    assert (out.player, out.by, out.spoils, out.lost) == (2, (1, 3), ((1, 18), (3, 18)), 39)
    assert closed.realm["Cid"] == 0
    assert closed.realm["Ann"] == 100 + 18 + 4 * 50
    assert closed.ranking == ["Ann", "Ben", "Dan"]
    assert {"PR-3.7", "PR-3.8", "PR-8.4"} <= closed.rules(RankingChanged), (
        "the Grand Protector fell"
    )
    assert closed.state.players[1].fell_to == (1, 3)


# --------------------------------------------------------------------------------------- production
def test_levels_work_and_cards_make_the_income() -> None:
    # Levels 0, I, II, III, a second III (100), a burnt one (0), and one working.
    lands = (
        "1 Ann 0, 2 Ann 0 I, 3 Ann 0 II, 4 Ann 0 III, 5 Ann 0 III, 6 Ann 1 burnt, 7 Ann 1, 8 Ben 1"
    )
    orders = {"Ann": "Work, work! P7; Work, work! P6", "Ben": "Golden Work, work! P8"}
    plain = close(position(lands, purses={"Ann": 0}), orders)
    assert income(plain, 1) == [
        (1, 50, "level"),
        (2, 75, "level"),
        (3, 100, "level"),
        (4, 150, "level"),
        (5, 100, "level"),
        (7, 50, "level"),
        (7, 50, "work"),
    ]
    assert plain.realm["Ann"] == 575
    assert {"PR-8.5", "PR-8.6", "PR-6.14", "PR-1.9", "PR-9.14"} <= plain.rules(RealmProduced)
    assert all(event.audience is not None for event in plain.events if event.kind == "production")
    assert [(work.province, work.golden) for work in plain.told(WorkDone)] == [
        (7, False),
        (8, True),
    ]
    assert plain.state.board[8].order == "golden work"
    blessed = close(
        position(
            lands, purses={"Ann": 0}, in_play=["Imarin's Blessings", "The Misty Mountains Cold"]
        ),
        orders,
    )
    assert blessed.realm["Ann"] == 2 * 575 + 100 + 100, "the burnt one as level 0, and its Work"
    assert "PR-4.14" in blessed.rules(RealmProduced)
    storms = close(
        position(
            lands,
            purses={"Ann": 0},
            in_play=["Winter Storms", "The Misty Mountains Cold"],
            locked=["Imarin's Blessings"],
        ),
        orders,
    )
    assert storms.realm["Ann"] == 0
    assert [(work.province, work.golden) for work in storms.told(WorkDone)] == [(8, True)], (
        "storms do not hinder the raising"
    )
    assert "PR-4.13" in storms.rules(RealmProduced)


# ------------------------------------------------------------------------------------------- buying
def test_a_purchase_beyond_the_purse_goes_round_by_round_past_what_is_full() -> None:
    # 375 buys five: P1, P2, P3, P1 (now full), P3 ... the third for P1 is passed over, its money
    # goes on to P3.
    state = buying("1 Ann 1, 2 Ann 2, 3 Ann 0, 4 Ben 1", purses={"Ann": 400})
    closed = close(state, {"Ann": "Buy 3 in P1; Buy 2 in P2; Buy 9 in P3; Bid 90", "Ben": "Bid 0"})
    assert closed.one(UnitsBought).bought == ((1, 2), (2, 1), (3, 2))
    cuts = {(cut.province, cut.wanted, cut.got, cut.reason) for cut in closed.told(PurchaseCut)}
    assert cuts == {
        (1, 3, 2, "supply-limit"),
        (2, 2, 1, "supply-limit"),
        (3, 9, 2, "cannot-afford"),
    }
    assert closed.one(BidsRevealed).bids == ((1, 25, 90, 25), (2, 0, 0, 0))
    assert "PR-3.6" in closed.rules(BidsRevealed)
    assert {"PR-8.7", "PR-8.8", "PR-8.11"} <= closed.rules(UnitsBought)
    assert all(event.audience == (1,) for event in closed.events if event.kind == "purchase-cut")


def test_levels_are_paid_first_and_each_right_is_good_for_one() -> None:
    # 110: the level 25, one unit 75, and 10 are left for the bid of 50.
    state = buying(
        "1 Ann 1 golden-work, 2 Ann 1 I, 3 Ben 1 III golden-work, 4 Ben 1 II golden-work",
        purses={"Ann": 110, "Ben": 100},
    )
    told = {
        "Ann": "Bid 50; Buy 2 in P1; Upgrade P1; Upgrade P1; Upgrade P2; Upgrade P9",
        "Ben": "Upgrade P3; Upgrade P4; Bid 0",
    }
    closed = close(state, told)
    assert closed.one(LevelRaised) == LevelRaised(1, 1, 1, 25)
    assert {"PR-6.15", "PR-8.10"} <= closed.rules(LevelRaised)
    assert closed.one(BidsRevealed).bids[0] == (1, 10, 50, 10)
    assert [province.level for province in closed.state.board[1:]] == [1, 1, 3, 2], (
        "no second level 3"
    )
    assert [province.order for province in closed.state.board] == [None] * 5


def test_a_level_that_cannot_be_paid_is_told_to_its_player() -> None:
    closed = close(
        buying("1 Ann 1 golden-work, 2 Ben 1", purses={"Ann": 24}),
        {"Ann": "Upgrade P1", "Ben": "Bid 0"},
    )
    assert closed.one(PurchaseCut) == PurchaseCut(1, 1, 1, 0, "cannot-afford")
    assert closed.state.board[1].level == 0


@pytest.mark.parametrize(
    ("order", "named"), [("Bid 0", 1), ("Capitol P3", 3), ("Capitol P4", 1), ("", 1)]
)
def test_of_several_level_3_provinces_one_stays_the_capitol(order: str, named: int) -> None:
    state = buying("1 Ann 1 III, 2 Ann 1 II, 3 Ann 1 III, 4 Ben 1 III", purses={"Ann": 0})
    closed = close(state, {"Ben": "Bid 0"} | ({"Ann": order} if order else {}))
    assert closed.one(CapitolNamed) == CapitolNamed(1, named, (4 - named,))
    assert [province.level for province in closed.state.board[1:]] == [
        3 if named == 1 else 2,
        2,
        3 if named == 3 else 2,
        3,
    ]


def test_in_the_last_turn_no_bid_is_taken_and_the_window_says_so() -> None:
    closing = position(
        "1 Ann 1, 2 Ben 1",
        turn=10,
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Ferry!", "Time's Up!"],
    )
    opened = close(closing, {"Ann": "Hold P1", "Ben": "Hold P2"})
    assert opened.state.stage == "consolidation"
    assert "PR-3.6" in opened.rules(WindowOpened)
    # 150 each. Ann buys nothing and bids 60, which nobody takes; Ben buys one: level on VP, Ben has
    # more units.
    ended = close(opened.state, {"Ann": "Bid 60", "Ben": "Buy 1 in P2"})
    won = ended.one(GameWon)
    assert (won.how, won.winners) == ("times-up", (2,))
    assert won.scores == ((2, 0, 2, 0, 2, 2, 75, 2), (1, 0, 2, 0, 2, 1, 150, 1))
    assert ended.state.winners == (2,)
    assert "bids" not in ended.kinds


def test_income_is_told_the_same_by_the_number_and_the_event() -> None:
    state = position("1 Ann 1 II, 2 Ben 1")
    closed = close(state, {"Ann": "Hold P1", "Ben": "Hold P2"})
    assert closed.told(RealmProduced)[0].income == production(state, 1)


# -------------------------------------------------------------------------------- the Pirates' game
PIRATES = ["Calms of Summer", "The Misty Mountains Cold", "Pirates!"]
FOUR = "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1"


def snitch(named: dict[str, str], lands: str = FOUR, **told: Any) -> Closed:
    names = [entry.split()[1] for entry in lands.split(", ")]
    orders = {name: f"Hold P{i}" for i, name in enumerate(names, 1)}
    for who, whom in named.items():
        orders[who] += f"; Snitch on {whom}"
    return close(position(lands, in_play=PIRATES, **told), orders)


@each_row(
    ("named", "debts", "walkers"),
    [
        ({}, ((1, 25), (2, 25), (3, 25), (4, 25)), ()),
        ({"Ann": "Ben"}, ((2, 25), (3, 25), (4, 25)), (2,)),
        ({"Ann": "Ben", "Cid": "Ben"}, ((2, 25), (4, 25)), (2,)),
        ({"Ann": "Ben", "Ben": "Ann"}, ((1, 50), (2, 50)), ()),
        ({"Ann": "Ben", "Cid": "Ben", "Dan": "Ben"}, (), (2,)),
        ({"Ann": "Ben", "Cid": "Ben", "Dan": "Ben", "Ben": "Ann"}, (), (2,)),
    ],
)
def test_who_snitched_on_whom_decides_who_pays(
    named: dict[str, str], debts: tuple[tuple[int, int], ...], walkers: tuple[int, ...]
) -> None:
    closed = snitch(named)
    facts = closed.one(SnitchesRevealed)
    assert (facts.debts, facts.walkers, facts.different) == (
        debts,
        walkers,
        len(set(named.values())),
    )
    assert {paid.player: paid.paid for paid in closed.told(PiratesPaid)} == dict(debts)
    assert closed.rules(PiratesPaid) <= {"PR-10.5", "PR-1.9"}
    for player, owed in debts:
        assert closed.state.players[player - 1].realm == 150 - owed, "taken right after production"


def test_the_plank_takes_a_unit_where_the_walker_is_weakest() -> None:
    # Ben: P2 1 unit fortified golden = 3, P3 2 working = 1, P5 1 plain = 1: a tie at 1, the lower
    # number loses.
    lands = "1 Ann 1, 2 Ben 1, 3 Ben 2, 4 Cid 1, 5 Ben 1"
    state = position(lands, in_play=PIRATES, ranking=["Ann", "Ben", "Cid"])
    told = {
        "Ann": "Snitch on Ben; Hold P1",
        "Ben": "Golden Fortify! P2; Work, work! P3; Hold P5",
        "Cid": "Hold P4",
    }
    closed = close(state, told)
    assert closed.one(PlankWalked) == PlankWalked(2, 3, 1)
    assert closed.land(3) == ("Ben", 1)
    assert closed.realm["Ben"] == 100 + 3 * 50 + 50 - 25


def test_a_walker_without_units_owes_75_and_pays_what_there_is() -> None:
    # Ben did not snitch: 25 + 75 = 100; he has 10, and P2 brings 50.
    closed = close(
        position("1 Ann 1, 2 Ben 0, 3 Cid 1", in_play=PIRATES, purses={"Ben": 10}),
        {"Ann": "Snitch on Ben; Hold P1", "Cid": "Hold P3"},
    )
    assert closed.one(PlankWalked) == PlankWalked(2, None, 0)
    assert [(paid.owed, paid.paid) for paid in closed.told(PiratesPaid) if paid.player == 2] == [
        (100, 60)
    ]
    assert closed.realm["Ben"] == 0
    assert next(event.audience for event in closed.events if event.kind == "pirates-paid") == (2,)
