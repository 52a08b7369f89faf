"""What a ruler may suppose: nothing is drawn, and nothing hidden counts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import NotSupposable, Supposed
from engine.sovereigns.events import ActionVoid, ChartTold, OddsTold
from engine.sovereigns.known import known_state
from engine.sovereigns.orders import OfferItem
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Loan, OpenBallot, OpenOffer, State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from tests.games.sovereigns.engine.playing import SEED, new_game, table

AB: dict[str, Any] = {"A": {"R": 5, "M": 4, "H": 2}, "B": {"R": 2, "M": 4, "H": 3}}
CARE = {"technologies": {"care": "BLD-HOSPITAL", "tents": "BLD-CAMP"}}


def suppose(state: State, *texts: str, player: int = 1) -> Supposed[State]:
    orders = {player: tuple(parse_order(state, text) for text in texts)}
    return SOVEREIGNS.suppose(state, player, orders)


def kinds(supposed: Supposed[State]) -> list[str]:
    return [event.kind for event in supposed.events]


def test_the_chances_of_an_action_are_told() -> None:
    """SS-3.2, SS-3.13: by the number, or by what the target may have free."""
    supposed = suppose(table(AB), "Research: 2R")
    told = supposed.events[0].facts
    assert isinstance(told, OddsTold)
    assert (told.difficulty, told.success, told.failure) == (7, (583,), (417,))
    assert supposed.events[0].audience == (1,)
    assert [hang.code for hang in supposed.hangs] == ["others-act-too"]
    supposed = suppose(table(AB), "Attack B: 3M")
    told = supposed.events[0].facts
    assert isinstance(told, OddsTold)
    assert (told.free, told.defence) == ((0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
    assert told.great[0] + told.success[0] == 1000
    assert [hang.code for hang in supposed.hangs] == ["hidden-points", "others-act-too"]
    assert "SS-6.3" in supposed.events[0].rules


def test_constructions_and_camp_are_done_before() -> None:
    """SS-7.10, SF-7: they draw nothing, so they are done; the action has what is left."""
    mine = {"R": 6, "M": 3, "H": 2, "ex": {"M": 3}, "tech": ["care", "tents"], "bld": ["BLD-CAMP"]}
    state = table({**AB, "A": mine}, **CARE)
    supposed = suppose(state, "Build BLD-HOSPITAL", "Camp", "Attack B: all M")
    assert kinds(supposed) == ["built", "camp", "odds"]
    told = supposed.events[2].facts
    assert isinstance(told, OddsTold)
    assert told.points == 1
    kingdom = supposed.state.kingdom(1)
    assert (kingdom.ex.R, kingdom.ex.M, kingdom.has_building("BLD-HOSPITAL")) == (5, 2, True)
    void = suppose(state, "Build BLD-HOSPITAL", "Camp", "Increase M: 2R if B has fallen")
    told = void.events[2].facts
    assert isinstance(told, ActionVoid)
    assert told.reason == "condition"


def test_without_an_action_the_standing_one_or_none() -> None:
    """SS-12.3, SF-7."""
    assert kinds(suppose(table(AB))) == []
    standing = {**AB["A"], "standing": {"season": "Research: 1R"}}
    assert kinds(suppose(table({**AB, "A": standing}))) == ["odds"]
    assert kinds(suppose(table({**AB, "A": standing}), "Pass")) == []


def test_a_year_start_by_its_chart() -> None:
    """SS-4.4, SS-12.2: what is not answered is all Harmony; fear draws nothing, so it is done."""
    state = table({**AB, "A": {"R": 3, "M": 3, "H": 3}}, phase="year-start")
    told = suppose(state).events[0].facts
    assert isinstance(told, ChartTold)
    assert told.points == 3
    assert told.rows == (46, 213, 481, 213, 46, 0, 0)
    supposed = suppose(state, "Rule by Fear")
    assert kinds(supposed) == ["fear", "lost"]
    assert supposed.state.kingdom(1).total.H == 2
    winter = suppose(table(AB, season="Winter"), "Research: 1R", "Harmony: 2H")
    assert kinds(winter) == ["odds", "chart"]


def test_who_abdicates_has_no_action_any_more() -> None:
    """SS-11.9."""
    state = table({**AB, "C": {}})
    leaving = replace(state.kingdom(1), abdicating=True)
    state = replace(state, kingdoms=(leaving, *state.kingdoms[1:]))
    assert kinds(suppose(state, "Research: 2R")) == ["abdicated", "fallen"]


def test_where_nothing_can_be_supposed() -> None:
    """SS-13 (E13): in set-up, at the end, and for the fallen."""
    over = replace(table(AB), stage="over")
    for state, player, code in (
        (new_game(2), 1, "not-now"),
        (over, 1, "not-now"),
        (table({**AB, "C": {"alive": False}}), 3, "not-asked"),
    ):
        with pytest.raises(NotSupposable) as refused:
            suppose(state, player=player)
        assert refused.value.code == code


def test_too_many_dice() -> None:
    state = table({**AB, "A": {"R": 99, "M": 3, "H": 2}})
    supposed = suppose(state, "Research: all R")
    assert (supposed.events, [hang.code for hang in supposed.hangs]) == ((), ["too-many-dice"])


# ---------------------------------------------------------------------------------- what is hidden
@st.composite
def hidden(draw: st.DrawFn) -> State:
    """A table of three; all that A may not know is drawn, all that A knows stands."""
    kingdoms: dict[str, Any] = {
        name: {"R": 6, "M": 4, "H": 3, "bld": ["BLD-WORKS M"], "tech": ["care"]} for name in "ABC"
    }
    kingdoms["A"] |= {"ex": {"R": 2}, "depleted": 1, "next": {"R": 1}}
    for name in "BC":
        kingdoms[name] |= {
            "ex": {key: draw(st.integers(0, 3)) for key in "RMH"},
            "boons": draw(st.sampled_from(([], ["bonus"]))),
            "used": draw(st.sampled_from(([], ["BLD-WORKS M"]))),
            "next": {"M": draw(st.integers(-2, 2)), "defence": {"A": draw(st.integers(0, 2))}},
            "standing": draw(st.sampled_from(({}, {"season": "Attack A: 2M"}))),
        }
    state = table(kingdoms, season="Winter", **CARE)
    loans = draw(st.sampled_from(((), (Loan(2, 3, "M", 1),))))
    offer = OpenOffer(1, 2, 3, (OfferItem(1, "R"),), (), draw(st.integers(1, 48)))
    ballot = OpenBallot(2, draw(st.sampled_from(((), (3,)))), 9)
    return replace(
        state,
        loans=(*loans, Loan(1, 2, "M", 1)),
        offers=draw(st.sampled_from(((), (offer,)))),
        ballots=(ballot,),
    )


@given(hidden(), hidden(), st.sampled_from(("Attack B: 2M", "Theft C: all M", "Research: 1R")))
def test_what_cannot_be_told_apart_comes_to_the_same(one: State, other: State, text: str) -> None:
    """SS-1.9: by bytes, events and state."""
    assert view_of(one, 1) == view_of(other, 1)
    for state in (one, other):
        assert view_of(known_state(view_of(state, 1)), 1) == view_of(state, 1)
    texts = (text, "Build BLD-HOSPITAL", "Harmony: 2H")
    a, b = suppose(one, *texts), suppose(other, *texts)
    assert SOVEREIGNS.encode_state(a.state) == SOVEREIGNS.encode_state(b.state)
    assert [SOVEREIGNS.encode_event(event) for event in a.events] == [
        SOVEREIGNS.encode_event(event) for event in b.events
    ]
    assert a.hangs == b.hangs
    assert kinds(a)[-2:] == ["odds", "chart"]


def test_what_is_known_of_a_game_that_is_played() -> None:
    """The view of what a view tells is that view, but for the actions of the season closed last."""
    state = new_game(4)
    for _ in range(8):
        for player in (*state.living, None):
            seen = replace(view_of(state, player), actions=(), undone=None)
            assert view_of(known_state(seen), player) == seen
        orders = {n: [order] for n in state.living for order in _some(state, n)}
        state = SOVEREIGNS.adjudicate(state, orders, Chance(SEED)).state


def _some(state: State, player: int) -> list[Any]:
    plain = [o for o in SOVEREIGNS.legal(state, player) if SOVEREIGNS.act_of(o) is None]
    return plain[player * 5 :][:1]
