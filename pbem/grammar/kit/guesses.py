"""Words with letters wrong, missing or swapped as what they surely stand for: for what is only
offered.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA

from pbem.grammar.kit.common import is_english
from pbem.grammar.kit.vocabulary import Vocabulary

SHORTEST = 3
LONG = 8
"""From this many letters on, two of them may be wrong."""
MOST_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Guessing(Vocabulary):
    """A vocabulary that knows a word by its likeness, too; `words` are by their first letter."""

    words: Mapping[str, Collection[str]] = field(default_factory=dict)
    _guessed: dict[str, str | None] = field(default_factory=dict)

    def without_slip(self, word: str) -> str | None:
        """See `Vocabulary`; what is no word may be any of these."""
        found = Vocabulary.without_slip(self, word)
        if found is not None or len(word) < SHORTEST or word in self.known or is_english(word):
            return found
        if word not in self._guessed:
            if len(self._guessed) > MOST_KEPT:
                self._guessed.clear()
            self._guessed[word] = self._nearest(word)
        return self._guessed[word]

    def _nearest(self, word: str) -> str | None:
        most = 1 + (len(word) >= LONG)
        ranked = []
        for known in self.words.get(word[0], ()):
            distance = OSA.distance(word, known, score_cutoff=most)
            swapped = sorted(word) == sorted(known)
            if distance <= most and (swapped or len(word) > SHORTEST):
                ranked.append((distance, not swapped, not _is_within(word, known), known))
        ranked.sort()
        best = [known for *rank, known in ranked if rank == [*ranked[0][:3]]]
        return best[0] if len({known.removesuffix("s") for known in best}) == 1 else None


def guessing_of(vocabulary: Vocabulary, kinds: Collection[str]) -> Guessing:
    """A vocabulary that guesses the words of phrases of these kinds."""
    words: dict[str, dict[str, None]] = {}
    for phrases in vocabulary.phrases.values():
        for told, kind in phrases:
            for word in told if kind in kinds else ():
                if len(word) >= SHORTEST and word.isalpha():
                    words.setdefault(word[0], {})[word] = None
    return Guessing(vocabulary.phrases, vocabulary.known, vocabulary.slips, words=words)


def _is_within(word: str, known: str) -> bool:
    """Whether one is the other with letters left out."""
    short, full = sorted((word, known), key=len)
    letters = iter(full)
    return len(short) < len(full) and all(letter in letters for letter in short)
