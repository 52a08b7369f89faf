"""Whoever plays in a chat alone learns what everybody ordered, as whoever plays by mail does
(PR-1.8).
"""

from dataclasses import replace

import pytest

from engine.protectors import events as e
from engine.protectors.orders import March, Work
from engine.ruleset import Event
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.page import Page
from pbem.telegram.text import CAPTION_LIMIT, TEXT_LIMIT, plain_of, split_html
from tests.games.protectors.pages.sample import table, view
from tests.pages.sample import NAMES, reader

ORDERS = tuple((number, (March(1, 1, 2), Work(3), Work(4))) for number in (1, 2, 4, 5, 7))
REVEALED = Event(e.OrdersRevealed(ORDERS, ()), ("PR-1.8",))
PAGES_OF = {
    "bulletin": lambda: PAGES.bulletin(table(code=""), view(None), (REVEALED,)),
    "happened": lambda: PAGES.happened(table(), reader(), view(), (REVEALED,)),
}

BARE = {
    "bulletin": lambda: PAGES.bulletin(table(code="", in_chat=False), view(None), (REVEALED,)),
    "happened": lambda: PAGES.happened(table(in_chat=False), reader(), view(), (REVEALED,)),
}


@pytest.mark.parametrize("name", PAGES_OF)
def test_a_chat_is_told_the_orders_of_all_a_line_each(name: str) -> None:
    page: Page = PAGES_OF[name]()
    lines = plain_of(page.chat).splitlines()
    assert [
        line
        for line in lines
        if line.endswith("March! 1 from P1 to P2. Work, work! P3. Work, work! P4.")
    ] == [
        f"{NAMES[number - 1]}: March! 1 from P1 to P2. Work, work! P3. Work, work! P4."
        for number, _ in ORDERS
    ]
    assert "Nothing that would be told" not in page.chat


@pytest.mark.parametrize("name", PAGES_OF)
def test_a_letter_that_no_chat_shows_is_the_same_without_words_for_one(name: str) -> None:
    page, bare = PAGES_OF[name](), BARE[name]()
    assert page.chat
    assert bare == replace(page, chat="")


def test_orders_that_a_caption_has_no_room_for_come_in_a_message_below() -> None:
    many = tuple(
        (number, tuple(Work(place) for place in range(1, 17))) for number in (1, 2, 4, 5, 7)
    )
    told = PAGES.bulletin(
        table(code=""), view(None), (Event(e.OrdersRevealed(many, ()), ("PR-1.8",)),)
    ).chat
    head = split_html(told, CAPTION_LIMIT)[0]
    assert told.startswith(head)
    assert "Dragon" in head
    below = split_html(told.removeprefix(head), TEXT_LIMIT)
    assert below
    said = plain_of(head + "".join(below))
    assert [said.count(f"{NAMES[number - 1]}: Work, work! P1.") for number, _ in many] == [1] * 5


def test_the_history_tells_the_orders_too() -> None:
    said = PAGES.describe_event(REVEALED, view())
    assert said.startswith("Orders: ")
    assert "Anna: March! 1 from P1 to P2. Work, work! P3. Work, work! P4." in said
    assert "Mei: March! 1 from P1 to P2." in said
