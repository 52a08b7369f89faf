"""Whether a word is common in a language, after the lists of pyspellchecker. They are sorted, and
are searched as they lie: nothing is parsed, and a list is opened when it is first asked.
"""

import gzip
from functools import lru_cache
from importlib.resources import files

OTHERS = ("nl", "de", "fr", "es", "it", "pt")
"""Languages of small talk besides English."""
_OFTEN = 100
"""How often a word stands in the texts of a list at least: below are names and slips."""
_EVERY_DAY = 5000
_SHORTENED = ("n't", "'ll", "'ve", "'re", "'d", "'m", "'s")


@lru_cache(maxsize=8)
def _list_of(language: str) -> bytes:
    """A line `"word": number,` a word."""
    packed = files("spellchecker") / "resources" / f"{language}.json.gz"
    return gzip.decompress(packed.read_bytes())


def frequency(word: str, language: str) -> int:
    """How often a word stands in the texts of this language's list; 0 if it does not."""
    wanted, listed = b'"' + word.encode() + b'"', _list_of(language)
    low, high = listed.find(b"\n") + 1, len(listed)
    while low < high:
        at = listed.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = listed.find(b"\n", at)
        line = listed[at : end if end >= 0 else len(listed)]
        key = line[: line.find(b'":') + 1]
        if key == wanted:
            return int(line[len(key) + 1 :].strip(b" ,}"))
        if key and key[:-1] < wanted[:-1]:
            low = at + len(line) + 1
        else:
            high = at
    return 0


@lru_cache(maxsize=4096)
def is_english(word: str) -> bool:
    """Whether this is a common English word."""
    stem = next((word.removesuffix(end) for end in _SHORTENED if word.endswith(end)), word)
    return any(frequency(form, "en") >= _OFTEN for form in {word, stem})


def is_everyday(word: str) -> bool:
    """Whether this is so common in English that it can hardly be a name."""
    return frequency(word, "en") >= _EVERY_DAY


@lru_cache(maxsize=4096)
def is_foreign(word: str) -> bool:
    """Whether this is a common word of one of the other languages."""
    return any(frequency(word, language) >= _OFTEN for language in OTHERS)
