"""Measures prose: how long its sentences are, and how easily it reads.

>>> [sentence.words for sentence in sentences_of("You march. The Dragon sleeps!")]
[2, 3]
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PARTS = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•✓✗✔✘]|\d+[.)]|#+)\s)|\n(?=[ \t]*\|)|\|")
_ENDS = re.compile(r"(?<=[.!?…])[\"'”’)*_]*\s+(?=[\"'“‘(*_\[]*[A-Z0-9ÄÖÜÉ$/])")
_NOT_AN_END = re.compile(r"\b(?:e\.g|i\.e|etc|vs|St|No|Mr|Mrs|Dr|J)\.$")
_WORD = re.compile(r"[A-Za-zÀ-ÿ0-9][\w’'$.,:/@+%-]*")
_VOWELS = re.compile(r"[aeiouyà-ÿ]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, with the line it begins on (from 1) and the number of its words."""

    text: str
    line: int
    words: int


def words_of(text: str) -> list[str]:
    """The words of a text; a number and an address are one each."""
    return _WORD.findall(text)


def sentences_of(text: str) -> list[Sentence]:
    """The sentences of a plain text. An empty line, a point of a list and a cell of a table end
    one, and so does a full stop, a question mark or an exclamation mark before a capital.
    """
    return [sentence for part in _parts(text) for sentence in _split(*part)]


def _parts(text: str) -> Iterator[tuple[str, int]]:
    at = 0
    for gap in _PARTS.finditer(text):
        yield text[at : gap.start()], text.count("\n", 0, at) + 1
        at = gap.end()
    yield text[at:], text.count("\n", 0, at) + 1


def _split(part: str, line: int) -> Iterator[Sentence]:
    begin = 0
    for end in [*_ENDS.finditer(part), None]:
        stop = end.start() if end is not None else len(part)
        if end is not None and _NOT_AN_END.search(part[begin:stop]):
            continue
        said = part[begin:stop]
        count = len(words_of(said))
        if count:
            lead = len(said) - len(said.lstrip())
            yield Sentence(" ".join(said.split()), line + part.count("\n", 0, begin + lead), count)
        begin = end.end() if end is not None else stop


def syllables_of(word: str) -> int:
    """About how many syllables an English word has, and at least one."""
    letters = re.sub(r"[^a-zà-ÿ]", "", word.casefold())
    count = len(_VOWELS.findall(letters))
    if re.search(r"[^aeiouyl]e$|[^aeioudt]ed$", letters) and count > 1:
        count -= 1
    return max(count, 1)


def reading_ease(text: str) -> float:
    """Flesch's reading ease of a plain text: 65 and more is plain English, 100 a child's."""
    sentences = [sentence for sentence in sentences_of(text) if sentence.words > 2]
    words = [word for sentence in sentences for word in words_of(sentence.text)]
    if not words:
        return 100.0
    syllables = sum(syllables_of(word) for word in words)
    return 206.835 - 1.015 * len(words) / len(sentences) - 84.6 * syllables / len(words)


def too_long(text: str, most: int) -> list[Sentence]:
    """The sentences of more than `most` words."""
    return [sentence for sentence in sentences_of(text) if sentence.words > most]
