"""Quotes of our own letters that have lost their marks: a program that wraps quoted lines again
puts the rest of a line on the next one, without a `>`.

We know our letter's text. If the words around a line also stand around it in our letter, the line
is quotation, whatever it says: our letters quote what other people have written.

A line that somebody copied out of our letter is theirs. It stands between other words, or with
other copied lines in a place of its own.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import Literal

from pbem.mail.inbound.quotes import Line, parse_lines, unquoted

NEIGHBOURS = 3
"""This many words before and behind a line must stand around it in our letter, too."""
MOST_LINES = 5000
MOST_PLACES = 20
_How = Literal["pasted", "rest", "whole"]
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
    found: dict[_How, set[int]] = {"pasted": set(), "rest": set(), "whole": set()}
    for letter in letters:
        for number, how in _looked_up(lines, words, _Letter(letter)):
            found[how].add(number)
    marked = found["pasted"] | (found["rest"] - found["whole"])
    return "\n".join(
        f"> {line.raw}" if number in marked else line.raw for number, line in enumerate(lines)
    )


class _Letter:
    """The words of a letter of ours, and where its lines begin and end."""

    __slots__ = ("ends", "said", "starts")

    def __init__(self, letter: str) -> None:
        lines = [words for line in letter.split("\n") if (words := _words(line))]
        self.said = _spelled(list(chain.from_iterable(lines)))
        """As in `_spelled`."""
        sizes = accumulate((len(_spelled(words)) - 1 for words in lines), initial=0)
        edges = list(sizes)
        self.starts, self.ends = frozenset(edges[:-1]), frozenset(edges[1:])

    def places(self, before: list[str], own: list[str], behind: list[str]) -> list[tuple[int, int]]:
        """Where these words stand between those; as places in `said`."""
        whole = _spelled([*before, *own, *behind])
        skipped, size = len(_spelled(before)) - 1, len(_spelled(own)) - 1
        found, at = list[tuple[int, int]](), self.said.find(whole)
        while at >= 0 and len(found) < MOST_PLACES:
            found.append((at + skipped, at + skipped + size))
            at = self.said.find(whole, at + 1)
        return found


def _looked_up(
    lines: list[Line], words: list[list[str]], letter: _Letter
) -> Iterable[tuple[int, _How]]:
    """The lines without a mark that stand in our letter, and not where somebody has copied them.

    A line directly below a quoted one is the `rest` of that; if it stands as a `whole` in our
    letter, somebody took the mark off. Where the beginning of our letter stands without a mark, all
    of it is `pasted`, in its order.
    """
    every = [word for line in words for word in line]
    at, pasted_up_to = 0, None
    is_below = False
    how: _How
    for number, line in enumerate(lines):
        own, start, at = words[number], at, at + len(words[number])
        if line.quoted or not own:
            is_below = line.quoted
            continue
        before, behind = every[max(0, start - NEIGHBOURS) : start], every[at : at + NEIGHBOURS]
        was_below, is_below = is_below, False
        may_be_copied = len(behind) < NEIGHBOURS and _is_apart(lines, number)  # below a short quote
        places = letter.places(before, own, behind) if len(before) == NEIGHBOURS else []
        if behind and not may_be_copied and _begins(letter.said, before, [*own, *behind]):
            pasted_up_to, how = 0, "pasted"
        elif pasted_up_to is not None and any(place >= pasted_up_to for place, _ in places):
            pasted_up_to = min(place for place, _ in places if place >= pasted_up_to)
            how = "pasted"
        elif may_be_copied or not was_below or not places:
            continue
        elif all(begin in letter.starts and end in letter.ends for begin, end in places):
            how = "whole"
        else:
            how = "rest"
        is_below = how != "whole"
        yield number, how


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
