"""The answer where our letters ask for it: above their first line (`MARKER`), and below what a
program puts above the letter, or within the quote.

No text of our letter stands there. Other people's text may, where a quoted mail of theirs quotes
ours: only the announcement of a mail of ours counts.
"""

from collections.abc import Collection

from pbem.mail.inbound.announced import after_announcement, announces_us, next_filled
from pbem.mail.inbound.endings import drop_banner, is_signature_mark
from pbem.mail.inbound.people import is_name
from pbem.mail.inbound.quotes import Line, attributions, is_marker, parse_lines, unquoted
from pbem.mail.tokens import CODE_LINE

_QUOTE = Line("> ", ">", quoted=True)
_MOST_LINES = 20
"""Of an announcement."""
_FILLER = "\u034f"
"""Fills the line that an HTML letter of ours shows in a list of mails only, and that stands above
the marker. Some programs show it in a quote. Nobody types it.
"""


def end_of_answer(
    lines: list[Line],
    start: int,
    after: int,
    found: dict[int, int],
    own_addresses: Collection[str],
) -> int | None:
    """Where our marker stands, if a letter of ours is announced by the lines from `start` up to
    `after`, and there are words between; None if not.
    """
    end = next((n for n in range(after, len(lines)) if lines[n].quoted), len(lines))
    quote = (inner for line in lines[end:] if not (inner := _inner(line)).blank)
    if not is_marker(next(quote, _QUOTE)):
        return None
    if not announces_us(lines[start:after], own_addresses):
        return None
    if any(
        after_announcement(lines, number, found) is not None or CODE_LINE.search(lines[number].raw)
        for number in range(after, end)
    ):
        return None
    return end


def written_above(lines: list[Line]) -> list[Line]:
    """The person's words of these lines, which stand above the marker."""
    lines = drop_banner(_without_filler(lines))
    signed = next((number for number, line in enumerate(lines) if is_signature_mark(line)), None)
    return lines[:signed]


def open_quote(lines: list[Line], own_addresses: Collection[str]) -> list[Line]:
    """Take the quote marks from what a person wrote within the quote of a letter, above its
    marker. The first letter alone, and only where it is quoted once.
    """
    marker = next(
        (n for n, line in enumerate(lines) if line.quoted and is_marker(_inner(line))), None
    )
    if marker is None:
        return lines
    start = marker
    while start and (lines[start - 1].quoted or lines[start - 1].blank):
        start -= 1
    run = parse_lines("\n".join(unquoted(line) for line in lines[start:marker]))
    above = _announcement_above(lines[:marker], start)
    begin = _after_announcements(run, own_addresses) if announces_us(above, own_addresses) else None
    words = written_above(run[begin:]) if begin is not None else []
    if not any(not line.blank for line in words) or any(
        CODE_LINE.search(line.raw) for line in words
    ):
        return lines
    return [*lines[:start], _QUOTE, *words, *lines[marker:]]


def _announcement_above(lines: list[Line], end: int) -> list[Line]:
    """The announcement that ends here."""
    found = attributions(lines)
    for number in range(max(0, end - _MOST_LINES), end):
        after = after_announcement(lines, number, found)
        if after is not None and next_filled(lines, after) >= end:
            return lines[number:after]
    return []


def _after_announcements(run: list[Line], own_addresses: Collection[str]) -> int | None:
    """The line after the last announcement within a quote; None if one announces another's mail:
    they may have answered ours there.
    """
    found = attributions(run)
    begin = number = 0
    ours = True
    while number < len(run):
        line = run[number]
        after = after_announcement(run, number, found)
        if after is not None:
            ours = ours and announces_us(run[number:after], own_addresses)
        elif line.quoted or (begin == 0 and line.flat.endswith(":") and _names(line)):
            after = number + 1
        if after is None:
            number += 1
        else:
            begin = number = after
    return begin if ours else None


def _names(line: Line) -> bool:
    """`The Realm:`, as the whole of a line."""
    return is_name(line.raw.strip(" :*_"))


def _inner(line: Line) -> Line:
    """A quoted line without its outermost mark."""
    [inner] = parse_lines(unquoted(line))
    return inner


def _without_filler(lines: list[Line]) -> list[Line]:
    """Without the paragraphs that hold the filler."""
    kept: list[Line] = []
    for line in lines:
        if _FILLER not in line.raw:
            kept.append(line)
            continue
        while kept and not kept[-1].blank:
            kept.pop()
    return kept
