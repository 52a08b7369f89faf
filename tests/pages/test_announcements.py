"""Mails that tell of a game master's commands: the whole of the new ones as they were read and
approved, and what each must say.
"""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.pages.announcements import AnnouncementPages
from pbem.pages.page import Page, RecordFacts
from tests.pages.sample import NOW, reader, table

ANNOUNCEMENTS = AnnouncementPages()
FILE = RecordFacts("heron-record.json", "cd" * 32)
GOLDEN = Path(__file__).parent / "golden"
MAILS = {
    "ended": lambda: ANNOUNCEMENTS.ended(
        table(), reader(), "Gerda", "too few are left", "12" * 32, "ab" * 32, FILE
    ),
    "resumed": lambda: ANNOUNCEMENTS.resumed(
        table(), reader(), NOW, NOW + timedelta(hours=31), "Gerda"
    ),
    "replaced": lambda: ANNOUNCEMENTS.replaced(table(), reader(), "Bartek", "Otto", "Gerda"),
    "closed-unread": lambda: ANNOUNCEMENTS.closed_unread(
        table(code=""), reader(None, "Gerda"), 7, NOW
    ),
}


def flat(page: Page) -> str:
    return " ".join(page.text.split())


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_reads_as_it_was_approved(name: str) -> None:
    page: Page = MAILS[name]()
    for suffix, form in (("txt", f"Subject: {page.subject}\n\n{page.text}"), ("html", page.html)):
        path = GOLDEN / f"{name}.{suffix}"
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_text(form, encoding="utf-8")
        assert form == path.read_text(encoding="utf-8")


def test_whoever_lost_the_seat_gets_no_code() -> None:
    page = ANNOUNCEMENTS.unseated(table(code=""), reader(), "Gerda")
    assert "Code" not in page.text
    assert "no longer count" in flat(page)


def test_game_masters_read_a_foot_of_their_own() -> None:
    assert "For the game master of Heron" in flat(
        ANNOUNCEMENTS.paused(table(), reader(None, "Gerda"), "Gerda")
    )
    assert "This mail is for Anna only" in flat(ANNOUNCEMENTS.paused(table(), reader(), "Gerda"))
