"""A sentence of talk leaves a complete order alone; a question orders nothing."""

import pytest

from tests.games.sovereigns.reading.tables import read

ATTACK = "attack Borland with 3"


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
    alone = read(ATTACK)
    assert alone[0]
    assert read(f"{ATTACK}.{behind}") == alone


@pytest.mark.parametrize("behind", ["If Ben agrees.", "Not now.", "If it rains, forget that."])
def test_what_governs_an_order_takes_it_down(behind: str) -> None:
    """F-76."""
    stands, problems = read(f"{ATTACK}. {behind}")
    assert stands == []
    assert problems


@pytest.mark.parametrize("begin", ["Will you", "Would you", "Can you", "Could you", "Shall we"])
def test_no_form_of_question_orders(begin: str) -> None:
    """F-83."""
    stands, problems = read(f"{begin} {ATTACK}?")
    assert stands == []
    assert problems
