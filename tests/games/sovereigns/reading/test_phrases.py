"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (SS-13).
"""

from tests.games.sovereigns.reading.scoring import SCALE

DISPUTED = {
    "SU-04.6": "`To Cyrene: ...` is a letter, which the house sends to her",
    **dict.fromkeys(
        [f"SU-weak-41.{number}" for number in range(12, 17)],
        "the house asks for the day (away, more time), and quotes the whole message",
    ),
    "SU-weak-12a.30": "nothing but the moon tells that it is no order",
    "SU-weak-64.7": "what was done is told in the next sentence alone",
}
"""Expectations that are not ours, and why."""


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    SCALE.hold(least=2684, most={"asked": 250, "codes": 82}, disputed=DISPUTED)
