"""Who plays at a table, as a game master writes of it: invitations, sides, seats given to others,
and the rules about all that.
"""

import re
from typing import Any

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.naming import ADDRESS, BEFORE_A_REASON, SLUG, of_table, slug_of
from pbem.grammar.gm.quoting import say
from pbem.grammar.gm.times import format_span, format_wall_time, parse_zone
from pbem.grammar.gm.word import Word, with_reason, word
from pbem.grammar.people import parse_since, parse_until
from pbem.grammar.people_rules import PEOPLE_CLAUSES, format_people_rules, parse_people_rules

_PERSON = re.compile(
    rf"(?P<name>[^@<>,;:\n]{{0,80}}?)[ ,:]{{0,9}}<?(?:mailto:)?(?P<address>{ADDRESS})>?(?:["
    r" ]{0,9}<mailto:[^>]{0,320}>)?"
    r"(?P<then>[ ]*+(?:[,;&\n]|and\b|$))[ \n]*+",
    re.IGNORECASE,
)
_TO_TABLE = re.compile(rf"^[ ]*+(?:to|at|for|of)[ ]++(?:table[ ]++)?(?P<table>{SLUG})[ ]*+(?::|$)")
_TO_KNOWN = re.compile(rf"^[ ]*+(?:to|at)[ ]++(?:table[ ]++)?(?P<table>{SLUG})[ ]++(?=[^@]*+@)")
_REPLACE = re.compile(
    r"(?P<player>.{1,80}?)[ ]{1,9}(?:with|by)[ ]{1,9}(?P<name>[^@<>]{0,80}?)["
    rf" ,:]{{0,9}}<?(?:mailto:)?(?P<address>{ADDRESS})>?"
    r"(?:[ ]{0,9}<mailto:[^>]{0,320}>)?(?:[ ,]{1,9}(?:time ?)?zone["
    r" :]{1,9}(?P<zone>\S{1,80}))?(?P<rest>.*)",
    re.IGNORECASE,
)
_REPLACE_PLAINLY = re.compile(
    rf"(?P<player>[^@<>,;:]{{1,80}}?)[ :,]{{1,9}}<?(?:mailto:)?(?P<address>{ADDRESS})>?["
    r" .!]{0,9}",
    re.IGNORECASE,
)
_REPLACE_BY_ASKER = re.compile(
    r"(?P<player>[^@<>,;:]{1,80}?)[ ]{1,9}(?:with|by)[ ]{1,9}(?P<name>[^@<>,;:]{1,40})",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:set[ ]+)?(?:the[ ]+)?(?:people(?:[ ]+rules)?[ :]+)?")
_NAMED = re.compile(
    rf"(?:^|(?<![ ])[ ]++)(?:of|at|in|for)[ ]++(?:table[ ]++)?(?P<table>{SLUG})(?=[ ]*+[:,]|[ ]|$)["
    r" ]*+[:,]?",
    re.IGNORECASE,
)
_WHO = (
    rf"(?:(?P<name>[^@<>]{{0,80}}?)[ ,:]{{0,9}}<?(?:mailto:)?(?P<address>{ADDRESS})>?(?:["
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


def _invite(rest: str, table: str, lexicon: Lexicon) -> c.Invite:
    named = _TO_TABLE.match(rest) or _TO_KNOWN.match(rest)
    if named is not None and (named.re is _TO_TABLE or slug_of(named["table"]) in lexicon.tables):
        table, rest = slug_of(named["table"]), rest[named.end() :]
    rest = rest.strip(" :")
    last = re.search(rf"(?<=[\w>])[ ]+(?:to|at)[ ]+(?:table[ ]+)?(?P<table>{SLUG})$", rest)
    if last is not None and "@" not in last["table"]:
        table, rest = slug_of(last["table"]), rest[: last.start()]
    people: list[c.Invited] = []
    at = 0
    while at < len(rest):
        found = _PERSON.match(rest, at)
        if found is None or found.end() == at:
            raise Unread(
                "missing" if "@" not in rest[at:] else "invalid", "address", rest[at:].strip()
            )
        name = found["name"].strip(" \"'")
        if not name:
            raise Unread("missing", "name", found["address"])
        people.append(c.Invited(name, found["address"].lower()))
        at = found.end()
    if not people:
        raise Unread("missing", "address")
    return c.Invite(people=tuple(people), table=table)


def _team(rest: str, table: str, lexicon: Lexicon) -> c.Team:
    player, team, table = _player_and_side(rest, table, lexicon, "team")
    found = re.fullmatch(
        r"(?P<team>.{0,200}?)[ ,]{0,9}(?:(?:at|on)[ ]{1,9})?place[ :#]*(?P<place>\d{1,2})",
        team,
        re.IGNORECASE,
    )
    place = int(found["place"]) if found is not None and int(found["place"]) else None
    team = found["team"] if found is not None else team
    if not team:
        raise Unread("missing", "team")
    return c.Team(
        player=player, team="" if team.casefold() in _NO_SIDE else team, place=place, table=table
    )


def _faction(rest: str, table: str, lexicon: Lexicon) -> c.Faction:
    player, faction, table = _player_and_side(rest, table, lexicon, "faction")
    return c.Faction(
        player=player, faction="" if faction.casefold() in _NO_SIDE else faction, table=table
    )


_NO_SIDE = frozenset({"none", "no", "any", "open"})


def _player_and_side(rest: str, table: str, lexicon: Lexicon, what: str) -> tuple[str, str, str]:
    """`Anna: Red`, `of Anna to Red`, `Anna = Red`, `Anna Red` (then both are one word), perhaps
    with `of heron` at the end.
    """
    said, table = of_table(re.sub(r"^[ :]*(?:of[ ]+)?", "", rest), table, lexicon)
    found = re.fullmatch(
        r"(?P<player>.{1,80}?)(?:[ ]{0,9}[:=][ ]*+|[ ]{1,9}(?:to|is|into|in)[ ]++)(?P<side>.+)",
        said,
    ) or re.fullmatch(r"(?P<player>[^ ]+)[ ]+(?P<side>[^ ]+(?:[ ,]+place[ ]+\d+)?)", said)
    if found is None:
        raise Unread("missing", what if said else "player", said)
    return found["player"].strip(), found["side"].strip(" .!"), table


def _replace(rest: str, table: str, lexicon: Lexicon) -> c.Replace:
    said = rest.strip(" :")
    found = _REPLACE.fullmatch(said)
    asker = _REPLACE_BY_ASKER.fullmatch(said) if found is None else None
    plain = _REPLACE_PLAINLY.fullmatch(said) if found is None else None
    if plain is not None:
        player, table = of_table(plain["player"], table, lexicon)
        return c.Replace(player=player, address=plain["address"].lower(), table=table)
    if asker is not None:
        player, table = of_table(asker["player"], table, lexicon)
        name, table = of_table(asker["name"], table, lexicon)
        return c.Replace(player=player, name=name.strip(" \"'"), address="", table=table)
    if found is None:
        raise Unread(
            "missing", "address" if re.search(r" (?:with|by) ", said) else "newcomer", said
        )
    player, table = of_table(found["player"], table, lexicon)
    after = found["rest"].strip(" .!,")
    if after:
        rests, table = of_table(f"x {after}", table, lexicon)
        if rests != "x":
            raise Unread("invalid", "newcomer", after)
    zone = parse_zone(found["zone"]) if found["zone"] else ""
    return c.Replace(
        player=player,
        name=found["name"].strip(" \"'"),
        address=found["address"].lower(),
        zone=zone,
        table=table,
    )


def _promote(rest: str, table: str, lexicon: Lexicon) -> c.Promote:
    """As an invitation of one, whose name may be left out."""
    try:
        invite, is_named = _invite(rest, table, lexicon), True
    except Unread as error:
        if (error.kind, error.what) != ("missing", "name"):
            raise
        invite, is_named = (
            _invite(re.sub(rf"(?={ADDRESS})", "x ", rest, count=1), table, lexicon),
            False,
        )
    if len(invite.people) > 1:
        raise Unread("invalid", "newcomer", invite.people[1].address)
    (who,) = invite.people
    return c.Promote(address=who.address, name=who.name if is_named else "", table=invite.table)


def _eject(rest: str, table: str, lexicon: Lexicon) -> c.Eject:
    said = rest.strip(" :")
    found = BEFORE_A_REASON.search(said)
    player, table = of_table(said[: found.start()] if found is not None else said, table, lexicon)
    if not player:
        raise Unread("missing", "player")
    return c.Eject(
        player=player, reason=said[found.end() :].strip() if found is not None else "", table=table
    )


def _people(rest: str, table: str, lexicon: Lexicon) -> c.People:
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


def _substitute(rest: str, table: str, lexicon: Lexicon) -> c.Substitute:
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


def _defaults(rest: str, table: str, lexicon: Lexicon) -> c.Defaults:
    said = re.sub(
        r"^[ ]*(?:orders[ ]+)?(?:for[ ]+|of[ ]+)?", "", rest.strip(" :.!"), flags=re.IGNORECASE
    )
    off = _OFF.search(said)
    player, table = of_table(said[: off.start()] if off is not None else said, table, lexicon)
    if not player:
        raise Unread("missing", "player")
    return c.Defaults(player=player, off=off is not None, table=table)


def _remove(rest: str, table: str, lexicon: Lexicon) -> c.Remove:
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


def _side(name: str) -> str:
    return say(name) if name else "none"


def _format_team(command: c.Team) -> str:
    return f"set team {say(command.player)}: {_side(command.team)}" + (
        f", place {command.place}" if command.place is not None else ""
    )


def _newcomer(who: c.Invited | c.Replace | c.Promote | c.Substitute) -> str:
    return f"{say(who.name) if who.name else ''} {who.address}".strip()


def _format_replace(command: c.Replace) -> str:
    zone = f", zone {command.zone}" if command.zone else ""
    return f"replace {say(command.player)} with {_newcomer(command)}{zone}"


def _format_promote(command: c.Promote) -> str:
    return f"promote {_newcomer(command)}"


def _format_substitute(command: c.Substitute) -> str:
    until = command.until
    begin = f" from {format_wall_time(command.since)}" if command.since is not None else ""
    end = format_span(until) if isinstance(until, c.Span) else format_wall_time(until)
    return f"substitute {say(command.player)} by {_newcomer(command)}{begin} until {end}"


WORDS: tuple[Word[Any], ...] = (
    word(c.Invite, _invite, lambda command: "invite " + ", ".join(map(_newcomer, command.people))),
    word(c.Team, _team, _format_team),
    word(
        c.Faction,
        _faction,
        lambda command: f"set faction {say(command.player)}: {_side(command.faction)}",
    ),
    word(c.Replace, _replace, _format_replace),
    word(c.Eject, _eject, with_reason),
    word(c.Substitute, _substitute, _format_substitute),
    word(
        c.Defaults,
        _defaults,
        lambda command: f"defaults {say(command.player)}{' off' if command.off else ''}",
    ),
    word(c.Remove, _remove, with_reason),
    word(c.People, _people, lambda command: f"set people {format_people_rules(command.changes)}"),
    word(c.Promote, _promote, _format_promote),
)
