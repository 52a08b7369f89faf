"""What people choose for themselves, a line each: what comes which way, when they are not to be
written to, and whether news waits.
"""

import re
from typing import Literal

import msgspec

from pbem.grammar.clock_rules import MINUTES_A_DAY, format_clock

Topic = Literal["turns", "bulletins", "reminders", "press", "news", "everything"]
Way = Literal["mail", "telegram", "both", "off"]

SHORTEST_DAY = 240
"""Minutes of a day that cannot be quiet: somebody who is never to be written to cannot play."""


class Route(msgspec.Struct, frozen=True):
    """Letters about a topic come this way."""

    topic: Topic
    way: Way


class Quiet(msgspec.Struct, frozen=True):
    """Nothing that can wait comes between these minutes of the day, by the person's own clock; it
    may go over midnight.
    """

    since: int
    until: int


class NoQuiet(msgspec.Struct, frozen=True):
    """At any hour."""


class NewsAt(msgspec.Struct, frozen=True):
    """Where players act one after another the news of each comes at once, or later, all in one."""

    when: Literal["at once", "together"]


class ShowHours(msgspec.Struct, frozen=True):
    """Others may see the person's time zone and the hours that are not quiet."""

    yes: bool


class Unclear(msgspec.Struct, frozen=True):
    """It begins like a choice and cannot be read: `way` (no such way), `hours` (no such hours),
    `too-long` (hardly an hour of the day is left).
    """

    code: Literal["way", "hours", "too-long"]
    written: str


Setting = Route | Quiet | NoQuiet | NewsAt | ShowHours

_HOUR = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?")


def read_quiet(hours: str, written: str) -> Quiet | Unclear:
    """`22-7`, `from 22:30 to 7`; `written` is the line that says so."""
    found = [(int(hour), int(minute or 0)) for hour, minute in _HOUR.findall(hours)]
    since, until = (hour * 60 + minute for hour, minute in found) if len(found) == 2 else (0, 0)
    is_none = max(since, until) > MINUTES_A_DAY or any(minute > 59 for _, minute in found)
    length = (until - since) % MINUTES_A_DAY
    if is_none or not length:
        return Unclear("hours", written)
    if length > MINUTES_A_DAY - SHORTEST_DAY:
        return Unclear("too-long", written)
    return Quiet(since % MINUTES_A_DAY, until % MINUTES_A_DAY)


def format_setting(setting: Setting) -> str:
    """The one spelling of a choice."""
    match setting:
        case Route(topic=topic, way="off"):
            return f"no {topic}"
        case Route(topic=topic, way="both"):
            return f"{topic} both"
        case Route(topic=topic, way=way):
            return f"{topic} by {way}"
        case Quiet(since=since, until=until):
            return f"quiet {format_clock(since)}-{format_clock(until)}"
        case NewsAt(when=when):
            return f"news {when}"
        case ShowHours(yes=yes):
            return f"{'show' if yes else 'hide'} my hours"
    return "quiet off"
