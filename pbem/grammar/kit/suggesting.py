"""The nearest legal reading of what was not taken: offered under a number, never taken on its
own.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from pbem.grammar.kit.normalise import fold

NEAR = 62.0
"""How alike (0..100) a suggestion must be at least."""
MOST_SUGGESTIONS = 12
_TRIED = 40
"""So many of the nearest are looked at."""

OrderT = TypeVar("OrderT")
_NUMBERS = re.compile(r"p?\d+")


@dataclass(frozen=True, slots=True)
class Choice(Generic[OrderT]):
    """A legal order and its canonical text."""

    order: OrderT
    text: str


def nearest(
    written: str,
    choices: Sequence[Choice[OrderT]],
    fits: Callable[[OrderT], bool] = lambda _: True,
) -> Choice[OrderT] | None:
    """The choice whose text is most like what was written, if any is near: one with all its
    numbers, for a number next to it is another place. `fits` is asked of the nearest ones alone.
    """
    said = _bare(written)
    numbers = set(_NUMBERS.findall(said))
    texts = [_bare(choice.text) for choice in choices]
    about = [i for i, text in enumerate(texts) if numbers <= set(_NUMBERS.findall(text))]
    near = process.extract(
        said, [texts[i] for i in about], scorer=fuzz.ratio, score_cutoff=NEAR, limit=_TRIED
    )
    return next((choices[about[at]] for *_, at in near if fits(choices[about[at]].order)), None)


def nearest_word(written: str, words: Sequence[str]) -> str | None:
    """The command word most like a word that is none, if any is near."""
    best = process.extractOne(written, words, scorer=fuzz.ratio, score_cutoff=NEAR)
    return None if best is None else str(best[0])


def is_nearly(written: str, words: Collection[str]) -> bool:
    """Whether it is one slip from one of these words: a letter other, added, left out, swapped."""
    near = (abs(len(word) - len(written)) < 2 and word[0] == written[0] for word in words)
    return any(
        close and OSA.distance(written, word, score_cutoff=1) == 1
        for close, word in zip(near, words, strict=True)
    )


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    """Letters and digits alone; what is said twice for the ring of it is said once."""
    words = "".join(character if character.isalnum() else " " for character in fold(text)).split()
    return " ".join(word for i, word in enumerate(words) if not i or word != words[i - 1])
