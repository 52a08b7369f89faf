"""The end of a game (section 14), strikes (PR-1.11) and the flow from stage to stage (section
2).
"""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.events import (
    GameWon,
    PlayerEliminated,
    RankingChanged,
    WindowOpened,
)
from engine.protectors.orders import Fortify, Support
from engine.protectors.phases.dragon import close_answers
from engine.protectors.phases.ending import scores
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Province, State
from engine.protectors.table import Table
from engine.protectors.view_of import view_of
from engine.ruleset import Over, Standing
from tests.games.protectors.engine.tabletop import SEED, Closed, close, position
from tests.rows import each_row

TIME = ["Calms of Summer", "The Misty Mountains Cold", "Ferry!", "Time's Up!"]


def strike(state: State, player: object, *, actor: object = "gm", **told: Any) -> Closed:
    act = {"act": "strike", "player": player} | told
    # wrong actors are tried too
    outcome = PROTECTORS.act(state, actor, act, Chance(SEED))  # type: ignore[arg-type]
    return Closed(outcome.state, outcome.events)


def close_last(lands: str, **told: Any) -> Closed:
    state = position(lands, turn=11, phase="consolidation", in_play=TIME, **told)
    return close(
        state, {player.name: "Buy 1 in P99" for player in state.players if player.is_active}
    )


def test_times_up_counts_tokens_and_levels_burnt_ones_as_level_0() -> None:
    # Ann 1 + 2 (burnt) + 6 (III) = 9; Ben 0 + 3 (I) + 4 (II) = 7 and 2 tokens: 9. Ann has 2 units,
    # Ben 3.
    closed = close_last(
        "1 Ann 1 burnt, 2 Ann 1 III, 3 Ben 2 I, 4 Ben 1 II", tokens={"Ann": 1, "Ben": 2}
    )
    won = closed.one(GameWon)
    assert [row[:6] for row in won.scores] == [(2, 2, 7, 0, 9, 3), (1, 1, 8, 0, 9, 2)]
    assert won.winners == (2,)
    assert closed.rules(GameWon) == {"PR-4.21", "PR-14.3", "PR-14.4"}


@pytest.mark.parametrize(
    ("purses", "ranking", "winner", "by_rank"),
    [
        ({"Ben": 101}, ["Ann", "Ben"], 2, False),
        ({}, ["Ben", "Ann"], 2, True),
        ({}, ["Ann", "Ben"], 1, True),
    ],
)
def test_level_on_units_the_purse_and_then_the_rank_decide(
    purses: dict[str, int], ranking: list[str], winner: int, by_rank: bool
) -> None:
    closed = close_last("1 Ann 1, 2 Ben 1", purses=purses, ranking=ranking)
    assert closed.one(GameWon).winners == (winner,)
    assert ("PR-3.11" in closed.rules(GameWon)) == by_rank


@pytest.mark.parametrize(
    ("provinces", "burnt", "over"), [(7, 4, False), (7, 5, True), (14, 9, False), (14, 10, True)]
)
def test_the_dragon_wins_when_two_thirds_burn(provinces: int, burnt: int, over: bool) -> None:
    # 66 % of 7 is 4.62: 5; of 14 it is 9.24: 10. Cid's P4 and those from P5 on are burnt; Ben, 1
    # short, loses P2 and keeps P3.
    lands = [
        *("1 Ann 1", "2 Ben 1", "3 Ben 0", "4 Cid 1 burnt"),
        *(f"{i} - 0 burnt" for i in range(5, 3 + burnt)),
    ]
    state = position(
        ", ".join(lands),
        phase="dragon",
        provinces=provinces,
        starting_players=7,
        options={"version": "normal" if provinces == 7 else "grand"},
        attack={"during": "reveal", "dpl": 9},
        in_play=["Calms of Summer", "The Misty Mountains Cold"],
    )
    closed = close(
        state, {"Ann": "Commit 1 from P1", "Ben": "Commit 1 from P2", "Cid": "Commit nothing"}
    )
    assert sum(province.burnt for province in closed.state.board) == burnt
    assert (closed.state.stage == "over") == over
    if over:
        won = closed.one(GameWon)
        assert (won.how, won.winners, won.prize, won.burnt) == ("dragon", (), 0, burnt)
        assert closed.rules(GameWon) == {"PR-14.2"}
        assert PROTECTORS.phase(closed.state).over == Over((), "dragon")


# ------------------------------------------------------------------------------------------ strikes
def test_a_strike_eliminates_at_once_and_does_not_wake_the_dragon() -> None:
    state = position(
        "1 Ann 1, 2 Ben 2, 3 Ben 0 burnt, 4 Cid 1, 5 Dan 1",
        dpl=99,
        ranking=["Ben", "Ann", "Cid", "Dan"],
        purses={"Ben": 77},
    )
    closed = strike(state, 2)
    assert closed.one(PlayerEliminated) == PlayerEliminated(2, (0,), "strike", (), 77, (2, 3))
    assert closed.rules(PlayerEliminated) == {"PR-1.11"}
    assert closed.rules(RankingChanged) == {"PR-1.11", "PR-3.7", "PR-3.8"}
    assert closed.state.stage == "orders"
    assert closed.ranking == ["Ann", "Cid", "Dan"]
    assert (closed.land(2), closed.land(3)) == ((None, 0), (None, 0))
    after = close(
        closed.state,
        {
            "Ben": "March! 1 from P2 to P1",
            "Ann": "Send 5 to Ben; Hold P1",
            "Cid": "Support! Ben in P5 from P4",
            "Dan": "Hold P5",
        },
    )
    assert after.land(1) == ("Ann", 1), "orders of the eliminated are not carried out"


def test_whoever_has_given_up_can_be_taken_out_of_the_game_and_nobody_gets_anything() -> None:
    state = position(
        "1 Ann 1, 2 Ben 2, 3 Ben 0 burnt, 4 Cid 1, 5 Dan 1",
        dpl=99,
        ranking=["Ben", "Ann", "Cid", "Dan"],
        purses={"Ben": 77},
    )
    outcome = PROTECTORS.act(state, "gm", {"act": "remove", "player": 2}, Chance(SEED))
    closed = Closed(outcome.state, outcome.events)
    assert closed.one(PlayerEliminated) == PlayerEliminated(2, (), "resigned", (), 77, (2, 3))
    assert (closed.state.stage, closed.ranking) == ("orders", ["Ann", "Cid", "Dan"])
    assert not closed.state.players[1].is_active
    twice = PROTECTORS.act(closed.state, "gm", {"act": "remove", "player": 3}, Chance(SEED))
    assert twice.state.stage == "orders", (
        "half of the players are out, and none of them by the Dragon"
    )
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(twice.state)) == twice.state
    last = PROTECTORS.act(twice.state, "gm", {"act": "remove", "player": 4}, Chance(SEED))
    assert Closed(last.state, last.events).one(GameWon).how == "last-standing"


def test_a_strike_may_leave_one_player_or_a_tie_that_is_none() -> None:
    assert (
        strike(
            position(
                "1 Ann 1, 2 Ben 1, 3 Cid 0",
                eliminated={"Dan": "Ann", "Eve": "Ann"},
                provinces=5,
                ranking=["Ann", "Ben", "Cid"],
            ),
            3,
        ).state.stage
        == "orders"
    )
    alone = strike(
        position("1 Ann 1, 2 Ben 1", provinces=4, eliminated={"Dan": "Ann", "Eve": "Ann"}), 2
    )
    assert alone.one(GameWon).how == "last-standing"
    tied = position(
        "1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1, 5 Eve 1",
        turn=1,
        phase="rebid",
        ties=[["Ann", "Ben"], ["Cid", "Dan"]],
    )
    one_left = strike(tied, 1)
    assert one_left.state.ties == ((3, 4),)
    assert PROTECTORS.phase(one_left.state).asked == (3, 4)
    none_left = strike(one_left.state, 4)
    assert none_left.state.stage == "orders"
    assert none_left.one(WindowOpened).phase == "orders"
    assert none_left.ranking == ["Ben", "Cid", "Eve"]


@each_row(
    ("player", "actor", "more"),
    [
        (9, "gm", {}),
        (4, "gm", {}),
        ("Ann", "gm", {}),
        (True, "gm", {}),
        (1, 2, {}),
        (1, "gm", {"act": "praise"}),
        (1, "gm", {"reason": "x"}),
    ],
)
def test_an_act_that_is_unknown_or_impossible_is_refused(
    player: object, actor: object, more: dict[str, object]
) -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1", provinces=4, eliminated={"Dan": "dragon"})
    with pytest.raises(ValueError):
        strike(state, player, actor=actor, **more)


def test_a_game_that_is_over_can_neither_be_closed_nor_acted_in() -> None:
    state = position("1 Ann 1, 2 Ben 1", phase="over", winner="Ann")
    assert PROTECTORS.phase(state).asked == ()
    assert PROTECTORS.phase(state).hours == 0
    with pytest.raises(ValueError):
        PROTECTORS.adjudicate(state, {}, Chance(SEED))
    with pytest.raises(ValueError):
        strike(state, 1)


def test_without_an_attack_there_is_nothing_to_fight() -> None:
    with pytest.raises(ValueError):
        close_answers(Table(position("1 Ann 1, 2 Ben 1"), Chance(SEED)), {})


def test_who_controls_nothing_at_all_falls_to_nobody() -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 0, 4 Dan 1", ranking=["Ann", "Ben", "Cid", "Dan"])
    state = replace(state, board=(*state.board[:3], Province(), state.board[4]))
    closed = close(state, {"Ann": "Hold P1", "Ben": "Hold P2", "Dan": "Hold P4"})
    assert closed.one(PlayerEliminated) == PlayerEliminated(3, (), "captured", (), 100)
    assert closed.state.players[2].fell_to == (3,)
    assert not closed.state.players[2].is_active


def test_windows_that_stay_open_do_not_speak_of_closing_early() -> None:
    state = position("1 Ann 1, 2 Ben 1", options={"early_close": False})
    phase = PROTECTORS.phase(state)
    assert (phase.kind, phase.turn, phase.hours, phase.early, phase.rules) == (
        *("orders", 3, 72, False),
        ("PR-2.2",),
    )
    assert PROTECTORS.active(state) == (1, 2)
    assert [row[4] for row in scores(state)] == [2, 2]


def test_a_game_shows_itself_and_its_orders_through_the_same_door() -> None:
    state = position("1 Ann 1, 2 Ben 1")
    assert PROTECTORS.format_order(state, Support(2, 2, 1)) == "Support! Ben in P2 from P1"
    assert PROTECTORS.view(state, None) == view_of(state, None)
    assert PROTECTORS.defaults(state, 1, Standing()) == (Fortify(1, golden=True),)


def test_f84_who_has_nothing_to_say_is_not_waited_for() -> None:
    """F-84 (PR-2.3): the orders window closes early without those who have no order to give."""
    state = position("1 Ann 0, 2 Ben 0", purses={"Ann": 0, "Ben": 10})
    assert [PROTECTORS.is_ready(state, player, Standing()) for player in (1, 2)] == [True, False]
    assert [PROTECTORS.lacking(state, player, Standing()) for player in (1, 2)] == [(), ("orders",)]


def test_f84_the_window_is_passed_over_when_the_last_who_had_an_order_has_left() -> None:
    """F-84 (PR-2.4, PR-1.11): Cid, who is struck, had the one unit; nobody else has anything."""
    state = position("1 Ann 0, 2 Ben 0, 3 Cid 1", purses={"Ann": 0, "Ben": 0, "Cid": 5})
    outcome = PROTECTORS.act(state, "gm", {"act": "strike", "player": 3}, Chance(b""))
    assert outcome.state.stage == "consolidation"
    rich = position("1 Ann 0, 2 Ben 0, 3 Cid 1", purses={"Ann": 0, "Ben": 7, "Cid": 5})
    outcome = PROTECTORS.act(rich, "gm", {"act": "strike", "player": 3}, Chance(b""))
    assert outcome.state.stage == "orders"
