"""What is asked of Realm-Master is answered as asked, or not at all: odds of these very dice,
questions that are no orders, giving up.
"""

import pytest

from engine.realm_master import orders as o
from engine.realm_master.questions import Odds, Question
from engine.realm_master.view_of import view_of
from engine.ruleset import Problem, Standing
from pbem.games.realm_master.pages.menu import CONCEDED
from pbem.games.realm_master.reading.questions import parse_question
from pbem.games.realm_master.reading.reader import READER, RealmMasterReader
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.reading.test_doc import table_of
from tests.rows import each_row


@each_row(
    ("asked", "meant"),
    [
        ("odds of 3 swords", Odds("s", 3)),
        ("odds of at least 2 swords", Odds("s", 2)),
        ("what are my chances to get a sword", Odds("s", 1)),
        ("odds of two swords or more if I keep these", Odds("s", 2)),
        ("odds of 5 swords if I keep my swords", Odds("s", 5)),
        ("odds of a banner", Odds("b", 2)),
        ("odds of 2 banners", Odds("b", 4)),
        ("odds of 3 half banners", Odds("b", 3)),
        ("odds of 3 hearts if I reroll 1 and 2", Odds("h", 3, (3, 4, 5))),
        ("odds of 3 hearts if I keep dice 1, 3 and 5", Odds("h", 3, (1, 3, 5))),
        ("odds of 3 hearts if I reroll nothing", Odds("h", 3, (1, 2, 3, 4, 5))),
        ("odds of 3 hearts if I reroll everything", Odds("h", 3, ())),
    ],
)
def test_odds_are_of_what_is_asked(asked: str, meant: Odds) -> None:
    assert parse_question(view_of(table_of("reroll"), 1), 1, asked) == meant


@each_row(
    "asked",
    [
        *("odds of no swords", "odds of at most 1 sword", "odds of exactly 2 swords"),
        *("odds of 2 swords or less", "odds of fewer than 3 swords", "odds of not 3 swords"),
        *("odds of 0 swords", "odds of 6 swords", "odds of 3 banners"),
        *("odds of 3 swords and a heart", "odds of a sword or a heart"),
        *("odds of 3 swords if I keep two swords", "odds of 3 swords if I keep the swords and R"),
        *("odds of 3 swords if I keep the hearts", "odds of 3 hearts if I reroll blanks"),
        *("odds of 3 hearts if I don't keep these", "odds of 2 swords with a second reroll"),
        *("odds for Ben of 3 swords", "odds of surviving", "odds of 4 damage", "odds"),
        *("odds of 3 swords if I keep 1 and attack", "odds of 3 swords unless Ben has a shield"),
    ],
)
def test_odds_of_anything_else_are_not_told(asked: str) -> None:
    found = parse_question(view_of(table_of("reroll"), 1), 1, asked)
    assert isinstance(found, Problem)
    assert found.code == "not-understood"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("why could I not enter Jerum", Question("round", 1, None, 1)),
        ("why did Ben stay", Question("attack", 2)),
        ("why was my line skipped", Question("round", 1, None, 1)),
    ],
)
def test_what_was_done_in_the_realm_may_be_asked(asked: str, meant: Question) -> None:
    assert parse_question(view_of(table_of("round, played"), 1), 1, asked) == meant


@each_row(
    "text",
    [
        *("Attack?", "Should I attack?", "Shall I enter Jerum?", "buy the shield?"),
        *("don't attack?", "should I attack", "can I buy the shield", "may I enter Jerum"),
        *("stay or leave?", "so, should I reroll blanks?", "Attack? no"),
    ],
)
def test_a_message_that_asks_is_a_note_and_no_order(text: str) -> None:
    reading = read_alone(READER.read, table_of("round"), 1, Standing(), text)
    assert (reading.checked, reading.note) == (None, text)
    assert [problem.code for item in reading.items for problem in item.problems] == ["no-order"]


def test_a_question_beside_orders_is_said_to_be_none() -> None:
    reading = read_alone(
        READER.read, table_of("round"), 1, Standing(), "Enter Jerum.\nShould I attack?"
    )
    assert [item.texts for item in reading.items] == [("Enter: Jerum",), ()]
    assert [problem.code for problem in reading.items[1].problems] == ["loose-question"]
    assert reading.items[1].suggestion is None


@pytest.mark.parametrize(
    "text", ["concede", "Concede", "OK I give up.", "Argh. I give up!", "I surrender"]
)
def test_whoever_gives_up_is_asked_once_more(text: str) -> None:
    reading = read_alone(READER.read, table_of("round"), 1, Standing(), text)
    assert reading.checked is None
    assert reading.items[0].problems[0].code == "confirm-concede"
    assert reading.items[0].suggestion is not None
    assert reading.items[0].suggestion.orders == (o.Concede(),)
    taken = read_alone(
        READER.read, table_of("round"), 1, Standing(), f"{reading.items[0].suggestion.text}\nyes 1"
    )
    assert taken.checked is not None
    assert taken.checked.accepted == (o.Concede(),)


def test_whoever_was_asked_gives_up_at_once() -> None:
    for text, reader in (
        (CONCEDED, READER),
        ("I concede for good", READER),
        ("concede", RealmMasterReader(asks_back=False)),
    ):
        reading = read_alone(reader.read, table_of("round"), 1, Standing(), text)
        assert reading.checked is not None
        assert reading.checked.accepted == (o.Concede(),)


@each_row(
    ("text", "offered"),
    [
        ("Enter jerrum", "Enter: Jerum"),
        ("reroll blnks", None),  # read with its slip already
        ("do not enter Jerum", None),
        ("enter Jerrum if hearts at least 7", "Enter: Jerum if hearts at least 7"),
        ("forget entering", None),
        ("maybe enter Jerum", None),
        ("never attak", None),
        ("Bolt of Fire on Bne", None),
        ("buy the cheapest card", None),
        ("attack Saltmere", None),
        ("enter Jerrum or Saltmer", "Enter: Jerum, Saltmere"),
    ],
)
def test_a_suggestion_is_what_was_written_but_for_a_letter(text: str, offered: str | None) -> None:
    reading = read_alone(READER.read, table_of("round"), 1, Standing(), text)
    found = [item.suggestion.text for item in reading.items if item.suggestion is not None]
    assert found == ([] if offered is None else [offered])
