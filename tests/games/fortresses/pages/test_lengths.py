"""How long the letters of whole games are (READING-19), in words of the text part."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from statistics import median

from engine.fortresses.orders import Order, format_order
from engine.ruleset import Event, Standing
from pbem.games.fortresses.pages.letters import PAGES
from pbem.pages.archive import Close
from pbem.pages.page import Page, ReceiptFacts, ReceiptItem, RecordFacts
from tests.games.fortresses.pages.played import (
    COMMITMENT,
    SEED,
    Step,
    letters,
    play,
    reader,
    said,
    table,
)
from tests.pages import sample
from tests.pages.counting import hold_subject, words_of
from tests.rows import each_row

GAMES = ((2, 1), (3, 2), (4, 3))


def seen(page: Page) -> int:
    """Words of the HTML part that are to be seen."""
    assert page.html_main is not None
    return len(re.sub(r"<[^>]*>", " ", page.html[slice(*page.html_main)]).split())


@lru_cache(maxsize=1)
def measured() -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for players, seed in GAMES:
        past, untold = [], list[Event]()
        for number, step in enumerate(play(players, seed, 60, {"year_limit": 6})):
            past.append(
                Close(number, step.state.year, step.state.stage, step.view(None), step.events)
            )
            if untold and step.state.year > past[-2].turn:
                facts = table(code="", has_picture=True)
                page = PAGES.bulletin(facts, step.view(None), untold)
                found["digest of a Year"].append(words_of(page))
                untold = []
            untold += step.events
            for kind, page in letters(step):
                if kind not in ("bulletin", "ending"):
                    found[kind].append(words_of(page))
                    hold_subject(page, "")
                    found[f"{kind} seen"].append(seen(page))
            for asked in step.view(None).asked:
                found["reminder"] += map(words_of, reminders(step, asked))
                shown = PAGES.spoken(step.view(asked), format_order(said(step, asked)[0]))
                found["receipt"].append(words_of(receipt(step, asked)) - len(shown.split()))
            if step.state.stage == "over":
                record = RecordFacts("heron-record.json", "1f" * 32, tuple(past))
                ends = PAGES.ending(
                    table(deadline=None), step.view(None), step.events, SEED, COMMITMENT, record
                )
                found["ending"].append(words_of(ends))
    return found


def reminders(step: Step, asked: int) -> Iterator[Page]:
    view = step.view(asked)
    first = tuple(said(step, asked)[:1])
    for is_last in (False, True):
        for sent in (Standing[Order](), Standing(first)):
            yield PAGES.reminder(table(is_last_call=is_last), reader(asked), view, sent)


def receipt(step: Step, asked: int) -> Page:
    view = step.view(asked)
    orders = tuple(said(step, asked)[:1])
    texts = tuple(map(format_order, orders))
    items = tuple(ReceiptItem(i, text.lower(), None, (text,)) for i, text in enumerate(texts, 1))
    facts = ReceiptFacts(items, texts, orders, False, 1, sample.NOW)
    return PAGES.receipt(table(), reader(asked), view, facts)


@each_row(
    ("kind", "middle", "most"),
    [
        ("attack", 150, 250),
        ("reinforce", 180, 250),
        ("battle", 150, 175),
        ("attack seen", 155, 250),
        ("reinforce seen", 180, 245),
        ("battle seen", 150, 180),
        ("reminder", 50, 70),
        ("receipt", 45, 60),  # without the order itself
        ("ending", 180, 190),
        ("digest of a Year", 300, 400),
    ],
)
def test_letters_are_short(kind: str, middle: int, most: int) -> None:
    found = measured()[kind]
    assert (median(found) <= middle, max(found) <= most) == (True, True), (
        kind,
        median(found),
        max(found),
    )
