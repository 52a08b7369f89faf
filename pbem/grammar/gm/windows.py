"""What game masters say about a window: longer, shorter, until when, closed, paused; and the end of
a game.
"""

import re

from rapidfuzz import process

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.tables import SLUG, of_table, slug_of, split_reason, table_alone
from pbem.grammar.gm.times import format_span, parse_span, parse_wall_time

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
_RESULT = re.compile(
    r"(?:(?:the )?game )?(?P<result>(?:(?:as|in|with) )?(?:an?"
    r" )?draw|(?!(?:of|at|in|for|the|this|table|game|because|since)\b)"
    r"[^\W\d_][^:,– ]*(?: [^:,– ]+){0,3}?)(?P<table>[ ]+(?:of|at|in)[ ]+[A-Za-z][A-Za-z0-9-]*)?"
    r"(?:(?:[ ]*[:,][ ]*|[ ]+(?:[-–]|because(?: of)?|since)[ ]+)(?P<reason>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_DRAW = re.compile(r"(?:(?:as|in|with) )?(?:an? )?draw[ .!]*", re.IGNORECASE)
NO_REASON = "the game master ends the game"
"""Of a result that is set without a reason."""
_FOR_A_TIME = re.compile(r"(?:for )?(?P<span>(?:\d|an? |one |two |three )[\w ,]*)", re.IGNORECASE)


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


def parse_extend(rest: str, table: str, lexicon: Lexicon) -> c.Extend:
    when, table, reason = _when(rest, table, lexicon)
    return c.Extend(when=when, table=table, reason=reason)


def parse_shorten(rest: str, table: str, lexicon: Lexicon) -> c.Shorten:
    when, table, reason = _when(rest, table, lexicon)
    return c.Shorten(when=when, table=table, reason=reason)


def parse_deadline(rest: str, table: str, lexicon: Lexicon) -> c.Deadline:
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


def parse_end(rest: str, table: str, lexicon: Lexicon) -> c.End | c.Correct:
    """`end`, `end heron: REASON`; with a result, `end draw` or `end Anna`, the game itself is set
    right so that it is over.
    """
    result = _RESULT.fullmatch(rest.strip()) if not rest.lstrip().startswith(":") else None
    if result is not None:
        said, named = of_table(f"{result['result']}{result['table'] or ''}", table, lexicon)
        if not _is_table(said, lexicon):
            what = "draw" if _DRAW.fullmatch(said) else f"winner {said}"
            return c.Correct(
                what=what, reason=(result["reason"] or "").strip() or NO_REASON, table=named
            )
    named, reason = split_reason(rest, table, lexicon)
    return c.End(reason=reason, table=named)


def _is_table(said: str, lexicon: Lexicon) -> bool:
    """Whether a table is meant, perhaps with a slip of the pen; where no table is known it always
    is.
    """
    slug = table_alone(said, "")
    return (
        not lexicon.tables
        or slug in lexicon.tables
        or process.extractOne(slug, lexicon.tables, score_cutoff=75.0) is not None
    )
