"""Tables of an HTML mail that cannot be laid out side by side: every line of a column is as wide as
its widest.

Orders in a table keep its rows. What is larger than anybody writes (the layout of a newsletter, one
endless cell) is read cell below cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

_MAX_CHARS = 100_000
"""Of one table as it is laid out, and of all tables together ten times as many."""
_ROW_GROUPS = frozenset({"tbody", "thead", "tfoot"})
_BREAKS = frozenset(
    {
        "br",
        "p",
        "div",
        "li",
        "tr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "table",
    }
)


@dataclass(slots=True)
class _Extent:
    """How large what is in an element becomes at most."""

    chars: int = 0
    lines: int = 0


def flatten_large_tables(soup: BeautifulSoup) -> None:
    """In place; innermost tables first, so that every element is looked at once."""
    extents: dict[int, _Extent] = {}
    budget = 10 * _MAX_CHARS
    for tag in reversed(list(_elements(soup))):
        extents[id(tag)] = _extent(tag, extents)
        if tag.name == "table":
            size = _laid_out_size(tag, extents)
            if size > min(_MAX_CHARS, budget):
                _flatten(tag)
            else:
                budget -= size


def _elements(soup: BeautifulSoup) -> Iterator[Tag]:
    waiting: list[Tag] = [soup]
    while waiting:
        tag = waiting.pop()
        yield tag
        waiting.extend(child for child in tag.contents if isinstance(child, Tag))


def _extent(tag: Tag, extents: dict[int, _Extent]) -> _Extent:
    found = _Extent(lines=tag.name in _BREAKS)
    for child in tag.contents:
        if isinstance(child, Tag):
            inner = extents[id(child)]
            found.chars += inner.chars
            found.lines += inner.lines
        elif isinstance(child, NavigableString):
            found.chars += len(child)
            found.lines += child.count("\n") if len(child) > 1 and not child.isspace() else 0
    return found


def _rows(table: Tag) -> Iterator[Tag]:
    for child in table.contents:
        if isinstance(child, Tag):
            if child.name in _ROW_GROUPS:
                yield from (
                    row for row in child.contents if isinstance(row, Tag) and row.name == "tr"
                )
            elif child.name == "tr":
                yield child


def _laid_out_size(table: Tag, extents: dict[int, _Extent]) -> int:
    columns = widest = lines = 0
    for row in _rows(table):
        cells = [extents[id(cell)] for cell in row.contents if isinstance(cell, Tag)]
        columns = max(columns, len(cells))
        widest = max([widest, *(cell.chars for cell in cells)])
        lines += 1 + max((cell.lines for cell in cells), default=0)
    return columns * widest * lines


def _flatten(table: Tag) -> None:
    for row in list(_rows(table)):
        for cell in row.contents:
            if isinstance(cell, Tag):
                cell.name = "div"
        row.name = "div"
    for child in table.contents:
        if isinstance(child, Tag) and child.name in _ROW_GROUPS:
            child.name = "div"
    table.name = "div"
