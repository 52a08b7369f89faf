"""Questions that a word of the house answers: a frame, the word, and what may stand behind it
(`could you tell me who plays?`, `what's the deadline for orders?`).
"""

import re
from collections.abc import Iterator
from functools import cache

from pbem.grammar.house.vocabulary import either_of, load_words

MOST_CHARACTERS = 120
_GREETING = r"(?:(?:hi|hello|hey|dear|hallo)(?: [^\W\d_]+){0,2} ?[,!] )?"
_SENTENCE = re.compile(r"(?>(?:[^.!?;:\n]|\.(?=\S))+)(?P<end>[.!?;: ]*+)")


def word_asked(question: str) -> str | None:
    """How we say the word that a folded question asks for; None: it asks for none."""
    if len(question) > MOST_CHARACTERS:
        return None
    found = _pattern().fullmatch(question)
    return found["word"] if found is not None else None


def questions_of(line: str) -> Iterator[tuple[int, int]]:
    """Where sentences with a question mark stand in a line."""
    return (found.span() for found in _SENTENCE.finditer(line) if found["end"].startswith("?"))


def is_asked_for(phrase: str) -> bool:
    """Whether a whole line is a word that a question may ask for."""
    words = load_words()
    return words.lines.get(phrase) in words.lists["word"]


@cache
def _pattern() -> re.Pattern[str]:
    words = load_words()
    phrases = filter(is_asked_for, words.lines)
    frame, article, behind = map(words.either, ("frame", "article", "behind"))
    return re.compile(
        rf"{_GREETING}{frame} (?:{article} )*?(?P<word>{either_of(phrases)})(?: (?:is|are))?"
        rf"(?>(?:,? {behind})*)"
    )
