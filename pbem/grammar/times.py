"""What players say of their time: `away from 3 to 10 July`, `more time until Friday 18:00`, `vote
yes 2`.

Nothing is guessed: a date in figures alone is year-month-day, or has a day beyond twelve, or is
asked about. `parse_x` and
`format_x` are inverses; what cannot be read raises `Unread`.
"""

import re
from datetime import date, timedelta
from typing import Literal

import msgspec

from pbem.grammar.gm.times import (
    DATED,
    DAY,
    FULL_DAYS,
    FULL_MONTHS,
    MONTHS,
    day_and_month,
    format_span,
    format_wall_time,
    parse_span,
    parse_wall_time,
)
from pbem.grammar.gm.values import Span, Unread, WallTime

MOST_DAYS_AWAY = 60
MOST_DAYS_AHEAD = 300
USUAL = Span(1440)
"""What `more time` alone asks for."""

_NTH = r"(?:st|nd|rd|th)?"
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_DATED = re.compile(DATED)
_BARE = re.compile(rf"(?:the )?(?P<day>\d{{1,2}}){_NTH}\.?")
_NAMED = re.compile(
    rf"(?:(?:this|next|coming) )?(?P<weekday>{DAY})\.?(?P<week> (?:of )?next week)?"
    r"|(?P<near>today|tonight|now|tomorrow)"
)
_DAY_AND_MONTH = re.compile(
    r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?:(?P=mark)(?P<year>(?:20)?\d{2})?)?"
)
_NEXT_WEEK = re.compile(r"(?:for |all |the whole )?(?:of )?next week")
_FIGURES = re.compile(r"\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?\.?")
_FROM_TO = re.compile(
    r"(?:from |between )?(?P<since>.+?)(?: (?:to|until|till|through|and|up to) | ?(?:–|—) ?| -"
    r" )(?P<until>.+)"
)
_TIGHT = re.compile(rf"(?:from )?(?P<since>\d{{1,2}})-(?P<until>\d{{1,2}}{_NTH}\.? .+)")
_UNTIL = re.compile(r"(?:from now )?(?:until|till|to|through) (?P<until>.+)")
_FOR = re.compile(r"(?:(?:from |on |starting |as of )?(?P<since>.+?) )?for (?P<days>.+)")
_ON = re.compile(r"(?:on |only )?(?P<day>.+)")
_AT_THE_END = re.compile(
    r"(?: inclusive(?:ly)?| included|,? (?:please|thanks|thank you|and back(?: again)? after(?:"
    r" that)?)){1,5}$"
)
_HERE = re.compile(
    r"(?<![ ,])[ ,]++(?:(?:at|from|in) (?:this|the) (?:table|game)|here)(?: only| alone)?$"
)
_MORE = re.compile(r"(?:(?P<how>by|until|till|to|for|of)\b ?)?(?P<when>.*)")
_BALLOT = re.compile(
    r"(?P<answer>yes|no|abstain)(?:(?: (?:to|on|for))? (?:motion |number |no\.?"
    r" ?|#)?(?P<number>\d{1,9}))?"
)


class Day(msgspec.Struct, frozen=True):
    """A day as it was said: with month and day (and perhaps year), as a weekday (Monday 0; perhaps
    of next week), or a number of days from today.
    """

    month: int = 0
    day: int = 0
    year: int | None = None
    weekday: int | None = None
    ahead: int | None = None
    next_week: bool = False


class Absence(msgspec.Struct, frozen=True):
    """From the first day to the last, both included; `since` None: from today on. With `days` it is
    that many days, and `until` is None. `here`: at this table alone.
    """

    since: Day | None = None
    until: Day | None = None
    days: int = 0
    here: bool = False


class Vote(msgspec.Struct, frozen=True):
    """An answer to a motion; `number` None: to the one that is open."""

    answer: Literal["yes", "no", "abstain"]
    number: int | None = None


def parse_absence(text: str) -> Absence:
    """`from 3 to 10 July`, `until Monday`, `Jul 3 TO Jul 7`, `for 5 days`, `on Friday`."""
    said = _AT_THE_END.sub("", " ".join(text.casefold().split()).strip(" .!,"))
    here = _HERE.search(said)
    if here is not None:
        return msgspec.structs.replace(parse_absence(said[: here.start()]), here=True)
    if _NEXT_WEEK.fullmatch(said):
        return Absence(Day(weekday=0, next_week=True), Day(weekday=6, next_week=True))
    if found := _FOR.fullmatch(said):
        since = _parse_day(found["since"]) if found["since"] and found["since"] != "now" else None
        span = parse_span(found["days"])
        if span is None or span.minutes % 1440:
            raise Unread("invalid", "days", found["days"])
        return Absence(since, None, span.minutes // 1440)
    if found := _UNTIL.fullmatch(said):
        return Absence(None, _parse_day(found["until"]))
    if found := _FROM_TO.fullmatch(said) or _TIGHT.fullmatch(said):
        return _from_to(found["since"], found["until"])
    if found := _ON.fullmatch(said):
        day = _parse_day(found["day"])
        return Absence(day, day)
    raise Unread("missing", "day", said)


def _from_to(since: str, until: str) -> Absence:
    """Either end may leave its month to the other: `3 to 10 July`, `July 3 to 10`."""
    bare_since, bare_until = _BARE.fullmatch(since), _BARE.fullmatch(until)
    if bare_since is not None and bare_until is None:
        last = _parse_day(until)
        if not last.month:
            raise Unread("missing", "month", since)
        return Absence(
            Day(last.month, _checked(last.month, int(bare_since["day"]), since), last.year), last
        )
    first = _parse_day(since)
    if bare_until is None:
        return Absence(first, _parse_day(until))
    if not first.month:
        raise Unread("missing", "month", until)
    return Absence(
        first, Day(first.month, _checked(first.month, int(bare_until["day"]), until), first.year)
    )


def format_absence(absence: Absence) -> str:
    """`from 3 July to 10 July`; `parse_absence` reads it back."""
    if absence.here:
        return f"{format_absence(msgspec.structs.replace(absence, here=False))} at this table"
    since = _format_day(absence.since) if absence.since is not None else ""
    if absence.until is None:
        days = f"for {absence.days} day{'s' * (absence.days != 1)}"
        return f"from {since} {days}" if since else days
    until = _format_day(absence.until)
    return f"from {since} to {until}" if since else f"until {until}"


def days_of(absence: Absence, today: date) -> tuple[date, date]:
    """The first and the last day that are meant, seen from today. Unread where there is no such
    time, or it is too long or too far.
    """
    first = _dated(absence.since, today) if absence.since is not None else today
    last = (
        _last(absence.until, first, today)
        if absence.until is not None
        else first + timedelta(days=absence.days - 1)
    )
    written = format_absence(absence)
    if last < today:
        raise Unread("invalid", "over", written)
    if last < first or first < today - timedelta(days=31):
        raise Unread("invalid", "backwards", written)
    if (last - first).days >= MOST_DAYS_AWAY:
        raise Unread("invalid", "too-long", written)
    if (first - today).days > MOST_DAYS_AHEAD:
        raise Unread("invalid", "too-far", written)
    return first, last


def _last(until: Day, first: date, today: date) -> date:
    is_from_today = until.ahead is not None or until.next_week
    return _dated(until, today if is_from_today else first)


def parse_more_time(text: str) -> Span | WallTime:
    """`24h`, `by a day`, `until Friday 18:00`; nothing at all is a day."""
    said = " ".join(text.split()).strip(" .!?:,")
    if not said:
        return USUAL
    found = _MORE.fullmatch(said)
    when = found["when"] if found is not None else said
    span = parse_span(when)
    if span is not None:
        if found is not None and found["how"] in ("to", "until", "till"):
            raise Unread("ambiguous", "by-or-from-now", said, (f"by {format_span(span)}",))
        return span
    return parse_wall_time(when)


def format_more_time(when: Span | WallTime) -> str:
    return (
        f"by {format_span(when)}" if isinstance(when, Span) else f"until {format_wall_time(when)}"
    )


def parse_vote(text: str) -> Vote | None:
    """`yes`, `no 3`; None for anything else."""
    found = _BALLOT.fullmatch(" ".join(text.casefold().split()).strip(" .!:"))
    if found is None:
        return None
    answer: Literal["yes", "no", "abstain"] = (
        "yes" if found["answer"] == "yes" else "no" if found["answer"] == "no" else "abstain"
    )
    return Vote(answer, int(found["number"]) if found["number"] else None)


def format_vote(vote: Vote) -> str:
    return vote.answer if vote.number is None else f"{vote.answer} {vote.number}"


def _parse_day(text: str) -> Day:
    said = text.strip(" .,").removeprefix("on ").removeprefix("the end of ").strip()
    if found := _ISO.fullmatch(said):
        month = int(found["month"])
        return Day(month, _checked(month, int(found["day"]), said), int(found["year"]))
    if found := _DATED.fullmatch(said):
        month = MONTHS.index((found["month"] or found["month2"])[:3]) + 1
        return Day(
            month,
            _checked(month, int(found["day"] or found["day2"]), said),
            int(found["year"]) if found["year"] else None,
        )
    if found := _NAMED.fullmatch(said):
        if found["near"]:
            return Day(ahead=1 if found["near"] == "tomorrow" else 0)
        weekday = [name[:3] for name in FULL_DAYS].index(found["weekday"][:3])
        return Day(weekday=weekday, next_week=bool(found["week"]))
    if found := _DAY_AND_MONTH.fullmatch(said):
        first, second = day_and_month(int(found["one"]), int(found["two"]), said)
        year = int(found["year"][-2:]) + 2000 if found["year"] else None
        return Day(int(second), _checked(int(second), int(first), said), year)
    if _FIGURES.fullmatch(said):
        raise Unread("ambiguous", "date", said)
    raise Unread(
        "missing" if _BARE.fullmatch(said) else "invalid",
        "month" if _BARE.fullmatch(said) else "day",
        said,
    )


def _checked(month: int, day: int, written: str) -> int:
    """The day of the month, if that month can have it."""
    if (
        not 1 <= month <= 12
        or not 1 <= day <= (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    ):
        raise Unread("invalid", "day", written)
    return day


def _format_day(day: Day) -> str:
    if day.ahead is not None:
        return "tomorrow" if day.ahead else "today"
    if day.weekday is not None:
        return FULL_DAYS[day.weekday].capitalize() + (" next week" if day.next_week else "")
    if day.year is not None:
        return f"{day.year:04}-{day.month:02}-{day.day:02}"
    return f"{day.day} {FULL_MONTHS[day.month - 1].capitalize()}"


def _dated(day: Day, start: date) -> date:
    """The day that is meant, at `start` or after it; without a year the next such one, or one that
    is hardly over.
    """
    if day.ahead is not None:
        return start + timedelta(days=day.ahead)
    if day.weekday is not None and day.next_week:
        return start + timedelta(days=7 - start.weekday() + day.weekday)
    if day.weekday is not None:
        return start + timedelta(days=(day.weekday - start.weekday()) % 7)
    years = (day.year,) if day.year is not None else (start.year, start.year + 1)
    for year in years:
        try:
            found = date(year, day.month, day.day)
        except ValueError:
            continue  # 29 February
        if day.year is not None or found >= start - timedelta(days=31):
            return found
    raise Unread("invalid", "day", _format_day(day))
