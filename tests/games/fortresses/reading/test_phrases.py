"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (FW-11).
"""

from collections import Counter

from tests.games.fortresses.reading.scoring import scores

ALL = 869
MOST = {"asked": 96, "codes": 40}
"""So many are asked back, or told in other codes, at most."""


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    told = {name: (come, means, codes) for name, come, means, codes in scores()}
    assert len(told) == ALL
    wrong = {name: came for name, came in told.items() if came[0] in {"misread", "lost"}}
    assert wrong == {}
    counted = Counter(come for come, *_ in told.values())
    assert all(counted[come] <= most for come, most in MOST.items()), counted
