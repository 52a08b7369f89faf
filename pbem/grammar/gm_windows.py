"""What game masters say about a window: longer, shorter, until when, closed, paused; and the end of a game."""

import re

from pbem.grammar import gm_commands as c
from pbem.grammar.gm_commands import Lexicon, Unread
from pbem.grammar.gm_tables import SLUG, slug_of, split_reason
from pbem.grammar.gm_times import format_span, parse_span, parse_wall_time

_MOVE = re.compile(
    rf"(?:(?:the )?deadline )?(?:(?:of|at|in|for) )?(?:(?P<table>{SLUG}) )?(?P<how>by|to|until|till) (?P<when>.+)", re.IGNORECASE
)
_WHY = re.compile(r"[ ,.:;(-]+(?:because(?: of)?|since|as)[ ]+", re.IGNORECASE)
_CLOSE = re.compile(
    rf"(?:(?P<first>(?!phase\b|the\b|now\b|of\b|number\b|no\b){SLUG})[ ]*)?"
    r"(?:(?:the )?(?:open )?phase(?:[ ]*(?:number|no\.?)?[ ]*(?P<phase>\d{1,9}))?[ ]*|(?P<bare>\d{1,9})[ ]*)?"
    rf"(?:(?P<now>now|at once)[ ]*)?(?:(?:of|at|in) (?P<second>{SLUG})[ ]*)?(?:now)?",
    re.IGNORECASE,
)
_FOR_A_TIME = re.compile(r"(?:for )?(?P<span>(?:\d|an? |one |two |three )[\w ,]*)", re.IGNORECASE)


def _when(rest: str, table: str) -> tuple[c.Span | c.WallTime, str, str]:
    """The length or time, the table, and the reason behind it, if one is given."""
    said = rest.strip(" :.!?")
    why = _WHY.search(said)
    reason = said[why.end() :].strip(" .!") if why is not None else ""
    said = said[: why.start()].rstrip(" ,.") if why is not None else said
    found = _MOVE.fullmatch(said)
    if found is None:
        words = said.split()
        for first in (0, 1):
            span = parse_span(" ".join(words[first:]))
            if span is not None:
                raise Unread("ambiguous", "by-or-from-now", " ".join(words[first:]), (f"by {format_span(span)}",))
        raise Unread("missing", "time")
    table = slug_of(found["table"]) if found["table"] else table
    span = parse_span(found["when"])
    if found["how"].lower() == "by" and span is not None:
        return span, table, reason
    if span is not None:
        raise Unread("ambiguous", "by-or-from-now", said, (f"by {format_span(span)}",))
    return parse_wall_time(found["when"]), table, reason


def parse_extend(rest: str, table: str, _lexicon: Lexicon) -> c.Extend:
    when, table, reason = _when(rest, table)
    return c.Extend(when=when, table=table, reason=reason)


def parse_shorten(rest: str, table: str, _lexicon: Lexicon) -> c.Shorten:
    when, table, reason = _when(rest, table)
    return c.Shorten(when=when, table=table, reason=reason)


def parse_deadline(rest: str, table: str, lexicon: Lexicon) -> c.Deadline:
    """`set deadline 2026-11-23 18:00`, `set deadline of heron to Friday 18:00`; a length is asked about, for it may count from now."""
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


def parse_close(rest: str, table: str, _lexicon: Lexicon) -> c.Close:
    said = rest.strip(" :.!")
    found = _CLOSE.fullmatch(said)
    if found is None:
        raise Unread("invalid", "phase", said)
    named = {slug_of(name) for name in (found["first"], found["second"]) if name}
    if len(named) > 1:
        raise Unread("ambiguous", "table", said, tuple(sorted(named)))
    phase = found["phase"] or found["bare"]
    return c.Close(phase=int(phase) if phase else None, table=named.pop() if named else table)


def parse_pause(rest: str, table: str, lexicon: Lexicon) -> c.Pause:
    named, reason = split_reason(rest, table, lexicon)
    until = _FOR_A_TIME.fullmatch(reason)
    if until is not None and parse_span(until["span"]) is not None:
        raise Unread("invalid", "pause-for-a-time", until["span"])
    return c.Pause(reason=reason, table=named)


def parse_end(rest: str, table: str, lexicon: Lexicon) -> c.End:
    named, reason = split_reason(rest, table, lexicon)
    return c.End(reason=reason, table=named)
