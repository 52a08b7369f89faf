"""What the demonstration asks of States & Sovereigns: slips, questions, and the words for how it
stands.
"""

import random
from datetime import UTC, datetime, timedelta

import pytest

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.view import TableView, view_of
from pbem.demo.cast import whole_cast
from pbem.games.sovereigns.play.script import PLAY
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.play import ScriptedQuestion, Seen
from tests.games.sovereigns.engine.playing import play

GAME = play(
    {
        "Anna": {"name": "Aldermark", "R": 5, "M": 4},
        "Ben": {"name": "Borland", "M": 0},
        "Cy": {"alive": False},
    },
    [2, 6],
)
STATE = GAME.state
SEEN = Seen(1, view_of(STATE, 1), tuple(SOVEREIGNS.legal(STATE, 1)))
ATTACK = o.Do((o.Action("Attack", "M", 2, target=2),))
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def question(of_stage: int, stage: str = "season") -> ScriptedQuestion:
    person = whole_cast()[0]
    return ScriptedQuestion(person, SEEN, stage, of_stage, of_stage, NOW, NOW + timedelta(hours=72))


@pytest.mark.parametrize("of_stage", [1, 2])
def test_a_slip_is_noticed_by_the_reader(of_stage: int) -> None:
    """It is refused, or taken as meant and mentioned."""
    orders = (ATTACK, o.Claim())
    slip = PLAY.slip(question(of_stage), orders, random.Random(1))
    assert slip is not None
    assert (slip.wanted, slip.rest) == (ATTACK, orders[1:])
    reading = read_alone(READER.read, STATE, 1, Standing(), slip.faulty)
    problems = [problem.code for item in reading.items for problem in item.problems]
    assert problems or reading.slips


def test_nobody_errs_without_an_action() -> None:
    assert PLAY.slip(question(1), (o.Pass(),), random.Random(1)) is None
    assert PLAY.slip(question(1, "year-start"), (ATTACK,), random.Random(1)) is None


def test_questions_are_asked_in_seasons_alone() -> None:
    assert PLAY.questions(question(1), (ATTACK,)) == ("status",)
    assert PLAY.questions(question(1, "setup"), ()) == ()
    assert PLAY.questions_by_phone("Anna")
    assert PLAY.questions_by_phone("Robin") == ()


def test_how_it_stands_is_told_by_points() -> None:
    view: TableView = SEEN.view
    assert PLAY.standing(view) == "Aldermark leads with 12 points in year 1"
    assert PLAY.danger_words(view) == ("Kingdoms standing", "2 of 3")
    assert PLAY.ranking_words(view) == ("Aldermark 5/4/3", "Borland 3/0/3")
    assert PLAY.turn_of(view) == 1
    assert PLAY.fallen(view) == frozenset({3})
    assert PLAY.phase_words("season") == "seasons"
    assert PLAY.phase_words("lobby") == "lobby"


def test_actions_dice_discoveries_and_falls_are_counted() -> None:
    GAME.say("Anna", "Attack Ben: 2M")
    GAME.close()
    assert [figure.words for figure in PLAY.figures(GAME.events)] == [
        *("1 action", "2 dice rolled", "0 technologies", "1 kingdom fallen"),
    ]


def test_the_words_of_early_orders_and_of_plans_are_the_same_for_the_same_luck() -> None:
    first = [PLAY.plan(question(1), random.Random(5)) for _ in range(2)]
    assert first[0] == first[1] != ()
    looks = [PLAY.plan_looks(question(1), random.Random(5)) for _ in range(2)]
    assert looks[0] == looks[1]
    assert PLAY.plan_after_look(SEEN, random.Random(5)) == ()
