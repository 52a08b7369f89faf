"""Summer time in every zone there is: deadlines are instants, shown right on either side of each
change and never moved by one.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import pytest
import sqlalchemy as sa

from pbem.cli.dates import parse_moment
from pbem.mail.calendar import DeadlineEvent, format_deadline
from pbem.pages.dates import moment
from pbem.store import tables
from pbem.store.database import open_database
from pbem.store.migrations import migrate
from tests.store.samples import add_game

BEGIN, END = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
ZONES = sorted(available_timezones())
SECOND = timedelta(seconds=1)
AROUND = (
    -timedelta(hours=1),
    -SECOND,
    timedelta(0),
    SECOND,
    timedelta(minutes=30),
    timedelta(hours=1),
)
WINDOW = timedelta(hours=72)


@cache
def transitions(name: str) -> tuple[datetime, ...]:
    """The instants from 2026 to 2028 at which the clocks of a zone are changed."""
    zone = ZoneInfo(name)

    def offset(instant: datetime) -> timedelta | None:
        return instant.astimezone(zone).utcoffset()

    found = []
    day = BEGIN
    while day < END:
        following = day + timedelta(days=7)
        if offset(day) != offset(following):
            low, high = day, following
            while high - low > SECOND:
                middle = low + (high - low) // 2
                low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
            found.append(high.replace(microsecond=0))
        day = following
    return tuple(found)


def deadlines() -> Iterator[tuple[str, datetime]]:
    """Instants around each change of each zone."""
    for name in ZONES:
        for change in transitions(name):
            for away in AROUND:
                yield name, change + away


def test_most_zones_of_the_world_are_looked_at() -> None:
    assert len(ZONES) > 400
    assert sum(bool(transitions(name)) for name in ZONES) > 100
    assert len(transitions("Europe/Berlin")) == 6
    assert transitions("Europe/Berlin")[0] == datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
    assert transitions("Asia/Tokyo") == ()


def test_a_deadline_is_shown_in_the_zone_s_own_time_and_in_utc_on_either_side_of_each_change() -> (
    None
):
    for name, deadline in deadlines():
        shown = moment(deadline, deadline - WINDOW, name, "en")
        local = deadline.astimezone(ZoneInfo(name))
        assert shown.long == f"{local:%A} {local.day} {local:%B}, {local:%H:%M}", (name, deadline)
        assert f"{deadline:%H:%M}" in shown.utc, (name, deadline)
        assert shown.relative == "in 3 days", (name, deadline)


def test_hours_are_hours_whatever_the_clocks_do_meanwhile() -> None:
    """A phase of 72 hours lasts 72 hours; only the local hour at its end differs, by as much as the
    clocks were changed.
    """
    for name in ZONES:
        zone = ZoneInfo(name)
        for change in transitions(name):
            opened = change - timedelta(hours=36)
            deadline = opened + WINDOW
            changed = (deadline.astimezone(zone).utcoffset() or timedelta(0)) - (
                opened.astimezone(zone).utcoffset() or timedelta(0)
            )
            walls = deadline.astimezone(zone).replace(tzinfo=None) - opened.astimezone(
                zone
            ).replace(tzinfo=None)
            assert walls == WINDOW + changed
            assert moment(deadline, opened, name, "en").relative == "in 3 days"


def test_the_calendar_names_the_instant_in_utc() -> None:
    for deadline in sorted({instant for _, instant in deadlines()}):
        event = DeadlineEvent(
            uid="u",
            sequence=0,
            stamped_at=deadline - WINDOW,
            deadline=deadline,
            summary="s",
            description="d",
        )
        assert f"DTSTART:{deadline:%Y%m%dT%H%M%SZ}\r\n".encode() in format_deadline(event)


async def test_the_store_gives_back_the_instant_it_was_given(tmp_path: Path) -> None:
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'pbem.sqlite'}")
    await migrate(database)
    given = [(name, instant) for name, instant in deadlines()]
    async with database.write() as work:
        game = await add_game(work)
        rows = [
            {
                "game_id": game,
                "number": number,
                "kind": "bids",
                "asked": (1,),
                "opened_at": instant - WINDOW,
                "status": "open",
                "deadline": instant.astimezone(ZoneInfo(name)),
                "ics_sequence": 0,
                "reminders_sent": 0,
                "label": "{}",
            }
            for number, (name, instant) in enumerate(given, start=1)
        ]
        await work.connection.execute(tables.phases.insert(), rows)
    async with database.read() as work:
        kept = list(
            (
                await work.connection.execute(
                    sa.select(tables.phases.c.deadline).order_by(tables.phases.c.number)
                )
            ).scalars()
        )
    await database.dispose()
    assert kept == [instant for _, instant in given]


@pytest.mark.parametrize("text", ["2026-03-29 12:00", "2026-10-25 12:00", "2028-02-29 23:59"])
def test_a_time_of_day_typed_by_a_game_master_is_the_one_on_the_table_s_clock(text: str) -> None:
    for name in ZONES:
        meant = parse_moment(text, name, BEGIN)
        assert f"{meant.astimezone(ZoneInfo(name)):%Y-%m-%d %H:%M}" == text
