"""Words that turn what a message says: that take it back, correct it, deny it, hang it on
something, or say that it does not count yet. They are data (turning.words), in the languages
players write in.

A game's own reader knows what they reach; here it is only told where they stand.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct

from pbem.grammar.kit.vocabulary import parse_words

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+")


class Turning(Struct, frozen=True):
    """A word or phrase of turning.words in a text, or another word (`kind` empty)."""

    kind: str
    text: str
    start: int
    end: int


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """By their first word, the longest first. A phrase of two kinds is of the first."""
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for kind, phrases in parse_words(files(__package__) / "turning.words"):
        for phrase in phrases:
            words = tuple(_WORD.findall(phrase))
            found.setdefault(words[0], {}).setdefault(words, kind)
    return {
        first: tuple(sorted(phrases.items(), key=lambda entry: -len(entry[0])))
        for first, phrases in found.items()
    }


def turnings_of(text: str, start: int = 0, end: int | None = None) -> list[Turning]:
    """All words of a folded text from `start` to `end`, in order; the longest phrase counts."""
    words = list(_WORD.finditer(text, start, len(text) if end is None else end))
    told = [word[0] for word in words]
    found: list[Turning] = []
    phrases, at = _phrases(), 0
    while at < len(words):
        count, kind = 1, ""
        for phrase, meant in phrases.get(told[at], ()):
            if tuple(told[at : at + len(phrase)]) == phrase:
                count, kind = len(phrase), meant
                break
        last = words[at + count - 1]
        found.append(Turning(kind, " ".join(told[at : at + count]), words[at].start(), last.end()))
        at += count
    return found
