"""What a program says above the mail that it quotes: where the announcement ends, and whose mail it
announces.
"""

from collections.abc import Collection

from pbem.mail.inbound.endings import is_list_footer
from pbem.mail.inbound.quotes import (
    Line,
    addresses_named,
    header_block,
    opens_header,
    sender_named,
    separator,
    tells_who_or_when,
)


def after_announcement(lines: list[Line], number: int, found: dict[int, int]) -> int | None:
    """The line after an announcement of somebody else's text that begins here; None when none
    does. `found` are the attributions of these lines.
    """
    if number in found:
        return found[number]
    block = header_block(lines, number)
    if block is not None:
        return block
    kind = separator(lines[number])
    if kind is None:
        return None
    below = next_filled(lines, number + 1)
    if below < len(lines):
        inner = found.get(below) or header_block(lines, below)
        if inner is not None and (kind != "ruled" or below == number + 1):
            return inner
        if kind in {"rule", "known"} and opens_header(lines[below]):
            return below + 1
    if kind == "known":
        number += 1
        while number < len(lines) and tells_who_or_when(lines[number].flat):
            number += 1
        return number
    if kind in {"rule", "short"} and is_list_footer(lines, number + 1):
        return number + 1
    return None


def announces_us(lines: list[Line], ours: Collection[str]) -> bool:
    """Whether these lines, an announcement, name no other sender than ourselves. `ours` are our
    addresses and the names of our letters: an address counts, and a name where no address stands.
    """
    named = addresses_named(lines)
    if named:
        return not ours or named <= set(ours)
    names = [one for one in ours if "@" not in one]
    sender = sender_named(lines)
    return not (names and sender) or any(name in sender for name in names)


def next_filled(lines: list[Line], number: int) -> int:
    """The first line from here on that is not blank."""
    while number < len(lines) and lines[number].blank:
        number += 1
    return number


def next_is_quoted(lines: list[Line], number: int) -> bool:
    """Whether the next line that is not blank is quoted."""
    below = next_filled(lines, number)
    return below < len(lines) and lines[below].quoted
