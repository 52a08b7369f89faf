"""Mails that tell of a game master's commands: what each must say."""

from datetime import timedelta

from pbem.pages.announcements import ClosedUnread, Ended, Paused, Replaced, Resumed, Unseated
from pbem.pages.notice import notice_page
from pbem.pages.page import Page, RecordFacts
from tests.pages.sample import NOW, reader, table

FILE = RecordFacts("heron-record.json", "cd" * 32)
MAILS = {
    "ended": lambda: notice_page(
        Ended("Gerda", "too few are left", "12" * 32, "ab" * 32, FILE), table(), reader()
    ),
    "resumed": lambda: notice_page(
        Resumed(NOW, NOW + timedelta(hours=31), "Gerda"), table(), reader()
    ),
    "replaced": lambda: notice_page(Replaced("Bartek", "Otto", "Gerda"), table(), reader()),
    "closed-unread": lambda: notice_page(
        ClosedUnread(7, NOW), table(code=""), reader(None, "Gerda")
    ),
}


def flat(page: Page) -> str:
    return " ".join(page.text.split())


def test_whoever_lost_the_seat_gets_no_code() -> None:
    page = notice_page(Unseated("Gerda"), table(code=""), reader())
    assert "Code" not in page.text
    assert "no longer count" in flat(page)


def test_game_masters_read_a_foot_of_their_own() -> None:
    assert "For the game master of Heron" in flat(
        notice_page(Paused("Gerda"), table(), reader(None, "Gerda"))
    )
    assert "This mail is for Anna only" in flat(notice_page(Paused("Gerda"), table(), reader()))
