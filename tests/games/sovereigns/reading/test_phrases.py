"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (SS-13).
"""

from collections import Counter

from tests.games.sovereigns.reading.scoring import scores

LEAST = 1561
"""So many phrases there are; those in `outside` go on coming."""
MOST = {"asked": 60, "codes": 32}
"""So many are asked back, or told in other codes, at most."""


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    told = {name: (come, means, codes) for name, come, means, codes in scores()}
    assert len(told) >= LEAST
    wrong = {name: came for name, came in told.items() if came[0] in {"misread", "lost"}}
    assert not wrong
    counted = Counter(come for come, *_ in told.values())
    assert all(counted[come] <= most for come, most in MOST.items()), counted
