"""The clauses of `set press`, `set people` and `set clock`: those that are named are read, and what
is none is answered with them.
"""

import pytest

from pbem.grammar.clock_rules import CLOCK_CLAUSES, ClockChange, parse_clock_rules
from pbem.grammar.gm.commands import Lexicon, NewGame, Questions
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.values import Unread
from pbem.grammar.people_rules import PEOPLE_CLAUSES, parse_people_rules
from pbem.grammar.press_rules import PRESS_CLAUSES, PressChange, parse_press_rules
from tests.rows import each_row

LEXICON = Lexicon({"herons": Questions({}, ("orders",))}, frozenset({"heron"}))


@each_row("clause", PRESS_CLAUSES)
def test_every_clause_about_press_that_is_named_is_read(clause: str) -> None:
    assert parse_press_rules(clause.replace("PHASE", "orders")) != PressChange()


@each_row("clause", PEOPLE_CLAUSES)
def test_every_clause_about_people_that_is_named_is_read(clause: str) -> None:
    assert parse_people_rules(clause)


@each_row("clause", CLOCK_CLAUSES)
def test_every_clause_about_time_that_is_named_is_read(clause: str) -> None:
    assert parse_clock_rules(clause.replace("PHASE", "orders"), ("orders",)) != ClockChange()


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("set press foo", "press"),
        ("set press", "press"),
        ("set people foo", "people"),
        ("set clock foo", "clock"),
        ("set clock", "clock"),
    ],
)
def test_a_clause_that_says_nothing_is_answered_with_those_that_do(line: str, what: str) -> None:
    (said,) = parse_gm(line, LEXICON)
    assert said.trouble is not None
    assert said.trouble.what == f"{what}-clause"
    assert (
        set(said.trouble.nearest)
        >= {
            "press": {"public only", "grey"},
            "people": {"observers on"},
            "clock": {"days -MTWTF-"},
        }[what]
    )


@each_row("clause", ["clock", "days", "quiet", "absences", "graces", "names"])
def test_a_word_about_time_alone_takes_nothing_away(clause: str) -> None:
    with pytest.raises(Unread):
        parse_clock_rules(clause)


@each_row("clause", ["rounds 8", "rounds: 8", "rounds = 8", "8 rounds", "eight rounds", "8"])
def test_an_answer_that_is_a_number_stands_before_its_question_or_behind_it(clause: str) -> None:
    known = Lexicon({"herons": Questions({"rounds": ("6", "8", "10")}, ("orders",))})
    (line,) = parse_gm(f"new game Egret: herons, {clause}", known)
    assert isinstance(line.command, NewGame)
    assert line.command.choices.answers == {"rounds": "8"}
    assert line.command.choices.options == {}
