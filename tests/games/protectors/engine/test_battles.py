"""Orders carried out: what no worked case has of marches, support and battles (sections 6 and 7 of
the rules). Ann is ranked first unless told otherwise.
"""

import pytest

from engine.chance import Chance
from engine.protectors.events import (
    BattleFought,
    CostPaid,
    MarchMade,
    OrderFailed,
    OrdersMissed,
    OrdersRevealed,
    ProvinceTaken,
)
from engine.protectors.orders import Fortify, Hold, March, Support, Work
from engine.protectors.ruleset import PROTECTORS
from tests.games.protectors.engine.tabletop import SEED, close, position
from tests.rows import each_row


def test_fortify_helps_its_owner_alone_and_counts_units_that_marched_in() -> None:
    # P2: Ben 1+1 arrived, fortified +1 = 3; Cid 3 from P3: a tie, Ben is ranked higher and loses 1.
    closed = close(
        position("1 Ben 1, 2 Ben 1, 3 Cid 3, 4 Ann 1", provinces=4, ranking=["Ann", "Ben", "Cid"]),
        {"Ben": "March! 1 from P1 to P2; Fortify! P2", "Cid": "March! 3 from P3 to P2"},
    )
    battle = closed.one(BattleFought)
    assert (battle.winner.total, battle.loser.total, battle.tie, battle.left) == (3, 3, True, 1)
    assert [(term.source, term.amount) for term in battle.winner.terms] == [
        ("units", 2),
        ("fortify", 1),
    ]
    assert battle.winner.role == "defender"
    assert battle.loser.lost == 3
    assert {"PR-6.4", "PR-7.8", "PR-3.11"} <= closed.rules(BattleFought)
    assert closed.land(2) == ("Ben", 1)


def test_a_golden_march_helps_a_defender_whose_own_province_it_enters() -> None:
    # P2: Ann 1 + 1 arrived + 1 golden = 3 against Ben's 3: Ann is ranked higher.
    closed = close(
        position("1 Ann 1, 2 Ann 1, 3 Ben 3"),
        {"Ann": "Golden March! 1 from P1 to P2", "Ben": "March! 3 from P3 to P2"},
    )
    assert closed.one(BattleFought).winner.total == 3
    assert closed.land(2) == ("Ann", 1)
    assert "PR-6.6" in closed.rules(BattleFought)


def test_units_between_the_same_two_provinces_pass_one_another() -> None:
    closed = close(
        position("1 Ann 2, 2 Ben 1, 3 Cid 1"),
        {"Ann": "March! 2 from P1 to P2", "Ben": "March! 1 from P2 to P1"},
    )
    assert "battle" not in closed.kinds
    assert "PR-7.2" in closed.rules(MarchMade)
    assert "PR-7.10" in closed.rules(ProvinceTaken), (
        "given up by its controller's units and entered by one other"
    )
    assert (closed.land(1), closed.land(2)) == (("Ben", 1), ("Ann", 2))


def test_the_supporter_risks_nothing_and_arrivals_raise_the_support() -> None:
    # P3 holds 1, 2 march in from P4: Ann's side 1 + 3 = 4 against 3.
    state = position("1 Ann 1, 2 Ben 3, 3 Cid 1, 4 Cid 2")
    closed = close(
        state,
        {
            "Ann": "March! 1 from P1 to P2",
            "Ben": "Hold P2",
            "Cid": "Support! Ann in P2 from P3; March! 2 from P4 to P3",
        },
    )
    assert closed.one(BattleFought).winner.total == 4
    assert {"PR-6.9", "PR-6.11", "PR-7.9"} <= closed.rules(BattleFought)
    assert closed.land(3) == ("Cid", 3)


@pytest.mark.parametrize(
    ("support", "units", "total"),
    [
        ("Support! Ann in P2 from P3", 1, 1),  # 1 unit - 1 by rain = 0 beside Ann's 1
        ("Golden Support! Ann in P2 from P3", 1, 2),  # 1 + 1 focused - 1
        ("Support! Ann in P2 from P3", 2, 2),
    ],
)
def test_heavy_rains_take_one_from_each_support_but_not_below_nothing(
    support: str, units: int, total: int
) -> None:
    state = position(
        f"1 Ann 1, 2 Ben 3, 3 Cid {units}",
        ranking=["Cid", "Ann", "Ben"],
        in_play=["Heavy Rains of Autumn"],
    )
    closed = close(state, {"Ann": "March! 1 from P1 to P2", "Ben": "Hold P2", "Cid": support})
    (lent,) = [term for term in closed.one(BattleFought).loser.terms if "support" in term.source]
    assert closed.one(BattleFought).loser.total == total
    assert lent.rain == 1
    assert "PR-4.10" in closed.rules(BattleFought)


@pytest.mark.parametrize(("origin", "bonus"), [(3, 1), (4, 0)])
def test_a_golden_support_is_focused_next_door_and_extended_at_two(origin: int, bonus: int) -> None:
    state = position(
        f"1 Ann 2, 2 Ben 2, {origin} Cid 2, 6 Dan 1",
        provinces=6,
        ranking=["Cid", "Dan", "Ann", "Ben"],
    )
    closed = close(
        state,
        {
            "Ann": "March! 2 from P1 to P2",
            "Ben": "Hold P2",
            "Cid": f"Golden Support! Ben in P2 from P{origin}",
        },
    )
    assert closed.one(BattleFought).winner.total == 2 + 2 + bonus
    assert "PR-6.12" in closed.rules(BattleFought)


def test_support_without_a_battle_of_the_supported_does_nothing_and_is_told() -> None:
    closed = close(
        position("1 Ann 2, 2 Ben 1, 3 Cid 1"),
        {"Ann": "Hold P1", "Ben": "Hold P2", "Cid": "Support! Ben in P2 from P3"},
    )
    assert closed.one(OrderFailed) == OrderFailed(3, Support(2, 2, 3), "no-battle")
    assert closed.rules(OrderFailed) == {"PR-6.13"}


def test_a_normal_golden_march_gives_nothing_in_the_delayed_stage() -> None:
    # Ann arrives golden in the empty P2; Ben's delayed march meets 2 against 2, not 3: Ben is
    # ranked higher and wins the tie.
    state = position(
        "1 Ann 2, 2 Cid 0, 3 Ben 2, 4 Cid 1",
        ranking=["Ben", "Ann", "Cid"],
        options={"version": "normal"},
        starting_players=4,
    )
    closed = close(
        state, {"Ann": "March! 2 from P1 to P2", "Ben": "Delayed Golden March! 2 from P3 to P2"}
    )
    assert closed.one(BattleFought).winner.total == 3
    state = position(
        "1 Ann 2, 2 Cid 0, 3 Ben 2, 4 Cid 1, 5 Dan 1, 6 Eve 1",
        ranking=["Ann", "Ben", "Cid", "Dan", "Eve"],
        provinces=6,
    )
    closed = close(
        state, {"Ann": "Golden March! 2 from P1 to P2", "Ben": "Delayed March! 2 from P3 to P2"}
    )
    battle = closed.one(BattleFought)
    assert (battle.stage, battle.winner.total, battle.loser.total, battle.tie) == (
        *("delayed", 2, 2, True),
    )
    assert "PR-6.8" in closed.rules(BattleFought)


def test_working_units_fight_weaker_and_a_total_may_be_below_nothing() -> None:
    # P2: Ben 1 - 1 = 0 against Ann 1 - 1 (snow) = 0: a tie, Ann higher, both gone. With Cid's help
    # Ben would have stood.
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1", in_play=["Deep Snow"])
    closed = close(state, {"Ann": "March! 1 from P1 to P2", "Ben": "Work, work! P2"})
    battle = closed.one(BattleFought)
    assert (battle.winner.total, battle.loser.total, battle.left) == (0, 0, 0)
    assert closed.one(OrderFailed) == OrderFailed(2, Work(2), "units-lost")
    assert "PR-6.14" in closed.rules(BattleFought)
    assert closed.state.board[2].order is None


# ----------------------------------------------------------------------------------------- defaults
def test_the_others_hold_where_only_some_provinces_have_orders() -> None:
    closed = close(position("1 Ann 1, 2 Ann 1, 3 Ben 1"), {"Ann": "Fortify! P1", "Ben": "Hold P3"})
    assert closed.one(OrdersRevealed).holding == (2,)
    assert "PR-6.3" in closed.rules(OrdersRevealed)
    assert "missed" not in closed.kinds


def test_under_restlessness_nobody_fortifies_not_even_by_default() -> None:
    state = position("1 Ann 1, 2 Ben 1", in_play=["Restlessness of Spring"])
    closed = close(state, {"Ben": "Fortify! P2"})
    assert [(miss.player, miss.instead) for miss in closed.told(OrdersMissed)] == [(1, ()), (2, ())]
    assert closed.one(OrderFailed).order == Fortify(2)
    assert "PR-4.12" in closed.rules(OrdersMissed)
    assert closed.one(OrdersRevealed).holding == (1, 2)


def test_who_has_no_units_and_said_something_has_missed_nothing() -> None:
    closed = close(position("1 Ann 1, 2 Ben 0"), {"Ann": "Hold P1", "Ben": "Send 5 to Ann"})
    assert "missed" not in closed.kinds
    assert close(position("1 Ann 1, 2 Ben 0"), {"Ann": "Hold P1"}).one(OrdersMissed).instead == ()


# -------------------------------------------------------------------------------------------- money
def test_a_ferry_march_to_a_land_neighbour_is_free_but_not_under_flood() -> None:
    free = close(
        position("1 Ann 1, 2 Ben 0, 3 Ben 1", in_play=["Ferry!"]), {"Ann": "March! 1 from P1 to P2"}
    )
    assert "cost" not in free.kinds
    wet = close(
        position(
            "1 Ann 1, 2 Ben 0, 3 Ben 1", in_play=["Flood!", "The Misty Mountains Cold", "Ferry!"]
        ),
        {"Ann": "March! 1 from P1 to P2"},
    )
    assert wet.one(CostPaid).amount == 25
    assert {"PR-4.15", "PR-4.17"} <= wet.rules(MarchMade)


def test_with_seafarers_too_nobody_pays_and_support_still_wants_a_land_border() -> None:
    state = position(
        "1 Ann 2, 2 Ben 0, 3 Ben 1, 4 Cid 1, 5 Dan 1",
        provinces=5,
        in_play=["Flood!", "Seafarers!"],
        locked=["Ferry!"],
    )
    closed = close(
        state,
        {"Ann": "March! 2 from P1 to P3", "Ben": "Hold P3", "Cid": "Support! Ben in P3 from P4"},
    )
    assert "cost" not in closed.kinds
    assert closed.one(MarchMade).sea == "seafarers"
    assert {"PR-4.15", "PR-4.16"} <= closed.rules(MarchMade)
    assert closed.told(OrderFailed) == [OrderFailed(3, Support(2, 3, 4), "not-in-force")], (
        "no Support under Flood!"
    )
    assert closed.land(3) == ("Ann", 2)


# ----------------------------------------------------------------------------- what no longer holds
@each_row(
    "order",
    [
        "March! 1 from P3 to P2",  # not Ann's
        "March! 1 from P2 to P3",  # no units there
        "March! 1 from P1 to P4",  # no neighbours
        *("March! 0 from P1 to P2", "March! 1 from P1 to P1", "March! 1 from P1 to the Island"),
        *("March! 1 from P9 to P1", "Support! Ben in P4 from P1", "Work, work! P2"),
        *("Send 101 to Ben", "Send 0 to Ben", "Send 5 to Ann"),
        "Snitch on Ben",  # no Pirates
    ],
)
def test_an_order_that_does_not_hold_at_the_close_is_dropped_and_told(order: str) -> None:
    closed = close(
        position("1 Ann 1, 2 Ann 0, 3 Ben 1, 4 Ben 0, 5 Cid 1, 6 Cid 0", provinces=6),
        {"Ann": order, "Ben": "Hold P3"},
    )
    assert [failed.reason for failed in closed.told(OrderFailed)] == ["not-in-force"]
    assert closed.rules(OrderFailed) == {"PR-6.19"}
    assert closed.land(1) == ("Ann", 1)


def test_gold_beyond_the_bracket_or_twice_becomes_plain() -> None:
    lands = "1 Ann 1, 2 Ann 1, 3 Ann 0, 4 Ben 1, 5 Cid 1, 6 Dan 1, 7 Dan 1"
    told = {
        "Ann": "Golden Work, work! P1; Golden Work, work! P2",
        "Ben": "Golden March! 1 from P4 to P3",
        "Cid": "Golden Support! Dan in P6 from P5",
        "Dan": "Golden Fortify! P6; Golden March! 1 from P7 to P1",
    }
    closed = close(position(lands, provinces=7), told)
    revealed = dict(closed.one(OrdersRevealed).orders)
    assert revealed[1] == (Work(1, golden=True), Work(2))
    assert revealed[2] == (March(1, 4, 3),)
    assert revealed[3] == (Support(4, 6, 5),)
    assert revealed[4] == (Fortify(6), March(1, 7, 1))


def test_a_second_order_for_a_province_does_not_replace_the_first() -> None:
    closed = close(position("1 Ann 1, 2 Ben 1"), {"Ann": "Hold P1; Fortify! P1", "Ben": "Hold P2"})
    assert dict(closed.one(OrdersRevealed).orders)[1] == (Hold(1),)


def test_orders_of_other_windows_and_of_strangers_say_nothing() -> None:
    state = position("1 Ann 1, 2 Ben 1")
    closed = close(state, {"Ann": "Bid 5; Hold P1", "Ben": "Hold P2"})
    assert dict(closed.one(OrdersRevealed).orders)[1] == (Hold(1),)
    same = PROTECTORS.adjudicate(state, {1: (Hold(1),), 2: (Hold(2),), 7: (Hold(1),)}, Chance(SEED))
    assert same.state == closed.state
