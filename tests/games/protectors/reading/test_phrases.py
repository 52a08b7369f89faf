"""The phrases of people who never saw the reader: none is read as what nobody ordered, and none is
dropped without a word (F-20 to F-24).
"""

from collections import Counter

from tests.games.protectors.reading.scoring import score
from tests.games.reading.phrases import FOLDERS, kept_phrases

DISPUTED = {
    "PB-22.20": "`buy nothing` is an order of its own: it keeps the default purchase from happening",
    "HR-21.7": "the same: `no purchases`",
    "TB-13.6": "the same: `no units`",
    "TB-13.11": "the same: `nothing to buy`",
    "TB-10.11": "`To GM: ...` is a note, and its writer is told so: notes are never read as orders",
}
"""Expectations that are not ours, and why."""
MOST = {"asked": 254, "codes": 124}
"""So many are asked back, or told in other codes, at most."""


def test_of_all_phrases_none_is_misread_and_none_is_lost() -> None:
    scores = {one.name: score(one) for one in kept_phrases(FOLDERS["protectors"])}
    assert len(scores) == 3175
    wrong = {name: come for name, come in scores.items() if come in {"misread", "lost"}}
    assert wrong.keys() == DISPUTED.keys(), wrong
    counted = Counter(scores.values())
    assert all(counted[come] <= most for come, most in MOST.items()), counted
