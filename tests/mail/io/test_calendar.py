"""The deadline for the reader's calendar."""

import dataclasses
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar

from pbem.mail.calendar import DeadlineEvent, format_deadline

EVENT = DeadlineEvent(
    uid="game-7-phase-12@mail.realm.example",
    sequence=2,
    stamped_at=datetime(2026, 11, 20, 12, 0, tzinfo=UTC),
    deadline=datetime(2026, 11, 23, 18, 0, tzinfo=ZoneInfo("Europe/Warsaw")),
    summary="Heron: orders for turn 6; Żółw, Anna",
    description="Answer the turn mail.\nATTENDEE:mailto:evil@x.example\r\nEND:VCALENDAR",
)


def entry_of(raw: bytes) -> Any:
    (entry,) = Calendar.from_ical(raw).walk("VEVENT")
    return entry


def test_the_deadline_is_one_published_event_in_utc_with_an_alarm_half_a_day_before() -> None:
    raw = format_deadline(EVENT)
    assert b"DTSTART:20261123T170000Z\r\n" in raw
    assert b"TRIGGER:-PT12H\r\n" in raw
    calendar: Any = Calendar.from_ical(raw)
    assert (calendar["method"], calendar["version"]) == ("PUBLISH", "2.0")
    entry = entry_of(raw)
    assert entry["uid"] == EVENT.uid
    assert entry["sequence"] == 2
    assert entry.decoded("dtstart") == EVENT.deadline
    assert entry.decoded("dtstamp") == EVENT.stamped_at
    assert entry["summary"] == EVENT.summary
    assert "attendee" not in entry
    (alarm,) = entry.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(hours=-12)


def test_a_moved_deadline_keeps_its_uid_and_grows_its_sequence() -> None:
    later = dataclasses.replace(EVENT, sequence=3, deadline=EVENT.deadline + timedelta(days=1))
    before, after = (entry_of(format_deadline(event)) for event in (EVENT, later))
    assert (before["uid"], after["uid"]) == (EVENT.uid, EVENT.uid)
    assert (before["sequence"], after["sequence"]) == (2, 3)
    assert after.decoded("dtstart") - before.decoded("dtstart") == timedelta(days=1)


def test_lines_are_folded_with_crlf_and_the_same_event_gives_the_same_bytes() -> None:
    raw = format_deadline(EVENT)
    assert raw == format_deadline(EVENT)
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))


def test_a_line_is_cut_within_no_letter_and_no_escaped_sign() -> None:
    for words in ("ż" * 90, "a" + "😀" * 60, ";" * 120, "\\" * 120, "a,b" * 50):
        raw = format_deadline(dataclasses.replace(EVENT, summary=words))
        lines = raw.decode().split("\r\n")
        assert max(len(line.encode()) for line in lines) <= 75
        assert entry_of(raw)["summary"] == words
