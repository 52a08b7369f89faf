"""Several pages as one: the frame of the first, and what each of them says, one below another. A
section that stands above with the same title and words is not said again.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from markupsafe import escape

from pbem.pages.chatting import thinned
from pbem.pages.page import FOOT_MARK, MARKER, Page
from pbem.pages.rendering import environments

_HTML = re.compile(r'<tr><td class="pad" style="padding:1[06]px 28px 4px;">(?=.*\n  <h2 )')
_TEXT = re.compile(r"(?<!\n)\n\n++(?=[^\na-zA-Z]*+[A-Z][^\na-z]*+\n)")
_CHAT = re.compile(r"(?<!\n)\n\n++(?=<b>[^\n]*</b>\n)")
"""Where a section begins."""
_TAG = re.compile(r"<[^<>]*>")


def join_pages(pages: Sequence[Page], title: str) -> Page:
    """One page of several that were set in a frame of the house, about the table of this title:
    marker, subject, head and foot are those of the first.
    """
    first, *others = pages
    if not others or first.html_main is None:
        return first
    begin, end = first.html_main
    between = environments()[0].from_string("{{ between() }}").render()
    main = between.join(_said_once([_html_main(page) for page in pages], _HTML))
    head, foot = first.text[: len(MARKER)], first.text.rpartition(FOOT_MARK)[2]
    text = "\n\n".join((head, *_said_once([text_main(page) for page in pages], _TEXT)))
    words = _said_once([first.chat, *(_untitled(page.chat, title) for page in others)], _CHAT)
    return replace(
        first,
        text=f"{text}\n{FOOT_MARK}{foot}",
        html=first.html[:begin] + main + first.html[end:],
        chat=thinned("\n\n".join(words)) if all(words) else "",
        html_main=(begin, begin + len(main)),
    )


def _said_once(mains: Sequence[str], begins: re.Pattern[str]) -> list[str]:
    """The same without the sections that an earlier one has, or says at the begin of one."""
    known: list[str] = []
    left = []
    for main in mains:
        edges = [*(found.start() for found in begins.finditer(main)), len(main)]
        sections = [main[start:end] for start, end in pairwise(edges)]
        fresh = [
            section
            for section in sections
            if not any(f"{one} ".startswith(f"{_words(section)} ") for one in known)
        ]
        left.append("".join((main[: edges[0]], *fresh)))
        known += map(_words, sections)
    return left


def _words(section: str) -> str:
    return " ".join(_TAG.sub(" ", section).split())


def _html_main(page: Page) -> str:
    begin, end = page.html_main or (0, 0)
    return page.html[begin:end]


def text_main(page: Page) -> str:
    """What it says, without its frame."""
    return page.text.removeprefix(MARKER).rpartition(FOOT_MARK)[0].strip("\n")


def _untitled(words: str, title: str) -> str:
    """The words for a chat without the table's title before their own: it stands above already."""
    return words.replace(f"<b>{escape(title)} · ", "<b>", 1) if title else words
