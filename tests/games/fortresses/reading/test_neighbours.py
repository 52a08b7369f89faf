"""A sentence of talk or a line that is not understood leaves a complete order alone; a question
orders nothing.
"""

import pytest

from engine.ruleset import Standing
from pbem.games.fortresses.reading.reader import read_case
from pbem.grammar.house.parsing import hear
from tests.games.fortresses.reading.test_held_back import ATTACK, SYRIA

TAKEN = ["Attack Syria with 4L from Egypt"]


def told(text: str) -> tuple[list[str], list[str]]:
    reading = read_case(ATTACK, 2, Standing(), hear(text))
    return (
        [text for item in reading.items for text in item.texts],
        [problem.code for item in reading.items for problem in item.problems],
    )


@pytest.mark.parametrize(
    "behind",
    [
        " I hope the weather is better where you are.",
        " Not my best turn.",
        " If it rains tomorrow we will play inside.",
        "\n\nAnna\nwww.example.org",
        "\n\nAnna Berg\nWork: +49 30 1234567",
    ],
)
def test_talk_and_signatures_leave_an_order_alone(behind: str) -> None:
    """F-76, F-82."""
    assert told(f"{SYRIA}.{behind}") == (TAKEN, [])


def test_a_line_that_is_not_understood_leaves_the_others_alone() -> None:
    """F-76."""
    assert told(f"Retreat when it rains\n{SYRIA}") == (TAKEN, ["not-understood"])
    assert told(f"{SYRIA}\nRetreat when it rains") == (TAKEN, ["not-understood"])


@pytest.mark.parametrize(
    "behind", ["If Ben agrees.", "Only when it rains.", "Not now.", "If it rains, forget that."]
)
def test_what_governs_an_order_takes_it_down(behind: str) -> None:
    """F-76."""
    stands, problems = told(f"{SYRIA}. {behind}")
    assert stands == []
    assert problems


@pytest.mark.parametrize("begin", ["Will you", "Would you", "Can you", "Could you", "Shall I"])
def test_no_form_of_question_orders(begin: str) -> None:
    """F-83."""
    stands, problems = told(f"{begin} {SYRIA}?")
    assert stands == []
    assert problems
    assert told(f"Could you please {SYRIA}?") == (TAKEN, [])
