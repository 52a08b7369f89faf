"""Buttons: what each stands for lies with us, and the button itself carries an opaque code. Some
stand below what somebody asks about their own settings: the way of letters, quiet hours, press,
mutes, time zone, absence.

A code is derived from whom the button is for and what it does, so that the same button made twice
is one. It proves nothing by itself: who taps must be whom it was made for. What has an effect
counts once; `serial` tells two such buttons apart that look alike.

Each says words that can be written as well, so that nothing is known to taps alone.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import msgspec

from pbem.desk.envelope.letter import ChatButton, NewLetter, NewTap
from pbem.desk.ports import Context, Services
from pbem.desk.table import OpenTable
from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.names import is_sayable
from pbem.grammar.people import Back
from pbem.grammar.settings import NewsAt, NoQuiet, Quiet, Route, Setting
from pbem.grammar.times import Absence, Day
from pbem.pages.chat import button_words
from pbem.pages.page import Reader
from pbem.store.repositories.seats import SeatRow

CODE_OCTETS = 16
CODE_CHARACTERS = 22


class Say(msgspec.Struct, frozen=True, tag_field="do", tag="say"):
    """As if the player had written these words about the seat's table. `again`: as often as it is
    tapped (a word that only asks).
    """

    text: str
    again: bool = False
    serial: str = ""
    orders: bool = False
    """The words are orders in their canonical texts, a line each."""


class Own(msgspec.Struct, frozen=True, tag_field="do", tag="own"):
    """As if the player had written these words about themselves, in whatever phase and as often as
    it is tapped.
    """

    text: str


class Show(msgspec.Struct, frozen=True, tag_field="do", tag="show"):
    """A step of the menu of orders; the message is edited to it."""

    path: tuple[str, ...] = ()
    is_new: bool = False
    """In a message of its own, below what the button stands under."""


class Take(msgspec.Struct, frozen=True, tag_field="do", tag="take"):
    """The end of a menu: these words are orders, and the message goes back to that step."""

    text: str
    path: tuple[str, ...] = ()
    serial: str = ""


class Command(msgspec.Struct, frozen=True, tag_field="do", tag="command"):
    """A game master's words, as if they had written them about the button's table. `again`: they
    only ask, as often as it is tapped.
    """

    text: str
    serial: str = ""
    again: bool = False


class Choose(msgspec.Struct, frozen=True, tag_field="do", tag="choose"):
    """Which of their tables is meant by the messages that wait under a question."""

    pending_id: int
    seat_id: int


class Consent(msgspec.Struct, frozen=True, tag_field="do", tag="consent"):
    """A plain yes or no to a question of ours that waits."""

    pending_id: int
    answer: bool


class Vote(msgspec.Struct, frozen=True, tag_field="do", tag="vote"):
    """An answer to what the table votes on; as often as it is tapped, and until the vote is
    over.
    """

    motion_id: int
    answer: str


Action = Say | Own | Show | Take | Command | Choose | Consent | Vote


@dataclass(frozen=True, slots=True)
class Holder:
    """Whom buttons are for. With a seat they count in this tenure and phase alone (0: before the
    start).
    """

    person_id: int
    game_id: int | None = None
    seat_id: int | None = None
    tenure: int = 0
    phase_number: int = 0


def holder_of(seat: SeatRow, phase_number: int) -> Holder | None:
    """The player who sits there now; None for an empty seat."""
    return (
        None
        if seat.person_id is None
        else Holder(seat.person_id, seat.game_id, seat.id, seat.tenure, phase_number)
    )


@dataclass(slots=True)
class Keyboard:
    """Buttons below a message, in the making: `rows` for the letter, `taps` to be kept with it."""

    key: bytes
    holder: Holder
    lines: list[tuple[ChatButton, ...]] = field(default_factory=list)
    made: list[NewTap] = field(default_factory=list)

    def line(self, *buttons: tuple[str, Action]) -> "Keyboard":
        """Add a line of buttons: the words on each, and what it does."""
        if buttons:
            self.lines.append(tuple(self._button(text, action) for text, action in buttons))
        return self

    def link(self, text: str, url: str) -> "Keyboard":
        """Add a line with a button that opens an address."""
        self.lines.append((ChatButton(text, url=url),))
        return self

    @property
    def rows(self) -> tuple[tuple[ChatButton, ...], ...]:
        return tuple(self.lines)

    @property
    def taps(self) -> tuple[NewTap, ...]:
        return tuple(self.made)

    def below(self, letter: NewLetter) -> NewLetter:
        """The same letter with these buttons below it in a chat."""
        return msgspec.structs.replace(letter, buttons=self.rows, taps=self.taps)

    def _button(self, text: str, action: Action) -> ChatButton:
        tap = make_tap(self.key, self.holder, action)
        self.made.append(tap)
        return ChatButton(text, data=tap.code)


def with_answers(letter: NewLetter, context: Context, pending_id: int) -> NewLetter:
    """A question with its two answers below it in a chat."""
    if letter.person_id is None:
        return letter
    keyboard = Keyboard(context.key, Holder(letter.person_id)).line(
        (button_words("yes"), Consent(pending_id, True)),
        (button_words("no"), Consent(pending_id, False)),
    )
    return keyboard.below(letter)


def make_tap(key: bytes, holder: Holder, action: Action) -> NewTap:
    """A button's other half."""
    body = msgspec.json.encode(action)
    about = msgspec.json.encode(
        (holder.person_id, holder.game_id, holder.seat_id, holder.tenure, holder.phase_number)
    )
    digest = hmac.new(key, b"tap|" + about + b"|" + body, hashlib.sha256).digest()[:CODE_OCTETS]
    code = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return NewTap(
        code,
        body.decode(),
        holder.person_id,
        holder.game_id,
        holder.seat_id,
        holder.tenure,
        holder.phase_number,
    )


def parse_action(text: str) -> Action:
    """The inverse of what `make_tap` keeps."""
    action: Action = msgspec.json.decode(text, type=Action)
    return action


def in_lines(
    buttons: Sequence[tuple[str, Action]], width: int
) -> list[tuple[tuple[str, Action], ...]]:
    """Buttons side by side, `width` of them a line."""
    return [tuple(buttons[at : at + width]) for at in range(0, len(buttons), width)]


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


def _own(label: str, command: c.AnyCommand, **facts: object) -> tuple[str, Action]:
    return button_words(label, **facts), Own(format_command(command))


def _chosen(label: str, setting: Setting) -> tuple[str, Action]:
    return _own(label, c.Settings((setting,)))


def _settings(context: Context, table: OpenTable, seat: SeatRow, reader: Reader) -> list[Line]:
    return [
        (
            _chosen("all_by_telegram", Route("everything", "telegram")),
            _chosen("all_both", Route("everything", "both")),
        ),
        (
            _chosen("no_bulletins", Route("bulletins", "off")),
            _chosen("no_reminders", Route("reminders", "off")),
        ),
        (
            _chosen("quiet_nights", NIGHT),
            _chosen("quiet_off", NoQuiet()),
        ),
        (
            _own("digest_daily", c.Digest("daily")),
            _own("digest_at_once", c.Digest("at once")),
        ),
        (
            _chosen("news_together", NewsAt("together")),
            _chosen("news_at_once", NewsAt("at once")),
        ),
        *_mutes(table, seat),
        (_own("zone", c.OwnZone()), _own("absence", c.Absences())),
    ]


def _mutes(table: OpenTable, seat: SeatRow) -> list[Line]:
    mutes = [
        _own(
            "mute",
            c.Mute(other.name if is_sayable(other.name) else str(other.number)),
            who=other.name,
        )
        for other in table.seats
        if other.id != seat.id and other.person_id is not None and other.status != "left"
    ]
    return [*in_lines(mutes, 2), (_own("unmute", c.Unmute("all")),)] if mutes else []


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
        _own(label, c.Away(Absence(_day(today), _day(today + timedelta(days=more)))))
        for label, more in SPANS
    ]
    return [*in_lines(spans, 2), (_own("back", Back()),)]


def _day(day: date) -> Day:
    return Day(day.month, day.day, day.year)


_BELOW: Mapping[
    type[c.AnyCommand], Callable[[Services, OpenTable, SeatRow, Reader], list[Line]]
] = {
    **dict.fromkeys((c.Settings, c.Mute, c.Unmute, c.Digest, c.Zone), _settings),
    c.OwnZone: _zones,
    **dict.fromkeys((c.Absences, c.Away, Back), _absences),
}
