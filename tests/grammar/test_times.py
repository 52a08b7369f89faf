"""What players say of their time."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.gm.commands import Span, Unread, WallTime
from pbem.grammar.times import (
    USUAL,
    Absence,
    Day,
    Vote,
    days_of,
    format_absence,
    format_more_time,
    format_vote,
    parse_absence,
    parse_more_time,
    parse_vote,
)
from tests.rows import each_row

TODAY = date(2026, 6, 24)  # a Wednesday
JULY_3, JULY_10 = date(2026, 7, 3), date(2026, 7, 10)


@each_row(
    "text",
    [
        *("from 3 to 10 July", "from 3 July to 10 July", "3-10 July", "3 – 10 July"),
        *("July 3 to 10", "Jul 3 TO Jul 10", "jul 3rd to the 10th of july"),
        *("2026-07-03 to 2026-07-10", "from Friday 3 July until Friday, 10 July"),
        *("between 3 July and 10 July", "from 3 July through 10 July"),
        *("from 3 to 10 July, at this table only", "from 3 July for 8 days"),
        *("3 july until 10 july inclusive", "from 3 July 2026 to 10 July 2026."),
    ],
)
def test_an_absence_is_read_however_it_is_said(text: str) -> None:
    assert days_of(parse_absence(text), TODAY) == (JULY_3, JULY_10)


@each_row(
    ("text", "first", "last"),
    [
        ("until Monday", TODAY, date(2026, 6, 29)),
        ("till 10 July", TODAY, JULY_10),
        ("for 5 days", TODAY, date(2026, 6, 28)),
        ("for a week", TODAY, date(2026, 6, 30)),
        ("on Friday", date(2026, 6, 26), date(2026, 6, 26)),
        ("tomorrow", date(2026, 6, 25), date(2026, 6, 25)),
        ("today", TODAY, TODAY),
        ("from tomorrow until next Tuesday", date(2026, 6, 25), date(2026, 6, 30)),
        ("from Friday to Monday", date(2026, 6, 26), date(2026, 6, 29)),
        ("from 28 December to 3 January", date(2026, 12, 28), date(2027, 1, 3)),
        ("from 20 June to 26 June", date(2026, 6, 20), date(2026, 6, 26)),
        ("from now for a day", TODAY, TODAY),
        ("from 24/12 to 26/12", date(2026, 12, 24), date(2026, 12, 26)),  # F-99, and those below
        ("12/24 to 12/26", date(2026, 12, 24), date(2026, 12, 26)),
        ("from 24.12. until 26.12.2026", date(2026, 12, 24), date(2026, 12, 26)),
        ("on 24/12/26", date(2026, 12, 24), date(2026, 12, 24)),
        ("next week", date(2026, 6, 29), date(2026, 7, 5)),
        ("for next week", date(2026, 6, 29), date(2026, 7, 5)),
        ("from Tuesday next week to Thursday next week", date(2026, 6, 30), date(2026, 7, 2)),
        ("until Friday next week", TODAY, date(2026, 7, 3)),
    ],
)
def test_days_are_those_to_come(text: str, first: date, last: date) -> None:
    assert days_of(parse_absence(text), TODAY) == (first, last)


@each_row(
    ("text", "kind", "what"),
    [
        ("from 3/7 to 10/7", "ambiguous", "date"),
        ("from 24/12 to 3/1", "ambiguous", "date"),
        ("from 24/13 to 26/13", "invalid", "time"),
        ("until 3.7.", "ambiguous", "date"),
        ("from 3 to 10", "missing", "month"),
        ("from 3 to Monday", "missing", "month"),
        ("from Monday to 10", "missing", "month"),
        ("until the cows come home", "invalid", "day"),
        ("from 31 June to 3 July", "invalid", "day"),
        ("from 3 to 32 July", "invalid", "day"),
        ("until 2026-13-01", "invalid", "day"),
        ("for 5 hours", "invalid", "days"),
        ("for a while", "invalid", "days"),
        ("from 10 to 3 July", "invalid", "backwards"),
        ("from 1 to 10 July 2025", "invalid", "over"),
        ("from 3 July to 30 September", "invalid", "too-long"),
        ("from 2028-01-01 to 2028-01-03", "invalid", "too-far"),
        ("", "missing", "day"),
    ],
)
def test_what_can_be_read_in_two_ways_or_in_none_is_told(text: str, kind: str, what: str) -> None:
    with pytest.raises(Unread) as unread:
        days_of(parse_absence(text), TODAY)
    assert (unread.value.kind, unread.value.what) == (kind, what)


@each_row(
    ("text", "when"),
    [
        ("", USUAL),
        ("24h", Span(1440)),
        ("by a day", Span(1440)),
        ("for 2 days", Span(2880)),
        ("of 12 hours", Span(720)),
        ("until friday 18:00", WallTime(0, 0, 18, 0, weekday=4)),
        ("to 2026-07-03 18:00", WallTime(7, 3, 18, 0, 2026)),
        ("tomorrow 9:00", WallTime(0, 0, 9, 0, days_ahead=1)),
    ],
)
def test_more_time_is_a_length_or_a_time(text: str, when: Span | WallTime) -> None:
    assert parse_more_time(text) == when
    assert parse_more_time(format_more_time(when)) == when


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("until 24h", "ambiguous"),
        ("until friday", "missing"),
        ("until whenever", "invalid"),
        ("0h", "invalid"),
    ],
)
def test_more_time_that_is_none_is_told(text: str, kind: str) -> None:
    with pytest.raises(Unread) as unread:
        parse_more_time(text)
    assert unread.value.kind == kind


def test_votes_are_read_back() -> None:
    for vote in (Vote("yes"), Vote("no", 3), Vote("abstain", 12)):
        assert parse_vote(format_vote(vote)) == vote
    assert parse_vote("Yes to motion 3.") == Vote("yes", 3)
    assert parse_vote("maybe") is None


_MONTH_DAYS = st.builds(lambda month, day: Day(month, day), st.integers(1, 12), st.integers(1, 28))
_DAYS = st.one_of(
    _MONTH_DAYS,
    st.builds(
        lambda day, year: Day(day.month, day.day, year), _MONTH_DAYS, st.integers(2025, 2030)
    ),
    st.builds(
        lambda number, week: Day(weekday=number, next_week=week), st.integers(0, 6), st.booleans()
    ),
    st.builds(lambda number: Day(ahead=number), st.integers(0, 1)),
)


ABSENCES = st.builds(Absence, st.none() | _DAYS, _DAYS, st.just(0), st.booleans()) | st.builds(
    lambda since, days: Absence(since, None, days), st.none() | _DAYS, st.integers(1, 60)
)


@given(ABSENCES)
def test_an_absence_that_is_formatted_is_read_back(absence: Absence) -> None:
    assert parse_absence(format_absence(absence)) == absence


@given(st.text(max_size=60) | st.text("from toulyja 0123456789/-.", max_size=40))
def test_nothing_that_anybody_says_breaks_the_reader(text: str) -> None:
    for parse in (parse_absence, parse_more_time):
        try:
            parse(text)
        except Unread:
            continue
    parse_vote(text)


def test_the_29th_of_february_is_the_next_one_there_is() -> None:
    assert days_of(parse_absence("on 29 February"), date(2027, 6, 1)) == (date(2028, 2, 29),) * 2
    with pytest.raises(Unread):
        days_of(parse_absence("on 29 February"), date(2026, 1, 1))


@each_row(
    ("text", "same"),
    [
        ("Friday noon", "Friday 12:00"),
        ("tomorrow at noon", "tomorrow 12:00"),
        ("Friday midnight", "Friday 23:59"),
        ("tomorrow 18h30", "tomorrow 18:30"),
        ("18h30 tomorrow", "tomorrow 18:30"),
        ("6 pm tomorrow", "tomorrow 18:00"),
        ("at 6pm on Friday", "Friday 18:00"),
        ("18:00, 3 July", "3 July 18:00"),
        ("noon on 3 July", "3 July 12:00"),
        ("18:00 24/12", "24 December 18:00"),
    ],
)
def test_f99_an_hour_is_read_however_it_is_said(text: str, same: str) -> None:
    """F-99: `noon`, `midnight`, `18h30` and `6 pm tomorrow`."""
    assert parse_more_time(f"until {text}") == parse_more_time(f"until {same}")
