"""Instants as people read them: weekday, day and month in the reader's zone and language, the same
in UTC, and how far off it is.

A date is never written in figures alone: 3/4 is two days. Babel knows the words and their order,
the zone database the clocks. Clocks go to 24 everywhere.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime

from pbem.pages.page import Reader, Table, locale_of

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_LETTERS = re.compile(r"('[^']*')|([Ec]+)|([ML]+)")
_NAMED_MONTH = re.compile("[ML]{3}|[年月日월]")
_LONG_DAY, _SHORT_DAY = "EEEE d MMMM", "EEE d MMM"


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant for one reader.

    `long` is `Monday 23 November, 18:00`, `short` `Mon 23 Nov, 18:00`, `bare` the same without a
    comma (subjects), `utc` the UTC clock (with its day where that differs), `relative` `in 2 days
    21 hours`.
    """

    long: str
    short: str
    bare: str
    utc: str
    relative: str
    zone: str

    @property
    def around(self) -> str:
        """What stands behind an instant with its zone: `in 2 days; 17:00 UTC`, where that zone is
        not UTC itself.
        """
        return self.relative if self.zone == "UTC" else f"{self.relative}; {self.utc}"


def moment(instant: datetime, now: datetime, zone: str, locale: str) -> Moment:
    """How this reader sees an instant; KeyError-like ZoneInfoNotFoundError for an unknown zone,
    English words for an unknown language.
    """
    long, short, bare, utc = _words(instant, zone, locale)
    return Moment(long, short, bare, utc, relative(instant, now), zone)


@lru_cache(maxsize=512)
def _words(instant: datetime, zone: str, locale: str) -> tuple[str, str, str, str]:
    local, universal = instant.astimezone(ZoneInfo(zone)), instant.astimezone(UTC)

    tongue = language(locale)
    long, short = _patterns(tongue)

    def say(when: datetime, pattern: str) -> str:
        return str(format_datetime(when, pattern, locale=tongue))

    same_day = local.date() == universal.date()
    return (
        say(local, f"{long}, HH:mm"),
        say(local, f"{short}, HH:mm"),
        say(local, f"{short} HH:mm"),
        say(universal, "HH:mm 'UTC'" if same_day else f"{short}, HH:mm 'UTC'"),
    )


def weekday(when: date, locale: str) -> str:
    """A day by its weekday, without the year: `Friday 3 July`."""
    tongue = language(locale)
    return str(format_date(when, _patterns(tongue)[0], locale=tongue))


def day(instant: datetime, zone: str, locale: str) -> str:
    """A day with its year: `3 Jul 2026`."""
    tongue = language(locale)
    pattern = "d MMM yyyy" if tongue.language == "en" else _pattern(tongue, "yMMMd") or "d MMM yyyy"
    return str(format_datetime(instant.astimezone(ZoneInfo(zone)), pattern, locale=tongue))


def language(locale: str) -> Locale:
    """The language of dates that a locale names (BCP 47 or POSIX); English where nobody knows
    it.
    """
    try:
        return Locale.parse(locale.replace("-", "_").partition(".")[0])
    except (UnknownLocaleError, ValueError):
        return Locale("en")


@lru_cache(maxsize=64)
def _patterns(tongue: Locale) -> tuple[str, str]:
    """How a day is written, with the weekday: long and short."""
    if (
        tongue.language == "en"
    ):  # one order of words for all of it: the month of `11 12` would differ by the country
        return _LONG_DAY, _SHORT_DAY
    short = _pattern(tongue, "MMMEd") or _SHORT_DAY
    long = _pattern(tongue, "MMMMEd") or short
    return _widened(long, "EEEE", "MMMM"), _widened(short, "EEE", "MMM")


def _pattern(tongue: Locale, skeleton: str) -> str:
    """The language's own pattern, unless it would write the month in figures."""
    known = tongue.datetime_skeletons.get(skeleton)
    return str(known.pattern) if known is not None and _NAMED_MONTH.search(known.pattern) else ""


def _widened(pattern: str, weekday: str, month: str) -> str:
    def wide(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        return weekday if found[2] else month if len(found[3]) > 2 else found[3]

    return _LETTERS.sub(wide, pattern)


def relative(instant: datetime, now: datetime) -> str:
    """`in 3 days`, `in 2 days 21 hours`, `in 40 minutes`, `5 minutes ago`, `now`: two units at
    most, the smaller rounded.
    """
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
    return " ".join(
        f"{number} {unit}{'s' * (number != 1)}"
        for number, unit in ((whole, big), (rest, small))
        if number
    )


def seen(instant: datetime | None, table: Table, reader: Reader) -> Moment | None:
    """An instant as this reader sees it."""
    return (
        None
        if instant is None
        else moment(instant, table.now, reader.zone, locale_of(table, reader))
    )
