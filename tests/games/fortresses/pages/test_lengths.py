"""How long the letters of whole games are (READING-19), in words of the text part."""

import re
from collections import defaultdict
from functools import lru_cache
from statistics import median

import pytest

from engine.fortresses.orders import parse_order
from engine.ruleset import Standing
from pbem.games.fortresses.pages.letters import PAGES
from pbem.pages.archive import Close
from pbem.pages.page import Page, ReceiptFacts, ReceiptItem, RecordFacts
from tests.games.fortresses.pages.played import COMMITMENT, SEED, Step, letters, play, reader, table
from tests.pages import sample

GAMES = ((2, 1), (3, 2), (4, 3))
FOLD = re.compile(r"\nWHAT HAPPENED|\nTHE BOARD")


def words(text: str) -> int:
    return len(text.split("\n-- ")[0].split())


def seen(page: Page) -> int:
    """Words of the HTML part that are to be seen."""
    assert page.html_main is not None
    return len(re.sub(r"<[^>]*>", " ", page.html[slice(*page.html_main)]).split())


@lru_cache(maxsize=1)
def measured() -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for players, seed in GAMES:
        past = []
        for number, step in enumerate(play(players, seed, 60, {"year_limit": 6})):
            past.append(
                Close(number, step.state.year, step.state.stage, step.view(None), step.events)
            )
            for kind, page in letters(step):
                if kind not in ("bulletin", "ending"):
                    found[f"{kind} above"].append(words(FOLD.split(page.text)[0]))
                    found[kind].append(words(page.text))
                    found[f"{kind} seen"].append(seen(page))
            for asked in step.view(None).asked:
                found["reminder"] += map(words, reminders(step, asked))
                found["receipt"].append(words(receipt(step, asked)))
            if step.state.stage == "over":
                record = RecordFacts("heron-record.json", "1f" * 32, tuple(past))
                ends = PAGES.ending(
                    table(deadline=None), step.view(None), step.events, SEED, COMMITMENT, record
                )
                found["ending"].append(words(ends.text))
    return found


def reminders(step: Step, asked: int) -> tuple[str, str]:
    view = step.view(asked)
    first = tuple(map(parse_order, PAGES.answers(view)[0][0].split(". ")))
    return (
        PAGES.reminder(table(), reader(asked), view, Standing()).text,
        PAGES.reminder(table(), reader(asked), view, Standing(first)).text,
    )


def receipt(step: Step, asked: int) -> str:
    view = step.view(asked)
    texts = tuple(PAGES.answers(view)[0][0].split(". "))
    items = tuple(ReceiptItem(i, text.lower(), None, (text,)) for i, text in enumerate(texts, 1))
    orders = tuple(map(parse_order, texts))
    facts = ReceiptFacts(items, texts, orders, False, 1, sample.NOW)
    return PAGES.receipt(table(), reader(asked), view, facts).text


@pytest.mark.parametrize(
    ("kind", "middle", "most"),
    [
        ("attack above", 220, 290),
        ("reinforce above", 210, 250),
        ("battle above", 150, 170),
        ("attack", 370, 480),
        ("reinforce", 390, 465),
        ("battle", 350, 410),
        ("attack seen", 290, 375),
        ("reinforce seen", 300, 400),
        ("battle seen", 260, 320),
        ("reminder", 70, 90),
        ("receipt", 75, 100),
        ("ending", 230, 260),
    ],
)
def test_letters_are_short(kind: str, middle: int, most: int) -> None:
    found = measured()[kind]
    assert (median(found) <= middle, max(found) <= most) == (True, True), (
        kind,
        median(found),
        max(found),
    )
