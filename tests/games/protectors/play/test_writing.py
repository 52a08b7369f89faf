"""Whole letters, in every layout, are read back to just the orders they were written for."""

import random

import pytest

from engine.protectors import orders as o
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Stage
from engine.protectors.view_of import view_of
from engine.ruleset import Standing
from pbem.demo.cast import whole_cast
from pbem.demo.writing import lay_out, write_letter
from pbem.games.protectors.play.abilities import look_first, use_ashes
from pbem.games.protectors.play.phrases import Named, phrase_all
from pbem.games.protectors.play.sight import Sight
from pbem.games.protectors.play.strategy import plan
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.play import Person, Temper
from tests.games.protectors.play.positions import gifted, landed

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
STAGES: tuple[Stage, ...] = ("bidding", "orders", "dragon", "consolidation")


@pytest.mark.sample(5)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "person", [whole_cast()[index] for index in (0, 1, 2, 4)], ids=lambda person: person.layout
)
def test_a_letter_says_what_was_planned(stage: Stage, person: Person) -> None:
    state = landed(NAMES, stage)
    names = {
        player.number: Named(player.number, player.name, player.colour) for player in state.players
    }
    sight = Sight(view_of(state, 1), tuple(PROTECTORS.legal(state, 1)))
    for seed in range(40):
        luck = random.Random(seed)
        planned = plan(
            sight,
            Temper(boldness=luck.random(), ambition=luck.random(), loyalty=luck.random()),
            luck,
        )
        orders = (*planned, o.Final()) if seed % 3 == 0 else planned
        text = write_letter(person, phrase_all(orders, names, luck), luck)
        reading = read_alone(READER.read, state, 1, Standing(), text)
        assert {order for item in reading.items for order in item.orders} == set(orders), text
        assert not [problem for item in reading.items for problem in item.problems], text
        assert reading.checked is not None
        assert reading.checked.standing.final == (seed % 3 == 0)


@pytest.mark.parametrize("stage", STAGES)
def test_every_plan_is_legal_and_fits_together(stage: Stage) -> None:
    state = landed(NAMES, stage)
    legal = tuple(PROTECTORS.legal(state, 1))
    sight = Sight(view_of(state, 1), legal)
    kinds = set()
    for seed in range(120):
        luck = random.Random(seed)
        orders = plan(sight, Temper(luck.random(), luck.random(), luck.random()), luck)
        assert orders
        assert set(orders) <= set(legal)
        checked = PROTECTORS.check(state, 1, Standing(), orders)
        assert [problem for problem in checked.problems if not problem.warning] == []
        kinds |= {type(order) for order in orders}
    if stage == "orders":
        assert kinds >= {o.Fortify, o.March, o.Support, o.Work, o.Send, o.Snitch}


@pytest.mark.sample(5)
@pytest.mark.parametrize("faction", o.FACTIONS)
@pytest.mark.parametrize("stage", STAGES)
def test_with_factions_the_island_and_teams_every_plan_fits_and_is_read_as_it_is_said(
    stage: Stage, faction: o.Faction
) -> None:
    state = gifted(NAMES, stage, None if stage == "bidding" else faction)
    names = {
        player.number: Named(player.number, player.name, player.colour) for player in state.players
    }
    sight = Sight(view_of(state, 1), tuple(PROTECTORS.legal(state, 1)))
    for seed in range(25):
        luck = random.Random(seed)
        planned = plan(sight, Temper(luck.random(), luck.random(), luck.random()), luck)
        checked = PROTECTORS.check(state, 1, Standing(), planned)
        assert [problem for problem in checked.problems if not problem.warning] == []
        text = write_letter(whole_cast()[seed % 5], phrase_all(planned, names, luck), luck)
        reading = read_alone(READER.read, state, 1, Standing(), text)
        assert {order for item in reading.items for order in item.orders} == set(planned), text


def test_what_can_be_looked_at_is_looked_at_first_and_something_is_made_of_it() -> None:
    state = gifted(NAMES, "orders", "Kalu'Ak")
    sight = Sight(view_of(state, 1), tuple(PROTECTORS.legal(state, 1)))
    looked = {look_first(sight, random.Random(seed)) for seed in range(40)}
    assert looked >= {(), (o.ReadDragonDeck(),), (o.Palantir("sea"),)}
    assert {use_ashes(sight, random.Random(seed)) for seed in range(20)} >= {
        (o.PlaceDragon(),),
        (o.PutAtBottom(),),
    }


def test_layouts_keep_every_line() -> None:
    lines = ["Fortify! P1.", "work P2"]
    assert lay_out(lines, "lines") == "Fortify! P1.\nwork P2"
    assert lay_out(lines, "list") == "- Fortify! P1.\n- work P2"
    assert lay_out(lines, "numbered") == "1. Fortify! P1.\n2. work P2"
    assert lay_out(lines, "flow") == "Fortify! P1; work P2."
    assert lay_out([], "flow") == ""
