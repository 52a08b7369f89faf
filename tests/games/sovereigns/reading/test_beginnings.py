"""Kingdoms by the beginnings of their names (SS-13): one that fits one kingdom is that kingdom, and
one that fits several is asked about, in canonical texts, too.
"""

import pytest

from engine.ruleset import Standing
from pbem.cases.runner import problem_codes
from pbem.games.sovereigns.reading.reader import read_case
from pbem.games.sovereigns.reading.words import PREFIX
from pbem.grammar.house.parsing import hear
from tests.games.sovereigns.engine.playing import table

NAMES = {
    "Ann": "Aldermark",
    "Ben": "Borland",
    "Cara": "Bordeaux",
    "Dan": "Dunmore",
    "Eve": "Eskerland",
}
OTHERS = tuple(NAMES.values())[1:]
STATE = table(
    {ruler: {"name": name} for ruler, name in NAMES.items()},
    ballots=[{"claimant": "Dan", "left": 9}],
)
BEGINNINGS = [(name[:end], name) for name in OTHERS for end in range(PREFIX, len(name))]
LINES = (
    *("Attack {} with 2", "research with 1, else attack {} with 1"),
    *("offer {} 1 resource for 1 military", "spy on {} with 1", "foment revolt in {}, 2 harmony"),
    *("steal from {} with 1", "vote yes on {}", "Attack {}: 2M"),
    *("Offer {}: 1R permanent against nothing", "Vote yes on {}"),
)


def told(text: str) -> tuple[list[str], tuple[str, ...]]:
    reading = read_case(STATE, 1, Standing(), hear(text))
    return [text for item in reading.items for text in item.texts], problem_codes(reading)[0]


@pytest.mark.sample(4)
@pytest.mark.parametrize("line", LINES)
def test_a_beginning_is_the_kingdom_or_is_asked_about(line: str) -> None:
    """F-92, in this game."""
    for begun, name in BEGINNINGS:
        for written in (begun, begun.lower()):
            found = told(line.format(written))
            if sum(other.startswith(begun) for other in OTHERS) > 1:
                assert found[0] == [], written
                assert found[1], written
            else:
                assert found == told(line.format(name)), written
