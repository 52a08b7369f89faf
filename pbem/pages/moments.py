"""Instants as people read them: weekday, day and month in the reader's zone, the same in UTC, and how far off it is.

A date is never written in figures alone: 3/4 is two days. Babel knows the words, the zone database the clocks.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant for one reader.

    `long` is `Monday 23 November, 18:00`, `short` `Mon 23 Nov, 18:00`, `bare` the same without a comma (subjects),
    `utc` the UTC clock (with its day where that differs), `relative` `in 2 days 21 hours`.
    """

    long: str
    short: str
    bare: str
    utc: str
    relative: str
    zone: str


def moment(instant: datetime, now: datetime, zone: str, locale: str) -> Moment:
    """How this reader sees an instant; KeyError-like ZoneInfoNotFoundError for an unknown zone."""
    long, short, bare, utc = _words(instant, zone, locale)
    return Moment(long, short, bare, utc, relative(instant, now), zone)


@lru_cache(maxsize=512)
def _words(instant: datetime, zone: str, locale: str) -> tuple[str, str, str, str]:
    local, universal = instant.astimezone(ZoneInfo(zone)), instant.astimezone(UTC)

    def say(when: datetime, pattern: str) -> str:
        return str(format_datetime(when, pattern, locale=locale))

    same_day = local.date() == universal.date()
    return (
        say(local, "EEEE d MMMM, HH:mm"),
        say(local, "EEE d MMM, HH:mm"),
        say(local, "EEE d MMM HH:mm"),
        say(universal, "HH:mm 'UTC'" if same_day else "EEE d MMM, HH:mm 'UTC'"),
    )


def relative(instant: datetime, now: datetime) -> str:
    """`in 3 days`, `in 2 days 21 hours`, `in 40 minutes`, `5 minutes ago`, `now`: two units at most, the smaller rounded."""
    seconds = round((instant - now).total_seconds())
    words = duration(abs(seconds))
    if not words:
        return "now"
    return f"in {words}" if seconds > 0 else f"{words} ago"


def duration(seconds: int) -> str:
    """A span in two units at most; empty below half a minute."""
    if seconds >= 2 * _DAY - _HOUR // 2:
        return _two(round(seconds / _HOUR), 24, "day", "hour")
    return _two(round(seconds / _MINUTE), 60, "hour", "minute")


def _two(count: int, per: int, big: str, small: str) -> str:
    whole, rest = divmod(count, per)
    return " ".join(f"{number} {unit}{'s' * (number != 1)}" for number, unit in ((whole, big), (rest, small)) if number)
