"""Our marker in the HTML of an answer: what stands above it within the quote is set off, and the
text is read like one with marks.
"""

from itertools import chain

from bs4 import BeautifulSoup, Tag
from bs4.element import Comment, NavigableString

from pbem.mail.inbound.quotes import MARKER, is_marker, parse_lines

_OPENS, _CLOSES = "\u241c quote \u241c", "\u241c quoted \u241c"
_ANNOUNCED = "-----Original Message-----"


def find_marker(soup: BeautifulSoup) -> NavigableString | None:
    """The first text that is a marker line."""
    for text in soup.descendants:
        if not isinstance(text, NavigableString) or isinstance(text, Comment) or len(text) > 400:
            continue
        [line, *more] = parse_lines(" ".join(text.split()))
        if not more and is_marker(line):
            return text
    return None


def follows(marker: NavigableString, tag: Tag) -> bool:
    """Whether the marker stands in this element or after it."""
    return any(one is marker for one in tag.next_elements)


def announce(soup: BeautifulSoup, tag: Tag, sender: str = "") -> None:
    """Say in words what the element says by its name: here begins an older mail (by `sender`)."""
    tag.insert_before(_line(soup, f"{_ANNOUNCED}\nFrom: {sender}" if sender else _ANNOUNCED))


def cut_at_marker(soup: BeautifulSoup, marker: NavigableString, cut: str) -> None:
    """End the text at the marker."""
    marker.replace_with(_line(soup, f"> {MARKER}\n{cut}"))


def open_above(soup: BeautifulSoup, quote: Tag, marker: NavigableString) -> None:
    """Drop what this quote holds below the marker, and set off what it holds above."""
    below = [marker, *(tag for tag in marker.parents)]
    for element in below[: 1 + below.index(quote)][:-1]:
        for sibling in list(element.next_siblings):
            sibling.extract()
    marker.replace_with(_line(soup, f"{_CLOSES}\n> {MARKER}"))
    quote.name = "div"
    quote.attrs.clear()
    quote.insert(0, _line(soup, _OPENS))


def mark_quotes(text: str) -> str:
    """The laid out text, with a quote mark before each line that was set off."""
    if _OPENS not in text:
        return text
    before, _, rest = text.partition(_OPENS)
    quoted, closed, after = rest.partition(_CLOSES)
    lines = [f"> {line.strip()}" for line in quoted.strip("\n ").split("\n")]
    return "\n".join(chain([before.rstrip(" ")], lines, [after] if closed else []))


def _line(soup: BeautifulSoup, text: str) -> Tag:
    tag = soup.new_tag("pre")
    tag.string = text
    return tag
