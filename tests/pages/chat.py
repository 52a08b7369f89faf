"""What Telegram takes, and what fits a phone."""

import re
from collections.abc import Iterator

from pbem.pages.chatting import PHONE
from pbem.pages.kit.columns import columns
from pbem.pages.page import Page
from pbem.telegram.text import TEXT_LIMIT, is_sound, length_of, plain_of, split_html

CODE = "heron-6-k7qx"
TAGS = re.compile(r"<(/?)([a-z-]+)")
ENTITIES = re.compile(r"&(?!(?:lt|gt|amp|quot|#\d+);)")
NUMBERS = re.compile(r"\d+(?:\.\d+)*")


def body(page: Page) -> str:
    """The text of a mail without the line above and the foot below."""
    return page.text.partition("\n\n")[2].rpartition("\n-- \n")[0]


def fixed(chat: str) -> Iterator[str]:
    for block in re.findall(r"<pre>(.*?)</pre>", chat, re.DOTALL):
        yield from plain_of(block).splitlines()


def check_form(name: str, page: Page) -> None:
    """What Telegram takes, and what a phone shows as it was meant."""
    assert page.chat, name
    assert is_sound(page.chat), name
    assert not ENTITIES.search(page.chat), name
    assert all(0 < length_of(piece) <= TEXT_LIMIT for piece in split_html(page.chat)), name
    assert all(columns(line) <= PHONE for line in fixed(page.chat)), name
    assert "\n\n\n" not in page.chat, name
    assert not re.search("[\x00-\x08\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069]", page.chat), (
        name
    )
    open_tags: list[str] = []
    for closing, tag in TAGS.findall(page.chat):
        if closing:
            assert open_tags.pop() == tag, name
        else:
            assert not {"code", "pre"} & {*open_tags}, name  # Telegram: nothing within these,
            assert tag not in {"code", "pre"} or not open_tags, name  # and these within nothing
            open_tags.append(tag)
