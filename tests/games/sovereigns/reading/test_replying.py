"""Answers to open offers in another order of words than by their verb are offered together (none is
lost in silence); what is told of others, put off or thought over is not.
"""

import pytest

from engine.ruleset import Standing
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.reading import Reading
from tests.games.sovereigns.reading.test_open_offers import STATE
from tests.rows import each_row

BOTH = "Accept offer 2\nDecline offer 1"


def read(text: str) -> Reading:
    return read_alone(READER.read, STATE, 1, Standing(), text)


def offered(text: str) -> list[str]:
    return [x.suggestion.text for x in read(text).items if x.suggestion is not None]


@each_row(
    ("text", "orders"),
    [
        ("The loan of Cyrene I accept, but from Ben I decline it", BOTH),
        ("From Cyrene yes, from Ben no", BOTH),
        ("to Cyrene we say yes, to Ben we say no", BOTH),
        ("number 2 we take, number 1 not", BOTH),
        ("Cyrene's deal is fine, Ben's isn't", BOTH),
        ("Ben can have his deal", "Accept offer 1"),
        ("Ben's offer is a joke. No.", "Decline offer 1"),
        ("I turn down what Ben offered", "Decline offer 1"),
    ],
)
def test_answers_in_any_order_are_offered_together(text: str, orders: str) -> None:
    assert offered(text) == [orders]


def test_no_answer_is_lost_in_silence() -> None:
    reading = read("Ben's loan I decline, Cyrene's offer I accept")
    assert not any(x.texts for x in reading.items)
    assert offered("Ben's loan I decline, Cyrene's offer I accept") == [
        "Decline offer 1\nAccept offer 2"
    ]


@each_row(
    "text",
    [
        *("Ben asked me to accept his offer", "Ben said yes to the offer of Cyrene"),
        *("Cyrene's offer is fine but I want more", "If Ben adds steel his offer is fine"),
        "Ben's offer is fine with me, let me ask my brother first",
        *("I accept my fate. Ben is too strong.", "Ben's offer must be accepted by Friday"),
        *("No more offers please, Ben!", "I normally accept offer 1", "Ben's offer? Yes?"),
    ],
)
def test_what_is_no_answer_yet_is_not_offered(text: str) -> None:
    assert offered(text) == []


def test_a_no_that_waits_for_something_declines_nothing() -> None:
    assert not any(x.texts for x in read("Don't accept offer 1 before I hear from Cyrene").items)


@pytest.mark.parametrize(
    "behind", ["PS: not before winter", "But not yet", "Not until you attack", "One thing: never"]
)
def test_an_answer_that_is_put_off_behind_it_is_not_taken(behind: str) -> None:
    assert not any(x.texts for x in read(f"I accept offer 1.\n\n{behind}").items)
