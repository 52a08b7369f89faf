"""A chat as the gallery shows it: what is marked, changed, tapped and answered, in order."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.demo.agenda import Agenda
from pbem.demo.clock import FastClock
from pbem.demo.gallery.bubbles import bubbles_of, html_of
from pbem.demo.phones import link_code
from pbem.demo.switchboard import Switchboard
from pbem.demo.telegram import TelegramStandIn
from pbem.demo.telegram.calls import Call
from pbem.demo.telegram.markup import parse_html

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("plain &lt;b&gt;", "plain &lt;b&gt;"),
        (
            "<b>Turn <i>6</i></b> 🐉 <code>Fortify! P1</code>",
            "<b>Turn <i>6</i></b> 🐉 <code>Fortify! P1</code>",
        ),
        (
            '<a href="https://realm.example/rules.html#PR-1.1">1.1</a>',
            '<a href="https://realm.example/rules.html#PR-1.1">1.1</a>',
        ),
        (
            "<pre>/orders</pre> and /orders",
            '<pre>/orders</pre> and <span class="lit">/orders</span>',
        ),
        ("2/3 and 4 / 5", "2/3 and 4 / 5"),
    ],
)
def test_marked_words_look_as_they_were_sent(source: str, shown: str) -> None:
    marked = parse_html(source)
    assert html_of(marked.text, marked.entities) == shown


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "Open https://t.me/realm_bot?start=GdmGM-S-HPHcnjnbxXH8xQ and press Start.",
            "GdmGM-S-HPHcnjnbxXH8xQ",
        ),
        (
            "Open\n    https://t.me/realm_bot?start=GdmGM-S-HP\nHcnjnbxXH8xQ\n",
            "GdmGM-S-HPHcnjnbxXH8xQ",
        ),
        ("https://t.me/realm_bot?start=join_heron-qt3p57xxxxxxx", None),
        ("https://t.me/realm_bot?startgroup=GdmGM-S-HPHcnjnbxXH8xQ", None),
        ("no link", None),
    ],
)
def test_the_link_of_a_letter_is_found_also_when_it_is_broken(text: str, code: str | None) -> None:
    assert link_code(text) == code


async def test_a_chat_keeps_how_messages_looked_before_and_what_was_tapped() -> None:
    clock = FastClock()
    async with TelegramStandIn(clock) as standin:
        board = Switchboard(standin, "Heron")
        anna = board.user("Anna")
        said = await anna.starts("GdmGM-S-HPHcnjnbxXH8xQ")
        keys = '{"inline_keyboard": [[{"text": "March", "callback_data": "a"}, {"text": "Hold", "callback_data": "b"}]]}'
        fields = {
            "chat_id": str(anna.chat_id),
            "text": "P1?",
            "reply_markup": keys,
            "reply_to_message_id": str(said.message_id),
        }
        await standin._result(standin.token, Call("sendMessage", fields))
        menu = anna.by_bot[-1]
        board.log.tapped(menu, "Anna", "Hold", clock.now())
        await anna.taps(menu, "Hold")
        clock.advance_to(clock.now() + timedelta(minutes=3))
        changed = {
            "chat_id": str(anna.chat_id),
            "message_id": str(menu.message_id),
            "text": "Hold P1.",
        }
        await standin._result(standin.token, Call("editMessageText", changed))
        clock.advance_to(clock.now() + timedelta(minutes=3))
        board.log.note(anna.chat_id, clock.now(), "Anna stopped the bot")
    first, second, third = bubbles_of(board.log, anna.chat_id, "Anna", BERLIN, lambda png: "")
    assert (first.side, first.now and first.now.html) == ("mine", '<span class="lit">/start</span>')
    assert second.now is not None
    assert (second.side, second.now.html, second.now.at, second.now.rows) == (
        "bot",
        "Hold P1.",
        "18:03",
        (),
    )
    (before,) = second.earlier
    assert [(key.words, key.is_tapped) for row in before.rows for key in row] == [
        ("March", False),
        ("Hold", True),
    ]
    assert (third.now, third.note) == (None, "Anna stopped the bot")


def test_an_agenda_hands_out_what_is_due_in_its_order() -> None:
    agenda, start = Agenda(), datetime(2026, 11, 16, 17, 0, tzinfo=UTC)

    async def nothing(now: datetime) -> None:
        """Nothing to do."""

    async def other(now: datetime) -> None:
        """Nothing either."""

    agenda.add(start + timedelta(minutes=2), nothing)
    agenda.add(start + timedelta(minutes=1), other)
    assert agenda.next_at() == start + timedelta(minutes=1)
    assert agenda.take_due(start) == []
    assert agenda.take_due(start + timedelta(minutes=2)) == [other, nothing]
    assert agenda.next_at() is None
