"""Words that speak of what was said before, whatever the game: which of them stand in a text, and
how far they reach.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from pbem.grammar.kit.vocabulary import parse_words

_GAP = r"(?:[\w'$]{1,20} ){1,4}?"


@dataclass(frozen=True, slots=True)
class Cue:
    """`reach` is BACK, SOFT or WHOLE, as `discourse.words` explains them."""

    reach: str
    start: int
    end: int


@lru_cache(maxsize=1)
def _cues() -> tuple[re.Pattern[str], dict[str, str]]:
    """Longer words first; what stands with a star, after them."""
    text = (files(__package__) / "discourse.words").read_text("utf-8")
    reaches = {words: reach for reach, phrases in parse_words(text) for words in phrases}
    either = "|".join(
        re.escape(words).replace(r"\*\ ", _GAP)
        for words in sorted(reaches, key=lambda words: ("*" in words, -len(words)))
    )
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)"), reaches


def cues_in(text: str) -> Iterator[Cue]:
    """The cues of a folded text, in order."""
    pattern, reaches = _cues()
    for found in pattern.finditer(text):
        yield Cue(reaches.get(found[0], "BACK"), *found.span())
