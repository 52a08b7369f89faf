"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (FW-11).
"""

from tests.games.fortresses.reading.scoring import SCALE


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    SCALE.hold(least=869, most={"asked": 95, "codes": 35})
