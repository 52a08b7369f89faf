"""Plain text in columns: how wide it is, and how it is filled, cut and set in tables."""

import unicodedata
from collections.abc import Sequence

WIDTH = 78
SHORTEST_NAME = 8  # columns that a name keeps in a crowded table


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide East Asian signs take two, combining marks
    none.
    """
    if text.isascii():
        return len(text)
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1
        for c in text
    )


def cut(text: str, width: int) -> str:
    """The text in at most `width` columns, with an ellipsis where something is missing."""
    if columns(text) <= width:
        return text
    kept = used = 0
    for sign in text:
        used += columns(sign)
        if used > width - 1:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def pad(text: str, width: int, right: bool = False) -> str:
    """The text filled up to `width` columns, cut if it is longer."""
    text = cut(text, width)
    gap = " " * (width - columns(text))
    return gap + text if right else text + gap


def fill(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """A paragraph of lines no wider than `width`; no-break spaces hold words together and come out
    as plain ones.
    """
    lines: list[str] = []
    line, used = first, columns(first)
    fresh, indent = True, columns(rest)
    for word in text.replace("\n", " ").split(" "):
        if not word:
            continue
        size = len(word) if word.isascii() else columns(word)
        if not fresh and used + 1 + size > width:
            lines.append(line)
            line, used, fresh = rest, indent, True
        while fresh and used + size > width:  # a word longer than a line
            room = _room(word, width - used)
            lines.append(line + word[:room])
            line, used, word = rest, indent, word[room:]
            size = columns(word)
        line, used = (line + word, used + size) if fresh else (f"{line} {word}", used + 1 + size)
        fresh = False
    lines.append(line)
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def fill_lines(text: str) -> str:
    """Every line of a text filled on its own."""
    return "\n".join(fill(line) for line in text.splitlines() if line.strip())


def _room(word: str, width: int) -> int:
    room = 1
    while room < len(word) and columns(word[: room + 1]) <= width:
        room += 1
    return room


def grid_text(
    head: Sequence[str],
    rows: Sequence[Sequence[object]],
    right: Sequence[int] = (),
    names: Sequence[int] = (),
) -> str:
    """A table of plain text, columns as wide as they need to be; until a line holds them all the
    `names` are cut, then the widest.
    """
    cells = [[str(cell).strip() for cell in row] for row in (head, *rows)]
    sizes = [max(columns(row[i]) for row in cells) for i in range(len(head))]
    while sum(sizes) + 2 * len(sizes) > WIDTH:
        loose = [i for i in names if sizes[i] > SHORTEST_NAME] or range(len(sizes))
        sizes[max(loose, key=sizes.__getitem__)] -= 1
    if not any(cells[0]):
        del cells[0]
    return "\n".join(
        ("  " + "  ".join(pad(cell, sizes[i], i in right) for i, cell in enumerate(row))).rstrip()
        for row in cells
    )
