"""Headings that put off or deny the list below them: `Wish list for later:`, `Not now:`, `Things I
won't do:`. No line of such a list is an order.
"""

import re
from collections.abc import Iterator, Sequence

from pbem.grammar.kit.apart import has_any

_LABEL = re.compile(r"(?:^|(?<=[.!?\n])) *([^:\n.!?;]{3,60}):(?!\w)")
_BULLET = re.compile(r" *(?:[-*•~+>]|\d{1,2}[.)]|[a-z][.)]) *(?=\S)")
_SENTENCE = re.compile(r"[^.!?\n]*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_SHORT = 60
"""A longer line is no heading."""
_FEW = 5
"""The most words before a colon in a line that are a label."""


def put_off(text: str) -> list[tuple[int, int]]:
    """Where that stands in a folded text which its heading says is not to be done now."""
    found = list[tuple[int, int]]()
    for label in _LABEL.finditer(text):
        behind = _SENTENCE.match(text, label.end())
        few = len(label[1].split()) <= _FEW
        if behind is not None and behind[0].strip() and few and _puts_off(label[1]):
            found.append(behind.span())
    return [*found, *_lists(text)]


def _lists(text: str) -> Iterator[tuple[int, int]]:
    """Lists below such a line, each up to what is no part of it."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    at = 0
    while at < len(lines):
        heads = len(lines[at]) <= _SHORT and _puts_off(lines[at].rstrip(" :"))
        first, end = _below(lines, at) if heads else (at, at)
        if end > first:
            yield starts[first], starts[end] - 1
            at = end
        else:
            at += 1


def _below(lines: Sequence[str], at: int) -> tuple[int, int]:
    """The lines that a heading in this line is one of; none if it is no heading."""
    line, first = lines[at].strip(), at + 1
    if not line or line[-1] in ".!?,;":
        return first, first
    colon = line.endswith(":")
    while colon and first < len(lines) and first < at + 3 and not lines[first].strip():
        first += 1
    bulleted = first < len(lines) and _BULLET.match(lines[first]) is not None
    if not bulleted and not colon:
        return first, first
    end = first
    while end < len(lines) and lines[end].strip():
        is_item = _BULLET.match(lines[end]) is not None
        if is_item != bulleted or (not is_item and lines[end].rstrip().endswith(":")):
            break
        end += 1
    return first, end


def _puts_off(heading: str) -> bool:
    return has_any(_WORD.findall(heading), "PUTSOFF")
