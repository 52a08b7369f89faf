"""`set clock 18:00`, `set days -MTWTF-`, `grant 12`: a game master's words about a table's time."""

import re

from pbem.grammar.clock_rules import CLOCK_CLAUSES, UnclearClock, parse_clock_rules
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread

_SLUG = r"[A-Za-z][A-Za-z0-9-]{0,30}"
_TABLE = re.compile(
    rf"(?<![ ])[ ]++(?:of|for|at|in)[ ]++(?:table[ ]++)?(?P<table>{_SLUG})(?=[ ]*+:|[ ]|$)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^[ ]*(?:set[ ]+)?(?:the[ ]+)?(?:timing[ :]*)?", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:(?:request|number|no\.?|#)[ ]*+)?(?P<number>\d{1,9})?[ ]*+(?:(?:of|for|at|in)?["
    rf" ]*+(?P<table>{_SLUG}))?",
    re.IGNORECASE,
)


def parse_set_clock(rest: str, table: str, lexicon: Lexicon) -> c.Clock:
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


def parse_grant(rest: str, table: str, lexicon: Lexicon) -> c.Grant:
    number, table = _request(rest, table)
    return c.Grant(request=number, table=table)


def parse_refuse(rest: str, table: str, lexicon: Lexicon) -> c.Refuse:
    number, table = _request(rest, table)
    return c.Refuse(request=number, table=table)


def _request(rest: str, table: str) -> tuple[int | None, str]:
    said = rest.strip(" :.!")
    found = _REQUEST.fullmatch(said)
    if found is None:
        raise Unread("invalid", "request", said)
    return int(found["number"]) if found["number"] else None, (found["table"] or table).casefold()
