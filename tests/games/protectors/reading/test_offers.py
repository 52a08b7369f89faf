"""Offers that once helped the attacker, or marched the other way (F-72)."""

from pathlib import Path

import pytest

from tests.games.reading.phrases import read_at, shown_of
from tests.rows import each_row

HERE = Path(__file__).parent


@each_row(
    ("place", "name", "text"),
    [
        ("A", "Gwen", "golden support for her there"),
        ("A", "Freya", "so two of them go over to P12"),
        ("A", "Freya", "golden march 4 from P1 to P12"),
        (
            "A",
            "Freya",
            "march from P1 to P12 with two soldier, after the march of others (delayed).",
        ),
        ("A", "Freya", "Work in P4. Actually fortify is better there."),
        ("A", "Freya", "Golden fortify P1, ah no, not golden, just normal"),
    ],
)
def test_f72_f73_nothing_is_offered_or_shown(place: str, name: str, text: str) -> None:
    """F-72, F-73: no other player, number, way or half of it, and nothing that was taken back."""
    assert shown_of(read_at(HERE, place, name, text)) == ([], [])


def test_f72_what_says_all_of_an_order_with_slips_is_taken() -> None:
    """F-72: what can be shown to be right is taken, and a slip is told."""
    reading = read_at(HERE, "A", "Freya", "fortfiy P1 and P2, wokr P4")
    taken = [text for item in reading.items for text in item.texts]
    assert taken == ["Fortify! P1", "Fortify! P2", "Work, work! P4"]
    assert "fortfiy" in reading.slips


@pytest.mark.parametrize(
    ("place", "name", "text", "offer"),
    [
        ("A", "Freya", "P2's guys walk over to P3", "March! 2 from P2 to P3"),
        (
            "A",
            "Freya",
            "P1 to P12 with two. Hm no, with one is enough.",
            "March! 1 from P1 to P12",
        ),
        (
            "A",
            "Freya",
            "P2's guys walk over to P3 (both of them). The rest can just work.",
            "March! 2 from P2 to P3\nWork, work! P1\nWork, work! P4\nWork, work! P12",
        ),
        (
            "A",
            "Freya",
            "everybody just stays and fortifies",
            "Fortify! P1\nFortify! P2\nFortify! P4\nFortify! P12",
        ),
        ("B", "Freya", "upg P4, 2u P2, bid rest", "Upgrade P4\nBid 85"),
    ],
)
def test_what_is_said_in_part_is_offered_whole(
    place: str, name: str, text: str, offer: str
) -> None:
    offered, _ = shown_of(read_at(HERE, place, name, text))
    assert offered == [offer]


@pytest.mark.parametrize(
    "text",
    [
        "Fortify P1 and P2. Work the other three.",
        "P1's guys walk over to P3 (both of them).",
        "Guys, P2 fortfies tmrw",
    ],
)
def test_numbers_that_do_not_fit_are_not_offered(text: str) -> None:
    assert shown_of(read_at(HERE, "A", "Freya", text)) == ([], [])
