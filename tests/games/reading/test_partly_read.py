"""F-74, F-75: an order is not taken where words that may change it were not understood, in every
game; what stands in clauses of its own stays.
"""

from pathlib import Path

import pytest

from pbem.grammar.kit.reading import Reading
from tests.games.reading.phrases import read_at
from tests.rows import each_row

GAMES = Path(__file__).parent.parent

HELD = [
    # An end of the order that is not understood, in its clause or right behind it.
    ("fortresses", "red", "red", "Buy:\n* 1 galleon in the Balearic Sea, from Tunis", ()),
    ("sovereigns", "summer", "Ida", "increase M, with 3 resources plus one depleted", ()),
    # It points at what stands before it.
    ("protectors", "A", "Freya", "P4 works, and that one gets the gold", ()),
    # The others are those that the unread part does not name.
    (
        "protectors",
        "A",
        "Freya",
        "P1 and P2 both flumox, no gold for either. The others hold.",
        (),
    ),
    # A correction that is not understood, of a place that an order names.
    (
        "protectors",
        "B",
        "Freya",
        "Bid 40. Buy 1 in P1. No, wait, make the bid 45, the recruit goes to P2 rather than to P1.",
        ("Bid 45",),
    ),
    # What comes after something that is not understood.
    (
        "realm_master",
        "R3",
        "Ann",
        "We hold Jerum for as long as it blooms; after that we move to Kurull.",
        (),
    ),
]
"""In which game and position who says what, and what is taken of it."""

TOLD = [
    (
        "realm_master",
        "R1",
        "Ann",
        "Cleo mentioned that she will enter Mertle and buy the Iron Shield.",
    ),
    (
        "sovereigns",
        "summer",
        "Ida",
        "Marek said that he will build a wall and attack Saltmere with 2.",
    ),
]
"""What others do goes on behind `and`."""

TAKEN = [
    ("protectors", "A", "Freya", "Flumox P1. P4 works.", ("Work, work! P4",)),
]
"""A complete order in a clause of its own is taken beside what is not understood."""


def texts(reading: Reading) -> tuple[str, ...]:
    return tuple(sorted(text for item in reading.items for text in item.texts))


@each_row(("game", "place", "who", "text", "taken"), HELD)
def test_f74_an_order_is_not_taken_where_words_that_may_change_it_were_not_understood(
    game: str, place: str, who: str, text: str, taken: tuple[str, ...]
) -> None:
    reading = read_at(GAMES / game / "reading", place, who, text)
    assert texts(reading) == taken
    assert any(item.problems for item in reading.items)


@pytest.mark.parametrize(("game", "place", "who", "text"), TOLD)
def test_what_is_told_of_others_goes_on_behind_and(
    game: str, place: str, who: str, text: str
) -> None:
    assert texts(read_at(GAMES / game / "reading", place, who, text)) == ()


@pytest.mark.parametrize(("game", "place", "who", "text", "taken"), TAKEN)
def test_an_order_in_a_clause_of_its_own_is_taken(
    game: str, place: str, who: str, text: str, taken: tuple[str, ...]
) -> None:
    assert texts(read_at(GAMES / game / "reading", place, who, text)) == taken


def test_f74_a_term_of_one_side_of_a_bargain_stays_when_the_other_gets_its_own() -> None:
    text = "I offer Petra 2 M until the end of the year; in return I want 1 R, permanently."
    reading = read_at(GAMES / "sovereigns" / "reading", "summer", "Ida", text)
    assert texts(reading) == ("Offer Petra: 2M until year end against 1R permanent",)


def test_f74_all_but_one_behind_a_march_is_one_less() -> None:
    reading = read_at(GAMES / "protectors" / "reading", "A", "Freya", "P1 goes to P2, all but one")
    assert texts(reading) == ("March! 2 from P1 to P2",)


def test_f74_who_is_meant_by_she_is_asked_where_nobody_else_was_named() -> None:
    text = "She attacks only when there are 2 swords or more. The R as sword."
    reading = read_at(GAMES / "realm_master" / "reading", "R1", "Ann", text)
    assert texts(reading) in {("R: sword",), ()}
    assert any(problem.code != "" for item in reading.items for problem in item.problems)
