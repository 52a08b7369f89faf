"""The deadline as a calendar file (RFC 5545, RFC 5546 3.2.1)."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

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
    from icalendar import Alarm, Calendar, Event  # whoever names a deadline need not load it

    entry = Event()
    entry.add("uid", event.uid)
    entry.add("sequence", event.sequence)
    entry.add("dtstamp", event.stamped_at.astimezone(UTC))
    entry.add("dtstart", event.deadline.astimezone(UTC))
    entry.add("summary", event.summary)
    entry.add("description", event.description)
    entry.add("status", "CONFIRMED")
    entry.add("transp", "TRANSPARENT")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", event.summary)
    alarm.add("trigger", -_ALARM_BEFORE)
    entry.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//pbem//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add_component(entry)
    return bytes(calendar.to_ical())
