"""Lengths and points of time as a game master writes them. Nothing is guessed: a date in figures
must be year-month-day, or have a day beyond twelve, so that it can be read in one way alone.

`by 24h`, `by 1 day 12 hours`; `to 2026-11-23 18:00`, and the form our own mails show: `Monday 23
November, 18:00`.
"""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from pbem.grammar import zones
from pbem.grammar.gm.values import Span, Unread, WallTime

MOST_DAYS = 400
_UNITS = {"m": 1, "h": 60, "d": 1440, "w": 10080}
_ONE = re.compile(
    r"(?P<count>\d{1,5}|an?|one|two|three)["
    r" ]?(?P<unit>minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?:[ ,]+|and[ ]+|(?=\d)|$)",
    re.IGNORECASE,
)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
FULL_MONTHS = tuple(
    "january february march april may june july august september october november december".split()
)
FULL_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH = "|".join((*FULL_MONTHS, "sept", *MONTHS))
DAY = "|".join((*FULL_DAYS, *(name[:3] for name in FULL_DAYS), "tues", "thur", "thurs"))
_CLOCK = (
    r"(?:at[ ]+)?(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::00)?)?[ ]?(?P<half>[ap]\.?m\.?)?(?:["
    r" ]?(?:hrs?|h|o'clock))?"
)
_ZONE = r"(?:[ ,]+(?P<zone>[A-Za-z][\w+/-]*(?:[ ]time)?))?"
_ISO = re.compile(
    rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})[ T,]+{_CLOCK}{_ZONE}",
    re.IGNORECASE,
)
DATED = (
    rf"(?:(?P<weekday>{DAY})\.?,? )?(?:the )?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?"
    rf"(?P<month>{MONTH})\.?|(?P<month2>{MONTH})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)"
    r"(?:,? (?P<year>\d{4}))?"
)
"""A day with its month in words."""
_WORDS = re.compile(rf"{DATED},?[ ]+{_CLOCK}{_ZONE}", re.IGNORECASE)
_NEXT = re.compile(
    r"(?:(?P<weekday>(?:(?:this|next|coming)"
    rf" )?(?:{DAY}))\.?|(?P<near>today|tonight|tomorrow))(?:,?[ ]+{_CLOCK}{_ZONE})?",
    re.IGNORECASE,
)
_DOTTED = re.compile(
    r"(?P<one>\d{1,2})(?P<mark>[./])(?P<two>\d{1,2})(?:(?P=mark)(?P<year>\d{4})?)?["
    rf" T,]+{_CLOCK}{_ZONE}",
    re.IGNORECASE,
)
_FIGURES = re.compile(r"\d{1,4}[./]\d{1,2}(?:[./]\d{2,4})?\b.*")
_NAMED_HOUR = re.compile(r"\b(?:at )?(?:noon|midday|midnight)\b", re.IGNORECASE)
_CLOCK_FIRST = re.compile(
    r"(?:at )?(?P<clock>\d{1,2}(?:[:.h]\d{2})?(?: ?[ap]\.?m\.?)?(?: ?(?:hrs?|o'clock))?),?"
    rf" (?:on )?(?P<day>(?:(?:this|next|coming) )?(?:{DAY})\b.*|today|tonight|tomorrow"
    rf"|(?:the )?\d.* (?:of )?(?:{MONTH})\b.*|(?:{MONTH})\.? \d.*"
    r"|\d{4}-\d.*|\d{1,2}[./]\d.*)",
    re.IGNORECASE,
)
_OWN = frozenset({"my time", "your time", "local time", "our time"})


def parse_span(text: str) -> Span | None:
    """A length of time; None for other text. Unread when it is nothing at all, or beyond all
    reason.
    """
    stripped = text.strip().removeprefix("+").strip()
    at, minutes = 0, 0
    while at < len(stripped):
        found = _ONE.match(stripped, at)
        if found is None or found.end() == at:
            return None
        count = found["count"].lower()
        minutes += (_COUNTS[count] if count in _COUNTS else int(count)) * _UNITS[
            found["unit"][0].lower()
        ]
        at = found.end()
    if not stripped:
        return None
    if minutes == 0:
        raise Unread("invalid", "no-length", text.strip())
    if minutes > MOST_DAYS * 1440:
        raise Unread("invalid", "length", text.strip())
    return Span(minutes)


def format_span(span: Span) -> str:
    days, rest = divmod(span.minutes, 1440) if span.minutes > 4320 else (0, span.minutes)
    hours, minutes = divmod(rest, 60)
    return " ".join(
        f"{count}{unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "m")) if count
    )


def parse_wall_time(text: str) -> WallTime:
    """A day and an hour. Unread: `ambiguous` for a date in figures, `missing` for an hour without a
    day or a day without an hour.
    """
    stripped = _NAMED_HOUR.sub(_in_figures, " ".join(text.split()).strip(" ."))
    found = _match_time(stripped)
    if found is None and (turned := _CLOCK_FIRST.fullmatch(stripped)):
        found = _match_time(f"{turned['day']} {turned['clock']}")
    if found is None:
        raise _unread_time(stripped)
    said = found.groupdict()
    if said.get("one"):
        said["day"], said["month"] = day_and_month(int(said["one"]), int(said["two"]), stripped)
    is_near = "near" in said
    if is_near and (said["hour"] is None or (said["weekday"] or "").lower().startswith("next")):
        raise (
            Unread("missing", "hour", stripped)
            if said["hour"] is None
            else Unread("ambiguous", "next-weekday", stripped)
        )
    month = "0" if is_near else said["month"] or said.get("month2") or ""
    hour, minute = int(said["hour"]), int(said["minute"] or 0)
    half = (said["half"] or "").lower().replace(".", "")
    if said["minute"] is None and not half:
        raise Unread("missing", "hour", stripped)
    if half:
        if not 1 <= hour <= 12:
            raise Unread("invalid", "time", stripped)
        hour = hour % 12 + (12 if half == "pm" else 0)
    weekday = (said.get("weekday") or "").split(" ")[-1]
    wall = WallTime(
        month=int(month) if month.isdigit() else MONTHS.index(month[:3].lower()) + 1,
        day=0 if is_near else int(said["day"] or said["day2"]),
        hour=hour,
        minute=minute,
        year=int(said["year"]) if said.get("year") else None,
        weekday=[name[:3] for name in FULL_DAYS].index(weekday[:3].lower()) if weekday else None,
        zone=parse_zone(said["zone"]) if said["zone"] and said["zone"].lower() not in _OWN else "",
        days_ahead=(
            (1 if said["near"].lower() == "tomorrow" else 0) if is_near and said["near"] else None
        ),
    )
    if wall.year is not None and not 2000 <= wall.year <= 2200:
        raise Unread("invalid", "time", stripped)
    try:
        datetime(
            wall.year or 2028, wall.month or 1, wall.day or 1, wall.hour, wall.minute, tzinfo=UTC
        )  # 2028 has a 29 February
    except ValueError as error:
        raise Unread("invalid", "time", stripped) from error
    return wall


def _match_time(text: str) -> re.Match[str] | None:
    return (
        _ISO.fullmatch(text)
        or _WORDS.fullmatch(text)
        or _NEXT.fullmatch(text)
        or _DOTTED.fullmatch(text)
    )


def _in_figures(named: re.Match[str]) -> str:
    """`noon` as 12:00; `midnight` as the last minute of the day it is said of."""
    return "23:59" if named.group().lower().endswith("midnight") else "12:00"


def day_and_month(one: int, two: int, written: str) -> tuple[str, str]:
    """Of two figures the one beyond twelve is the day; two that may be either are asked about."""
    if one > 12 >= two >= 1:
        return str(one), str(two)
    if two > 12 >= one >= 1:
        return str(two), str(one)
    raise Unread(
        "ambiguous" if one <= 12 and two <= 12 else "invalid",
        "date" if one <= 12 and two <= 12 else "time",
        written,
    )


def _unread_time(stripped: str) -> Unread:
    if _FIGURES.fullmatch(stripped):
        return Unread("ambiguous", "date", stripped)
    if re.fullmatch(rf"{_CLOCK}{_ZONE}", stripped, re.IGNORECASE):
        return Unread("missing", "day", stripped)
    if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", stripped):
        return Unread("missing", "hour", stripped)
    return Unread("invalid", "time", stripped)


def format_wall_time(wall: WallTime) -> str:
    clock = f"{wall.hour:02}:{wall.minute:02}" + (f" {wall.zone}" if wall.zone else "")
    if wall.year is not None and wall.weekday is None:
        return f"{wall.year:04}-{wall.month:02}-{wall.day:02} {clock}"
    if wall.days_ahead is not None:
        return f"{'tomorrow' if wall.days_ahead else 'today'} {clock}"
    weekday = f"{FULL_DAYS[wall.weekday].capitalize()} " if wall.weekday is not None else ""
    if not wall.month:
        return f"{weekday}{clock}"
    year = f" {wall.year:04}" if wall.year is not None else ""
    return f"{weekday}{wall.day} {FULL_MONTHS[wall.month - 1].capitalize()}{year}, {clock}"


def parse_zone(text: str) -> str:
    """The IANA name of a time zone or of its city; Unread, with those that it may be, for anything
    else.
    """
    found = zones.parse_zone(text)
    if isinstance(found, zones.ZoneRefused):
        raise Unread(
            "invalid" if found.code == "zone-unknown" else "ambiguous",
            "zone",
            found.written,
            found.suggestions[:3],
        )
    return found


def instant_of(wall: WallTime, now: datetime, zone: str) -> datetime:
    """The instant that is meant, in UTC; without a year the next such day to come. Unread when
    there is no such day.
    """
    place = ZoneInfo(wall.zone or zone)
    if not wall.month:
        wall = _dated(wall, now.astimezone(place))
    years = (wall.year,) if wall.year is not None else (now.year, now.year + 1)
    written = format_wall_time(wall)
    for year in years:
        try:
            local = datetime(year, wall.month, wall.day, wall.hour, wall.minute, tzinfo=place)
        except ValueError:
            continue  # 29 February
        instant = local.astimezone(UTC)
        if instant.astimezone(place).replace(tzinfo=None) != local.replace(tzinfo=None):
            raise Unread("invalid", "skipped-hour", written)
        if wall.weekday is not None and local.weekday() != wall.weekday:
            if wall.year is None and instant <= now:
                continue
            raise Unread(
                "ambiguous", "weekday", written, (FULL_DAYS[local.weekday()].capitalize(),)
            )
        if wall.year is not None or instant > now - timedelta(days=30):
            return instant
    raise Unread("invalid", "time", written)


def _dated(wall: WallTime, here: datetime) -> WallTime:
    """Tomorrow, or the next such weekday, as a day; `here` is now at that place. A weekday that is
    today counts while its hour is ahead.
    """
    ahead = wall.days_ahead
    if ahead is None:
        ahead = ((wall.weekday or 0) - here.weekday()) % 7
        if ahead == 0 and (here.hour, here.minute) >= (wall.hour, wall.minute):
            ahead = 7
    day = here.date() + timedelta(days=ahead)
    return msgspec.structs.replace(
        wall, year=day.year, month=day.month, day=day.day, weekday=None, days_ahead=None
    )
