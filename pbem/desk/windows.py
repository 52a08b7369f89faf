"""The deadline of a window from the instant it opened: its hours, on the table's clock, days and hours of rest.

Pure. Whatever is asked, a deadline is never earlier than the hours asked for; it lies on an allowed day, at an allowed hour, in the
table's own zone. Whole days are counted on the wall (a window of 72 hours ends at the hour it began, whatever the clocks were put to
meanwhile), everything else in real time. Of an hour that comes twice the later one counts, and an hour that is skipped is as much later
as the clocks were put forward: nobody who reads a clock on the wall is ever late by it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEK = "SMTWTFS"
"""The days of a week as the old judges wrote them, Sunday first; a day without deadlines is a dash: `-MTWTF-`."""
WEEK_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MINUTES_A_DAY = 1440
LONGEST_REST = 1200
"""Minutes of a day that may be quiet: four hours at least are left for deadlines."""
_DAY = timedelta(days=1)
_SEARCHED_DAYS = 400
_CLOCK = re.compile(r"(?P<hour>[01]?\d|2[0-3])[:.h]?(?P<minute>[0-5]\d)|(?P<full>[01]?\d|2[0-3])")


@dataclass(frozen=True, slots=True)
class Hours:
    """When deadlines of a table may be. `clock` is the one minute of the day for all of them (None: any), `days` are weekdays (Monday 0),
    `quiet` the minutes from which and until which none may be (None: no such hours; it may go over midnight).
    """

    zone: str
    clock: int | None = None
    days: frozenset[int] = frozenset(range(7))
    quiet: tuple[int, int] | None = None

    def is_quiet(self, minute: int) -> bool:
        """Whether no deadline may be at that minute of a day. The end of the quiet hours is not quiet."""
        if self.quiet is None:
            return False
        since, until = self.quiet
        return since <= minute < until if since <= until else minute >= since or minute < until


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody is away; `key` names the absence, and `person_id` who it is, to whoever asks."""

    key: int
    since: datetime
    until: datetime
    person_id: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """A deadline, and the absences for which it is later than it would be."""

    deadline: datetime
    moved_for: tuple[int, ...] = ()


def parse_clock(text: str) -> int:
    """`18:00`, `1810`, `7`: the minute of the day. ValueError if it is none."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no hour of a day; one is like 18:00")
    return int(found["hour"] or found["full"]) * 60 + int(found["minute"] or 0)


def format_clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def parse_days(text: str) -> frozenset[int]:
    """`-MTWTF-`, Sunday first: the weekdays, Monday 0. ValueError if it is not of that form, or leaves no day."""
    written = text.strip().upper()
    if len(written) != 7 or any(mark not in (letter, "-") for mark, letter in zip(written, WEEK, strict=True)):
        raise ValueError(f"{text!r} is no week; one is like -MTWTF-, Sunday first, with a dash for a day without deadlines")
    days = frozenset((place - 1) % 7 for place, mark in enumerate(written) if mark != "-")
    if not days:
        raise ValueError("a week without any day has no deadline")
    return days


def format_days(days: frozenset[int]) -> str:
    return "".join(letter if (place - 1) % 7 in days else "-" for place, letter in enumerate(WEEK))


def parse_quiet(text: str) -> tuple[int, int]:
    """`22-7`, `22:00 to 07:00`: the minutes from which and until which it is quiet. ValueError if it is no such thing, or too long."""
    parts = re.split(r"\s*(?:-|–|\bto\b|\buntil\b|\btill\b)\s*", text.strip().removeprefix("from ").strip())
    if len(parts) != 2:
        raise ValueError(f"{text!r} are no quiet hours; they are like 22-7")
    since, until = parse_clock(parts[0]), parse_clock(parts[1])
    length = (until - since) % MINUTES_A_DAY
    if length == 0 or length > LONGEST_REST:
        raise ValueError(f"quiet hours last up to {LONGEST_REST // 60} hours; {text!r} does not")
    return since, until


def format_quiet(quiet: tuple[int, int]) -> str:
    return f"{format_clock(quiet[0])}-{format_clock(quiet[1])}"


def check_hours(hours: Hours) -> None:
    """ValueError for a fixed hour in the quiet ones: no deadline could ever be."""
    if hours.clock is not None and hours.is_quiet(hours.clock):
        raise ValueError(f"the hour of all deadlines, {format_clock(hours.clock)}, lies in the quiet hours")


def deadline_of(opened_at: datetime, length_hours: float, hours: Hours, away: Sequence[Away] = (), limit_days: int = 0) -> Window:
    """When a window of so many hours ends that opens then.

    Where the deadline falls into an absence, it moves to its own hour after the end of that absence, if that is within `limit_days` (on
    the wall) of where it was; of several such absences the one with the latest end within the limit counts.
    """
    plain = _next_allowed(_earliest(opened_at, length_hours, hours), hours)
    limit = _later(plain, limit_days, hours)
    kept_from = [absence for absence in away if absence.since <= plain < absence.until and _after(plain, absence.until, hours) <= limit]
    deadline = max((_after(plain, absence.until, hours) for absence in kept_from), default=plain)
    return Window(deadline, tuple(absence.key for absence in kept_from))


def local_minute(instant: datetime, zone: str) -> int:
    """The minute of the day that a clock on the wall shows."""
    local = instant.astimezone(ZoneInfo(zone))
    return local.hour * 60 + local.minute


def instant_at(day: date, at: time, zone: str) -> datetime:
    """When clocks in that zone show this, in UTC: the later time of two, and where they skip it, as much later as they are put forward."""
    place = ZoneInfo(zone)
    wall = datetime.combine(day, at, place)
    return max(wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def _earliest(opened_at: datetime, length_hours: float, hours: Hours) -> datetime:
    """The first instant that is late enough."""
    days, rest = divmod(length_hours, 24)
    return _later(opened_at, int(days), hours) if rest == 0 else opened_at.astimezone(UTC) + timedelta(hours=length_hours)


def _later(instant: datetime, days: int, hours: Hours) -> datetime:
    """The same hour of the wall so many days later."""
    if days == 0:
        return instant.astimezone(UTC)
    local = instant.astimezone(ZoneInfo(hours.zone))
    return instant_at(local.date() + timedelta(days=days), local.time(), hours.zone)


def _after(deadline: datetime, until: datetime, hours: Hours) -> datetime:
    """The first allowed instant after an absence at the hour that the deadline has."""
    place = ZoneInfo(hours.zone)
    at = deadline.astimezone(place).time()
    day = until.astimezone(place).date()
    moved = instant_at(day, at, hours.zone)
    return _next_allowed(moved if moved >= until else instant_at(day + _DAY, at, hours.zone), hours)


def _next_allowed(earliest: datetime, hours: Hours) -> datetime:
    """The first allowed instant, not before `earliest`. Where no hour is fixed, a day that is not allowed hands its hour on to the next
    that is, and quiet hours end at their end.
    """
    place = ZoneInfo(hours.zone)
    local = earliest.astimezone(place)
    at = local.time() if hours.clock is None else time(hours.clock // 60, hours.clock % 60)
    for ahead in range(_SEARCHED_DAYS):
        day = local.date() + timedelta(days=ahead)
        candidate = earliest if ahead == 0 and hours.clock is None else instant_at(day, at, hours.zone)
        candidate = _out_of_quiet(candidate, hours)
        if candidate >= earliest and candidate.astimezone(place).weekday() in hours.days:
            return candidate
    raise ValueError(f"no deadline can ever be at {hours}")


def _out_of_quiet(instant: datetime, hours: Hours) -> datetime:
    """The instant itself, or the end of the quiet hours that it lies in."""
    if hours.quiet is None or not hours.is_quiet(local_minute(instant, hours.zone)):
        return instant
    local, until = instant.astimezone(ZoneInfo(hours.zone)), hours.quiet[1]
    goes_over = local.hour * 60 + local.minute >= until
    end = instant_at(local.date() + (_DAY if goes_over else timedelta(0)), time(until // 60, until % 60), hours.zone)
    return end if end > instant else instant_at(local.date() + _DAY, time(until // 60, until % 60), hours.zone)
