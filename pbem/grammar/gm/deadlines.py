"""The deadline and the clock, as a game master writes of them."""

import re
from functools import partial
from typing import Any

from pbem.grammar.clock_rules import (
    CLOCK_CLAUSES,
    UnclearClock,
    format_clock_rules,
    parse_clock_rules,
)
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.naming import SLUG, slug_of, split_reason
from pbem.grammar.gm.quoting import say
from pbem.grammar.gm.times import (
    format_span,
    format_wall_time,
    parse_span,
    parse_wall_time,
    parse_zone,
)
from pbem.grammar.gm.word import Word, alone, with_reason, word

_MOVE = re.compile(
    rf"(?:(?:the )?deadline )?(?:(?:of|at|in|for) )?(?:(?P<table>{SLUG})"
    r" )?(?P<how>by|to|until|till) (?P<when>.+)",
    re.IGNORECASE,
)
_HOURS = re.compile(r"\d{1,4}")
_WHY = re.compile(r"(?<![ ,.:;(-])[ ,.:;(-]++(?:because(?: of)?|since|as)[ ]++", re.IGNORECASE)
_CLOSE = re.compile(
    rf"(?:(?P<first>(?!phase\b|the\b|now\b|of\b|number\b|no\b){SLUG})[ ]*+)?"
    r"(?:(?:the )?(?:open )?phase(?:[ ]*+(?:(?:number|no\.?)[ ]*+)?(?P<phase>\d{1,9}))?["
    r" ]*+|(?P<bare>\d{1,9})[ ]*+)?"
    rf"(?:(?P<now>now|at once)[ ]*+)?(?:(?:of|at|in) (?P<second>{SLUG})[ ]*+)?(?:now)?",
    re.IGNORECASE,
)
_FOR_A_TIME = re.compile(r"(?:for )?(?P<span>(?:\d|an? |one |two |three )[\w ,]*)", re.IGNORECASE)
_TABLE = re.compile(
    rf"(?<![ ])[ ]++(?:of|for|at|in)[ ]++(?:table[ ]++)?(?P<table>{SLUG})(?=[ ]*+:|[ ]|$)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^[ ]*(?:set[ ]+)?(?:the[ ]+)?(?:timing[ :]*)?", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:(?:request|number|no\.?|#)[ ]*+)?(?P<number>\d{1,9})?[ ]*+(?:(?:of|for|at|in)?["
    rf" ]*+(?P<table>{SLUG}))?",
    re.IGNORECASE,
)


def _when(rest: str, table: str, lexicon: Lexicon) -> tuple[c.Span | c.WallTime, str, str]:
    """The length or time, the table, and the reason behind it, if one is given. A length alone is
    one by which the deadline moves, and a number alone one of hours.
    """
    said = rest.strip(" :.!?")
    why = _WHY.search(said)
    reason = said[why.end() :].strip(" .!") if why is not None else ""
    said = said[: why.start()].rstrip(" ,.") if why is not None else said
    found = _MOVE.fullmatch(said)
    if found is None:
        first, _, others = said.partition(" ")
        if slug_of(first) in lexicon.tables:
            table, said = slug_of(first), others
        span = _length(said)
        if span is None:
            raise Unread("missing", "time")
        return span, table, reason
    table = slug_of(found["table"]) if found["table"] else table
    span = _length(found["when"]) if found["how"].lower() == "by" else parse_span(found["when"])
    if found["how"].lower() == "by" and span is not None:
        return span, table, reason
    if span is not None:
        raise Unread("ambiguous", "by-or-from-now", said, (f"by {format_span(span)}",))
    return parse_wall_time(found["when"]), table, reason


def _length(said: str) -> c.Span | None:
    return parse_span(f"{said}h" if _HOURS.fullmatch(said) else said)


def _move(
    kind: type[c.Extend | c.Shorten], rest: str, table: str, lexicon: Lexicon
) -> c.Extend | c.Shorten:
    when, table, reason = _when(rest, table, lexicon)
    return kind(when=when, table=table, reason=reason)


def _deadline(rest: str, table: str, lexicon: Lexicon) -> c.Deadline:
    """`set deadline 2026-11-23 18:00`, `set deadline of heron to Friday 18:00`; a length is asked
    about, for it may count from now.
    """
    said = rest.strip(" :.!?=")
    why = _WHY.search(said)
    reason = said[why.end() :].strip(" .!") if why is not None else ""
    said = said[: why.start()].rstrip(" ,.") if why is not None else said
    named = re.match(rf"(?:of|at|in|for)[ ]+(?P<table>{SLUG})[ :,]+", said)
    if named is not None and slug_of(named["table"]) in lexicon.tables:
        table, said = slug_of(named["table"]), said[named.end() :]
    said = re.sub(r"^(?:(?:is|to|at|until|till|=)[ ]+)+", "", said, flags=re.IGNORECASE)
    span = parse_span(re.sub(r"^by[ ]+", "", said, flags=re.IGNORECASE))
    if span is not None:
        raise Unread("ambiguous", "by-or-from-now", said, (f"extend by {format_span(span)}",))
    if not said:
        raise Unread("missing", "time")
    return c.Deadline(when=parse_wall_time(said), table=table, reason=reason)


def _close(rest: str, table: str, _lexicon: Lexicon) -> c.Close:
    said = rest.strip(" :.!")
    found = _CLOSE.fullmatch(said)
    if found is None:
        raise Unread("invalid", "phase", said)
    named = {slug_of(name) for name in (found["first"], found["second"]) if name}
    if len(named) > 1:
        raise Unread("ambiguous", "table", said, tuple(sorted(named)))
    phase = found["phase"] or found["bare"]
    return c.Close(phase=int(phase) if phase else None, table=named.pop() if named else table)


def _pause(rest: str, table: str, lexicon: Lexicon) -> c.Pause:
    named, reason = split_reason(rest, table, lexicon)
    until = _FOR_A_TIME.fullmatch(reason)
    if until is not None and parse_span(until["span"]) is not None:
        raise Unread("invalid", "pause-for-a-time", until["span"])
    return c.Pause(reason=reason, table=named)


def _clock(rest: str, table: str, lexicon: Lexicon) -> c.Clock:
    """`rest` is the whole line, for its first word says what is set."""
    for named in _TABLE.finditer(rest):
        slug = named["table"].casefold()
        if slug in lexicon.tables:
            table, rest = slug, rest[: named.start()] + rest[named.end() :]
            break
    windows = tuple(window for known in lexicon.rulesets.values() for window in known.windows)
    try:
        return c.Clock(change=parse_clock_rules(_LEAD.sub("", rest), windows), table=table)
    except UnclearClock as unclear:
        raise Unread("invalid", "clock-clause", unclear.written.strip(), CLOCK_CLAUSES) from unclear


def _request(
    kind: type[c.Grant | c.Refuse], rest: str, table: str, _lexicon: Lexicon
) -> c.Grant | c.Refuse:
    said = rest.strip(" :.!")
    found = _REQUEST.fullmatch(said)
    if found is None:
        raise Unread("invalid", "request", said)
    number = int(found["number"]) if found["number"] else None
    return kind(request=number, table=(found["table"] or table).casefold())


def _zone(rest: str, _table: str, _lexicon: Lexicon) -> c.Zone:
    said = re.sub(r"^[ :=]*(?:is[ ]+)?", "", rest, flags=re.IGNORECASE).strip(" .!")
    if not said:
        raise Unread("missing", "zone")
    return c.Zone(zone=parse_zone(said))


def _format_move(command: c.Extend | c.Shorten) -> str:
    when = command.when
    said = f"by {format_span(when)}" if isinstance(when, c.Span) else f"to {format_wall_time(when)}"
    return f"{c.word_of(command)} {said}{_because(command.reason)}"


def _because(reason: str) -> str:
    return f" because {say(reason)}" if reason else ""


def _format_close(command: c.Close) -> str:
    return "close now" if command.phase is None else f"close phase {command.phase}"


def _format_request(command: c.Grant | c.Refuse) -> str:
    return c.word_of(command) + (f" {command.request}" if command.request is not None else "")


WORDS: tuple[Word[Any], ...] = (
    word(c.Extend, partial(_move, c.Extend), _format_move),
    word(c.Clock, _clock, lambda command: f"timing {format_clock_rules(command.change)}"),
    word(c.Grant, partial(_request, c.Grant), _format_request),
    word(c.Refuse, partial(_request, c.Refuse), _format_request),
    word(c.Shorten, partial(_move, c.Shorten), _format_move),
    word(
        c.Deadline,
        _deadline,
        lambda command: f"set deadline {format_wall_time(command.when)}{_because(command.reason)}",
    ),
    word(c.Close, _close, _format_close),
    word(c.Pause, _pause, with_reason),
    alone(c.Resume),
    word(c.Zone, _zone, lambda command: f"my time zone is {command.zone}"),
)
