"""Several pages as one: the frame of the first, and what each of them says, one below another."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import escape

from pbem.pages.chatting import thinned
from pbem.pages.page import FOOT_MARK, MARKER, Page
from pbem.pages.rendering import environments


def join_pages(pages: Sequence[Page], title: str) -> Page:
    """One page of several that were set in a frame of the house, about the table of this title:
    marker, subject, head and foot are those of the first.
    """
    first, *others = pages
    if not others or first.html_main is None:
        return first
    begin, end = first.html_main
    between = environments()[0].from_string("{{ between() }}").render()
    main = between.join(_html_main(page) for page in pages)
    head, foot = first.text[: len(MARKER)], first.text.rpartition(FOOT_MARK)[2]
    text = "\n\n".join((head, *(text_main(page) for page in pages)))
    words = (first.chat, *(_untitled(page.chat, title) for page in others))
    return replace(
        first,
        text=f"{text}\n{FOOT_MARK}{foot}",
        html=first.html[:begin] + main + first.html[end:],
        chat=thinned("\n\n".join(words)) if all(words) else "",
        html_main=(begin, begin + len(main)),
    )


def _html_main(page: Page) -> str:
    begin, end = page.html_main or (0, 0)
    return page.html[begin:end]


def text_main(page: Page) -> str:
    """What it says, without its frame."""
    return page.text.removeprefix(MARKER).rpartition(FOOT_MARK)[0].strip("\n")


def _untitled(words: str, title: str) -> str:
    """The words for a chat without the table's title before their own: it stands above already."""
    return words.replace(f"<b>{escape(title)} · ", "<b>", 1) if title else words
