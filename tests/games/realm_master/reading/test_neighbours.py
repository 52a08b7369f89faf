"""A sentence of talk or a line that is not understood leaves a complete order alone; a question
orders nothing.
"""

import pytest

from tests.games.realm_master.reading.test_word_by_word import read

BUY = "Buy: Iron Shield"


@pytest.mark.parametrize(
    "behind",
    [
        " I hope the weather is better where you are.",
        " Not my best turn.",
        " How was your weekend?",
        "\nwww.example.org",
        "\nWork: +49 30 1234567",
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
