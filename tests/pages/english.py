"""What every page holds to: it is well formed, fits its width, and says what it says in plain modern
English.
"""

import re
from html.parser import HTMLParser

from pbem.pages.kit.columns import WIDTH, columns
from pbem.pages.page import Page
from tests.pages.chat import body, check_form

NOT_TO_BE_USED = re.compile(
    r"\b(whoever|shall|till|beside|asked back|nothing of|none of|by lot|the own|so many|laid aside|"
    r"dearest)\b",
    re.IGNORECASE,
)
"""Words that no player reads in plain modern English."""
MOST_COLUMNS = 6
"""What a table of a mail may have, for a phone."""
VOID = {"meta", "img", "br", "col", "hr"}


def broken(*things: str) -> re.Pattern[str]:
    """What is no sentence: holes, words said twice, and one of `things` in the plural."""
    many = "|".join(things)
    return re.compile(
        rf"\bNone\b|Undefined|\{{\{{|\{{%|\b[Tt]he the\b|(?<![.\d])\b1 ({many})\b"
        r"|,,|(?<!\.)\.\.(?!\.)"
    )


class WellFormed(HTMLParser):
    """Every tag that opens is closed in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_words(name: str, page: Page, bad: re.Pattern[str]) -> None:
    check_form(name, page)
    assert all(columns(line) <= WIDTH for line in page.text.splitlines()), name
    found = WellFormed()
    found.feed(page.html)
    assert not found.open, name
    words = " ".join(body(page).split())
    for text in (page.subject, words, re.sub("<[^>]*>", "", page.chat)):
        assert not (seen := bad.search(text)), (name, seen, text)


def check_columns(name: str, page: Page) -> None:
    """No table of a mail has more columns than a phone shows."""
    heads = re.findall(r"<tr[^>]*>((?:<th\b.*?</th>)+)", page.html)
    assert [head for head in heads if head.count("<th ") > MOST_COLUMNS] == [], name
