"""Quotes of our own letters that have lost their marks: a program that wraps quoted lines anew puts
the rest of a line on the next one, without a `>`.

We know what our letter says. If the words before a line and behind it stand beside the same line in
our letter, it is quotation, whatever it says: our letters quote what other people have written. A
line that somebody has copied out of our letter stands between other words.
"""

import re
from collections.abc import Iterable, Sequence

from pbem.mail.inbound.quoting import Line, parse_lines, unquoted

NEIGHBOURS = 3
"""So many words before and behind a line have to stand beside it in our letter, too."""
MOST_LINES = 5000
_WORD = re.compile(r"\w+")


def repeats(text: str, letters: Iterable[str]) -> bool:
    """Whether a line of a text stands in one of our letters."""
    lines = [_spelled(_words(line)) for line in text.split("\n")]
    for letter in letters:
        said = _spelled(_words(letter))
        if any(line.strip() and line in said for line in lines):
            return True
    return False


def mark_rewrapped(text: str, letters: Sequence[str]) -> str:
    """The same text with a `>` before each line that is the rest of a quoted one."""
    if not letters:
        return text
    lines = parse_lines(text.replace("\r\n", "\n"))
    if len(lines) > MOST_LINES:
        return text
    words = [_words(unquoted(line) if line.quoted else line.raw) for line in lines]
    marked: set[int] = set()
    for letter in letters:
        marked.update(_rests(lines, words, _words(letter)))
    return "\n".join(
        f"> {line.raw}" if number in marked else line.raw for number, line in enumerate(lines)
    )


def _rests(lines: list[Line], words: list[list[str]], letter: list[str]) -> Iterable[int]:
    said = _spelled(letter)
    every = [word for line in words for word in line]
    at = 0
    for number, line in enumerate(lines):
        own, start, at = words[number], at, at + len(words[number])
        if line.quoted or not own:
            continue
        before, behind = every[max(0, start - NEIGHBOURS) : start], every[at : at + NEIGHBOURS]
        if len(behind) < NEIGHBOURS and _is_apart(lines, number):
            continue  # it may be copied, below a quote that was shortened
        is_inside = len(before) == NEIGHBOURS and _spelled([*before, *own, *behind]) in said
        if is_inside or (behind and _begins(said, before, [*own, *behind])):
            yield number


def _begins(said: str, before: list[str], words: list[str]) -> bool:
    """Whether our letter begins with these words, and at most with some of those `before`."""
    return any(
        said.startswith(_spelled([*before[start:], *words])) for start in range(len(before) + 1)
    )


def _is_apart(lines: list[Line], number: int) -> bool:
    """Whether nothing stands directly above a line."""
    return number == 0 or lines[number - 1].blank


def _words(text: str) -> list[str]:
    return [found.casefold() for found in _WORD.findall(text)]


def _spelled(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "
