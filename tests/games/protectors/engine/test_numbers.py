"""The small formulas of the rules, read off a position."""

from engine.protectors import numbers
from tests.games.protectors.engine.tabletop import position


def test_land_neighbours_and_what_lies_two_away() -> None:
    state = position("1 Ann 1, 2 Ben 1, 5 Cid 1")
    assert numbers.neighbours(state)[1] == (2, 5)
    assert numbers.reach_of_two(state.land)[1] == (3, 4)
    assert numbers.support_targets(state, 1, golden=False) == (2, 5)
    assert numbers.support_targets(state, 1, golden=True) == (2, 3, 4, 5)
    assert numbers.march_targets(state, 1) == (2, 5)
    assert numbers.hours_of("orders") == 72


def test_flood_cuts_all_borders_and_the_sea_cards_open_all_shores() -> None:
    wet = position("1 Ann 1, 2 Ben 1, 5 Cid 1", in_play=["Flood!"])
    assert numbers.march_targets(wet, 1) == ()
    assert numbers.support_targets(wet, 1, golden=True) == ()
    ferried = position("1 Ann 1, 2 Ben 1, 5 Cid 1", in_play=["Flood!", "Ferry!"])
    assert numbers.march_targets(ferried, 1) == (2, 3, 4, 5)
    assert numbers.pays_ferry(ferried, 1, 2)
    dry = position("1 Ann 1, 2 Ben 1, 5 Cid 1", in_play=["Ferry!"])
    assert (numbers.pays_ferry(dry, 1, 2), numbers.pays_ferry(dry, 1, 3)) == (False, True)
    free = position("1 Ann 1, 2 Ben 1, 5 Cid 1", in_play=["Ferry!"], locked=["Seafarers!"])
    assert not numbers.pays_ferry(free, 1, 3)


def test_the_island_is_a_shore_where_it_is_played_with() -> None:
    state = position("0 Ann 1, 1 Ann 1, 2 Ben 1", in_play=["Seafarers!"], options={"island": True})
    assert numbers.march_targets(state, 1) == (0, 2)
    assert numbers.supply_limit(state, 0) == 1
    assert numbers.points_of(state, 0) == 3
    assert numbers.units_of(state, 1) == 2
    assert numbers.provinces_of(state, 1) == (1,)


def test_the_threshold_of_a_normal_game_never_falls_below_its_provinces() -> None:
    out = {"Xia": "dragon", "Yan": "dragon", "Zoe": "dragon"}
    assert numbers.threshold(position("1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1")) == 8
    assert (
        numbers.threshold(
            position("1 Ann 1, 2 Ben 1, 5 Cid 0", eliminated=out, starting_players=6, provinces=6)
        )
        == 6
    )
    grand = position(
        "1 Ann 1, 2 Ben 1",
        eliminated=out,
        starting_players=6,
        provinces=12,
        options={"version": "grand"},
    )
    assert numbers.threshold(grand) == 16, "the one who never appears counts as eliminated"
    assert numbers.threshold_at(provinces=4, starting=8, eliminated=5, now=0, floored=False) == 1
    assert numbers.threshold_at(provinces=7, starting=7, eliminated=2, now=2, floored=True) == 1, (
        "14 - 2 * 7, never below 1"
    )


def test_hoards_and_their_steps() -> None:
    assert [numbers.tier_of(purse) for purse in (0, 249, 250, 349, 350)] == [0, 0, 250, 250, 350]
    assert [numbers.step_of(0, provinces) for provinces in (2, 13, 14, 26, 27, 39, 40, 52)] == [
        *(1, 1, 2, 2, 3, 3, 4, 4),
    ]
    rich = position("1 Ann 1, 2 Ben 1", purses={"Ann": 300}, eliminated={"Cid": "Ann"})
    assert numbers.hoard_tier(rich) == 250


def test_rewards_and_bonuses() -> None:
    assert [numbers.reward_of(green) for green in (0, 1, 2, 3)] == [0, 100, 150, 200]
    # u, m: below twice nothing; twice: 1 VP and 15 each above; three times: 2 VP and 30 each.
    told = {
        (1, 1): (0, 0),
        (2, 1): (1, 15),
        (3, 1): (2, 60),
        (3, 2): (0, 0),
        (4, 2): (1, 30),
        (6, 2): (2, 120),
        (1, 0): (0, 0),
        (2, 0): (1, 30),
        (3, 0): (2, 90),
    }
    assert {(u, m): numbers.bonus_of(u, m) for u, m in told} == told


def test_min_us_counts_green_provinces_and_doubles_for_the_worldeater() -> None:
    state = position("1 Ann 1, 2 Ann 0, 3 Ann 0 burnt, 4 Ben 1")
    assert [numbers.minimum(state, 1, dpl) for dpl in (11, 12)] == [2, 4]
    assert numbers.green_provinces(state, 1) == (1, 2)


def test_levels_give_rights_and_limits() -> None:
    state = position(
        "1 Ann 1 III, 2 Ann 1 II golden-work, 3 Ann 1 I golden-work, 4 Ann 1 burnt golden-work, 5 Ben 1 II golden-work",
        phase="consolidation",
    )
    assert numbers.capitols(state, 1) == (1,)
    assert numbers.upgradable(state, 1) == (3,), "no second level 3, no burnt one"
    assert numbers.upgradable(state, 2) == (5,)
    assert [numbers.points_of(state, i) for i in (1, 2, 3, 4)] == [6, 4, 3, 2]
    crabs = position("1 Ann 1, 2 Ben 1", in_play=["Crab Infestation!"])
    assert numbers.supply_limit(crabs, 1) == 2
