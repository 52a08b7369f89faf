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
from pbem.grammar.names import is_sayable
from pbem.grammar.people import Back
from pbem.grammar.settings import NoQuiet, Quiet, Route, Setting
from pbem.grammar.times import Absence, Day
from pbem.pages.chat import button_words
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
NIGHT = Quiet(22 * 60, 7 * 60)
SPANS = (("span_today", 0), ("span_3", 2), ("span_week", 6), ("span_weeks", 13))
"""How many days more than today an absence lasts."""


def choices_below(
    services: Services, table: OpenTable, seat: SeatRow, reader: Reader, command: c.AnyCommand
) -> Keyboard | None:
    """The buttons below an answer to this in a chat. None: it has no buttons, or the seat is
    empty.
    """
    make = _BELOW.get(type(command))
    if make is None or seat.person_id is None:
        return None
    keyboard = Keyboard(services.key, Holder(seat.person_id, seat.game_id, seat.id, seat.tenure))
    for line in make(services, table, seat, reader):
        keyboard.line(*line)
    return keyboard


def _own(
    context: Context, label: str, command: c.AnyCommand, **facts: object
) -> tuple[str, Action]:
    return button_words(label, **facts), Own(format_command(command))


def _chosen(context: Context, label: str, setting: Setting) -> tuple[str, Action]:
    return _own(context, label, c.Settings((setting,)))


def _settings(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    return [
        (
            _chosen(context, "all_by_telegram", Route("everything", "telegram")),
            _chosen(context, "all_both", Route("everything", "both")),
        ),
        (
            _chosen(context, "no_bulletins", Route("bulletins", "off")),
            _chosen(context, "no_reminders", Route("reminders", "off")),
        ),
        (
            _chosen(context, "quiet_nights", NIGHT),
            _chosen(context, "quiet_off", NoQuiet()),
        ),
        (
            _own(context, "digest_daily", c.Digest("daily")),
            _own(context, "digest_at_once", c.Digest("at once")),
        ),
        *_mutes(context, table, seat),
        (_own(context, "zone", c.OwnZone()), _own(context, "absence", c.Absences())),
    ]


def _mutes(context: Context, table: OpenTable, seat: SeatRow) -> list[Line]:
    mutes = [
        _own(
            context,
            "mute",
            c.Mute(other.name if is_sayable(other.name) else str(other.number)),
            who=other.name,
        )
        for other in table.seats
        if other.id != seat.id and other.person_id is not None and other.status != "left"
    ]
    return [*in_lines(mutes, 2), (_own(context, "unmute", c.Unmute("all")),)] if mutes else []


def _zones(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    buttons: list[tuple[str, Action]] = [
        (name.replace("_", " "), Own(format_command(c.Zone(name))))
        for name in ZONES
        if name != reader.zone
    ]
    return in_lines(buttons, 2)


def _absences(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    today = context.clock.now().astimezone(ZoneInfo(reader.zone)).date()
    spans = [
        _own(context, label, c.Away(Absence(_day(today), _day(today + timedelta(days=more)))))
        for label, more in SPANS
    ]
    return [*in_lines(spans, 2), (_own(context, "back", Back()),)]


def _day(day: date) -> Day:
    return Day(day.month, day.day, day.year)


_BELOW: Mapping[
    type[c.AnyCommand], Callable[[Services, OpenTable, SeatRow, Reader], list[Line]]
] = {
    **dict.fromkeys((c.Settings, c.Mute, c.Unmute, c.Digest, c.Zone), _settings),
    c.OwnZone: _zones,
    **dict.fromkeys((c.Absences, c.Away, Back), _absences),
}
