"""Lines to copy that leave something open: `March! <1 or 2> from P2 to P3`."""

import re

_BLANK = re.compile(r"<([^>]*)>")
_RANGE = re.compile(r"(\d+) to (\d+)")


def filled(example: str) -> list[str]:
    """The lines that a reader of this one may send."""
    blank = _BLANK.search(example)
    if blank is None:
        return [example]
    numbers = _RANGE.fullmatch(blank[1])
    options = (
        list(map(str, range(int(numbers[1]), int(numbers[2]) + 1)))
        if numbers
        else re.split(", | or ", blank[1])
    )
    return [example.replace(blank[0], option) for option in options]
