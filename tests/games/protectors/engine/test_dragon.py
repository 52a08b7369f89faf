"""Dragon Attacks (section 9 of the rules). The ranking is in the order of the board unless told
otherwise.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.events import (
    DragonAttacked,
    DragonCame,
    GameWon,
    OrderFailed,
    OrdersMissed,
    PlayerEliminated,
    RankingChanged,
    Share,
    WorkDone,
)
from engine.protectors.numbers import scale_of
from engine.protectors.orders import Commit, Work
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Province, State
from tests.games.protectors.engine.tabletop import SEED, Closed, close, position
from tests.rows import each_row

FOUR = "1 Ann 2, 2 Ben 2, 3 Cid 2, 4 Dan 2"


def attack(
    lands: str = FOUR, *, dpl: int, during: str = "reveal", more: int = 0, **told: Any
) -> State:
    told.setdefault("in_play", ["Calms of Summer", "The Misty Mountains Cold"])
    return position(
        lands, phase="dragon", dpl=dpl, attack={"during": during, "dpl": dpl, "more": more}, **told
    )


def share(closed: Closed, name: str) -> Share:
    number = next(player.number for player in closed.state.players if player.name == name)
    return next(part for part in closed.one(DragonAttacked).shares if part.player == number)


def test_the_protectors_need_more_than_the_dragon_has() -> None:
    closed = close(
        attack(dpl=4),
        {name: f"Commit 1 from P{i}" for i, name in enumerate(("Ann", "Ben", "Cid", "Dan"), 1)},
    )
    fought = closed.one(DragonAttacked)
    assert (fought.total, fought.won, fought.dpl_after, fought.champion) == (4, False, 2, None)
    assert [closed.land(i)[1] for i in range(1, 5)] == [1, 1, 1, 1]
    assert closed.ranking == ["Ann", "Ben", "Cid", "Dan"]


def test_victory_takes_min_us_and_pays_reward_bonus_and_title() -> None:
    # Min.US 1 each. Ann 1, Ben 2 (>= max(2, 2): 1 VP, 15), Cid nothing (0 of 1), Dan 2 as Ben: 5 >
    # 3. Ben and Dan are 1 above; Ben is ranked higher: champion, 3 VP. Reward 50 + 50 for who met.
    # One unit lost by each who met.
    closed = close(
        attack(dpl=3),
        {"Ann": "Commit 1 from P1", "Ben": "Commit 2 from P2", "Dan": "Commit 2 from P4 (sac 2)"},
    )
    assert closed.one(DragonAttacked).won
    assert closed.realm == {"Ann": 200, "Ben": 215, "Cid": 100, "Dan": 215}
    assert closed.vp == {"Ann": 0, "Ben": 4, "Cid": 0, "Dan": 1}
    assert [closed.land(i)[1] for i in range(1, 5)] == [1, 1, 2, 1]
    assert closed.ranking == ["Ben", "Ann", "Cid", "Dan"]
    assert closed.one(RankingChanged).cause == "champion"
    assert [miss.player for miss in closed.told(OrdersMissed)] == [3]
    assert {"PR-9.5", "PR-9.6", "PR-9.7", "PR-9.8", "PR-9.9", "PR-3.11"} <= closed.rules(
        DragonAttacked
    )
    assert closed.state.dpl == 0


def test_who_did_not_meet_min_us_loses_all_that_was_committed_even_in_victory() -> None:
    # Ann controls three: min.US 3, commits 2. Ben 2 of 1.
    state = attack("1 Ann 2, 2 Ann 1, 3 Ann 1, 4 Ben 2, 5 Cid 1", dpl=3)
    closed = close(
        state, {"Ann": "Commit 2 from P1", "Ben": "Commit 2 from P4", "Cid": "Commit nothing"}
    )
    assert closed.land(1) == ("Ann", 0)
    assert share(closed, "Ann").reward == 0
    assert closed.realm["Ann"] == 100


def test_a_working_unit_counts_less_and_losses_are_units_not_strength() -> None:
    # Ben commits 2 from a working province: 1 US, meets min.US 1, loses 1 unit. Ann 3: 4 > 3.
    state = attack("1 Ann 3, 2 Ben 2 work, 3 Cid 1", dpl=3, during="consolidation")
    closed = close(
        state, {"Ann": "Commit 3 from P1", "Ben": "Commit 2 from P2", "Cid": "Commit nothing"}
    )
    assert (share(closed, "Ben").strength, share(closed, "Ben").met) == (1, True)
    assert closed.land(2) == ("Ben", 1)
    assert [term.amount for term in share(closed, "Ben").terms] == [2, -1]
    assert closed.one(OrderFailed).reason == "all-committed", (
        "all of them were sent: no extra income"
    )
    assert closed.realm["Ben"] == 100 + 100 + 50
    assert "PR-6.14" in closed.rules(DragonAttacked)


def test_working_units_that_were_not_all_sent_go_on_working() -> None:
    state = attack("1 Ann 3, 2 Ben 2 work, 3 Cid 1 golden-work", dpl=2, during="consolidation")
    closed = close(
        state, {"Ann": "Commit 3 from P1", "Ben": "Commit 1 from P2", "Cid": "Commit 1 from P3"}
    )
    # 3 + (1 - 1) + (1 - 1) = 3 > 2. Ben is below min.US and loses the one sent;
    # the other one works on: 50 + 50.
    assert share(closed, "Ben").strength == 0
    assert closed.land(2) == ("Ben", 1)
    assert closed.realm["Ben"] == 100 + 50 + 50
    assert closed.told(WorkDone) == [WorkDone(2, 2, golden=False)]
    assert closed.one(OrderFailed).order == Work(3, golden=True), "Cid's only worker was sent"
    assert closed.state.stage == "consolidation"
    assert [province.order for province in closed.state.board] == [None] * 4


def test_losses_are_chosen_as_told_then_from_the_lowest_province() -> None:
    # Min.US 4. Told: 1 of P3, 5 of P2 (cut to the 2 committed); 1 is left: P1, the lowest
    # committed.
    state = attack("1 Ann 2, 2 Ann 2, 3 Ann 2, 4 Ann 1, 5 Ben 1", dpl=1)
    closed = close(
        state,
        {
            "Ann": "Commit 2 from P3 (sac 1); Commit 2 from P2 (sac 5); Commit 2 from P1; Commit 9 from P4; Commit 1 from P2"
        },
    )
    assert [closed.land(i)[1] for i in range(1, 5)] == [1, 0, 1, 1]
    assert [
        (pledge.province, pledge.units, pledge.lost) for pledge in share(closed, "Ann").pledges
    ] == [(1, 2, 1), (2, 2, 2), (3, 2, 1), (4, 1, 0)]


@pytest.mark.parametrize(
    "order", ["Commit 1 from P2", "Commit 1 from P9", "Commit 0 from P1", "Commit 1 from P4"]
)
def test_units_that_are_not_there_or_not_ones_own_are_not_committed(order: str) -> None:
    closed = close(attack("1 Ann 1, 2 Ben 1, 3 Ben 0, 4 Ann 0", dpl=1), {"Ann": order})
    assert share(closed, "Ann").pledges == ()
    assert [miss.player for miss in closed.told(OrdersMissed)] == [2]


def test_the_worldeater_doubles_min_us_but_not_the_reward() -> None:
    # P = 4: from DPL 12 on. Ann controls two: min.US 4; 13 > 12.
    state = attack("1 Ann 3, 2 Ann 3, 3 Ben 3, 4 Cid 3", dpl=12)
    assert state.attack is not None
    told = {
        "Ann": "Commit 3 from P1; Commit 3 from P2",
        "Ben": "Commit 3 from P3",
        "Cid": "Commit 3 from P4",
    }
    lost = close(state, told)
    assert lost.one(DragonAttacked).scale == "Worldeater"
    assert not lost.one(DragonAttacked).won
    # Twelve against twelve is not enough: everything committed is lost,
    # but everybody met: 6 >= 4, 3 >= 2.
    assert [lost.land(i)[1] for i in range(1, 5)] == [0, 0, 0, 0]
    assert lost.ranking == ["Ann", "Ben", "Cid"]
    state = attack("1 Ann 3, 2 Ann 3, 3 Ann 3, 4 Ben 3, 5 Cid 3", dpl=15)
    state = replace(
        state, board=(*state.board[:5], Province(3, 4))
    )  # one unit more than a province feeds, or nobody could win
    told = {
        "Ann": "Commit 3 from P1; Commit 3 from P2; Commit 3 from P3",
        "Ben": "Commit 3 from P4",
        "Cid": "Commit 4 from P5",
    }
    won = close(state, told)
    # 16 > 15. Ann: 9 of min.US 6, reward 50 + 3 * 50, no bonus (2 * 6 = 12). Ben 3 of 2: nothing
    # above half more. Cid 4 >= 2 * 2: 1 VP, 15 * 2.
    assert won.realm == {"Ann": 300, "Ben": 200, "Cid": 230}
    assert [won.land(i)[1] for i in range(1, 6)] == [0, 0, 3, 1, 2]
    assert won.vp == {"Ann": 3, "Ben": 0, "Cid": 1}


def test_worldeater_shortfall_beyond_the_provinces_burns_all_of_them() -> None:
    # P = 6, DPL 18: Ben controls two, min.US 4, commits nothing: 4 short, two burn, no green left:
    # eliminated. Ann 2 of 2 and Cid 3 of 4.
    state = attack(
        "1 Ann 2, 2 Ben 1, 3 Ben 2, 4 Cid 2, 5 Cid 1, 6 Dan 1",
        dpl=18,
        ranking=["Ann", "Ben", "Cid", "Dan"],
    )
    told = {
        "Ann": "Commit 2 from P1",
        "Ben": "Commit nothing; Burn P3",
        "Cid": "Commit 2 from P4; Commit 1 from P5",
        "Dan": "Commit 1 from P6",
    }
    closed = close(state, told)
    assert share(closed, "Ben").burnt == (3, 2)
    gone = {out.player: out for out in closed.told(PlayerEliminated)}
    assert gone[2].cause == "no-green"
    assert gone[4].cause == "no-quarter"
    assert {"PR-9.11", "PR-9.12", "PR-9.13", "PR-9.16"} <= closed.rules(
        DragonAttacked
    ) | closed.rules(PlayerEliminated)
    # Two of four players... the Dragon wanted ceil(6 / 2) = 3 of six starters, or 4 of 6 provinces:
    # P2, P3, P4 (Cid), P6 (Dan) burn.
    assert closed.one(GameWon).how == "dragon"
    assert closed.one(GameWon).burnt == 4
    assert closed.state.stage == "over"


def test_the_burnt_are_chosen_by_the_player_and_wrong_entries_are_skipped() -> None:
    # Ben: 4 green, min.US 4, commits 2: two burn. Told: P5 (burnt already), P1 (Ann's), P4, P4
    # again; then the lowest green: P2.
    state = attack(
        "1 Ann 3, 2 Ben 2, 3 Ben 2, 4 Ben 1 II, 5 Ben 1 burnt, 6 Ben 0, 7 Cid 1",
        dpl=20,
        ranking=["Ann", "Ben", "Cid"],
        provinces=7,
    )
    closed = close(
        state,
        {
            "Ann": "Commit 1 from P1",
            "Ben": "Commit 2 from P3; Burn P5; Burn P1; Burn P4; Burn P4",
            "Cid": "Commit 1 from P7",
        },
    )
    assert share(closed, "Ben").minimum == 4
    assert share(closed, "Ben").burnt == (4, 2)
    assert (closed.land(2), closed.land(3), closed.land(4)) == ((None, 0), ("Ben", 0), (None, 0))
    assert closed.state.board[4].burnt
    assert closed.state.board[4].level == 0
    assert closed.land(5) == ("Ben", 1), "burnt before, still Ben's"
    assert closed.ranking == ["Ann", "Cid", "Ben"], "Ben drops; Cid met min.US"
    assert closed.one(RankingChanged).cause == "dropped"
    assert "PR-9.14" in closed.rules(DragonAttacked)


def test_several_dropped_keep_their_order_and_the_last_is_eliminated_instead() -> None:
    # Ben and Cid fall below Eve; Fay, already last, is eliminated: P6 burns first, her burnt P7
    # becomes ownerless.
    lands = "1 Ann 1, 2 Ben 1, 3 Ben 1, 4 Cid 1, 5 Cid 1, 6 Fay 1, 7 Fay 2 burnt, 8 Eve 1, 9 Fay 1, 10 Dan 1, 11 Dan 0, 12 Gil 1"
    state = attack(
        lands,
        dpl=30,
        ranking=["Ann", "Ben", "Dan", "Cid", "Eve", "Gil", "Fay"],
        provinces=14,
        options={"version": "grand"},
        starting_players=7,
    )
    told = {
        "Ann": "Commit 1 from P1",
        "Ben": "Commit 1 from P2",
        "Dan": "Commit 1 from P10; Burn P11",
        "Cid": "Commit 1 from P4; Burn P5",
        "Eve": "Commit 1 from P8",
        "Gil": "Commit 1 from P12",
        "Fay": "Commit 1 from P6",
    }
    closed = close(state, told)
    assert closed.ranking == ["Ann", "Eve", "Gil", "Ben", "Dan", "Cid"]
    out = closed.one(PlayerEliminated)
    assert (out.player, out.cause, out.lost, out.ownerless) == (4, "no-quarter", 100, (7, 9))
    assert closed.state.board[6].burnt, "the Wrath burns first"
    assert not closed.state.board[9].burnt
    assert closed.land(9) == (None, 0)
    assert closed.land(7) == (None, 0)
    assert share(closed, "Ben").burnt == (2,)
    assert "PR-3.8" in closed.rules(RankingChanged)


def test_the_grand_protector_below_min_us_loses_rank_and_money_but_no_province() -> None:
    state = attack("1 Ann 1, 2 Ben 1, 3 Cid 1", dpl=5, ranking=["Ann", "Ben", "Cid"])
    closed = close(
        state, {"Ann": "Commit nothing", "Ben": "Commit 1 from P2", "Cid": "Commit 1 from P3"}
    )
    assert closed.ranking == ["Ben", "Cid", "Ann"]
    assert closed.realm["Ann"] == 0
    assert closed.land(1) == ("Ann", 1)
    assert share(closed, "Ann").fate == "grand-protector-dropped"
    assert (share(closed, "Ann").realm_lost, share(closed, "Ann").burnt) == (100, ())


def test_who_controls_only_burnt_provinces_owes_nothing_and_gets_the_bonus_alone() -> None:
    # Ben: min.US 0; 3 committed: 2 VP and 90 $Realm, no reward, nothing lost. Above by 3, he is the
    # champion: 3 VP more.
    closed = close(
        attack("1 Ann 1, 2 Ben 3 burnt, 3 Cid 1", dpl=3, ranking=["Ann", "Ben", "Cid"]),
        {"Ann": "Commit 1 from P1", "Ben": "Commit 3 from P2"},
    )
    assert closed.land(2) == ("Ben", 3)
    assert closed.realm["Ben"] == 190
    assert closed.vp["Ben"] == 5
    assert "PR-9.15" in closed.rules(DragonAttacked)
    lost = close(
        attack("1 Ann 1, 2 Ben 3 burnt, 3 Cid 1", dpl=8, ranking=["Ann", "Cid", "Ben"]),
        {"Ann": "Commit 1 from P1", "Cid": "Commit 1 from P3"},
    )
    assert lost.ranking == ["Ann", "Cid", "Ben"], "the last met min.US 0"


def test_the_second_attack_of_an_after_burner_comes_with_what_the_first_left() -> None:
    won = close(attack(dpl=3, more=1), {"Ann": "Commit 2 from P1", "Ben": "Commit 2 from P2"})
    assert won.one(DragonCame).dpl == 1
    assert won.state.stage == "dragon"
    assert won.state.attack is not None
    assert won.state.attack.more == 0
    lost = close(
        attack(dpl=7, more=1),
        {name: f"Commit 1 from P{i}" for i, name in enumerate(("Ann", "Ben", "Cid", "Dan"), 1)},
    )
    assert lost.one(DragonCame).dpl == 4
    assert "PR-5.3" in lost.rules(DragonCame)


def test_a_first_attack_that_ends_the_game_cancels_the_second() -> None:
    closed = close(attack("1 Ann 1, 2 Ben 1", dpl=5, more=1), {"Ann": "Commit 1 from P1"})
    assert closed.one(GameWon).how == "dragon", (
        "one of two is half, and it goes before the last one standing"
    )
    assert "dragon-comes" not in closed.kinds
    assert closed.state.winners == ()


def test_after_a_victory_of_the_dragon_the_halved_power_is_not_checked_at_once() -> None:
    # P = 4, two gone before: threshold max(4, 4) = 4; DPL 9 halves to 5, still above: no attack
    # until the next card.
    state = attack(
        "1 Ann 3, 2 Ann 0, 3 Ben 3, 4 Ben 0",
        dpl=9,
        ranking=["Ann", "Ben"],
        starting_players=4,
        eliminated={"Xia": ["Ann"], "Yan": ["Ben"]},
        turn=2,
    )
    closed = close(state, {"Ann": "Commit 2 from P1", "Ben": "Commit 2 from P3"})
    assert closed.state.dpl == 5
    assert closed.state.stage == "orders"
    assert "PR-5.4" in closed.rules(DragonAttacked)


@each_row(
    ("dpl", "scale"),
    [
        (4, "Wyrmling"),
        (5, "Wurm"),
        (8, "Wurm"),
        (9, "Great Wurm"),
        (15, "Great Wurm"),
        (16, "Dragon"),
        (19, "Dragon"),
        (20, "Ancient Dragon"),
        (24, "Worldeater"),
    ],
)
def test_the_scale_of_the_dragon(dpl: int, scale: str) -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1", provinces=8)
    assert scale_of(state, dpl) == scale


def test_a_sacrifice_below_nothing_is_none() -> None:
    state = attack("1 Ann 2, 2 Ann 2, 3 Ben 2", dpl=1)
    outcome = PROTECTORS.adjudicate(
        state, {1: (Commit(2, 2, sacrifice=-5), Commit(2, 1))}, Chance(SEED)
    )
    assert [province.units for province in outcome.state.board] == [0, 0, 2, 2]
