"""Words with letters wrong, missing or swapped as what they surely stand for: for what is only
offered.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache

from rapidfuzz.distance import OSA

from pbem.grammar.kit.common import is_english
from pbem.grammar.kit.vocabulary import Vocabulary

SHORTEST = 3
LONG = 8
"""From so many letters on, two of them may be wrong."""


class Guessing(Vocabulary):
    """A vocabulary that also knows a word by its likeness to one of some kinds."""

    __slots__ = ("_guess", "_words")

    def __init__(self, of: Vocabulary, kinds: Collection[str]) -> None:
        super().__init__(of.phrases, of.known, of.slips)
        words: dict[str, dict[str, None]] = {}
        for phrases in of.phrases.values():
            for told, kind in phrases:
                for word in told if kind in kinds else ():
                    if len(word) >= SHORTEST and word.isalpha():
                        words.setdefault(word[0], {})[word] = None
        object.__setattr__(self, "_words", words)
        object.__setattr__(self, "_guess", lru_cache(maxsize=4096)(self._nearest))

    _words: Mapping[str, Mapping[str, None]]

    def without_slip(self, word: str) -> str | None:
        """See `Vocabulary`; any word of these kinds may be meant, by one that is none."""
        found = super().without_slip(word)
        if found is not None or len(word) < SHORTEST or word in self.known or is_english(word):
            return found
        guessed: str | None = self._guess(word)
        return guessed

    def _nearest(self, word: str) -> str | None:
        most = 1 + (len(word) >= LONG)
        ranked = []
        for known in self._words.get(word[0], ()):
            distance = OSA.distance(word, known, score_cutoff=most)
            swapped = sorted(word) == sorted(known)
            if distance <= most and (swapped or len(word) > SHORTEST):
                ranked.append((distance, not swapped, not _is_within(word, known), known))
        ranked.sort()
        best = [known for *rank, known in ranked if rank == [*ranked[0][:3]]]
        return best[0] if len({known.removesuffix("s") for known in best}) == 1 else None


def _is_within(word: str, known: str) -> bool:
    """Whether one is the other with letters left out."""
    short, full = sorted((word, known), key=len)
    letters = iter(full)
    return len(short) < len(full) and all(letter in letters for letter in short)
