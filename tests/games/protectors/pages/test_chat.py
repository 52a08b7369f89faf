"""Every page in its dress for a chat: what Telegram takes, what fits a phone and a caption, and
that it says what the mail says.
"""

import dataclasses
import re
from collections.abc import Callable
from datetime import timedelta

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.lands import generate_land
from engine.protectors.state import Province
from engine.protectors.view_of import view_of
from engine.ruleset import Standing
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.chatting import CAPTION_UNITS, PHONE, thinned
from pbem.pages.kit.columns import columns
from pbem.pages.notice import notice_page
from pbem.pages.notices import GmNote
from pbem.pages.page import Page
from pbem.telegram.text import CAPTION_LIMIT, length_of, plain_of
from tests.games.protectors.pages import mails, test_announcements, test_lobby, why_mails
from tests.games.protectors.pages.every_page import every_page
from tests.games.protectors.pages.sample import (
    ATTACK,
    crowd,
    happened,
    heron,
    receipt_facts,
    table,
    view,
)
from tests.pages.approved import hold_approved
from tests.pages.chat import CODE, NUMBERS, body, check_form, fixed
from tests.pages.english import broken, check_columns, check_words
from tests.pages.sample import NAMES, reader
from tests.rows import each_row

BROKEN = broken("players", "provinces", "units")
APPROVED = "turn receipt bulletin rolled-back invitation why-battles".split()
HAPPENED, PUBLIC = mails.HAPPENED, mails.PUBLIC


def over() -> Page:
    seen = view_of(heron(stage="over", winners=(1,), ended_by="times-up"), None)
    return PAGES.ending(table(code=""), seen, HAPPENED[:6], "12" * 32, "ab" * 32)


def stored(*orders: o.Order) -> Standing[o.Order]:
    return Standing(orders)


OWN: dict[str, Callable[[], Page]] = {
    "turn-stored": lambda: PAGES.turn(
        table(), reader(), view(), HAPPENED, stored(o.Fortify(1), o.March(2, 2, 3, golden=True))
    ),
    "turn-dragon": lambda: PAGES.turn(
        table(), reader(), view(stage="dragon", attack=ATTACK), HAPPENED, Standing()
    ),
    "turn-consolidation": lambda: PAGES.turn(
        table(), reader(), view(stage="consolidation"), HAPPENED, Standing()
    ),
    "happened": lambda: PAGES.happened(table(), reader(), view(), HAPPENED),
    "receipt-taken": lambda: PAGES.receipt(
        table(),
        reader(),
        view(),
        dataclasses.replace(receipt_facts(), items=receipt_facts().items[:1], offered=()),
    ),
    "reminder-nothing": lambda: PAGES.reminder(table(), reader(), view(), Standing()),
    "reminder-incomplete": lambda: PAGES.reminder(table(), reader(), view(), stored(o.Fortify(1))),
    "map": lambda: PAGES.map_page(table(), reader(), view()),
    "board": lambda: PAGES.board_text(table(), reader(), view()),
    "status": lambda: PAGES.status(table(), reader(), view(), stored(o.Fortify(1))),
    "help": lambda: PAGES.help(table(), reader(), view()),
    "help-orders": lambda: PAGES.help(table(), reader(), view(), whole=True),
    "welcome": lambda: PAGES.welcome(table(), reader(), view(), "ab" * 32),
    "rule": lambda: PAGES.rule(table(), reader(), "7.8"),
    "ending": over,
}
MAILS: dict[str, Callable[[], Page]] = {
    **mails.MAILS,
    **test_announcements.MAILS,
    **test_lobby.MAILS,
    **why_mails.MAILS,
    **OWN,
}
CAPTIONS = ("turn", "turn-stored", "turn-dragon", "turn-consolidation", "bulletin", "map")
SAYS_LESS = frozenset(
    {
        *CAPTIONS,
        *("ending", "happened", "help", "receipt", "receipt-taken", "reminder-nothing"),
        "reminder-incomplete",
    }
)
"""Pages with words of their own: what they must say, tests of their own hold."""


@each_row("name", APPROVED)
def test_a_page_reads_as_it_was_approved(name: str) -> None:
    hold_approved(__file__, name, MAILS[name]())


@each_row("name", MAILS)
def test_a_page_is_well_formed_for_telegram_and_needs_no_code(name: str) -> None:
    page = MAILS[name]()
    check_words(name, page, BROKEN)
    check_columns(name, page)
    assert CODE not in page.chat
    assert "~~~~" not in page.chat
    assert "this mail" not in page.chat


@each_row("name", MAILS)
def test_no_address_stands_in_a_chat(name: str) -> None:
    assert "@" not in MAILS[name]().chat


@each_row("name", [name for name in MAILS if name not in SAYS_LESS])
def test_a_chat_says_the_numbers_and_names_that_the_mail_says(name: str) -> None:
    page = MAILS[name]()
    told, text = plain_of(page.chat), body(page)
    assert {*NUMBERS.findall(text)} - {*NUMBERS.findall(told)} <= {
        "0"
    }  # a level 0 is left blank on the board in type
    assert not [who for who in (*NAMES, "Gerda", "Greta") if who in text and who not in told]


def test_every_page_of_every_phase_is_well_formed() -> None:
    for state, events in (
        (heron(), happened()),
        (crowd(NAMES[:2]), ()),
        (crowd([f"Player {number}" for number in range(1, 17)]), ()),
    ):
        for name, page in every_page(state, events=events):
            check_form(name, page)


@each_row("name", CAPTIONS)
def test_what_stands_below_a_picture_fits_a_caption_and_names_the_deadline(name: str) -> None:
    chat = MAILS[name]().chat
    assert length_of(chat) <= CAPTION_LIMIT == CAPTION_UNITS
    assert "Mon 23 Nov, 18:00" in chat
    assert "17:00 UTC" in chat
    assert chat.startswith("<b>Heron")


def test_a_turn_tells_purse_provinces_gold_cards_dragon_an_example_and_what_comes_of_silence() -> (
    None
):
    chat = plain_of(MAILS["turn"]().chat).replace("\N{NO-BREAK SPACE}", " ")
    for words in (
        "Heron · Turn 5: Emil is out, Anna takes P2, Dmytro beats Mei in P7",
        *("You take P2 from Emil (4 to 3).", "Your orders, please by Mon 23 Nov, 18:00"),
        *("132 $Realm · P1 3 units, II · P2 2 units", "March, Support, Fortify, Work"),
        *("Dragon 8 of 10, +1", "Deep Snow (attackers −1)", "Ferry! (March anywhere, 25 $Realm)"),
        "Golden March! 2 from P2 to P3.\nFortify! P1.",
        "If you send nothing, P1 and P2 fortify, P1 with your golden Fortify.",
    ):
        assert words in chat
    assert len(chat) < 700


def test_what_has_been_sent_stands_in_place_of_the_example() -> None:
    chat = MAILS["turn-stored"]().chat
    assert "<code>Fortify! P1</code>\n<code>Golden March! 2 from P2 to P3</code>" in chat
    assert "for example" not in chat
    assert "If you send nothing" not in chat


def test_from_the_sixth_province_on_they_are_counted() -> None:
    five, six = (
        PAGES.turn(
            table(),
            reader(),
            view_of(
                heron(
                    board=(
                        Province(),
                        *(Province(owner=1 if p <= mine else 2, units=2) for p in range(1, 8)),
                    )
                ),
                1,
            ),
            (),
            Standing(),
        )
        for mine in (5, 6)
    )
    assert "P5\N{NO-BREAK SPACE}2" in plain_of(five.chat)
    assert "6 provinces, 12 units" in plain_of(six.chat).replace("\N{NO-BREAK SPACE}", " ")
    assert "P5\N{NO-BREAK SPACE}2" not in plain_of(six.chat)


def test_a_receipt_marks_the_trouble_and_offers_words_to_tap() -> None:
    chat = MAILS["receipt"]().chat
    assert chat.startswith("<b>1 order in, 2 need you</b> · Heron, turn 6")
    assert "We did not take all of your message" in chat
    assert "<pre>fortfy P1\n^^^^^^</pre>" in chat
    assert "Did you mean <code>Fortify! P1</code> (<code>yes 1</code>)?" in chat
    assert "Change it until <b>Mon 23 Nov, 18:00</b>" in chat


def test_a_reminder_says_what_comes_of_silence_and_nothing_of_others() -> None:
    chat = MAILS["reminder-nothing"]().chat
    assert "If you send nothing, P1 and P2 fortify" in chat
    assert not any(name in plain_of(chat) for name in NAMES)


def test_a_bulletin_tells_what_happened_cards_dragon_and_the_ranking_in_the_zone_of_the_table() -> (
    None
):
    chat = plain_of(MAILS["bulletin"]().chat).replace("\N{NO-BREAK SPACE}", " ")
    for words in (
        "Heron · Turn 5: Emil is out, Anna takes P2",
        "18:00 Europe/Berlin (in 3 days; 17:00 UTC)",
        "Anna 4 : 3 Emil.",
        "Dragon 8 of 10",
        "1 \N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16} Anna 3, 2 \N{WATER WAVE} Bartek 1\n3 ",
    ):
        assert words in chat


def test_who_has_answered_is_told_to_nobody() -> None:
    """A turn, a reminder and a bulletin are the same whatever others have sent; a view holds
    nothing of it.
    """
    for name in ("turn", "reminder-nothing", "bulletin", "map", "board"):
        assert not re.search(
            r"\b(answered|waiting for|has sent|(?<!You )have sent)\b", plain_of(MAILS[name]().chat)
        ), name


def test_the_board_in_type_is_as_wide_as_a_phone_and_names_neighbours_where_it_is_no_ring() -> None:
    lines = list(fixed(MAILS["board"]().chat))
    assert lines[0] == "P1 ♥ Anna    3 II    start"
    assert lines[3] == "P4 · nobody  - burnt start"
    wide = crowd(
        NAMES[:4],
        land=generate_land(4, 24),
        board=(Province(), *(Province(owner=1 + p % 4, units=1) for p in range(24))),
    )
    board = list(fixed(PAGES.board_text(table(), reader(), view_of(wide, 1)).chat))
    assert len([line for line in board if line.startswith("   > ")]) == 24
    assert all(columns(line) <= PHONE for line in board)


def test_many_links_give_way_before_formatting_is_lost() -> None:
    page = PAGES.happened(
        table(rules_url="https://rules.example/guide"), reader(), view(), HAPPENED
    )
    assert '<a href="https://rules.example/guide#PR-6.6">rules</a>' in page.chat
    assert "<a " not in thinned(page.chat * 9)
    assert plain_of(thinned(page.chat * 9)) == plain_of(page.chat * 9)


ODD = st.text(
    st.sampled_from("<>&\"'{}%/ab 🐉👩‍🚀éאبﷺ漢\u0301\u202e\u2067\x07"), min_size=1, max_size=40
)
NAME = (
    ODD
    | st.sampled_from(
        ["<script>", "</b>", "&lt;", "&#60;b&#62;", "🐉" * 40, "ﷺ" * 40, "שלום", "a" * 40]
    )
).map(lambda text: text[:38])


@settings(max_examples=8)
@given(
    st.lists(NAME, min_size=16, max_size=16),
    st.text(st.sampled_from("<>&\"'/ab🐉א\n\u202e"), max_size=200),
)
def test_whatever_people_are_called_and_write_the_chat_stays_whole(
    names: list[str], note: str
) -> None:
    state = crowd(
        [f"{name}{number:02}" for number, name in enumerate(names)], in_play=heron().in_play
    )
    held = msgspec.structs.replace(
        state, board=(Province(), *(Province(owner=1, units=3, level=3) for _ in range(16)))
    )
    at, who = table(title=names[0] * 2), reader(1, names[1])
    for each in (state, held):
        seen = view_of(each, 1)
        many = stored(*(o.Fortify(number) for number in range(1, 17)))
        for standing in (Standing[o.Order](), many):
            turn = PAGES.turn(at, who, seen, (), standing)
            check_form("turn", turn)
            assert length_of(turn.chat) <= CAPTION_LIMIT
        for page in (
            PAGES.bulletin(at, view_of(each, None), happened()),
            PAGES.map_page(at, who, seen),
        ):
            check_form("caption", page)
            assert length_of(page.chat.partition("\n\n<b>The orders</b>\n")[0]) <= CAPTION_LIMIT
        check_form("board", PAGES.board_text(at, who, seen))
    facts = dataclasses.replace(
        receipt_facts(),
        items=tuple(dataclasses.replace(item, quote=note or "?") for item in receipt_facts().items),
    )
    check_form("receipt", PAGES.receipt(at, reader(), view(), facts))
    check_form("note", notice_page(GmNote(names[2], note), at, who))


def test_a_caption_holds_the_deadline_even_when_it_says_least() -> None:
    state = crowd(["🐉" * 38 + f"{number:02}" for number in range(16)], stage="rebid")
    tied = msgspec.structs.replace(state, in_play=heron().in_play * 4)
    turn = PAGES.turn(
        table(title="🐉" * 80, deadline=table().now + timedelta(days=3)),
        reader(),
        view_of(tied, 1),
        (),
        Standing(),
    )
    assert length_of(turn.chat) <= CAPTION_LIMIT
    assert "Mon 23 Nov, 18:00" in turn.chat
