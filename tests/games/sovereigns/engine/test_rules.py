"""What rules say that no single case shows; and that no rule is without a test."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ACTIONS, COSTS, effects_of, is_code, plan_of
from engine.sovereigns.events import Term
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.rolls import Stock, draw
from engine.sovereigns.seasons.year import support_of
from engine.sovereigns.state import SEASONS
from engine.sovereigns.table import Table
from tests.games.sovereigns.engine.playing import SEED, new_game, play, table

HERE = Path(__file__).parent
COUNTS = {0: 4, 1: 9, 2: 7, 3: 21, 4: 10, 5: 13, 6: 20, 7: 14, 8: 6, 9: 5, 10: 8, 11: 9, 12: 12}
"""How many rules each section of the rules has."""
ELSEWHERE = {
    "SS-2.5": "talk is the house's",
    "SS-5.13": "a promise is words",
    "SS-8.2": "asking back is the reader's",
    "SS-8.6": "which words mean a catalogue action is the reader's",
    "SS-12.10": "reading missing points is the reader's",
    "SS-12.12": "buttons are the channels'",
}
"""Rules that the engine has no part in."""
RULES = {f"SS-{section}.{n}" for section, count in COUNTS.items() for n in range(1, count + 1)}


def test_every_rule_is_named_by_a_test_or_a_case() -> None:
    named = {
        rule
        for file in [*HERE.glob("*.py"), *(HERE.parent / "cases").glob("*.yaml")]
        for rule in re.findall(r"SS-\d+\.\d+", file.read_text())
    }
    ranges = re.findall(
        r"SS-(\d+)\.(\d+) to SS-\1\.(\d+)", "".join(file.read_text() for file in HERE.glob("*.py"))
    )
    named |= {
        f"SS-{section}.{n}"
        for section, first, last in ranges
        for n in range(int(first), int(last) + 1)
    }
    assert sum(COUNTS.values()) == 138
    assert sorted(RULES - named - set(ELSEWHERE)) == []
    assert named - {"SS-13.0"} <= RULES


def test_every_rule_told_by_the_engine_is_one_of_the_rules() -> None:
    source = Path(__file__).parents[4] / "engine" / "sovereigns"
    told = {
        rule
        for file in source.glob("*.py")
        for rule in re.findall(r"SS-\d+\.\d+", file.read_text())
    }
    assert told <= {*RULES, "SS-13.0"}


def test_the_data_are_those_of_the_rules() -> None:
    """SS-2.1, SS-6.3, SS-7.1, SS-7.6, SS-7.7, SS-7.8."""
    assert SEASONS == ("Spring", "Summer", "Autumn", "Winter")
    assert len(ACTIONS) == 11
    assert "Attack" in ACTIONS
    assert [
        COSTS[f"BLD-{name}"] for name in ("HOSPITAL", "TEMPLE", "VAULT", "WALL", "CAMP", "WONDER")
    ] == [3, 3, 3, 3, 4, 5]
    assert all(is_code(f"STAT-ACT {action}") for action in ACTIONS)
    assert not any(
        map(
            is_code,
            (
                *("STAT-ACT Try", "BLD-WORKS", "ANA-CHEAP STAT-CALM", "ANA-DOUBLE STAT-CALM"),
                "ANA-DOUBLE STAT-CALM + BLD-WALL",
            ),
        )
    )
    assert effects_of("ANA-DOUBLE STAT-CALM + STAT-ROLL M") == ("STAT-CALM", "STAT-ROLL M")
    assert plan_of("ANA-CHEAP BLD-WORKS R", "BLD-WORKS R") == (3, True)
    assert plan_of("STAT-CALM", "BLD-WALL") is None


def test_the_chart() -> None:
    """SS-4.4: its rows from both ends; SS-4.1: everybody rolls in year 1 too."""
    ends = {
        16: "full-support",
        40: "full-support",
        15: "support",
        13: "support",
        12: "indifference",
        9: "indifference",
        8: "protest",
        6: "protest",
        5: "strike",
        3: "strike",
        2: "rebellion",
        1: "rebellion",
        0: "coup",
    }
    assert {total: support_of(total) for total in ends} == ends
    begun = SOVEREIGNS.adjudicate(new_game(3), {}, Chance(SEED)).state
    rolled = SOVEREIGNS.adjudicate(begun, {}, Chance(SEED))
    assert sum(event.kind == "support" for event in rolled.events) == 3


@given(
    st.integers(0, 5),
    st.integers(0, 4),
    st.integers(0, 4),
    st.integers(0, 7),
    st.integers(-30, 30),
    st.binary(min_size=1, max_size=8),
)
def test_dice_lost_are_ordinary_then_bonus_then_depletion(
    points: int, more: int, depleted: int, less: int, flat: int, seed: bytes
) -> None:
    """SS-0.1, SS-0.2, SS-3.5, SS-3.6, SS-3.20."""
    terms = (Term("a", more, die=True), Term("b", -less, die=True), Term("c", flat))
    stream = Chance(seed)
    rolled = draw(Table(table({"A": {}, "B": {}}), stream), terms, points, depleted, "x", Stock())
    assert len(rolled.dice) == max(0, points + more + depleted - less) == len(stream.draws)
    assert len(rolled.ordinary) == max(0, points - less)
    assert len(rolled.bonus) == max(0, more - max(0, less - points))
    assert rolled.total == max(0, sum(rolled.dice) + flat)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_recorded_dice_are_taken_first(kept: int, points: int, more: int) -> None:
    """SS-10.6: each sort from its own row."""
    stock = Stock(list(range(1, 1 + kept)), [6] * kept)
    stream = Chance(SEED)
    rolled = draw(
        Table(table({"A": {}, "B": {}}), stream),
        (Term("a", more, die=True),),
        points,
        0,
        "x",
        stock,
    )
    assert rolled.ordinary[:kept] == tuple(range(1, 1 + min(kept, points)))
    assert len(stream.draws) == max(0, points - kept) + max(0, more - kept)
    assert len(stock.ordinary) == max(0, kept - points)


def test_every_roll_is_published_with_its_arithmetic_and_every_draw_with_its_action() -> None:
    """SS-0.4, SS-3.1, SS-3.3, SS-3.7."""
    game = play({"A": {"support": "support"}, "B": {}}, [3, 4])
    game.say("A", "Research: 2R")
    assert game.state.kingdom(1).ex.R == 0
    game.close()
    (facts,) = [told for told in game.facts() if told["kind"] == "action"]
    assert (facts["total"], facts["difficulty"], facts["margin"], facts["dice"]) == (
        8,
        7,
        1,
        [3, 4],
    )
    assert facts["terms"] == [{"source": "support", "amount": 1, "die": False}]
    assert {draw.label for draw in game.chance.draws} == {"action 1: Research"}


def test_defences_and_the_year_start_do_not_use_the_action_up() -> None:
    """SS-2.4, SS-3.13, SS-3.15: a defender rolls all free points, expends none, and acts in the
    same season.
    """
    game = play({"A": {"M": 1}, "B": {"M": 2, "R": 3, "ex": {"R": 2}}}, [["A", "B"], 1, 6, 6, 6, 6])
    game.say("A", "Attack B: 1M")
    game.say("B", "Expedition: all M")
    game.close()
    assert [told.get("defence") for told in game.facts() if told["kind"] == "action"] == [
        [6, 6],
        [],
    ]
    assert game.state.kingdom(2).ex.M == 2


def test_totals_have_no_upper_limit_and_points_gained_are_usable_at_once() -> None:
    """SS-1.5, SS-1.7."""
    game = play({"A": {"R": 40, "M": 12}, "B": {}}, [6] * 12)
    game.say("A", "Expedition: all M")
    game.close()
    assert game.state.kingdom(1).total.R == 42
    assert game.state.kingdom(1).free("R") == 42


def test_the_neutral_party_is_who_gives_the_verdict_to_the_engine() -> None:
    """SS-10.2, SS-8.3: only the game master's acts are verdicts and rulings."""
    state = table({"A": {}, "B": {}})
    for told in ({"act": "verdict", "objection": 1, "upheld": True}, {"act": "rule", "player": 1}):
        for actor in (1, 2):
            try:
                SOVEREIGNS.act(state, actor, told, Chance(SEED))
            except ValueError as refused:
                assert "no such act" in str(refused)  # noqa: PT017 - both actors are asked
            else:
                raise AssertionError


def test_vague_discoveries_stay_open() -> None:
    """SS-7.5: a code off the lists is refused, and the discovery waits on without a new roll."""
    state = table({"A": {"discoveries": [{}]}, "B": {}})
    checked = SOVEREIGNS.check(state, 1, Standing(), [o.Propose(o.Proposal("boats", "SOMETHING"))])
    assert [problem.code for problem in checked.problems] == ["no-code"]
    good = SOVEREIGNS.act_of(o.Propose(o.Proposal("boats", "STAT-ACT Expedition")))
    assert good is not None
    assert SOVEREIGNS.act(state, 1, good, Chance(SEED)).state.kingdom(1).discoveries[0].left == 24


def test_only_some_kinds_of_orders_are_points_of_trade() -> None:
    """SS-2.6: trades, constructions and fear take no roll."""
    game = play({"A": {"R": 3, "tech": ["x"]}, "B": {}}, technologies={"x": "BLD-WALL"})
    game.say("A", "Build BLD-WALL")
    game.say("B", "Offer A: 1M permanent against nothing")
    game.say("A", "Accept offer 1")
    game.close()
    assert game.chance.draws == []
    assert game.state.kingdom(1).has_building("BLD-WALL")


def test_a_claim_of_the_new_year_stands_beside_that_of_the_old_one() -> None:
    """SS-11.5: each has its own votes, a vote is on the older one, and a fall ends both."""
    game = play(
        {"A": {"H": 0}, "B": {}, "C": {}},
        phase="year-start",
        year=2,
        ballots=[{"claimant": "A", "ayes": ["B"], "left": 9}],
    )
    game.say("A", "Claim victory")
    assert game.problems == {}
    game.say("B", "Vote yes on A")
    assert [ballot.ayes for ballot in game.state.ballots] == [(2,), ()]
    assert [ballot.left for ballot in game.state.ballots] == [9, 48]
    game.clock(9)
    assert [ballot.left for ballot in game.state.ballots] == [39]
    game.say("C", "Vote yes on A")
    assert [ballot.ayes for ballot in game.state.ballots] == [(3,)]
    game = play(
        {"A": {"H": 0}, "B": {}, "C": {}},
        phase="year-start",
        ballots=[{"claimant": "A", "ayes": [], "left": left} for left in (40, 48)],
    )
    game.say("A", "Rule by Fear, sure")
    game.close()
    assert [event.kind for event in game.events].count("ballot-closed") == 2
    assert game.state.ballots == ()
