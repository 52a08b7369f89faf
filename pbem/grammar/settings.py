"""What people choose for themselves, a line each: what comes which way, and when they are not to be
written to.

`turn mails by mail`, `reminders by telegram`, `bulletins both`, `everything by mail`, `no
bulletins`, `quiet 22-7`, `settings`. `parse_setting` and `format_setting` are inverses; a line that
is none of these is None, one that is nearly one is `Unclear`.
"""

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

Topic = Literal["turns", "bulletins", "reminders", "press", "news", "everything"]
Way = Literal["mail", "telegram", "both", "off"]

MOST_CHARACTERS = 120
MINUTES_A_DAY = 1440
SHORTEST_DAY = 240
"""Minutes of a day that cannot be quiet: somebody who is never to be written to cannot play."""


class ShowSettings(msgspec.Struct, frozen=True):
    """All there is to choose, and what is chosen."""


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


class Unclear(msgspec.Struct, frozen=True):
    """It begins like a choice and is none: `way` (no such way), `hours` (no such hours), `too-long`
    (hardly an hour of the day is left).
    """

    code: Literal["way", "hours", "too-long"]
    written: str


Setting = ShowSettings | Route | Quiet | NoQuiet

_TOPICS: Mapping[str, Topic] = {
    **dict.fromkeys(
        (
            "turns",
            "turn",
            "turn mails",
            "turn letters",
            "turn messages",
            "my turns",
            "my turn mails",
            "questions",
        ),
        "turns",
    ),
    **dict.fromkeys(("bulletins", "bulletin", "results", "bulletin mails"), "bulletins"),
    **dict.fromkeys(("reminders", "reminder", "reminder mails", "my reminders"), "reminders"),
    **dict.fromkeys(("press", "press letters", "letters of players"), "press"),
    **dict.fromkeys(("news", "other news", "announcements", "the rest", "everything else"), "news"),
    **dict.fromkeys(
        ("everything", "all", "all mails", "all letters", "all messages", "it all"), "everything"
    ),
}
_MAIL = r"(?:e-?)?mails?"
_TELEGRAM = r"telegram|chat"
_WAYS: tuple[tuple[re.Pattern[str], Way], ...] = (
    (re.compile(rf"(?:by |in |on |via |through )?(?:the )?(?:{_MAIL})(?: only| alone)?"), "mail"),
    (
        re.compile(rf"(?:by |in |on |via |through )?(?:the )?(?:{_TELEGRAM})(?: only| alone)?"),
        "telegram",
    ),
    (
        re.compile(
            rf"(?:by |on |in )?both(?: ways| channels)?|(?:by |on )?(?:{_MAIL}) (?:and|\+|&) (?:by"
            rf" |on )?(?:{_TELEGRAM})"
            rf"|(?:by |on )?(?:{_TELEGRAM}) (?:and|\+|&) (?:by |on )?(?:{_MAIL})"
        ),
        "both",
    ),
    (re.compile(r"off|never|not at all|no"), "off"),
)
_SHOW = frozenset(
    {
        "settings",
        "my settings",
        "setting",
        "preferences",
        "my preferences",
        "show settings",
        "show my settings",
    }
)
_BEFORE = re.compile(
    r"(?:please |send (?:me )?|i(?:'d| would) like (?:to get )?(?:my )?|i want (?:to get )?(?:my"
    r" )?|set (?=quiet hours|my ))+"
)
_LONGEST = sorted(_TOPICS, key=len, reverse=True)
_ROUTE = re.compile(
    rf"(?:(?:my|the) )?(?P<topic>{'|'.join(map(re.escape, _LONGEST))}):? (?:should |shall )?(?:come"
    r" |go |are |is |= ?)?(?P<way>.+)"
)
_NONE = re.compile(
    r"(?:no(?: more)?|stop(?: sending)?(?: me)?|do(?: not|n't) send(?: me)?(?: any)?)"
    rf" (?P<topic>{'|'.join(map(re.escape, _LONGEST))})"
)
_BY_SOMETHING = re.compile(r"(?:by|via|through) [a-z-]+")
_QUIET = re.compile(r"(?:my )?quiet(?: hours?)?(?: are| is)?(?P<hours>(?:[ :=]++.*)?)")
_HOURS = re.compile(
    r"(?:from |between )?(?P<since>\d{1,2})(?:[:.h](?P<since_minute>\d{2}))?(?: ?h)?(?: ?- ?| ?– ?|"
    r" to | till | until | and )"
    r"(?P<until>\d{1,2})(?:[:.h](?P<until_minute>\d{2}))?(?: ?h| o'clock)?"
)
_OFF = frozenset({"off", "none", "no", "never", "over"})
_NO_QUIET = frozenset({"no quiet", "no quiet hours", "no more quiet hours", "stop quiet hours"})


def parse_setting(text: str) -> Setting | Unclear | None:
    """What one line chooses; None when it is about something else."""
    said = " ".join(text.casefold().replace("’", "'").split()).strip(" .!")
    if not said or len(said) > MOST_CHARACTERS:
        return None
    said = _BEFORE.sub("", said, count=1) if _BEFORE.match(said) else said
    if said in _SHOW:
        return ShowSettings()
    if said in _NO_QUIET:
        return NoQuiet()
    if (found := _QUIET.fullmatch(said)) is not None:
        return _parse_quiet(found["hours"].strip(" :="), said)
    if (found := _NONE.fullmatch(said)) is not None:
        return Route(_TOPICS[found["topic"]], "off")
    if (found := _ROUTE.fullmatch(said)) is None:
        return None
    for pattern, way in _WAYS:
        if pattern.fullmatch(found["way"]):
            return Route(_TOPICS[found["topic"]], way)
    is_near = (
        _TOPICS[found["topic"]] != "press" and _BY_SOMETHING.fullmatch(found["way"]) is not None
    )
    return Unclear("way", said) if is_near else None


def _parse_quiet(hours: str, written: str) -> Setting | Unclear | None:
    if not hours:
        return ShowSettings() if "hours" in written else None
    if hours in _OFF:
        return NoQuiet()
    found = _HOURS.fullmatch(hours)
    if found is None:
        return Unclear("hours", written) if any(sign.isdigit() for sign in hours) else None
    since = int(found["since"]) * 60 + int(found["since_minute"] or 0)
    until = int(found["until"]) * 60 + int(found["until_minute"] or 0)
    if (
        max(since, until) > MINUTES_A_DAY
        or max(int(found["since_minute"] or 0), int(found["until_minute"] or 0)) > 59
        or since == until
    ):
        return Unclear("hours", written)
    since, until = since % MINUTES_A_DAY, until % MINUTES_A_DAY
    if since == until:
        return Unclear("hours", written)
    if (until - since) % MINUTES_A_DAY > MINUTES_A_DAY - SHORTEST_DAY:
        return Unclear("too-long", written)
    return Quiet(since, until)


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
            return f"quiet {format_minute(since)}-{format_minute(until)}"
        case NoQuiet():
            return "quiet off"
    return "settings"


def format_minute(minute: int) -> str:
    """A minute of the day as a clock shows it: `22:00`."""
    return f"{minute // 60:02}:{minute % 60:02}"
