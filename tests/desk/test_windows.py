"""Deadlines from windows: the hours asked for, on an allowed day, at an allowed hour, whatever
clocks are put to.
"""

from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.desk.windows import (
    Away,
    Hours,
    Window,
    check_hours,
    deadline_of,
    instant_at,
    local_minute,
)
from pbem.grammar.clock_rules import parse_clock, parse_days, parse_quiet

WORKDAYS = frozenset(range(5))
LENGTHS = (1.0, 12.0, 16.0, 24.0, 48.0, 72.0, 30.5)


@cache
def transitions(zone: str) -> tuple[datetime, ...]:
    """The instants from 2025 to 2027 at which the clocks of a zone are put forward or back, to the
    hour.
    """
    place, found = ZoneInfo(zone), []
    day, end = datetime(2025, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)
    offset = day.astimezone(place).utcoffset()
    while day < end:
        later = day + timedelta(days=7)
        if later.astimezone(place).utcoffset() != offset:
            low, high = day, later
            while high - low > timedelta(hours=1):
                middle = low + (high - low) / 2
                low, high = (
                    (middle, high)
                    if middle.astimezone(place).utcoffset() == offset
                    else (low, middle)
                )
            found.append(high.replace(minute=0, second=0, microsecond=0))
            offset = later.astimezone(place).utcoffset()
        day = later
    return tuple(found)


def wall_of(instant: datetime, zone: str) -> datetime:
    return instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def exists(day: datetime, minute: int, zone: str) -> bool:
    at = instant_at(day.date(), time(minute // 60, minute % 60), zone)
    return local_minute(at, zone) == minute


def check(opened_at: datetime, length: float, hours: Hours) -> None:
    deadline = deadline_of(opened_at, length, hours).deadline
    wall = wall_of(deadline, hours.zone)
    if length % 24:
        assert deadline >= opened_at + timedelta(hours=length), (opened_at, length, hours)
    else:
        assert wall >= wall_of(opened_at, hours.zone) + timedelta(hours=length), (
            opened_at,
            length,
            hours,
        )
        assert deadline >= opened_at + timedelta(hours=length) - timedelta(hours=25), (
            "clocks are put forward by a day at the very most"
        )
    assert deadline > opened_at
    assert wall.weekday() in hours.days, (opened_at, length, hours, wall)
    assert not hours.is_quiet(wall.hour * 60 + wall.minute), (opened_at, length, hours, wall)
    if hours.clock is not None and exists(wall, hours.clock, hours.zone):
        assert wall.hour * 60 + wall.minute == hours.clock, (opened_at, length, hours, wall)
    assert deadline_of(opened_at, length, hours).deadline == deadline
    assert deadline <= opened_at + timedelta(hours=length) + timedelta(days=9)


def test_around_every_change_of_clocks_in_every_zone_a_deadline_is_late_enough_and_allowed() -> (
    None
):
    every, workdays = frozenset(range(7)), WORKDAYS
    kinds: list[tuple[int | None, frozenset[int], tuple[int, int] | None]] = [
        (1080, every, None),
        (150, every, None),
        (30, workdays, None),
        (None, every, (1320, 420)),
        (None, workdays, (60, 180)),
        (None, frozenset({6}), None),
        (120, every, (1320, 60)),
    ]
    seen = 0
    for zone in sorted(available_timezones() - {"localtime"}):
        for index, change in enumerate(transitions(zone)):
            for before in (-4, 0, 25):
                seen += 1
                hours = Hours(zone, *kinds[(seen + index) % len(kinds)])
                check(
                    change - timedelta(hours=before, minutes=30 * (seen % 3)),
                    LENGTHS[seen % len(LENGTHS)],
                    hours,
                )
    assert seen > 1000


@given(
    st.integers(0, 6 * 366 * 1440),
    st.sampled_from(LENGTHS),
    st.sampled_from(
        (
            *("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"),
            *("Africa/Casablanca", "Pacific/Apia", "UTC"),
        )
    ),
    st.none() | st.integers(0, 1439),
    st.frozensets(st.integers(0, 6), min_size=1),
    st.none() | st.tuples(st.integers(0, 1439), st.integers(1, 1200)),
)
def test_a_deadline_is_always_late_enough_and_allowed(
    opened: int,
    length: float,
    zone: str,
    clock: int | None,
    days: frozenset[int],
    rest: tuple[int, int] | None,
) -> None:
    quiet = (rest[0], (rest[0] + rest[1]) % 1440) if rest is not None else None
    hours = Hours(zone, clock, days, quiet)
    if clock is not None and hours.is_quiet(clock):
        with pytest.raises(ValueError, match="quiet"):
            check_hours(hours)
        return
    check_hours(hours)
    check(datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=opened), length, hours)


def test_days_are_counted_on_the_wall_and_hours_in_real_time() -> None:
    berlin = Hours("Europe/Berlin")
    friday = datetime(
        2026, 3, 27, 17, 0, tzinfo=UTC
    )  # 18:00 in Berlin; on Sunday the clocks are put forward
    assert deadline_of(friday, 72, berlin).deadline == datetime(
        2026, 3, 30, 16, 0, tzinfo=UTC
    )  # 18:00 again
    assert deadline_of(friday, 60, berlin).deadline == friday + timedelta(hours=60)
    autumn = datetime(2026, 10, 24, 16, 0, tzinfo=UTC)  # 18:00, the day before they are put back
    assert deadline_of(autumn, 24, berlin).deadline == datetime(2026, 10, 25, 17, 0, tzinfo=UTC)


def test_an_hour_that_comes_twice_counts_at_its_second_time_and_a_skipped_one_later() -> None:
    assert deadline_of(
        datetime(2026, 10, 24, 0, 30, tzinfo=UTC), 24, Hours("Europe/Berlin")
    ).deadline == datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "02:30 comes at 00:30 and 01:30 UTC"
    assert deadline_of(
        datetime(2026, 3, 28, 1, 30, tzinfo=UTC), 24, Hours("Europe/Berlin")
    ).deadline == datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "there is no 02:30: it is 03:30"


def test_a_fixed_hour_and_days_of_the_week() -> None:
    hours = Hours("Europe/Berlin", parse_clock("18:00"), parse_days("-MTWTF-"))
    wednesday = datetime(2026, 11, 25, 19, 30, tzinfo=UTC)
    assert deadline_of(wednesday, 24, hours).deadline == datetime(
        2026, 11, 27, 17, 0, tzinfo=UTC
    ), "Thursday 20:30, so Friday 18:00"
    assert deadline_of(wednesday, 48, hours).deadline == datetime(
        2026, 11, 30, 17, 0, tzinfo=UTC
    ), "the weekend has no deadlines"
    assert deadline_of(datetime(2026, 11, 23, 17, 0, tzinfo=UTC), 72, hours).deadline == datetime(
        2026, 11, 26, 17, 0, tzinfo=UTC
    )


def test_no_deadline_falls_into_the_quiet_hours() -> None:
    hours = Hours("Europe/Berlin", quiet=parse_quiet("22-7"))
    late = datetime(2026, 11, 23, 22, 30, tzinfo=UTC)
    assert deadline_of(late, 24, hours).deadline == datetime(2026, 11, 25, 6, 0, tzinfo=UTC)
    assert deadline_of(late - timedelta(hours=2), 24, hours).deadline == datetime(
        2026, 11, 24, 20, 30, tzinfo=UTC
    ), "21:30 is not quiet"


def test_an_absence_moves_a_deadline_to_its_own_hour_afterwards_within_the_limit() -> None:
    hours = Hours("Europe/Berlin")
    opened = datetime(2026, 11, 23, 17, 0, tzinfo=UTC)
    plain = opened + timedelta(days=3)

    def away(key: int, since: int, until: int) -> Away:
        return Away(
            key, opened + timedelta(days=since, hours=5), opened + timedelta(days=until, hours=6)
        )  # until midnight in Berlin

    assert deadline_of(opened, 72, hours, [away(1, 1, 5)], 7).deadline == opened + timedelta(days=6)
    assert deadline_of(opened, 72, hours, [away(1, 1, 5), away(2, 0, 7)], 7) == Window(
        opened + timedelta(days=8), (1, 2)
    )
    longest = deadline_of(opened, 72, hours, [away(1, 1, 5), away(2, 0, 20)], 7)
    assert (longest.deadline, longest.moved_for) == (opened + timedelta(days=6), (1,)), (
        "who is away for longer than the table waits moves nothing"
    )
    for nothing in ([away(1, 3, 5)], [away(1, 0, 2)], [away(1, 1, 20)], []):
        assert deadline_of(opened, 72, hours, nothing, 7).deadline == plain
    assert deadline_of(opened, 72, hours, [away(1, 1, 5)], 0).deadline == plain


@pytest.mark.parametrize("quiet", [None, (0, 240)])
@pytest.mark.parametrize("length", [24.0, 48.0])
def test_f66_a_table_of_whole_days_keeps_its_days_where_its_hour_is_skipped(
    quiet: tuple[int, int] | None, length: float
) -> None:
    """Every zone, every change of its clocks: window after window ends at the hour of the table, on
    the day that is due.
    """
    for zone in sorted(available_timezones()):
        for change in transitions(zone):
            skipped = wall_of(change - timedelta(hours=1), zone) + timedelta(hours=1, minutes=30)
            clock = skipped.hour * 60 + skipped.minute
            hours = Hours(zone, clock, quiet=quiet)
            if hours.is_quiet(clock):
                continue
            opened = instant_at(skipped.date() - timedelta(days=4), skipped.time(), zone)
            for number in range(1, 7):
                opened = deadline_of(opened, length, hours).deadline
                day = skipped.date() + timedelta(days=number * length // 24 - 4)
                due = instant_at(day, skipped.time(), zone)
                late = opened - due
                assert (
                    late < timedelta(hours=4)
                    if hours.is_quiet(local_minute(due, zone))
                    else not late
                ), (zone, clock, number)
