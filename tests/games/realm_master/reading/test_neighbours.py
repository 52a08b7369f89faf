"""A sentence of talk or a line that is not understood leaves a complete order alone; a question
orders nothing.
"""

import pytest

from tests.games.realm_master.reading.test_word_by_word import read
from tests.rows import each_row

BUY = "Buy: Iron Shield"


@pytest.mark.parametrize(
    "behind",
    [
        *(" I hope the weather is better where you are.", " Not my best turn."),
        *(" How was your weekend?", "\nwww.example.org", "\nWork: +49 30 1234567"),
    ],
)
def test_talk_and_signatures_leave_an_order_alone(behind: str) -> None:
    """F-76, F-82."""
    assert read("round", "Anna", f"{BUY}.{behind}") == ([BUY], [])


def test_a_no_below_its_heading_says_nothing_of_other_lines() -> None:
    """F-76."""
    stands, problems = read("round", "Anna", "R: hearts\nattack: no\nenter: no")
    assert stands == ["R: heart", "Attack: no", "Enter: nothing"]
    assert problems == []
    assert read("round", "Anna", "R: hearts\nplay: no") == (["R: heart"], ["not-understood"])


@pytest.mark.parametrize(
    "text",
    ["Will you attack for me?", "Would you buy the Iron Shield?", "Could you reroll blanks?"],
)
def test_no_form_of_question_orders(text: str) -> None:
    """F-83."""
    stands, problems = read("round", "Anna", text)
    assert stands == []
    assert problems


@each_row(
    "behind",
    [
        *("Keep calm and carry on.", "Work hard, play harder.", "Stay hungry, stay foolish."),
        *("The best defence is a good attack.", "Karl | Team Lead | Hold & Reinforce GmbH"),
        *("Move fast and break things.", "Wish me luck with the exam, I need at least 60 points."),
    ],
)
def test_an_order_word_that_is_common_english_leaves_an_order_of_its_kind_alone(
    behind: str,
) -> None:
    """F-76, F-82."""
    told = ["Reroll: reroll blanks", "Attack: yes", "When hit: stay", "Enter: Mertle"]
    text = "Reroll blanks. Attack. When hit stay. Enter Mertle."
    for said in (f"{text}\n{behind}", f"{text} {behind}", f"{behind}\n\n{text}"):
        assert read("round", "Anna", said)[0] == told, said


@each_row(
    ("text", "behind"),
    [
        *(
            ("Reroll blanks.", behind)
            for behind in (
                *("Keep the good ones.", "Keep good dice.", "Keep pairs.", "Keep my luck."),
                *("Keep swrdz.", "Better keep calm."),
            )
        ),
        *(
            ("Attack.", behind)
            for behind in (
                *("The attack is foolish.", "Attack is useless.", "An attack would be foolish."),
                *("Attack somebody else.", "Never attack friends."),
            )
        ),
    ],
)
def test_a_word_that_may_be_about_an_order_holds_it_back(text: str, behind: str) -> None:
    """F-76."""
    for said in (f"{text} {behind}", f"{text}\n{behind}"):
        stands, problems = read("round", "Anna", said)
        assert stands == []
        assert problems, said


def test_what_stands_apart_is_no_part_of_the_line_before_it() -> None:
    """F-76: a number below a condition is of another sentence."""
    told = ["Enter: Arub, Mertle if hearts at least 7"]
    for behind in ("12 Castle Hill, Edinburgh", "My 3 kids are ill, so no long letters."):
        assert read("round", "Anna", f"enter: Arub, Mertle if h>=7\n{behind}")[0] == told
