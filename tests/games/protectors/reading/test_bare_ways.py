"""Ways without an order word: a line that names where from and at once a verb is an order of its
own, not the rest of the line above; two numbers are provinces where they cannot be units.
"""

import pytest

from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.play.positions import landed
from tests.games.protectors.reading.positions import codes, read, table, texts


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("fortify P1\nfrom P2 march 2 to P3", ["Fortify! P1", "March! 2 from P2 to P3"]),
        (
            "P1 works\nfrom P2 support Chloé in P3",
            ["Work, work! P1", "Support! Chloé in P3 from P2"],
        ),
        (
            "P1 works\nfrom P2 golden support for Chloé in P3",
            ["Work, work! P1", "Golden Support! Chloé in P3 from P2"],
        ),
        ("march 2\nfrom P2 to P3", ["March! 2 from P2 to P3"]),
    ],
)
def test_the_line_above_stays_as_it_is(text: str, means: list[str]) -> None:
    reading = read_alone(
        READER.read, landed(("Anna", "Bartek", "Chloé", "Dmytro"), "orders"), 1, Standing(), text
    )
    assert [said for item in reading.items for said in item.texts] == means
    assert not [problem for item in reading.items for problem in item.problems]


_BORDER = {
    "P1": ("Anna", 1),
    "P2": ("Mark", 1),
    "P3": ("Anna", 1),
    "P4": ("Chloé", 2),
    "P5": ("Chloé", 2),
    "P6": ("May", 2),
    "P7": ("May", 2),
    "P8": ("Annabel", 2),
    "P9": ("Annabel", 2),
    "P10": ("Mark", 1),
}


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("1 to 2", []),  # from P1, or one unit of P3?
        ("1 -> 2", ["March! 1 from P1 to P2"]),
        ("3 to 2", ["March! 1 from P3 to P2"]),
        ("1 to 10, 3 to 4", ["March! 1 from P1 to P10", "March! 1 from P3 to P4"]),
    ],
)
def test_two_numbers_are_a_way_where_the_first_cannot_be_units(text: str, means: list[str]) -> None:
    """F-3: what may be read in two ways is asked."""
    board = {name: {"owner": owner, "units": units} for name, (owner, units) in _BORDER.items()}
    state = table(more={"board": board})
    reading = read(text, state=state)
    assert texts(reading, state) == means
    assert bool(codes(reading)) == (not means)
