"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (SS-13).
"""

from tests.games.sovereigns.reading.scoring import SCALE


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    SCALE.hold(least=1561, most={"asked": 58, "codes": 30})
