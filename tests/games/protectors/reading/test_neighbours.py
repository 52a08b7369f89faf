"""A sentence of talk or a second order that is not understood leaves a complete order alone; a
question orders nothing.
"""

import pytest

from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.reading.positions import ANNA, EMPTY, codes, table, texts
from tests.rows import each_row

STATE = table()


def told(text: str) -> tuple[list[str], set[str]]:
    reading = read_alone(READER.read, STATE, ANNA, EMPTY, text)
    return texts(reading, STATE), codes(reading)


@each_row(
    "behind",
    [
        " I hope the weather is better where you are.",
        " Not my best turn.",
        "\n\nAnna Berg\n5 High Street\nPreston P1 3AB",
        "\n\nAnna Berg\nWork: +49 30 1234567\nHome: +49 30 7654321",
        "\n\nAnna\nwww.example.org",
        "\n\nSent from Mail<https://go.microsoft.com/fwlink/?LinkId=550986> for Windows",
    ],
)
def test_talk_and_signatures_leave_an_order_alone(behind: str) -> None:
    """F-76, F-82."""
    assert told(f"P2 fortifies.{behind}") == (["Fortify! P2"], set())


@pytest.mark.parametrize(
    "behind",
    [
        "If May attacks P1, P1 should fortify, otherwise work.",
        "All work and no play makes Jack a dull boy",
        "Work hard, play harder.",
        "An army marches on its stomach.",
    ],
)
def test_what_is_not_understood_leaves_an_order_alone(behind: str) -> None:
    """F-76, F-82."""
    for text in (f"P2 fortifies. {behind}", f"{behind}\nP2 fortifies."):
        assert told(text) == (["Fortify! P2"], {"not-understood"}), text


@each_row(
    "behind",
    [
        *("If May attacks P2, P2 should work.", "If May attacks, work.", "If May attacks."),
        *("Not this turn.", "No wait, forget that.", "If it rains, forget that."),
    ],
)
def test_what_governs_an_order_takes_it_down(behind: str) -> None:
    """F-76."""
    stands, problems = told(f"P2 fortifies. {behind}")
    assert stands == []
    assert problems


@each_row(
    "text",
    [
        *("Will you fortify P1?", "Would you fortify P1?"),
        *("Would you march 1 from P1 to P2 for me?", "Can you fortify P1?"),
        *("Could you fortify P1?", "Shall I fortify P1?", "May I fortify P1?"),
        *("Should P1 fortify?", "Can P1 fortify?", "Fortify P1?"),
    ],
)
def test_no_form_of_question_orders(text: str) -> None:
    """F-83."""
    stands, problems = told(text)
    assert stands == []
    assert problems


def test_a_polite_request_orders() -> None:
    """F-83."""
    assert told("Would you please fortify P1?") == (["Fortify! P1"], set())


@pytest.mark.parametrize(
    "behind",
    [
        "Move fast and break things.",
        "My son has to march in the school band today.",
        "--\nDr. Maria Sole\nHead of Support, March & Sons Ltd\nTel. +39 06 555 12 34",
    ],
)
def test_an_order_word_that_is_common_english_leaves_an_order_of_its_kind_alone(
    behind: str,
) -> None:
    """F-76, F-82."""
    for text in (f"March 1 from P2 to P1. {behind}", f"{behind}\n\nMarch 1 from P2 to P1."):
        assert told(text)[0] == ["March! 1 from P2 to P1"], text


@pytest.mark.parametrize(
    "behind",
    ["My army has to march home.", "I hate to march.", "The march is foolish.", "March elsewhere."],
)
def test_a_word_that_may_be_about_an_order_holds_it_back(behind: str) -> None:
    """F-76."""
    stands, problems = told(f"March 1 from P2 to P1. {behind}")
    assert stands == []
    assert problems
