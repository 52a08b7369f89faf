"""What the asking correspondent asks: a question each time, read as one, and never an order."""

from datetime import UTC, datetime, timedelta

import pytest

from engine.protectors import orders as o
from engine.protectors.events import BattleFought, Side, Term
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Stage, State
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Standing
from pbem.demo.cast import whole_cast
from pbem.games.protectors.play.questions import questions_of, what_if
from pbem.games.protectors.play.sight import sight_of
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.play import ScriptedQuestion, Seen
from tests.games.protectors.play.positions import gifted, landed

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
_SIDE = Side(1, "attacker", 1, 2, (Term("units", 2, "PR-7.6"),), 2, 0)
NOW = datetime(2026, 11, 16, 17, 0, tzinfo=UTC)


def asked_of(state: State, of_stage: int = 1, fought: tuple[int, ...] = ()) -> ScriptedQuestion:
    battles = tuple(
        Event(BattleFought(province, "march", _SIDE, _SIDE, False, 1), ()) for province in fought
    )
    seen = Seen(1, view_of(state, 1), tuple(PROTECTORS.legal(state, 1)), battles)
    return ScriptedQuestion(
        whole_cast()[0], seen, state.stage, of_stage, of_stage, NOW, NOW + timedelta(days=2)
    )


def test_what_would_happen_is_asked_of_a_march_against_another_players() -> None:
    state = landed(NAMES, "orders")
    said = what_if(sight_of(asked_of(state).seen), [o.March(2, 2, 3)])
    assert said == "what if I march 2 from P2 to P3 and Dmytro marches 2 from P4 to P3?"


def test_in_a_team_game_nobody_is_supposed_to_march_against_team_mates() -> None:
    sight = sight_of(asked_of(gifted(NAMES, "orders", "Hodir")).seen)
    said = what_if(sight, [o.March(1, 1, 8)])
    team = {player.name: player.team for player in sight.view.players}
    (who,) = [name for name in NAMES if f"and {name} marches" in said]
    target = int(said.rpartition(" to P")[2].rstrip("?"))
    owner = sight.view.province(target).owner
    assert team[who] == "Gold"
    assert owner is None or team[NAMES[owner - 1]] == "Red"


@pytest.mark.parametrize("stage", ["bidding", "orders", "consolidation", "dragon"])
@pytest.mark.parametrize("of_stage", range(1, 5))
def test_every_question_is_read_as_one_and_is_no_order(stage: Stage, of_stage: int) -> None:
    state = landed(NAMES, stage)
    words = questions_of(asked_of(state, of_stage, (3, 1)), ())
    reading = read_alone(READER.read, state, 1, Standing(), "\n\n".join(words))
    assert reading.items == ()
    assert len(reading.commands) + (reading.note is not None) == len(words)
