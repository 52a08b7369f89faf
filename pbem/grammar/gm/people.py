"""A game master's words about who plays at a table: `set people nmr 2 then substitute`, `substitute
Anna by ben@example.org until 10 July`, `defaults Anna`, `remove Anna`.
"""

import re

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.tables import SLUG, of_table, slug_of
from pbem.grammar.gm.times import format_span, format_wall_time
from pbem.grammar.people import parse_since, parse_until
from pbem.grammar.people_rules import PEOPLE_CLAUSES, format_people_rules, parse_people_rules

_ADDRESS = r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,254}\w"
_LEAD = re.compile(r"^(?:set[ ]+)?(?:the[ ]+)?(?:people(?:[ ]+rules)?[ :]+)?")
_NAMED = re.compile(
    rf"(?:^|(?<![ ])[ ]++)(?:of|at|in|for)[ ]++(?:table[ ]++)?(?P<table>{SLUG})(?=[ ]*+[:,]|[ ]|$)["
    r" ]*+[:,]?",
    re.IGNORECASE,
)
_WHO = (
    rf"(?:(?P<name>[^@<>]{{0,80}}?)[ ,:]{{0,9}}<?(?:mailto:)?(?P<address>{_ADDRESS})>?(?:["
    r" ]{0,9}<mailto:[^>]{0,320}>)?)"
)
_FROM = (
    r"(?:[ ,]{1,9}(?:from|since)[ ]{1,9}(?P<since>.{1,80}?)(?=[ ,]{1,9}(?:until|till|to|for)[ ]))?"
)
_TO = r"[ ,]{1,9}(?:(?:until|till|to)[ ]{1,9}(?P<until>.{1,200})|for[ ]{1,9}(?P<span>.{1,200}))"
_SUBSTITUTE = (
    re.compile(
        r"(?:for[ ]{1,9})?(?P<player>[^@]{1,80}?)(?:[ ]{1,9}(?:by|with)[ ]{1,9}|["
        rf" ]{{0,9}}:[ ]{{0,9}}){_WHO}{_FROM}{_TO}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_WHO}[ ]{{1,9}}for[ ]{{1,9}}(?P<player>[^@]{{1,80}}?){_FROM}{_TO}", re.IGNORECASE
    ),
)
_WITHOUT_AN_END = re.compile(
    r"(?:for[ ]{1,9})?[^@]{1,80}?(?:[ ]{1,9}(?:by|with)[ ]{1,9}|[ ]{0,9}:["
    rf" ]{{0,9}}){_WHO}[ .!]*",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"(?<![ :,])[ :,]++(?:off|no more|no longer|not any ?more)[ .!]*+$", re.IGNORECASE
)
_REASON = re.compile(
    r"(?<![ ])[ ]*+[:,][ ]*+|(?<![ ])[ ]++(?:[-–]|(?:because(?: of)?|since)\b)(?:[ ]++|$)",
    re.IGNORECASE,
)


def parse_set_people(rest: str, table: str, lexicon: Lexicon) -> c.People:
    """`rest` is the whole line, for its first word may be the first clause's."""
    said = " ".join(rest.split()).strip(" .!")
    for named in _NAMED.finditer(said):
        slug = slug_of(named["table"])
        if slug in lexicon.tables:
            table, said = slug, f"{said[: named.start()]} {said[named.end() :]}"
            break
    try:
        return c.People(
            changes=parse_people_rules(_LEAD.sub("", said.casefold(), count=1)), table=table
        )
    except Unread as unread:
        raise Unread("invalid", "people-clause", unread.written, PEOPLE_CLAUSES) from unread


def parse_substitute(rest: str, table: str, lexicon: Lexicon) -> c.Substitute:
    said = " ".join(rest.split()).strip(" :.!")
    found = next(
        (found for pattern in _SUBSTITUTE if (found := pattern.fullmatch(said)) is not None), None
    )
    if found is None:
        if _WITHOUT_AN_END.fullmatch(said) is not None:
            raise Unread("missing", "time", said)
        raise Unread(
            "missing",
            "address" if re.search(r" (?:by|with|for) ", f" {said} ") else "newcomer",
            said,
        )
    player, table = of_table(found["player"], table, lexicon)
    end, table = of_table(found["until"] or found["span"], table, lexicon)
    until = parse_until(end.removeprefix("the next "))
    if found["span"] is not None and not isinstance(until, c.Span):
        raise Unread("invalid", "length", end)
    since = parse_since(found["since"], found["until"] or "") if found["since"] else None
    name = found["name"].strip(" \"',")
    return c.Substitute(
        player=player,
        name=name,
        address=found["address"].lower(),
        until=until,
        since=since,
        table=table,
    )


def parse_defaults(rest: str, table: str, lexicon: Lexicon) -> c.Defaults:
    said = re.sub(
        r"^[ ]*(?:orders[ ]+)?(?:for[ ]+|of[ ]+)?", "", rest.strip(" :.!"), flags=re.IGNORECASE
    )
    off = _OFF.search(said)
    player, table = of_table(said[: off.start()] if off is not None else said, table, lexicon)
    if not player:
        raise Unread("missing", "player")
    return c.Defaults(player=player, off=off is not None, table=table)


def parse_remove(rest: str, table: str, lexicon: Lexicon) -> c.Remove:
    said = rest.strip(" :")
    found = _REASON.search(said)
    player, table = of_table(said[: found.start()] if found is not None else said, table, lexicon)
    player = re.sub(
        r"(?<![ ])[ ]++from[ ]++the[ ]++(?:game|table)$", "", player, flags=re.IGNORECASE
    )
    if not player:
        raise Unread("missing", "player")
    return c.Remove(
        player=player,
        reason=said[found.end() :].strip(" .") if found is not None else "",
        table=table,
    )


def format_people_command(command: c.People | c.Substitute | c.Defaults | c.Remove) -> str:
    """The one spelling of each, without the table."""
    match command:
        case c.People(changes=changes):
            return f"set people {format_people_rules(changes)}"
        case c.Substitute(player=player, name=name, address=address, since=since, until=until):
            begin = f" from {format_wall_time(since)}" if since is not None else ""
            end = format_span(until) if isinstance(until, c.Span) else format_wall_time(until)
            return f"substitute {player} by {f'{name} {address}'.strip()}{begin} until {end}"
        case c.Defaults(player=player, off=off):
            return f"defaults {player}{' off' if off else ''}"
        case c.Remove(player=player, reason=reason):
            return f"remove {player}{f': {reason}' if reason else ''}"
