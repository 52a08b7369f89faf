"""When a table's deadlines are, in words: `clock 18:00, days -MTWTF-, quiet 22-7, orders 48h,
graces 2 of 24h, extensions by vote`.

Every clause sets one thing; what is not said stays as it is. The small forms (`18:00`, `-MTWTF-`,
`22-7`) are read here too: each has a `parse_x` that raises ValueError and a `format_x` that is its
inverse.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.grammar.clauses import Spelling, format_clauses, parse_clauses
from pbem.later import Later

WEEK = "SMTWTFS"
"""The days of a week as the old judges wrote them, Sunday first; a day without deadlines is a dash:
`-MTWTF-`.
"""
MINUTES_A_DAY = 1440
LONGEST_REST = 1200
"""Minutes of a day that may be quiet: four hours at least are left for deadlines."""
MOST_GRACES, MOST_GRACE_HOURS, MOST_ABSENCE_DAYS = 20, 24 * 7, 60
USUAL_SETTLED_HOURS = 24.0

_CLOCK = re.compile(r"(?P<hour>[01]?\d|2[0-3])[:.h]?(?P<minute>[0-5]\d)|(?P<full>[01]?\d|2[0-3])")
_WINDOW = re.compile(
    r"(?:hours? (?:of |for )?)?(?P<window>[a-z][a-z -]{0,20}?)["
    r" :=]+(?P<count>\d{1,4}(?:\.\d{1,2})?) ?(?P<unit>h|hours?|hrs?|d|days?)?"
)
_SPLIT = re.compile(r"[,;\n]+")
_SAID: Mapping[str, Spelling] = {
    "clock": lambda clock: f"clock {clock or 'any'}",
    "days": lambda days: f"days {days or 'any'}",
    "quiet": lambda quiet: f"quiet {quiet or 'off'}",
    "hours": lambda hours: ", ".join(f"{window} {count:g}h" for window, count in hours.items()),
    "absence_days": lambda days: f"absences {days} days",
    "graces": "graces",
    "votes": lambda by_vote: f"extensions by {'vote' if by_vote else 'gm'}",
    "tells_names": "names",
    "settled_hours": lambda hours: (
        f"close when all have orders {f'after {hours:g}h' if hours else 'off'}"
    ),
}
_MAKE = Later("pbem.grammar.house.productions:make_command")


class ClockChange(msgspec.Struct, frozen=True):
    """What is set about a table's time; None where nothing was said. `clock`, `days` and `quiet`
    are "" for any.
    """

    clock: str | None = None
    days: str | None = None
    quiet: str | None = None
    hours: Mapping[str, float] = {}
    absence_days: int | None = None
    graces: int | None = None
    grace_hours: float | None = None
    votes: bool | None = None
    tells_names: bool | None = None
    settled_hours: float | None = None


CLOCK_CLAUSES = (
    "clock 18:00",
    "days -MTWTF-",
    "quiet 22-7",
    "PHASE 48h",
    "absences 7 days",
    "graces 2 of 24h",
    "extensions by vote",
    "names on",
    "close when all have orders after 24h",
)
"""What can be said, each as it may be written; PHASE is a kind of phase."""


def parse_clock(text: str) -> int:
    """`18:00`, `1810`, `7`: the minute of the day. ValueError for other text."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no hour of a day; one is like 18:00")
    return int(found["hour"] or found["full"]) * 60 + int(found["minute"] or 0)


def format_clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def parse_days(text: str) -> frozenset[int]:
    """`-MTWTF-`, Sunday first: the weekdays, Monday 0. ValueError if it is not of that form, or
    leaves no day.
    """
    written = text.strip().upper()
    if len(written) != 7 or any(
        mark not in (letter, "-") for mark, letter in zip(written, WEEK, strict=True)
    ):
        raise ValueError(
            f"{text!r} is no week; one is like -MTWTF-, Sunday first, with a dash for a day without"
            " deadlines"
        )
    days = frozenset((place - 1) % 7 for place, mark in enumerate(written) if mark != "-")
    if not days:
        raise ValueError("a week without any day has no deadline")
    return days


def format_days(days: frozenset[int]) -> str:
    return "".join(letter if (place - 1) % 7 in days else "-" for place, letter in enumerate(WEEK))


def parse_quiet(text: str) -> tuple[int, int]:
    """`22-7`, `22:00 to 07:00`: the minutes from which and until which it is quiet. ValueError if
    it is no such thing, or too long.
    """
    parts = re.split(
        r"(?:(?<!\s)\s++)?(?:-|–|\bto\b|\buntil\b|\btill\b)\s*+",
        text.strip().removeprefix("from ").strip(),
    )
    if len(parts) != 2:
        raise ValueError(f"{text!r} are no quiet hours; they are like 22-7")
    since, until = parse_clock(parts[0]), parse_clock(parts[1])
    length = (until - since) % MINUTES_A_DAY
    if length == 0 or length > LONGEST_REST:
        raise ValueError(f"quiet hours last up to {LONGEST_REST // 60} hours; {text!r} does not")
    return since, until


def format_quiet(quiet: tuple[int, int]) -> str:
    return f"{format_clock(quiet[0])}-{format_clock(quiet[1])}"


def parse_clock_rules(text: str, windows: Sequence[str] = ()) -> ClockChange:
    """All clauses of a text; `windows` are the kinds of windows that it may name. Unread for the
    first that says nothing.
    """

    def read(clause: str) -> Mapping[str, object] | None:
        return _MAKE(clause, "clock_clause") or _window(clause, windows)

    return msgspec.convert(parse_clauses(text, _SPLIT, read), ClockChange)


def format_clock_rules(change: ClockChange) -> str:
    """The clauses again; `parse_clock_rules` reads them back to the same."""
    values = msgspec.structs.asdict(change)
    if change.graces is not None or change.grace_hours is not None:
        count = [str(change.graces)] if change.graces is not None else []
        hours = [f"of {change.grace_hours:g}h"] if change.grace_hours is not None else []
        values["graces"] = " ".join(count + hours)
    values["hours"] = change.hours or None
    return ", ".join(format_clauses(values, _SAID))


def _window(clause: str, windows: Sequence[str]) -> Mapping[str, object] | None:
    """The hours of a kind of windows."""
    found = _WINDOW.fullmatch(clause)
    if found is None or found["window"] not in windows:
        return None
    hours = float(found["count"]) * (24 if (found["unit"] or "h").startswith("d") else 1)
    return {"hours": {found["window"]: hours}}
