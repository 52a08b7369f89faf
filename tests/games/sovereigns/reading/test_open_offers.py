"""F-79: while offers are open, a short answer is about them, before it can be anything else."""

import pytest

from engine.ruleset import Standing
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.reading.scoring import Tables
from tests.games.sovereigns.reading.scoring import SCALE
from tests.games.sovereigns.reading.tables import POSITIONS
from tests.rows import each_row

OFFERS = [
    {"id": 1, "from": "Ben", "to": "Ann", "gives": ["1R"], "wants": ["1M"], "left": 40},
    {"id": 2, "from": "Chloé", "to": "Ann", "gives": ["1M"], "wants": ["1R"], "left": 40},
]
STATE = Tables(SCALE, {"offers": POSITIONS["season"] | {"offers": OFFERS}}).table("offers")
BOTH = ["Accept offer 1", "Accept offer 2"]


def taken(text: str) -> list[str]:
    reading = read_alone(READER.read, STATE, 1, Standing(), text)
    return [text for item in reading.items for text in item.texts]


@each_row(
    ("text", "orders"),
    [
        ("yes to 1 and 2", BOTH),
        ("yes to 2", BOTH[1:]),
        ("yes to both", BOTH),
        ("I agree with the offer of Ben", BOTH[:1]),
        ("we agree with Cyrene's offer", BOTH[1:]),
        ("decline both", ["Decline offer 1", "Decline offer 2"]),
    ],
)
def test_f79_an_answer_is_about_the_open_offers(text: str, orders: list[str]) -> None:
    assert taken(text) == orders


@pytest.mark.parametrize(
    "text", ["yes to 1 and 7", "I agree with Ben that war is bad", "yes to 1, if you wait"]
)
def test_f79_what_is_not_certain_accepts_nothing(text: str) -> None:
    """A number that no open offer has, talk, a condition."""
    assert taken(text) == []
