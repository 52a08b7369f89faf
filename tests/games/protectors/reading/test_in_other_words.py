"""Kinds of speech, each in words of our own: shorthand, a no with a hum, a number that is enough."""

from pathlib import Path

import pytest

from tests.games.reading.phrases import read_at

HERE = Path(__file__).parent


def taken(place: str, text: str) -> list[str]:
    """The orders that stand of a text of Freya's, as an answer tells them."""
    reading = read_at(HERE, place, "Freya", text)
    return sorted(text for item in reading.items for text in item.texts)


@pytest.mark.parametrize(
    ("place", "text", "orders"),
    [
        ("A", "P1->P2 3u delayed; P4 F", ["Delayed March! 3 from P1 to P2", "Fortify! P4"]),
        ("A", "3u P1->P2, P4 w", ["March! 3 from P1 to P2", "Work, work! P4"]),
        ("B", "2u P2", ["Buy 2 in P2"]),
        ("A", "Fortify P1. Hmm, no, P2", ["Fortify! P2"]),
        ("A", "P1 to P12 with two. Ah, no, with one.", ["March! 1 from P1 to P12"]),
        ("A", "P1 to P12 with two. No, one is enough.", ["March! 1 from P1 to P12"]),
        ("A", "P1 to P12 with two. Sorry, one is enough.", ["March! 1 from P1 to P12"]),
        ("A", "Golden fortify P1, no, not golden", ["Fortify! P1"]),
        ("A", "P1 fortifies golden. No gold after all.", ["Fortify! P1"]),
        (
            "A",
            "march 2 from P1 to P12 delayed. Wait, not delayed",
            ["March! 2 from P1 to P12"],
        ),
        ("A", "Hope you're feeling better! P2 works", ["Work, work! P2"]),
        ("A", "I am more careful now: fortify P2", ["Fortify! P2"]),
        ("A", "Last turn we lost P3 to Otto. Fortify P1.", ["Fortify! P1"]),
        ("A", "P4 earns us some money, P2 just sits there", ["Hold P2", "Work, work! P4"]),
        ("A", "march 2 from P1 to P12 after the others", ["Delayed March! 2 from P1 to P12"]),
    ],
)
def test_it_is_taken(place: str, text: str, orders: list[str]) -> None:
    assert taken(place, text) == orders


@pytest.mark.parametrize(
    "text",
    ["March 2 from P1 to P12. No, that is enough.", "Fortify P1 and P4. No, one is enough"],
)
def test_it_is_asked(text: str) -> None:
    assert taken("A", text) == []
