"""Quiet hours of a person: what can wait comes at their end, and what cannot makes no sound in a
chat.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.store.work import Work

QUIET = "quiet"
"""The preference: from which minute of the day until which, as `1320-420`, by the person's own
clock.
"""


def format_quiet(since: int, until: int) -> str:
    return f"{since}-{until}"


def parse_quiet(value: str) -> tuple[int, int]:
    """The inverse of `format_quiet`."""
    since, _, until = value.partition("-")
    return int(since), int(until)


def quiet_until(value: str, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end that it is in now; None when it is in none. An hour that the clocks
    skip ends with the skip.
    """
    since, until = parse_quiet(value)
    here = now.astimezone(ZoneInfo(zone))
    minute = here.hour * 60 + here.minute
    if not (since <= minute < until if since < until else minute >= since or minute < until):
        return None
    day = here.date() + timedelta(days=1 if minute >= until else 0)
    end = datetime.combine(day, time(until // 60, until % 60), ZoneInfo(zone)).astimezone(
        now.tzinfo
    )
    return end if end > now else None


async def read_resting(
    work: Work, preferences: Mapping[tuple[int, str], str], people: Collection[int], now: datetime
) -> dict[int, datetime]:
    """Those of these people who are not to be disturbed now, and until when; `preferences` by
    person and name.
    """
    chosen = {person_id for person_id in people if (person_id, QUIET) in preferences}
    zones = {
        person.id: person.time_zone
        for person in (await work.people.list_by_ids(chosen) if chosen else ())
    }
    return resting_of(preferences, zones, now)


def resting_of(
    preferences: Mapping[tuple[int, str], str], zones: Mapping[int, str], now: datetime
) -> dict[int, datetime]:
    """The same of the people in these zones."""
    resting = {}
    for person_id, zone in zones.items():
        chosen = preferences.get((person_id, QUIET))
        end = quiet_until(chosen, zone, now) if chosen is not None else None
        if end is not None:
            resting[person_id] = end
    return resting


async def read_resting_of(work: Work, person_id: int, now: datetime) -> datetime | None:
    """Until when one person is not to be disturbed; None: they may be."""
    kept = await work.preferences.get(person_id, QUIET)
    return (
        (await read_resting(work, {(person_id, QUIET): kept}, (person_id,), now)).get(person_id)
        if kept is not None
        else None
    )
