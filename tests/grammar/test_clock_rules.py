"""When a table's deadlines are, in words."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.clock_rules import (
    ClockChange,
    format_clock,
    format_clock_rules,
    format_days,
    format_quiet,
    parse_clock,
    parse_clock_rules,
    parse_days,
    parse_quiet,
)
from pbem.grammar.gm.values import Unread
from tests.rows import each_row

WINDOWS = ("bidding", "orders")


@given(st.integers(0, 1439), st.integers(1, 1200), st.frozensets(st.integers(0, 6), min_size=1))
def test_what_is_formatted_is_read_back(minute: int, length: int, days: frozenset[int]) -> None:
    quiet = (minute, (minute + length) % 1440)
    assert (
        parse_clock(format_clock(minute)),
        parse_days(format_days(days)),
        parse_quiet(format_quiet(quiet)),
    ) == (minute, days, quiet)


@pytest.mark.parametrize("text", ["25:00", "18:60", "noon", "", "-1"])
def test_what_is_no_hour_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no hour"):
        parse_clock(text)


@pytest.mark.parametrize("text", ["MTWTF", "-------", "-MTWTFX", "SMTWTFSS", ""])
def test_what_is_no_week_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"week"):
        parse_days(text)


@pytest.mark.parametrize("text", ["22", "7-7", "8-7", "22-25", "a-b"])
def test_what_are_no_quiet_hours_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"quiet|hour"):
        parse_quiet(text)


def test_old_judges_hours_are_read() -> None:
    assert (parse_clock("1410"), parse_clock("7"), parse_quiet("from 22:00 to 07:30")) == (
        850,
        420,
        (1320, 450),
    )
    assert format_days(parse_days("-mtwtf-")) == "-MTWTF-"


@each_row(
    ("text", "change"),
    [
        ("clock 18:00", ClockChange(clock="18:00")),
        ("clock 1810, days -mtwtf-", ClockChange(clock="18:10", days="-MTWTF-")),
        ("clock off; days every day; quiet off", ClockChange(clock="", days="", quiet="")),
        ("quiet hours 22-7", ClockChange(quiet="22:00-07:00")),
        ("hours orders 48, bidding=24h", ClockChange(hours={"orders": 48.0, "bidding": 24.0})),
        ("orders: 3 days", ClockChange(hours={"orders": 72.0})),
        (
            "graces 2 of 24h, absences 5 days",
            ClockChange(graces=2, grace_hours=24.0, absence_days=5),
        ),
        ("grace 12h", ClockChange(grace_hours=12.0)),
        ("close when all have orders, after 2 days", ClockChange(settled_hours=48.0)),
        ("set close when everybody has ordered", ClockChange(settled_hours=24.0)),
        ("closes when all have orders: off", ClockChange(settled_hours=0.0)),
        ("graces off, absences off", ClockChange(graces=0, absence_days=0)),
        ("extensions by vote, names told", ClockChange(votes=True, tells_names=True)),
        ("extensions by the gm, names off", ClockChange(votes=False, tells_names=False)),
    ],
)
def test_clauses_set_one_thing_each(text: str, change: ClockChange) -> None:
    assert parse_clock_rules(text, WINDOWS) == change


@each_row(
    "text",
    [
        *("", "clock noon", "days MTWTF", "quiet 7", "graces", "graces many", "marches 48h"),
        *("extensions by lot", "names", "x"),
    ],
)
def test_what_says_nothing_is_told(text: str) -> None:
    with pytest.raises(Unread):
        parse_clock_rules(text, WINDOWS)


_CHANGES = st.builds(
    ClockChange,
    clock=st.none() | st.just("") | st.integers(0, 1439).map(format_clock),
    days=st.none() | st.just("") | st.frozensets(st.integers(0, 6), min_size=1).map(format_days),
    quiet=st.none() | st.sampled_from(("", "22:00-07:00", "00:30-06:00")),
    hours=st.dictionaries(st.sampled_from(WINDOWS), st.integers(1, 900).map(float), max_size=2),
    absence_days=st.none() | st.integers(0, 60),
    graces=st.none() | st.integers(0, 20),
    settled_hours=st.none() | st.integers(0, 168).map(float),
    grace_hours=st.none() | st.integers(1, 168).map(float),
    votes=st.none() | st.booleans(),
    tells_names=st.none() | st.booleans(),
).filter(lambda change: change != ClockChange())


@given(_CHANGES)
def test_rules_that_are_formatted_are_read_back(change: ClockChange) -> None:
    assert parse_clock_rules(format_clock_rules(change), WINDOWS) == change


@given(st.text("clokdaysquitgren extvhu0123456789:-=,. ", max_size=40))
def test_nothing_breaks_the_reader(text: str) -> None:
    with suppress(Unread):
        parse_clock_rules(text, WINDOWS)
