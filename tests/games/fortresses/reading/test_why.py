"""Questions about the past and about odds: what is asked is answered, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from engine.fortresses.odds import Odds
from engine.fortresses.questions import Question
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.units import Units, parse_units
from engine.fortresses.view import view_of
from engine.ruleset import Problem
from pbem.games.fortresses.reading.questions import parse_question
from pbem.grammar.house.commands import Why
from pbem.grammar.house.parsing import parse_commands
from tests.games.fortresses.engine.playing import table
from tests.rows import each_row

STATE = table("attack", "red", base="start", year=4)
VIEW = view_of(STATE, 2)


def units(text: str) -> Units:
    return parse_units(text)


SYRIA = Odds("Syria", units("2L 1K"))


@each_row(
    ("asked", "meant"),
    [
        ("odds of taking Syria with 2 legions and a knight", SYRIA),
        ("what are my odds in Syria with 2 legions and one knight?", SYRIA),
        ("odds if I attack Antioch with 2L1K", SYRIA),
        ("chances of conquering SYR with two infantry, 1 horse", SYRIA),
        ("how likely is it that I take Syria with 2L and 1K", SYRIA),
        ("odds that I win Syria with 2 legions and a knight", SYRIA),
        (
            "odds of Red taking Syria with 3L from Egypt",
            Odds("Syria", units("3L"), "red", "Egypt"),
        ),
        (
            "odds of taking Syria with 2L against 2L 1K",
            Odds("Syria", units("2L"), against=units("2L 1K")),
        ),
        ("chances of holding Syria against 3 legions", Odds("Syria", units("3L"))),
        (
            "odds of holding Syria with 4L against 3L and 1K from Egypt",
            Odds("Syria", units("3L 1K"), origin="Egypt", against=units("4L")),
        ),
        ("odds of the Black Sea with 2 galleons", Odds("Black Sea", units("2G"))),
        (
            "odds of taking Syria with everything from Egypt",
            Odds("Syria", units("2L 1K"), origin="Egypt"),
        ),
        (
            "odds of taking Syria with all legions from Egypt",
            Odds("Syria", units("2L"), origin="Egypt"),
        ),
    ],
)
def test_odds_are_of_what_is_asked(asked: str, meant: Odds) -> None:
    assert parse_question(VIEW, 2, asked) == meant


@each_row(
    ("asked", "code"),
    [
        ("odds", "which-zone"),
        ("odds of 2 legions", "which-zone"),
        ("odds of taking Syria", "which-units"),
        ("odds of taking Syria with legions", "how-many"),
        ("odds of taking Syria with 0 legions", "how-many"),
        ("odds of taking Syria with 9999 legions", "how-many"),
        ("odds of taking Syria with all legions", "how-many"),
        ("odds of taking Syria with 2", "not-understood"),
        ("odds of not taking Syria with 2L", "not-understood"),
        ("odds of taking Syria with 2L without 1K", "not-understood"),
        ("odds of taking Syria with 2L of Red and 1K of Blue", "not-understood"),
        ("odds of Red or Blue taking Syria with 2L", "not-understood"),
        ("odds of taking Syria with 2L and Greece with 1L", "several-zones"),
        ("odds of taking Syria with 2L from Egypt and from Tripoli", "several-zones"),
        ("odds of taking Syrai with 2L", "unknown-word"),
        ("odds of taking Syria with 2 swordsmen", "not-understood"),
        ("odds of taking Syria with 2L in year 3", "not-understood"),
    ],
)
def test_nothing_else_has_odds(asked: str, code: str) -> None:
    """Of a part of what is said the odds would be those of another question."""
    found = parse_question(VIEW, 2, asked)
    assert isinstance(found, Problem), found
    assert found.code == code
    assert found.facts["asked"] == asked


@each_row(
    ("asked", "meant"),
    [
        ("SYR", Question("battles", "Syria")),
        ("Syria?", Question("battles", "Syria")),
        ("did I lose Syria in year 4", Question("battles", "Syria", None, 4)),
        ("did Red lose Syria last year", Question("battles", "Syria", "red", 3)),
        ("did Syria fall this year", Question("battles", "Syria", None, 4)),
        ("round 2 in Syria", Question("battles", "Syria", round=2)),
        ("did my legions die", Question("battles")),
        ("last turn", Question("all")),
        ("turn 3", Question("all", year=3)),
        ("Red in Year 3", Question("all", kingdom="red", year=3)),
        ("is my income 12", Question("income")),
        ("did my dragon fly home", Question("home")),
        ("did the rules buy legions", Question("purchase")),
        ("did we win the game", Question("end")),
    ],
)
def test_the_past_is_asked_about(asked: str, meant: Question) -> None:
    assert parse_question(VIEW, 2, asked) == meant


@each_row(
    ("asked", "code"),
    [
        ("", "not-understood"),
        ("is the moon green", "not-understood"),
        ("turn 9", "no-such-year"),
        ("turn 0", "no-such-year"),
        ("Egypt and Syria", "several-zones"),
        ("Syrya", "unknown-word"),
    ],
)
def test_what_is_unclear_is_told(asked: str, code: str) -> None:
    found = parse_question(VIEW, 2, asked)
    assert isinstance(found, Problem), found
    assert found.code == code


def test_the_year_before_the_first_is_none() -> None:
    first = view_of(table("attack", "red", year=1), 2)
    found = parse_question(first, 2, "Syria last year")
    assert isinstance(found, Problem)
    assert found.code == "no-such-year"


@each_row(
    "line",
    [
        *("odds of taking Syria with 2L", "What are my odds in Syria with 2L?"),
        *("chances of taking Syria with 2L", "my chances to take Syria with 2L"),
        *("how likely is it that I take Syria with 2L?", "why SYR"),
    ],
)
def test_the_house_takes_it_for_a_question(line: str) -> None:
    """It never is an order."""
    (command,) = parse_commands(line)
    assert isinstance(command, Why)
    assert not isinstance(parse_question(VIEW, 2, command.question), Problem)


WORDS = (
    "odds of taking holding with against from Syria Egypt the Black Sea 2L 1K legions knight all"
    " everything a 3 12 9999 why year round last turn not or Red Gold , ? lose income"
).split()


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=80))
def test_every_question_has_an_answer(text: str) -> None:
    for player in (1, None):
        found = parse_question(FORTRESSES.view(STATE, player), player, text)  # type: ignore[arg-type]
        assert isinstance(found, Question | Odds | Problem)
