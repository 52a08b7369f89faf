"""Who came in where, who won, and what the prize comes to (PR-14.1 to PR-14.4, PR-13.3)."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import DRAGON, State
from engine.ruleset import Placing, Seat
from tests.games.protectors.engine.tabletop import SEED, Closed, close, position
from tests.games.protectors.engine.test_ending import close_last, strike


def fallen(state: State, **turns: int) -> State:
    """The same position, with the turns in which some have fallen."""
    players = [
        replace(seat, fell_in=turns[seat.name]) if seat.name in turns else seat
        for seat in state.players
    ]
    return replace(state, players=tuple(players))


def in_teams(state: State, **teams: str) -> State:
    players = [replace(seat, team=teams[seat.name]) for seat in state.players]
    return replace(
        state,
        players=tuple(players),
        options=replace(state.options, teams=len(set(teams.values()))),
    )


def places(state: State) -> dict[str, tuple[int, bool, int, str]]:
    """Place, victory, prize and how, by name."""
    return {
        state.players[p.player - 1].name: (p.place, p.won, p.prize, p.how)
        for p in PROTECTORS.placings(state)
    }


def test_times_up_places_all_who_stand_in_the_order_of_their_scores_and_the_fallen_behind_them() -> (
    None
):
    # Ann 1 + 6 = 7 points, Ben 2 + 1 = 3, Cid 1; Dan fell in turn 7, Eve in turn 4, Fay in turn 7
    # as well.
    state = position(
        "1 Ann 1 III, 2 Ben 1, 3 Cid 1",
        provinces=8,
        turn=11,
        phase="consolidation",
        tokens={"Ben": 2},
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Ferry!", "Time's Up!"],
        eliminated={"Dan": "Ann", "Eve": "Ben", "Fay": "Ann"},
    )
    closed = close(fallen(state, Dan=7, Eve=4, Fay=7))
    assert places(closed.state) == {
        "Ann": (1, True, 2500, "times-up"),
        "Ben": (2, False, 0, "times-up"),
        "Cid": (3, False, 0, "times-up"),
        "Dan": (4, False, 0, "eliminated"),
        "Fay": (4, False, 0, "eliminated"),
        "Eve": (6, False, 0, "eliminated"),
    }


def test_the_last_one_standing_wins_and_whoever_fell_last_is_second() -> None:
    state = fallen(
        position("1 Ann 1, 2 Ben 1", provinces=6, eliminated={"Dan": "Ann", "Eve": "Ann"}),
        Dan=2,
        Eve=1,
    )
    assert places(strike(state, 2).state) == {
        "Ann": (1, True, 2500, "last-standing"),
        "Ben": (2, False, 0, "eliminated"),
        "Dan": (3, False, 0, "eliminated"),
        "Eve": (4, False, 0, "eliminated"),
    }


def test_after_the_dragons_victory_nobody_has_won_and_the_first_place_is_the_dragons() -> None:
    state = position(
        "1 Ann 1, 2 Ben 1, 3 Cid 1 III", provinces=5, eliminated={"Xia": "dragon", "Yan": "dragon"}
    )
    over = strike(fallen(state, Xia=1, Yan=2), 2).state
    assert over.ended_by == "dragon"
    assert places(over) == {
        "Ann": (2, False, 0, "dragon"),
        "Cid": (2, False, 0, "dragon"),
        "Ben": (4, False, 0, "eliminated"),
        "Yan": (5, False, 0, "eliminated"),
        "Xia": (6, False, 0, "eliminated"),
    }
    assert {placing.beside for placing in PROTECTORS.placings(over)} == {1}, (
        "sixth of six, the Dragon counted"
    )


def test_a_team_wins_as_a_whole_and_shares_the_one_prize_in_equal_parts_rounded_down() -> None:
    # A: Ann and Eve (fallen), and Bob, 1 point each; B: Cid 6, Dan 1, Fay 1 points. 2500 / 3 is 833
    # and one left over.
    state = position(
        "1 Ann 1, 2 Bob 1, 3 Cid 1 III, 4 Dan 1, 5 Fay 1",
        provinces=6,
        turn=11,
        phase="consolidation",
        in_play=["Calms of Summer", "The Misty Mountains Cold", "Ferry!", "Time's Up!"],
        eliminated={"Eve": "Cid"},
    )
    closed = close(
        in_teams(fallen(state, Eve=3), Ann="A", Bob="A", Eve="A", Cid="B", Dan="B", Fay="B")
    )
    assert places(closed.state) == {
        "Cid": (1, True, 833, "times-up"),
        "Dan": (1, True, 833, "times-up"),
        "Fay": (1, True, 833, "times-up"),
        "Ann": (4, False, 0, "times-up"),
        "Bob": (4, False, 0, "times-up"),
        "Eve": (4, False, 0, "eliminated"),
    }


def test_the_last_team_standing_wins_with_its_fallen_and_a_team_falls_with_its_last() -> None:
    # A stands by Ann alone; of B Ben falls now, in turn 3; C was out with its last in turn 2.
    state = position(
        "1 Ann 1, 2 Ben 1",
        provinces=12,
        eliminated=dict.fromkeys(("Cid", "Dan", "Eve", "Fay"), "Ann"),
    )
    teams = {"Ann": "A", "Cid": "A", "Ben": "B", "Dan": "B", "Eve": "C", "Fay": "C"}
    over = strike(in_teams(fallen(state, Cid=1, Dan=1, Eve=2, Fay=1), **teams), 2).state
    found = places(over)
    assert found["Ann"] == (1, True, 1250, "last-standing")
    assert found["Cid"] == (1, True, 1250, "eliminated")
    assert {name: found[name][0] for name in ("Ben", "Dan", "Eve", "Fay")} == {
        "Ben": 3,
        "Dan": 3,
        "Eve": 5,
        "Fay": 5,
    }


def test_a_player_who_fell_in_no_known_turn_is_behind_all_others() -> None:
    over = strike(position("1 Ann 1, 2 Ben 1", provinces=6, eliminated={"Dan": "Ann"}), 2).state
    assert places(over)["Dan"] == (3, False, 0, "eliminated")


def test_where_nobody_is_left_the_dragon_alone_is_first() -> None:
    state = position("1 Ann 1, 2 Ben 1", provinces=2)
    players = tuple(replace(seat, fell_to=(DRAGON,), fell_in=3) for seat in state.players)
    over = replace(state, players=players, ranking=(), stage="over", ended_by="dragon")
    assert [placing.place for placing in PROTECTORS.placings(over)] == [2, 2]


def test_a_game_that_goes_on_has_no_placings() -> None:
    with pytest.raises(ValueError, match="not over"):
        PROTECTORS.placings(position("1 Ann 1, 2 Ben 1"))


def test_a_tie_on_points_falls_to_units_money_and_rank() -> None:
    closed: Closed = close_last(
        "1 Ann 1, 2 Ben 1, 3 Cid 2", ranking=["Ben", "Ann", "Cid"], purses={"Ann": 100, "Ben": 100}
    )
    assert [(placing.player, placing.place) for placing in PROTECTORS.placings(closed.state)] == [
        (1, 3),
        (2, 2),
        (3, 1),
    ]


@pytest.mark.parametrize("options", [{}, {"teams": 2}])
def test_places_are_counted_over_players_and_at_most_one_prize_is_paid(
    options: dict[str, Any],
) -> None:
    """A whole game that nobody writes in."""
    told = (("Ann", "red"), ("Ben", "blue"), ("Cid", "green"), ("Dan", "yellow"))
    seats = [Seat(number, name, colour) for number, (name, colour) in enumerate(told, start=1)]
    chance = Chance(SEED)
    state = PROTECTORS.setup(options, seats, chance).state
    while (over := PROTECTORS.phase(state).over) is None:
        state = PROTECTORS.adjudicate(state, {}, chance).state
    found: tuple[Placing, ...] = PROTECTORS.placings(state)
    assert [placing.player for placing in found] == [1, 2, 3, 4]
    taken = sorted(placing.place for placing in found)
    first = 1 if over.winners else 2
    assert all(place == first + sum(other < place for other in taken) for place in taken)
    assert sum(placing.prize for placing in found) in (0, 2500)
    assert tuple(placing.player for placing in found if placing.won) == over.winners


def agree(state: State, *winners: int) -> State:
    return PROTECTORS.act(
        state, "gm", {"act": "agree", "winners": list(winners)}, Chance(SEED)
    ).state


def test_a_drawn_game_has_no_winner_and_those_who_stand_share_the_first_place() -> None:
    state = fallen(position("1 Ann 1 III, 2 Ben 1", provinces=6, eliminated={"Dan": "Ann"}), Dan=2)
    over = agree(state)
    assert PROTECTORS.phase(over).over is not None
    assert places(over) == {
        "Ann": (1, False, 0, "draw"),
        "Ben": (1, False, 0, "draw"),
        "Dan": (3, False, 0, "eliminated"),
    }
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(over)) == over


def test_a_conceded_game_is_won_by_one_with_the_team_and_without_a_prize() -> None:
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1", provinces=8)
    alone = agree(state, 2)
    assert places(alone) == {
        "Ann": (2, False, 0, "conceded"),
        "Ben": (1, True, 0, "conceded"),
        "Cid": (2, False, 0, "conceded"),
        "Dan": (2, False, 0, "conceded"),
    }
    together = agree(in_teams(state, Ann="A", Ben="B", Cid="A", Dan="B"), 2)
    assert together.winners == (2, 4)
    assert {name: place for name, (place, *_) in places(together).items()} == {
        "Ann": 3,
        "Ben": 1,
        "Cid": 3,
        "Dan": 1,
    }


@pytest.mark.parametrize("winners", [[5], [1, 2], [True], ["Ann"]])
def test_an_agreement_names_nobody_or_one_who_is_in_the_game(winners: list[object]) -> None:
    state = position("1 Ann 1, 2 Ben 1", provinces=6, eliminated={"Dan": "Ann"})
    with pytest.raises(ValueError, match="neither nobody nor one"):
        PROTECTORS.act(state, "gm", {"act": "agree", "winners": winners}, Chance(SEED))
    with pytest.raises(ValueError, match="only the game master"):
        PROTECTORS.act(state, 1, {"act": "agree", "winners": []}, Chance(SEED))
