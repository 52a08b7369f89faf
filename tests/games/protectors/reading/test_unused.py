"""Words of the game that a message says for nothing are told."""

import pytest

from pbem.grammar.kit.fresh_start import clearing_in
from tests.games.reading.unused import read
from tests.rows import each_row


@each_row(
    ("text", "unused"),
    [
        ("1 P1-P2, rest F", ("rest F",)),
        ("Send Otto 20 and snitch on him as well.", ("snitch on",)),
        ("P1 fortifies. Good luck, Otto, and well played!", ()),
        ("P1 fortifies because Otto took P3.", ()),
        ("Attack Otto in P3 with 1 from P2", ()),
        ("P1 works, no wait, it fortifies.", ()),
        (
            "Take the frozen turnip levy off the shelf again, you know which. P1 fortify",
            ("Take the frozen turnip levy off the shelf again",),
        ),
        (
            "P1 fortify. We do the thing with the geese again.",
            ("We do the thing with the geese again",),
        ),
        ("P1 fortify. I hope that does the trick.", ()),
    ],
)
def test_what_came_to_nothing_is_told(text: str, unused: tuple[str, ...]) -> None:
    """F-74: an order word that no order uses is quoted; talk, reasons, corrections and what says
    again whose a province is are not."""
    reading, _ = read("protectors", text)
    assert reading.unused == unused


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("g. March 1 P1>P2", "Golden March! 1 from P1 to P2"),
        ("G: march 1 P1>P2", "Golden March! 1 from P1 to P2"),
        ("golden. March 1 P1>P2", "Golden March! 1 from P1 to P2"),
        ("d. march 1 P1>P2", "Delayed March! 1 from P1 to P2"),
        ("w. P2", "Work, work! P2"),
    ],
)
def test_a_letter_of_the_game_is_no_list_mark(text: str, after: str) -> None:
    """F-74: where no list goes on, a letter with a dot is an order word that is written short."""
    reading, stands = read("protectors", text)
    assert (stands, reading.unused) == ([after], ())


@each_row(
    ("text", "unused"),
    [
        ("a. P1 works\nb. P2 fortifies\nc. Send Otto 5\nd. P4 works", ()),
        ("1. P1 works\n3. P2 works", ()),
        ("x. P1 works", ()),
        ("g) march 1 P1>P2", ("g",)),
        ("1) P1 works\ng) P2 works", ("g",)),
        ("3. P1 works", ("3",)),
        ("2. march 2 P1>P2", ()),
    ],
)
def test_a_list_mark_out_of_order_is_told(text: str, unused: tuple[str, ...]) -> None:
    """F-74: a mark that is no next one of its list may be a word of the order."""
    reading, stands = read("protectors", text)
    assert reading.unused == unused
    assert stands


def test_a_list_of_letters_orders_as_it_would_without_them() -> None:
    """F-74: a `d.` below a `c.` delays nothing."""
    _, after = read("protectors", "a. P1 works\nb. P2 works\nc. Send Otto 5\nd. march 1 P4>P3")
    assert after[-1] == "March! 1 from P4 to P3"


@pytest.mark.parametrize("rest", ["The rest stays.", "The rest remains."])
def test_the_rest_stays_as_it_stands(rest: str) -> None:
    """F-75: beside a change nothing else that stands is replaced."""
    _, after = read("protectors", f"P2 fortify. {rest}", ("Fortify! P1", "Work, work! P4"))
    assert after == ["Fortify! P1", "Work, work! P4", "Fortify! P2"]


@pytest.mark.parametrize(
    "begins", ["Forget everything I said, new plan:", "Scrap all that.", "Start over:"]
)
def test_all_that_stands_is_forgotten(begins: str) -> None:
    """F-78: what begins so replaces all that stands."""
    _, after = read("protectors", f"{begins} P2 works", ("Fortify! P1", "Work, work! P4"))
    assert after == ["Work, work! P2"]


@pytest.mark.parametrize("text", ["don't forget everything", "i started over there", "p1 works"])
def test_other_words_clear_nothing(text: str) -> None:
    assert clearing_in(text) is None


@pytest.mark.parametrize("text", ["P1 buy 2 to P2", "buy 2 P1 to P2", "buy 2 to P2 in P1"])
def test_two_provinces_of_a_purchase_are_asked_about(text: str) -> None:
    """F-74: the reader stopped with an error where the second province was the aim of a way."""
    reading, after = read("protectors", text)
    assert after == []
    assert reading.items[0].problems
