"""The deadline as a calendar file, and its cancellation (RFC 5545; RFC 5546 3.2.1, 3.2.5)."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

_ALARM_BEFORE = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineEvent:
    """A phase's deadline. `uid` stays the same as long as the phase does; `sequence` grows with
    every change of the deadline.
    """

    uid: str
    sequence: int
    stamped_at: datetime
    deadline: datetime
    summary: str
    description: str


@lru_cache(maxsize=64)
def format_deadline(event: DeadlineEvent) -> bytes:
    """The .ics file: METHOD:PUBLISH (a REQUEST would ask for an answer), times in UTC, an alarm 12
    hours before. Everybody at a table gets the same, so it is made once.

    A moment, not a span: the event has no end and does not make anybody busy.
    """
    from icalendar import Alarm  # a caller that only names a deadline need not load it

    entry = _entry(event, "CONFIRMED")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", event.summary)
    alarm.add("trigger", -_ALARM_BEFORE)
    entry.add_component(alarm)
    return _calendar(entry, "PUBLISH")


def format_cancellation(event: DeadlineEvent, organizer: str) -> bytes:
    """The .ics file that takes the entry of that `uid` back: METHOD:CANCEL, which has to name the
    organizer's address.
    """
    entry = _entry(event, "CANCELLED")
    entry.add("organizer", f"mailto:{organizer}")
    return _calendar(entry, "CANCEL")


def _entry(event: DeadlineEvent, status: Literal["CONFIRMED", "CANCELLED"]) -> Any:
    from icalendar import Event

    entry = Event()
    entry.add("uid", event.uid)
    entry.add("sequence", event.sequence)
    entry.add("dtstamp", event.stamped_at.astimezone(UTC))
    entry.add("dtstart", event.deadline.astimezone(UTC))
    entry.add("summary", event.summary)
    entry.add("description", event.description)
    entry.add("status", status)
    entry.add("transp", "TRANSPARENT")
    return entry


def _calendar(entry: Any, method: Literal["PUBLISH", "CANCEL"]) -> bytes:
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//pbem//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    calendar.add_component(entry)
    return bytes(calendar.to_ical())
