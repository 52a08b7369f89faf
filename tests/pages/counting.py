"""How much there is to read in a letter, and what a phone shows of its subject."""

import re

from pbem.pages.news import MOST_CLAUSE
from pbem.pages.page import FOOT_MARK, MARKER, Page

NEWS = re.compile(rf"(?P<news>.{{1,{MOST_CLAUSE}}}?) · .+ \[[^\[\]]+\]")
QUESTION = re.compile(r"(?:Turn|Round|Year|Before|Start|The start)\b[^·]*: .+ \[[^\[\]]+\]")


def words_of(page: Page) -> int:
    """The words of a letter between the mark above and the foot."""
    return len(page.text.removeprefix(MARKER).rpartition(FOOT_MARK)[0].split())


def hold_subject(page: Page, own: str) -> None:
    """The subject of a turn begins with the reader's own news where there are any, else with the
    greatest or the turn, and ends with the name of the game.
    """
    found = NEWS.fullmatch(page.subject) or QUESTION.fullmatch(page.subject)
    assert found, page.subject
    assert page.subject[: len(own)] == own
    names = re.findall(r"\b[A-Z][\w’']+", own)
    assert len(names) == len(set(names)), page.subject
    assert len(page.subject) <= 96
