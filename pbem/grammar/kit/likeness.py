"""How alike words are that may be meant for one another."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

NEAR = 62.0
"""How alike (0..100) a word must be at least to be told as what was meant."""
LETTERS_A_SLIP = 3
"""One wrong letter in a word of this many is a slip; in a shorter one it makes another word."""


def is_slip(word: str, spellings: Iterable[str]) -> bool:
    """Whether a word is one of these with letters wrong, or with two of its letters swapped."""
    return any(_is_slip_of(word, spelling) for spelling in spellings)


@lru_cache(maxsize=1 << 14)
def _is_slip_of(word: str, spelling: str) -> bool:
    most = max((len(word) - 1) // LETTERS_A_SLIP, int(sorted(word) == sorted(spelling)))
    return most > 0 and OSA.distance(word, spelling, score_cutoff=most) <= most


def nearest_word(written: str, words: Sequence[str]) -> str | None:
    """The command word most like an unknown word, if any is near."""
    best = process.extractOne(written, words, scorer=fuzz.ratio, score_cutoff=NEAR)
    return None if best is None else str(best[0])


def is_nearly(written: str, words: Collection[str]) -> bool:
    """Whether it is one slip from one of these words: a letter other, added, left out, swapped."""
    near = (abs(len(word) - len(written)) < 2 and word[0] == written[0] for word in words)
    return any(
        close and OSA.distance(written, word, score_cutoff=1) == 1
        for close, word in zip(near, words, strict=True)
    )
