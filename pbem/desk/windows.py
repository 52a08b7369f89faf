"""The deadline of a window from the instant it opened: its hours, on the table's clock, days and
hours of rest.

Pure. Whatever is asked, a deadline is never earlier than the hours asked for; it lies on an allowed
day, at an allowed hour, in the table's own zone. Whole days are counted on the wall (a window of 72
hours ends at the hour it began, whatever the clocks were put to meanwhile), everything else in real
time. Of an hour that comes twice the later one counts, and an hour that is skipped is as much later
as the clocks were put forward: nobody who reads a clock on the wall is ever late by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.grammar.clock_rules import format_clock

WEEK_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = timedelta(days=1)
_SEARCHED_DAYS = 400


@dataclass(frozen=True, slots=True)
class Hours:
    """When deadlines of a table may be. `clock` is the one minute of the day for all of them (None:
    any), `days` are weekdays (Monday 0), `quiet` the minutes from which and until which none may be
    (None: no such hours; it may go over midnight).
    """

    zone: str
    clock: int | None = None
    days: frozenset[int] = frozenset(range(7))
    quiet: tuple[int, int] | None = None

    def is_quiet(self, minute: int) -> bool:
        """Whether no deadline may be at that minute of a day. The end of the quiet hours is not
        quiet.
        """
        if self.quiet is None:
            return False
        since, until = self.quiet
        return since <= minute < until if since <= until else minute >= since or minute < until


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody is away; `key` names the absence, and `person_id` the person, for those who ask."""

    key: int
    since: datetime
    until: datetime
    person_id: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """A deadline, and the absences for which it is later than it would be."""

    deadline: datetime
    moved_for: tuple[int, ...] = ()


def check_hours(hours: Hours) -> None:
    """ValueError for a fixed hour in the quiet ones: no deadline could ever be."""
    if hours.clock is not None and hours.is_quiet(hours.clock):
        raise ValueError(
            f"the hour of all deadlines, {format_clock(hours.clock)}, lies in the quiet hours"
        )


def deadline_of(
    opened_at: datetime,
    length_hours: float,
    hours: Hours,
    away: Sequence[Away] = (),
    limit_days: int = 0,
) -> Window:
    """When a window of that many hours ends that opens then.

    Where the deadline falls into an absence, it moves to its own hour after the end of that
    absence, if that is within `limit_days` (on the wall) of where it was; of several such absences
    the one with the latest end within the limit counts.
    """
    plain = _next_allowed(_earliest(opened_at, length_hours, hours), hours)
    limit = _later(plain, limit_days, hours)
    kept_from = [
        absence
        for absence in away
        if absence.since <= plain < absence.until and _after(plain, absence.until, hours) <= limit
    ]
    deadline = max((_after(plain, absence.until, hours) for absence in kept_from), default=plain)
    return Window(deadline, tuple(absence.key for absence in kept_from))


def local_minute(instant: datetime, zone: str) -> int:
    """The minute of the day that a clock on the wall shows."""
    local = instant.astimezone(ZoneInfo(zone))
    return local.hour * 60 + local.minute


def instant_at(day: date, at: time, zone: str) -> datetime:
    """When clocks in that zone show this, in UTC: the later time of two, and where they skip it, as
    much later as they are put forward.
    """
    place = ZoneInfo(zone)
    wall = datetime.combine(day, at, place)
    return max(wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def _earliest(opened_at: datetime, length_hours: float, hours: Hours) -> datetime:
    """The first instant that is late enough."""
    days, rest = divmod(length_hours, 24)
    return (
        _later(opened_at, int(days), hours)
        if rest == 0
        else opened_at.astimezone(UTC) + timedelta(hours=length_hours)
    )


def _later(instant: datetime, days: int, hours: Hours) -> datetime:
    """The same hour of the wall that many days later."""
    if days == 0:
        return instant.astimezone(UTC)
    day, at = _meant(instant, hours)
    return instant_at(day + timedelta(days=days), at, hours.zone)


def _meant(instant: datetime, hours: Hours) -> tuple[date, time]:
    """The day and hour of the wall that an instant stands for: where clocks skip the one hour of
    all deadlines, what comes in its place stands for that hour, and what is counted from it is
    counted from there.
    """
    local = instant.astimezone(ZoneInfo(hours.zone))
    if hours.clock is not None:
        at = time(hours.clock // 60, hours.clock % 60)
        for day in (local.date(), local.date() - _DAY):
            if _out_of_quiet(instant_at(day, at, hours.zone), hours) == instant:
                return day, at
    return local.date(), local.time()


def _after(deadline: datetime, until: datetime, hours: Hours) -> datetime:
    """The first allowed instant after an absence at the hour that the deadline has."""
    place = ZoneInfo(hours.zone)
    at = deadline.astimezone(place).time()
    day = until.astimezone(place).date()
    moved = instant_at(day, at, hours.zone)
    return _next_allowed(moved if moved >= until else instant_at(day + _DAY, at, hours.zone), hours)


def _next_allowed(earliest: datetime, hours: Hours) -> datetime:
    """The first allowed instant, not before `earliest`. Where no hour is fixed, a day that is not
    allowed hands its hour on to the next that is, and quiet hours end at their end.
    """
    place = ZoneInfo(hours.zone)
    local = earliest.astimezone(place)
    at = local.time() if hours.clock is None else time(hours.clock // 60, hours.clock % 60)
    for ahead in range(
        0 if hours.clock is None else -1, _SEARCHED_DAYS
    ):  # an hour that is skipped may come as late as the next day
        day = local.date() + timedelta(days=ahead)
        candidate = (
            earliest if ahead == 0 and hours.clock is None else instant_at(day, at, hours.zone)
        )
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
    end = instant_at(
        local.date() + (_DAY if goes_over else timedelta(0)),
        time(until // 60, until % 60),
        hours.zone,
    )
    return (
        end
        if end > instant
        else instant_at(local.date() + _DAY, time(until // 60, until % 60), hours.zone)
    )
