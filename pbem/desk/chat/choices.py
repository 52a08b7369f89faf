"""Buttons below what somebody asks about their own settings in a chat: the way of letters, quiet
hours, press, mutes, time zone, absence.

Each says words that can be written as well, so that nothing is known to taps alone.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from pbem.desk.chat.buttons import Action, Holder, Keyboard, Own, in_lines
from pbem.desk.ports import Context, Services
from pbem.desk.table import OpenTable
from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.people import Back
from pbem.pages.page import Reader
from pbem.store.repositories.seats import SeatRow

Line = tuple[tuple[str, Action], ...]
ZONES = (
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "Australia/Sydney",
    "UTC",
)
"""A zone for most clocks; any other one is written."""
SPANS = (("span_today", 0), ("span_3", 2), ("span_week", 6), ("span_weeks", 13))
"""How many days more than today an absence lasts."""


def choices_below(
    services: Services, table: OpenTable, seat: SeatRow, reader: Reader, command: c.AnyCommand
) -> Keyboard | None:
    """The buttons for an answer to this, for who gets it in a chat; None: it has none, or
    nobody sits there.
    """
    make = _BELOW.get(type(command))
    if make is None or seat.person_id is None:
        return None
    keyboard = Keyboard(services.key, Holder(seat.person_id, seat.game_id, seat.id, seat.tenure))
    for line in make(services, table, seat, reader):
        keyboard.line(*line)
    return keyboard


def _own(context: Context, label: str, text: str, **facts: object) -> tuple[str, Action]:
    return context.pages.chat.words(label, **facts), Own(text)


def _settings(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    return [
        (
            _own(context, "all_by_telegram", "everything by telegram"),
            _own(context, "all_both", "everything both"),
        ),
        (
            _own(context, "no_bulletins", "no bulletins"),
            _own(context, "no_reminders", "no reminders"),
        ),
        (_own(context, "quiet_nights", "quiet 22-7"), _own(context, "quiet_off", "quiet off")),
        (
            _own(context, "digest_daily", "digest daily"),
            _own(context, "digest_at_once", "digest at once"),
        ),
        *_mutes(context, table, seat),
        (
            _own(context, "zone", format_command(c.OwnZone())),
            _own(context, "absence", format_command(c.Absences())),
        ),
    ]


def _mutes(context: Context, table: OpenTable, seat: SeatRow) -> list[Line]:
    names = [
        other.name
        for other in table.seats
        if other.id != seat.id and other.person_id is not None and other.status != "left"
    ]
    lines = in_lines([_own(context, "mute", f"mute {name}", who=name) for name in names], 2)
    return [*lines, (_own(context, "unmute", "unmute all"),)] if names else []


def _zones(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    buttons: list[tuple[str, Action]] = [
        (name.replace("_", " "), Own(f"my time zone is {name}"))
        for name in ZONES
        if name != reader.zone
    ]
    return in_lines(buttons, 2)


def _absences(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    today = context.clock.now().astimezone(ZoneInfo(reader.zone)).date()
    spans = [
        _own(context, label, f"away from {_day(today)} to {_day(today + timedelta(days=more))}")
        for label, more in SPANS
    ]
    return [*in_lines(spans, 2), (_own(context, "back", "back"),)]


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_BELOW: Mapping[
    type[c.AnyCommand], Callable[[Services, OpenTable, SeatRow, Reader], list[Line]]
] = {
    **dict.fromkeys((c.Settings, c.Mute, c.Unmute, c.Digest, c.Zone), _settings),
    c.OwnZone: _zones,
    **dict.fromkeys((c.Absences, c.Away, Back), _absences),
}
