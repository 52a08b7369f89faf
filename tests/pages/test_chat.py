"""The house's own pages in their dress for a chat: what Telegram takes, what fits a phone, and that
it says what the mail says.
"""

import re
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from pbem.pages.chatting import PHONE, grid, marked, units
from pbem.pages.kit.columns import columns
from pbem.pages.notice import notice_page
from pbem.pages.notices import DeadlineChanged, GmNote
from pbem.pages.page import Page
from pbem.telegram.text import is_sound, length_of, plain_of
from tests.pages import test_announcements, test_gm_pages, test_lobby, test_results
from tests.pages.approved import hold_approved, hold_file
from tests.pages.chat import CODE, NUMBERS, body
from tests.pages.english import broken, check_columns, check_words
from tests.pages.sample import NAMES, reader, table
from tests.rows import each_row

BROKEN = broken("players", "provinces", "units")
APPROVED = "gm_confirm ask-joiner lobby-receipt profile-own hall-of-fame ended".split()
MAILS: dict[str, Callable[[], Page]] = {
    **test_announcements.MAILS,
    **test_gm_pages.MAILS,
    **test_lobby.MAILS,
    **test_results.MAILS,
    "deadline-changed": lambda: notice_page(
        DeadlineChanged(table().now, table().deadline, "Gerda"), table(), reader()
    ),
    "gm-note": lambda: notice_page(
        GmNote("Anna", "may I <b>ask</b>\nfor a day more?", 3), table(), reader(None, "Gerda")
    ),
}


@each_row("name", APPROVED)
def test_a_page_reads_as_it_was_approved(name: str) -> None:
    hold_approved(__file__, name, MAILS[name]())


def test_the_frame_of_a_mail_is_as_it_was_approved() -> None:
    hold_file(__file__, "frame.html", MAILS["ended"]().html)


@each_row("name", MAILS)
def test_a_page_is_well_formed_for_telegram_and_needs_no_code(name: str) -> None:
    page = MAILS[name]()
    check_words(name, page, BROKEN)
    check_columns(name, page)
    assert CODE not in page.chat
    assert "~~~~" not in page.chat
    assert "this mail" not in page.chat or name.startswith("gm_")


@each_row("name", [name for name in MAILS if not name.startswith(("gm", "addr"))])
def test_no_address_stands_in_a_chat(name: str) -> None:
    assert "@" not in MAILS[name]().chat


@each_row("name", MAILS)
def test_a_chat_says_the_numbers_and_names_that_the_mail_says(name: str) -> None:
    page = MAILS[name]()
    told, text = plain_of(page.chat), body(page)
    assert {*NUMBERS.findall(text)} - {*NUMBERS.findall(told)} <= {
        "0"
    }  # a level 0 is left blank on the board in type
    assert not [who for who in (*NAMES, "Gerda", "Greta") if who in text and who not in told]


def test_a_table_too_wide_for_a_phone_becomes_lines_with_its_numbers_named() -> None:
    head, rows = (
        ("", "Player", "Tokens", "Land", "VP", "$Realm"),
        ((1, "Anna <x> and Company", 3, 9, 12, "-"),),
    )
    assert (
        str(grid(head, rows)) == "<b>1 Anna &lt;x&gt; and Company</b> · Tokens 3 · Land 9 · VP 12"
    )
    assert (
        str(grid(("", "Who"), (("P1", "Anna"), ("P2", "Bo"))))
        == "<pre>    Who\nP1  Anna\nP2  Bo</pre>"
    )


@given(st.text(max_size=90), st.integers(0, 90), st.integers(0, 90))
def test_a_marked_line_fits_a_phone_and_the_marks_stand_below_the_words(
    line: str, start: int, length: int
) -> None:
    line = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", "x", line)
    chat = str(marked(line, (start, start + length)))
    shown, marks = plain_of(chat).split("\n")
    assert is_sound(chat)
    assert columns(shown) <= PHONE
    assert set(marks) <= {" ", "^"}
    assert "^" in marks


@given(st.text())
def test_units_are_those_of_telegram(text: str) -> None:
    assert (
        units(text) == length_of(str(grid(("",), ((text,),))))
        or len(text.split()) != 1
        or text.strip() != text
        or not text.isprintable()
    )
