"""Mails about a table's time: what they must say, and what they must not."""

from datetime import date, timedelta

import pytest

from pbem.pages.notice import notice_page
from pbem.pages.page import Page
from pbem.pages.time import (
    AbsenceLine,
    AbsencesListed,
    AbsencesTakenBack,
    AbsenceUnclear,
    Absent,
    ClockChanged,
    ClockFacts,
    ClockShown,
    Count,
    GmMoreTime,
    GraceGiven,
    IsNotReady,
    IsReady,
    MoreTimeAsked,
    MoreTimeRefused,
    MotionAnswered,
    MotionFacts,
    MotionImpossible,
    MotionOpened,
    MotionSettled,
    NoMotion,
    PhaseWaits,
    PhaseWaitsNoMore,
)
from tests.pages.sample import NOW, reader, table
from tests.rows import each_row

LATER = NOW + timedelta(days=1)
LINE = AbsenceLine(date(2026, 7, 3), date(2026, 7, 10))
CLOCK = ClockFacts(
    (("bidding", 24.0), ("orders", 48.5)),
    "18:00",
    ("Monday", "Friday"),
    ("22:00", "07:00"),
    "Europe/Berlin",
    7,
    2,
    12.0,
    True,
    False,
    1,
)
BARE = ClockFacts((("orders", 72.0),), "", (), None, "UTC", 0, 0, 24.0, False, False)


def flat(page: Page) -> str:
    return " ".join(page.text.split())


def test_an_absence_says_that_the_open_deadline_stays_and_what_to_ask_then() -> None:
    page = notice_page(Absent(LINE, 7, LATER, tells_names=False), table(), reader())
    assert (
        "You are away from Friday 3 July to Friday 10 July, both days included, in all your games."
        in flat(page)
    )
    assert "The open deadline stays" in flat(page)
    assert "\n    more time\n" in page.text
    assert "but not who" in flat(page)
    here = notice_page(
        Absent(AbsenceLine(LINE.first, LINE.first, "Heron"), 0, None, tells_names=True),
        table(),
        reader(),
    )
    assert "on Friday 3 July" in flat(here)
    assert "in this game absences move nothing" in flat(here)
    assert "more time" not in flat(here)
    assert "we tell the others your name" in flat(here)


@each_row(
    "what", ["date", "month", "over", "backwards", "too-long", "too-far", "too-many", "day", "days"]
)
def test_an_absence_that_is_unclear_shows_how_it_is_said(what: str) -> None:
    text = flat(notice_page(AbsenceUnclear(what, "3/7"), table(), reader()))
    assert "We kept nothing." in text
    assert "away from 3 to 10 July" in text


def test_the_punctual_are_not_told_for_whom_the_table_waits_and_the_late_are() -> None:
    punctual = flat(notice_page(GraceGiven(NOW, LATER, (), None), table(), reader()))
    assert "Some orders were missing at the deadline, and we wait." in punctual
    assert "waited for 1" not in punctual
    late = flat(notice_page(GraceGiven(NOW, LATER, (), 1), table(), reader()))
    assert "Your orders were not complete" in late
    assert "We wait for you 1 more time in this game. Nobody learns that it was for you." in late
    assert "We wait for you 2 more times in this game." in flat(
        notice_page(GraceGiven(NOW, LATER, (), 2), table(), reader())
    )
    assert "Anna and Ben are late, and we wait." in flat(
        notice_page(GraceGiven(NOW, LATER, ("Anna", "Ben"), None), table(), reader())
    )


def test_a_question_asks_for_words_that_answer_it_and_the_game_master_for_none() -> None:
    motion = MotionFacts(12, "extend", LATER, LATER + timedelta(days=1))
    asked = notice_page(MotionOpened(motion), table(), reader())
    assert "\n    vote yes 12\n    vote no 12\n" in asked.text
    assert "vote is secret" in flat(asked)
    assert "vote yes" not in notice_page(MotionOpened(motion), table(), reader(None, "Gerda")).text


@pytest.mark.parametrize("kind", ["extend", "pause", "resume", "other"])
@pytest.mark.parametrize("outcome", ["passed", "failed"])
def test_an_outcome_is_told_in_numbers(kind: str, outcome: str) -> None:
    motion = MotionFacts(
        12,
        kind,
        LATER,
        LATER if kind == "extend" else None,
        detail="Something else" if kind == "other" else "",
    )
    moved = (NOW, LATER) if kind in ("extend", "resume") and outcome == "passed" else (None, None)
    page = notice_page(
        MotionSettled(
            motion, "passed" if outcome == "passed" else "failed", Count(3, 1, 5, 3), *moved
        ),
        table(),
        reader(),
    )
    assert "3 yes, 1 no, 1 said nothing; it needed 3 yes." in flat(page)
    assert ("New deadline" in flat(page)) == (moved[1] is not None)
    assert ("Everything stays as it was." in flat(page)) == (outcome == "failed")


@each_row(
    "code",
    [
        *("unread", "too-late", "open", "asked", "often", "spent", "too-long", "not-later", "gm"),
        *("gm-paused", "paused", "not-paused", "no-phase"),
    ],
)
def test_what_cannot_be_voted_on_says_why(code: str) -> None:
    for kind in ("extend", "pause"):
        page = notice_page(MotionImpossible(kind, code, "for ever"), table(), reader())
        assert len(flat(page)) > 100
        assert page.html


def test_a_clock_is_told_in_whole_sentences() -> None:
    text = flat(notice_page(ClockShown(CLOCK), table(), reader()))
    assert (
        "Deadlines are at 18:00, on Monday and Friday, and none between 22:00 and 07:00, in the time of Europe/Berlin."
        in text
    )
    assert "bidding 24 h, orders 48.5 h." in text
    assert "may move by up to 7 days" in text
    assert "We wait 12 hours for a late player, 2 times in a game" in text
    assert "The players vote on more time" in text
    assert "We wait for you 1 more time in this game." in text
    bare = flat(notice_page(ClockChanged(BARE, "Gerda"), table(), reader(None, "Gerda")))
    for said in (
        "at any hour, on any day,",
        "Absences move no deadline.",
        "We do not wait for late players",
        "The game master decides about more time",
    ):
        assert said in bare


def test_short_answers_say_what_holds_now() -> None:
    who = reader()
    for page, said in (
        (notice_page(PhaseWaits(), table(), who), "Nobody learns"),
        (notice_page(PhaseWaitsNoMore(is_final=False), table(), who), "not final yet"),
        (
            notice_page(PhaseWaitsNoMore(is_final=True), table(), who),
            "may close before its deadline",
        ),
        (notice_page(IsReady(), table(), who), "You have done everything"),
        (notice_page(IsNotReady(), table(), who), "your orders are not final"),
        (
            notice_page(AbsencesListed((LINE,)), table(), who),
            "from Friday 3 July to Friday 10 July",
        ),
        (notice_page(AbsencesListed(()), table(), who), "You have no absence"),
        (notice_page(AbsencesTakenBack(1), table(), who), "We took back your absence"),
        (notice_page(AbsencesTakenBack(2), table(), who), "We took back your absences"),
        (notice_page(AbsencesTakenBack(0), table(), who), "we changed nothing"),
        (notice_page(MoreTimeAsked(LATER), table(), who), "We ask"),
        (notice_page(GmMoreTime("Anna", LATER, 4), table(), reader(None, "Gerda")), "grant 4"),
        (notice_page(MoreTimeRefused("Gerda"), table(), who), "has given no more time"),
        (
            notice_page(MotionAnswered(MotionFacts(3, "pause", LATER, answer="no")), table(), who),
            "your answer is no",
        ),
        (notice_page(NoMotion(()), table(), who), "No vote is open"),
        (
            notice_page(
                NoMotion((MotionFacts(3, "pause", LATER), MotionFacts(4, "resume", LATER))),
                table(),
                who,
            ),
            "4: Start the clock again",
        ),
    ):
        assert said in flat(page), said
        assert page.html
