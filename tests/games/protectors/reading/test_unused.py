"""Words of the game that a message says for nothing are told."""

import pytest

from pbem.grammar.kit.clearing import with_clearing
from tests.games.reading.unused import read


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("1 P1-P2, rest F", ("rest F",)),
        ("Send Otto 20 and snitch on him as well.", ("snitch on",)),
        ("P1 fortifies. Good luck, Otto, and well played!", ()),
        ("P1 fortifies because Otto took P3.", ()),
        ("Attack Otto in P3 with 1 from P2", ()),
        ("P1 works, no wait, it fortifies.", ()),
    ],
)
def test_what_came_to_nothing_is_told(text: str, unused: tuple[str, ...]) -> None:
    """F-74: an order word that no order uses is quoted; talk, reasons, corrections and what says
    again whose a province is are not."""
    reading, _ = read("protectors", text)
    assert reading.unused == unused


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
    assert with_clearing(text) == text
