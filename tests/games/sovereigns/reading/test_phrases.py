"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (SS-13).
"""

from collections import Counter

from tests.games.sovereigns.reading.scoring import scores

ALL = 1182
PART = {"SA-05.31"}
"""`Si hay rebelión, 2 militares; armonía 5`: the half that is read stands, the other is asked."""
MOST = {"asked": 36, "codes": 7}
"""So many are asked back, or told in other codes, at most."""


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    told = {name: (come, means, codes) for name, come, means, codes in scores()}
    assert len(told) == ALL
    wrong = {name: came for name, came in told.items() if came[0] in {"misread", "lost"}}
    assert wrong.keys() <= PART
    counted = Counter(come for come, *_ in told.values())
    assert all(counted[come] <= most for come, most in MOST.items()), counted
