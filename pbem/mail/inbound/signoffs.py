"""Sign-offs without a mark: a closing phrase, a name, and below it what one is, where one works and
how one is reached.

A closing phrase with nothing but a name is what a person wrote, and stays. Only lines that no order
could be are cut: what else stands below them (a postscript with an order in it) stays.
"""

import re

from pbem.mail.inbound.people import MAX_LINE_CHARS, grade, is_name, split_name
from pbem.mail.inbound.phrases import flatten, words_of
from pbem.mail.inbound.quotes import Line

_MAX_LINES = 14
_MAX_CLOSING_CHARS = 60
_TRAILING = " ,.!;*_~-–—、。，！"
_CLOSED_WITH_NAME = re.compile(r"\s{0,3}([^\n,]{2,50}),\s{1,3}(\S.*)")


def drop_sign_offs(lines: list[Line]) -> list[Line]:
    """Cut every sign-off that tells more than a name."""
    kept: list[Line] = []
    number = 0
    while number < len(lines):
        end = _end_of_sign_off(lines, number)
        if end is None:
            kept.append(lines[number])
        number = number + 1 if end is None else end
    return kept


def _end_of_sign_off(lines: list[Line], start: int) -> int | None:
    """The line after the sign-off that begins here; None when none does."""
    closed = _closing(lines[start])
    if closed is None:
        return None
    rows = _filled(lines, start + 1)
    name = closed
    while not name and rows:
        first = rows.pop(0)
        if _is_closing(lines[first]):  # the second half of a phrase in two lines
            continue
        name = lines[first].raw
    if len(name) > MAX_LINE_CHARS:
        return None
    name, rest = split_name(name)
    if not is_name(name):
        return None
    kind = grade(rest) if rest else "mild"
    if kind == "other":
        return None
    end = (rows[0] if rows else len(lines)) if kind == "sure" else None
    for row in rows:
        kind = grade(lines[row].raw)
        if kind == "other" or _closing(lines[row]) is not None:
            break
        if kind == "sure":
            end = row + 1
    return end


def _filled(lines: list[Line], start: int) -> list[int]:
    """The next lines that are not blank, up to a quoted one."""
    rows: list[int] = []
    for number in range(start, min(len(lines), start + 2 * _MAX_LINES)):
        if lines[number].quoted or len(rows) == _MAX_LINES:
            break
        if not lines[number].blank:
            rows.append(number)
    return rows


def _closing(line: Line) -> str | None:
    """What stands behind a closing phrase in its line (nothing, or a name); None when the line
    begins with none.
    """
    if line.quoted or line.blank:
        return None
    if _is_closing(line):
        return ""
    found = _CLOSED_WITH_NAME.fullmatch(line.raw) if len(line.raw) <= MAX_LINE_CHARS else None
    return (
        found.group(2)
        if found and flatten(found.group(1)).strip(_TRAILING) in words_of("closing")
        else None
    )


def _is_closing(line: Line) -> bool:
    return len(line.flat) <= _MAX_CLOSING_CHARS and line.flat.strip(_TRAILING) in words_of(
        "closing"
    )
