"""What the dress for a chat needs beyond templates: tables narrow enough for a phone, marks under a
word, measures.

The markup is Telegram's HTML. Telegram measures a caption or a message in UTF-16 code units,
without the markup.
"""

import html
import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from pbem.pages.kit.columns import columns, cut, pad

PHONE = 34
"""Columns of fixed-width type that a phone shows without wrapping."""
CAPTION_UNITS = 1024
"""What the caption of a picture holds."""
MOST_PIECES = 90
"""Telegram drops the formatting beyond a hundred pieces of a message; before that happens, links to
rules give way.
"""
PASSING_MARK = "\x0e"
"""Stands before words at the end of a message that hold only while the phase is open."""
TITLE_MARK = "\x0f"
"""Stands where the title of a page begins: the frame puts the table's name there."""

_BREAKS = re.compile(r"[ \t\r\n]+")
_TAG = re.compile(r"<[^<>]*>")
_LINK = re.compile(r'<a href="[^"]*">([^<]*)</a>')
_BEFORE = 12  # columns kept before a marked word of a long line


def plain(piece: object) -> str:
    """The words of a piece on one line, without markup and with blanks that can be typed."""
    return escape(piece).striptags()


def flow(piece: object) -> Markup:
    """A paragraph on one line, as the phone wraps it; no-break spaces stay."""
    # escaped, or markup before
    return Markup(_BREAKS.sub(" ", escape(piece)).strip())  # noqa: S704


def code(words: object) -> Markup:
    """Words to be copied by a tap."""
    return Markup("<code>%s</code>") % (plain(words),)


def marked(line: str, caret: tuple[int, int]) -> Markup:
    """A line with carets under the signs from `caret[0]` to before `caret[1]`; of a long line the
    part around them.
    """
    line = line.replace("\N{NO-BREAK SPACE}", " ").replace("\t", " ").replace("\n", " ")
    start, end = max(0, caret[0]), min(len(line), caret[1])
    skipped = 0
    while (
        columns(line[skipped:end]) + (skipped > 0) >= PHONE
        and columns(line[skipped:start]) > _BEFORE
    ):
        skipped += 1
    opening = "…" if skipped else ""
    before = opening + line[skipped:start]
    under = min(columns(line[start:end]), PHONE - columns(before))
    return Markup("<pre>%s\n%s</pre>") % (
        cut(opening + line[skipped:], PHONE),
        " " * columns(before) + "^" * max(1, under),
    )


def grid(
    head: Sequence[object], rows: Sequence[Sequence[object]], right: Sequence[int] = ()
) -> Markup:
    """A table in fixed-width type where it fits a phone; otherwise a line for each row, its numbers
    named by their heads.
    """
    titles, cells = (
        [plain(title) for title in head],
        [[plain(cell) for cell in row] for row in rows],
    )
    kept = [i for i in range(len(titles)) if any(row[i] for row in cells)]
    sizes = {i: max(columns(row[i]) for row in (titles, *cells)) for i in kept}
    for gap in (2, 1):
        if sum(sizes.values()) + gap * (len(kept) - 1) <= PHONE:
            shown = cells if not any(titles) else [titles, *cells]
            lines = (
                (" " * gap).join(pad(row[i], sizes[i], i in right) for i in kept).rstrip()
                for row in shown
            )
            return Markup("<pre>%s</pre>") % ("\n".join(lines),)
    return Markup("\n").join(_row(titles, row) for row in cells)


def _row(titles: Sequence[str], row: Sequence[str]) -> Markup:
    name = " ".join(row[:2] if not titles[0] else row[:1])
    rest = [_named(title, cell) for title, cell in zip(titles, row, strict=True)][
        1 if titles[0] else 2 :
    ]
    return Markup(" · ").join(
        [Markup("<b>%s</b>") % (name,), *(escape(cell) for cell in rest if cell)]
    )


def _named(title: str, cell: str) -> str:
    """A number needs its head next to it, unless it says itself what it counts."""
    needs = (
        title and cell[:1].isdigit() and title.casefold().removesuffix("s") not in cell.casefold()
    )
    return "" if cell == "-" else f"{title} {cell}" if needs else cell


def gauge(share: int, length: int = 10) -> str:
    """A share in hundredths as a bar."""
    full = (share * length + 50) // 100
    return "▰" * full + "▱" * (length - full)


def units(words: object) -> int:
    """How long Telegram finds a text with its markup."""
    return len(html.unescape(_TAG.sub("", escape(words))).encode("utf-16-le")) // 2


def thinned(words: str) -> str:
    """The same without links where there would be more formatting than Telegram keeps."""
    return _LINK.sub(r"\1", words) if words.count("</") > MOST_PIECES else words
