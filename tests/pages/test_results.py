"""Profiles and the hall of fame: text and HTML say the same."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from pbem.pages.notice import notice_page
from pbem.pages.page import Page
from pbem.pages.results import (
    MOST_GAMES,
    CurrentTable,
    FameLine,
    GameResult,
    Hall,
    HallShown,
    KindSums,
    NoProfile,
    Profile,
    ProfileShown,
    Strike,
    Windows,
    hall_text,
    profile_text,
)
from tests.pages.sample import NOW, reader, table
from tests.rows import each_row

REALM = "The Game of Herons"


def result(title: str, place: int | None, how: str, windows: Windows, days: int = 0) -> GameResult:
    won = place == 1
    return GameResult(
        title,
        REALM,
        "Anna",
        place,
        5,
        won,
        2500 if won else 0,
        how,
        NOW - timedelta(days=days),
        windows,
    )


OWN = Profile(
    name="Anna",
    is_own=True,
    games=3,
    wins=1,
    treasury=2500,
    left=1,
    windows=Windows(42, 2),
    kinds=(KindSums(REALM, 3, 1, 2500, ((1, 1), (3, 1))),),
    results=(
        result("Heron", 1, "last-standing", Windows(20, 1)),
        result("Egret", 3, "eliminated", Windows(12, 0), 30),
        result("Ibis", None, "broken-off", Windows(8, 1), 60),
        result("Great Crested Grebe", None, "resigned", Windows(2, 0), 90),
    ),
    strikes=(
        Strike(
            "Egret",
            "sent a picture of <the orders> around",
            NOW - timedelta(days=40),
            pardoned=False,
        ),
        Strike(
            "Ibis",
            "told Ben",
            NOW - timedelta(days=70),
            pardoned=True,
            pardon_reason="it was Ben who told",
        ),
    ),
    tables=(
        CurrentTable("Crane", REALM, "Anna", "running", Windows(5, 1)),
        CurrentTable("Stork", REALM, "Ann", "open", Windows()),
    ),
)
OTHER = Profile(
    name="Bartek",
    is_own=False,
    games=1,
    wins=0,
    treasury=0,
    left=0,
    windows=Windows(12, 0),
    kinds=(KindSums(REALM, 1, 0, 0, ((2, 1),)),),
    results=(result("", 2, "times-up", Windows(12, 0), 9),),
    strikes=(Strike("", "", NOW, pardoned=False),) * 3,
    is_barred=True,
)
HALL = Hall(
    (
        FameLine(1, "Ada", 5000, 2, 5),
        FameLine(2, "Mei", 2500, 1, 2, table="Heron"),
        FameLine(2, "Méi", 2500, 1, 2, table="Egret"),
        FameLine(4, "", 1250, 1, 3),
        FameLine(5, "Cid", 0, 0, 1, took_over=True),
    ),
    FameLine(27, "Anna", 0, 0, 2, is_reader=True),
    31,
)


def test_places_behind_the_dragon_are_counted_with_it() -> None:
    fallen = replace(result("Heron", 5, "eliminated", Windows(4, 0)), players=5)
    stands = replace(result("Egret", 2, "dragon", Windows(4, 0)), players=5)
    text = " ".join(
        notice_page(
            ProfileShown(replace(OWN, results=(fallen, stands))), table(), reader()
        ).text.split()
    )
    assert "5th of 5" in text
    assert "2nd of 5, behind the Dragon" in text


MAILS = {
    "profile-own": lambda: notice_page(ProfileShown(OWN), table(), reader()),
    "profile-other": lambda: notice_page(ProfileShown(OTHER), table(), reader()),
    "profile-new": lambda: notice_page(
        ProfileShown(Profile("Anna", True, 0, 0, 0, 0, Windows())), table(code=""), reader()
    ),
    "hall-of-fame": lambda: notice_page(HallShown(HALL), table(), reader()),
    "hall-empty": lambda: notice_page(HallShown(Hall((), None, 0)), table(), reader()),
    "profile-unknown": lambda: notice_page(
        NoProfile("Bertek", "unknown", ("Anna", "Bartek")), table(), reader()
    ),
    "profile-vacant": lambda: notice_page(
        NoProfile("Emil", "vacant", ("Anna", "Bartek")), table(), reader()
    ),
    "profile-several": lambda: notice_page(NoProfile("Mei", "several", ()), table(), reader()),
}


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


@each_row("name", MAILS)
def test_text_and_html_say_the_same(name: str) -> None:
    page: Page = MAILS[name]()
    body = page.html[page.html.index("<h1") :]
    bare = unescape(re.sub(r"<[^>]+>", " ", body))
    text = page.text[page.text.index("\n\n") :].replace("[PR-1.11]", "PR-1.11")
    assert words_of(bare) == words_of(text)


def test_what_people_wrote_is_escaped() -> None:
    assert "&lt;the orders&gt;" in MAILS["profile-own"]().html


def test_a_long_career_is_cut_and_says_so() -> None:
    many = Profile(
        "Anna",
        True,
        50,
        0,
        0,
        0,
        Windows(50, 0),
        (KindSums(REALM, 50, 0, 0),),
        (result("Heron", 2, "times-up", Windows(1)),) * 50,
    )
    page = notice_page(ProfileShown(many), table(), reader())
    assert page.text.count("2nd of 5") == MOST_GAMES
    assert "10 older games are not listed, but count in the sums." in " ".join(page.text.split())


@pytest.mark.parametrize(
    ("windows", "percent"),
    [(Windows(), None), (Windows(3, 0), 100), (Windows(300, 1), 99), (Windows(4, 4), 0)],
)
def test_only_who_has_answered_all_is_reliable_to_the_last_percent(
    windows: Windows, percent: int | None
) -> None:
    assert windows.percent == percent


def test_a_terminal_reads_the_same_without_the_letter_around_it() -> None:
    told = profile_text(OWN, "Europe/Berlin")
    assert told in MAILS["profile-own"]().text.replace("YOUR PROFILE\n", "")
    assert hall_text(HALL).strip() in MAILS["hall-of-fame"]().text
