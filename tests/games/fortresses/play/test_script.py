"""What the demonstration asks of Fortresses: slips, questions, and the words for how it stands."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from engine.fortresses import orders as o
from engine.fortresses.orders import parse_order
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.units import Units
from engine.fortresses.view import TableView, view_of
from engine.ruleset import Standing
from pbem.demo.cast import whole_cast
from pbem.games.fortresses.play.estimates import expected
from pbem.games.fortresses.play.script import PLAY
from pbem.games.fortresses.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.play import ScriptedQuestion, Seen
from tests.games.fortresses.engine.playing import step, table

STATE = table(active="red", units={"Egypt": "red 3L 1K", "Syria": "gold 2L"})
SEEN = Seen(2, view_of(STATE, 2), tuple(FORTRESSES.legal(STATE, 2)))
ATTACK = parse_order("Attack Syria with 2L from Egypt")
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def question(of_stage: int, stage: str = "attack") -> ScriptedQuestion:
    person = whole_cast()[0]
    return ScriptedQuestion(person, SEEN, stage, of_stage, of_stage, NOW, NOW + timedelta(hours=48))


@pytest.mark.parametrize("of_stage", [1, 2])
def test_a_slip_is_noticed_by_the_reader(of_stage: int) -> None:
    """It is refused, or taken as meant and mentioned (FW-11.2)."""
    orders = (ATTACK, o.Keep(True, "Syria"))
    slip = PLAY.slip(question(of_stage), orders, random.Random(1))
    assert slip is not None
    assert (slip.wanted, slip.rest) == (ATTACK, orders[1:])
    (number,) = FORTRESSES.phase(STATE).asked
    reading = read_alone(READER.read, STATE, number, Standing(), slip.faulty)
    problems = [problem.code for item in reading.items for problem in item.problems]
    assert problems or reading.slips


def test_nobody_errs_without_an_attack() -> None:
    assert PLAY.slip(question(1), (o.NoAttacks(),), random.Random(1)) is None
    assert PLAY.slip(question(1, "reinforce"), (ATTACK,), random.Random(1)) is None


def test_questions_are_of_the_attack_that_is_meant() -> None:
    assert PLAY.questions(question(1), (ATTACK,)) == ("odds of taking Syria with 2L",)
    assert PLAY.questions(question(1), (o.NoAttacks(),)) == ("status",)
    assert PLAY.questions(question(1, "reinforce"), ()) == ()
    assert PLAY.questions_by_phone("Anna")
    assert PLAY.questions_by_phone("Robin") == ()


def test_how_it_stands_is_told_by_fortresses() -> None:
    view: TableView = SEEN.view
    assert PLAY.standing(view) == (
        "Silver and Gold hold 2 and Red and Blue hold 2 of the Fortresses in Year 2"
    )
    assert PLAY.danger_words(view) == ("Fortresses", "2 : 2")
    assert PLAY.ranking_words(view)[0] == "Silver 9/12/0"
    assert PLAY.turn_of(view) == 2
    assert PLAY.fallen(view) == frozenset()
    assert PLAY.phase_words("attack") == "attacks"
    assert PLAY.phase_words("lobby") == "lobby"


def test_battles_dice_and_lands_are_counted() -> None:
    dice = [6, 6, 1, 1, 6, 6, 1]
    told = step(STATE, "Attack Syria with 2L from Egypt", "Done", dice=dice).raw
    assert [figure.words for figure in PLAY.figures(told)] == [
        "1 battle",
        "7 dice rolled",
        "1 Land",
    ]
    assert [figure.words for figure in PLAY.figures(())] == [
        "0 battles",
        "0 dice rolled",
        "0 Lands",
    ]


def test_a_battle_is_weighed_by_the_hits_to_be_expected() -> None:
    """FW-3.9: a Fortress with its first garrison falls to such a force, and not to a few."""
    garrison = Units(L=3, K=1, W=1, D=1)
    assert expected(Units(L=8, K=4, W=2), garrison, 5) > 0.3
    assert expected(Units(L=4, K=1), garrison, 5) < 0
    assert expected(Units(L=3), Units(), 1) == 1
