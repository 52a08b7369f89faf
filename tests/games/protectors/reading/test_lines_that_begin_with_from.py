"""A line that names where from and at once a verb is an order of its own, not the rest of the line
above.
"""

import pytest

from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.play.positions import landed


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
