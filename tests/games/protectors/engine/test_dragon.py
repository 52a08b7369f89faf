"""Dragon Attacks (section 9 of the rules). The ranking is in the order of the board unless told
otherwise.
"""

from typing import Any

import pytest

from engine.chance import Chance
from engine.protectors.events import (
    DragonAttacked,
    GameWon,
    OrderFailed,
    OrdersMissed,
    PlayerEliminated,
    RankingChanged,
    Share,
)
from engine.protectors.numbers import scale_of
from engine.protectors.orders import Commit
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
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


@pytest.mark.parametrize(
    "order", ["Commit 1 from P2", "Commit 1 from P9", "Commit 0 from P1", "Commit 1 from P4"]
)
def test_units_that_are_not_there_or_not_ones_own_are_not_committed(order: str) -> None:
    closed = close(attack("1 Ann 1, 2 Ben 1, 3 Ben 0, 4 Ann 0", dpl=1), {"Ann": order})
    assert share(closed, "Ann").pledges == ()
    assert [miss.player for miss in closed.told(OrdersMissed)] == [2]


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
