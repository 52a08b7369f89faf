"""The menu of States & Sovereigns: whatever can be tapped is an order that is taken, beside whatever
stands; and the whole of a season can be tapped.
"""

import random

import pytest

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.menu import MENU
from pbem.pages.menu import MenuStep, Path
from pbem.play import Seen
from tests.games.sovereigns.engine.playing import Play, new_game, play
from tests.pages import sample
from tests.pages.tapping import steps_of, taken_in, texts_of

NOTHING: Standing[o.Order] = Standing()
MOST_LINES, MOST_STEPS = 8, 50
TABLE = sample.table()


def step(
    state: State, number: int = 1, path: Path = (), standing: Standing[o.Order] = NOTHING
) -> MenuStep:
    legal, view = tuple(SOVEREIGNS.legal(state, number)), view_of(state, number)
    return MENU.step(TABLE, sample.reader(number), view, legal, standing, path)


def texts(
    state: State, path: Path = (), number: int = 1, standing: Standing[o.Order] = NOTHING
) -> list[str]:
    return texts_of(step(state, number, path, standing))


def taken(
    state: State, path: Path = (), number: int = 1, standing: Standing[o.Order] = NOTHING
) -> list[str]:
    return taken_in(step(state, number, path, standing))


def walk(
    state: State, number: int, standing: Standing[o.Order], rng: random.Random
) -> dict[str, o.Order]:
    """Every order that is found on a random walk through the steps; each of them stands."""
    seen = Seen(number, view_of(state, number), tuple(SOVEREIGNS.legal(state, number)))
    steps = steps_of(MENU, seen, standing, MOST_STEPS, rng)
    assert all(len(look.lines) <= MOST_LINES for look in steps.values())
    found = {text: parse_order(state, text) for text in taken_in(*steps.values())}
    for text, order in found.items():
        assert SOVEREIGNS.format_order(state, order) == text
        checked = SOVEREIGNS.check(state, number, standing, (order,))
        refused = [problem for problem in checked.problems if not problem.warning]
        assert refused == [], (text, standing.orders)
        # what the giver of an offer has left is hidden
        assert not checked.problems or isinstance(order, o.Answer), text
    return found


def tapped_turn(game: Play, number: int, rng: random.Random, kinds: set[type[o.Order]]) -> None:
    """Some lines, tapped one after the other; each walk starts beside those that stand."""
    for _ in range(2):
        if game.state.stage == "over" or not game.state.kingdom(number).alive:
            return
        standing = game.standing.get(number, NOTHING)
        found = walk(game.state, number, standing, rng)
        kinds |= {type(order) for order in found.values()}
        wild = (o.Abdicate, o.CancelAll, o.Vote) if rng.random() < 0.95 else ()
        useful = sorted(text for text, order in found.items() if not isinstance(order, wild))
        by_kind = {type(found[text]): text for text in rng.sample(useful, len(useful))}
        if by_kind:
            text = by_kind[rng.choice(sorted(by_kind, key=lambda kind: kind.__name__))]
            game.say(game.state.kingdom(number).ruler, text)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_everything_that_can_be_tapped_is_taken_beside_what_stands(seed: int) -> None:
    rng, kinds = random.Random(seed), set[type[o.Order]]()
    game = Play(new_game(2 + seed, bytes([seed] * 32)), Chance(bytes([seed])))
    for _ in range(9):
        for number in game.state.living:
            tapped_turn(game, number, rng, kinds)
            if game.state.objections and rng.random() < 0.7:
                game.say("GM", f"gm verdict {game.state.objections[0].number} uphold")
                undone = game.state.undone
                assert undone is not None
                walks = (walk(game.state, undone.player, NOTHING, rng) for _ in range(5))
                assert any(isinstance(one, o.Redo) for found in walks for one in found.values())
                kinds.add(o.Redo)
        game.close()
    assert {code for codes in game.problems.values() for code in codes} <= {"not-enough"}
    assert kinds >= {o.Split, o.Year, o.Do, o.Pass, o.Offer, o.Every}


def at_war() -> State:
    """A kingdom with something of everything, beside two others."""
    return play(
        {
            "Ann": {
                "name": "Aldermark",
                "R": 5,
                "M": 4,
                "H": 3,
                "ex": {"R": 1},
                "tech": ["steel", "mills"],
                "bld": ["BLD-WORKS M"],
                "boons": ["bonus"],
                "discoveries": [{"great": False}],
            },
            "Ben": {"name": "Borland", "tech": ["medicine"], "bld": ["BLD-HOSPITAL", "BLD-WALL"]},
            "Cy": {"name": "Cyrene", "H": 1},
        },
        technologies={
            "steel": "STAT-ROLL M",
            "mills": "BLD-WORKS R",
            "medicine": "BLD-HOSPITAL",
        },
    ).state


def test_a_split_is_one_tap_or_two() -> None:
    """SS-1.2; a name that was written is kept."""
    state = new_game(3)
    assert taken(state, ("split",))[:2] == ["Split 3/3/3", "Split 4/3/2"]
    assert taken(state, ("split", "7")) == ["Split 7/1/1"]
    assert taken(state, ("split", "5")) == ["Split 5/1/3", "Split 5/2/2", "Split 5/3/1"]
    named = Standing[o.Order]((o.Split(3, 3, 3, "Aldermark"),))
    assert taken(state, ("split", "7"), standing=named) == ["Split 7/1/1, Aldermark"]


def test_the_year_start_has_a_button_for_each_number_of_dice_and_one_for_fear() -> None:
    """SS-12.12, SS-4.9."""
    state = play({"Ann": {}, "Ben": {"H": 0}}, phase="year-start").state
    assert texts(state, ("year",)) == ["1 die", "2 dice", "3 dice", "Rule by Fear", "« Back"]
    assert "% for Indifference" in step(state, 1, ("year",)).chat
    assert taken(state, ("year", "2")) == ["Every year: Harmony: 2H", "Harmony: 2H"]
    assert "Rule by Fear" in taken(state, ("year", "fear"))
    assert taken(state, ("year", "fear"), 2)[-1] == "Rule by Fear, sure"
    assert "your kingdom would fall" in step(state, 2, ("year",)).chat


def test_an_action_is_tapped_by_kind_target_and_points() -> None:
    """SS-12.12: its chance is told before it is taken."""
    state = at_war()
    assert "Attack" in texts(state, ("act",))
    assert texts(state, ("act", "Attack"))[:2] == ["Borland: 3 R 3 M 3 H", "Cyrene: 3 R 3 M 1 H"]
    path = ("act", "Attack", "2", "3")
    assert texts(state, path)[:4] == ["1", "2", "• 3", "4"]
    assert taken(state, path) == ["Attack Ben: 3M"]
    assert "%" in step(state, 1, path).chat
    assert taken(state, ("act", "Attack", "2")) == ["Attack Ben: 2M"]
    assert taken(state, (*path, "burn=BLD-WALL", "boon=yes", "works=yes")) == [
        "Attack Ben: 3M, burn BLD-WALL, boon, works"
    ]
    assert {"Burn: the costliest", "Boon: no", "Works: no"} <= set(texts(state, path))


def test_resources_are_depleted_and_a_discovery_is_named_by_taps() -> None:
    """SS-3.16, SS-7.2."""
    state = at_war()
    path = ("act", "Research", "-", "2")
    assert taken(state, (*path, "deplete=1")) == ["Research: 2R + 1 depleted"]
    assert "To find: medicine" in texts(state, (*path, "code=BLD-HOSPITAL"))
    assert taken(state, (*path, "code=BLD-HOSPITAL")) == ["Research: 2R, medicine = BLD-HOSPITAL"]
    assert "+1 on all Resources rolls" in texts(state, (*path, "code=?"))
    assert taken(state, ("propose", "STAT-YEAR")) == ["Propose public feasts = STAT-YEAR"]


def test_only_what_can_be_paid_is_built() -> None:
    """SS-7.10: beside what was ordered before."""
    state = at_war()
    assert texts(state, ("build",)) == ["Works, Resources: 4 R", "« Back"]
    built = Standing[o.Order]((o.Build("BLD-WORKS R"),))
    assert "Build" not in texts(state, (), standing=built)


def test_a_bargain_is_tapped_thing_by_thing() -> None:
    """SS-5.4, SS-5.5: gifts too; nothing for nothing is no bargain."""
    state = at_war()
    assert "Offer to Borland" in texts(state, ("trade",))
    assert "steel" in texts(state, ("deal", "2"))
    assert taken(state, ("deal", "2", "1M until year end", "1R permanent")) == [
        "Offer Ben: 1M until year end against 1R permanent"
    ]
    assert taken(state, ("deal", "2", "tech steel", "nothing")) == [
        "Offer Ben: tech steel against nothing"
    ]
    assert "Nothing" not in texts(state, ("deal", "2", "nothing"))
    assert "medicine" in texts(state, ("deal", "2", "nothing"))


def test_offers_claims_and_actions_are_answered_by_taps() -> None:
    """SS-12.12, SS-10.3."""
    game = play({"Ann": {"M": 4}, "Ben": {}, "Cy": {}}, season="Spring")
    game.say("Ann", "Expedition: 2M")
    game.close()
    game.say("Ann", "Offer Ben: 1M permanent against 1R permanent", "Claim victory")
    state = game.state
    assert taken(state, ("offer", "1"), 2) == ["Accept offer 1", "Decline offer 1"]
    assert taken(state, ("offer", "1"), 1) == ["Withdraw offer 1"]
    assert "gives 1 Military for good" in step(state, 2, ("offer", "1")).chat.replace("\xa0", " ")
    assert taken(state, ("vote",), 2) == ["Vote yes on Ann", "Vote no on Ann"]
    assert "Vote" not in texts(state)
    assert taken(state, ("object", "1"), 3) == ["Object to action 1: this makes no sense to me"]
    game.say("Cy", "Object to action 1: no ships")
    game.say("GM", "gm verdict 1 uphold")
    assert "Another action" in texts(game.state)
    assert "Another action" not in texts(game.state, number=2)
    assert taken(game.state, ("redo", "Attack", "3", "4")) == ["Redo: Attack Cy: 4M"]
    assert taken(game.state, ("sure", "Redo: Pass")) == ["Redo: Pass"]


def test_what_ends_something_is_asked_about_once() -> None:
    state = at_war()
    assert taken(state) == []
    assert texts(state, ("table",)) == ["Claim victory", "Abdicate", "« Back"]
    assert taken(state, ("sure", "Abdicate")) == ["Abdicate"]
    assert taken(state, ("sure", "Vote yes on Ben")) == []
    assert "Pass" in texts(state)


def test_a_path_that_leads_nowhere_leads_to_the_beginning() -> None:
    state = at_war()
    for path in (("nowhere",), ("split",), ("offer", "9"), ("deal", "1"), ("vote",)):
        assert step(state, 1, path) == step(state)


def test_whoever_is_not_asked_has_nothing_to_tap() -> None:
    state = play({"Ann": {}, "Ben": {}, "Cy": {"alive": False}}).state
    view = view_of(state, 3)
    assert MENU.entries(view, tuple(SOVEREIGNS.legal(state, 3)), NOTHING) == []
    assert MENU.entries(view_of(state, None), (), NOTHING) == []
