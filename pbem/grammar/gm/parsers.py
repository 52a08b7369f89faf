"""What follows each word of the game masters: from the rest of a line to the command's value."""

import re
from collections.abc import Callable, Mapping

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.clock import parse_grant, parse_refuse, parse_set_clock
from pbem.grammar.gm.commands import AnyCommand, Lexicon, Unread
from pbem.grammar.gm.opening import parse_choices
from pbem.grammar.gm.people import parse_defaults, parse_remove, parse_set_people, parse_substitute
from pbem.grammar.gm.tables import (
    BEFORE_A_REASON,
    SLUG,
    of_table,
    of_table_within,
    slug_of,
    table_alone,
)
from pbem.grammar.gm.times import parse_zone
from pbem.grammar.gm.windows import (
    parse_close,
    parse_deadline,
    parse_end,
    parse_extend,
    parse_pause,
    parse_shorten,
)
from pbem.grammar.gm.words import PHRASES
from pbem.grammar.press_rules import PRESS_CLAUSES, UnclearRules, parse_press_rules

MOST_READERS = 120
_ADDRESS = r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,254}\w"
_PERSON = re.compile(
    rf"(?P<name>[^@<>,;:\n]{{0,80}}?)[ ,:]{{0,9}}<?(?:mailto:)?(?P<address>{_ADDRESS})>?(?:["
    r" ]{0,9}<mailto:[^>]{0,320}>)?"
    r"(?P<then>[ ]*+(?:[,;&\n]|and\b|$))[ \n]*+",
    re.IGNORECASE,
)
_TO_TABLE = re.compile(rf"^[ ]*+(?:to|at|for|of)[ ]++(?:table[ ]++)?(?P<table>{SLUG})[ ]*+(?::|$)")
_TO_KNOWN = re.compile(rf"^[ ]*+(?:to|at)[ ]++(?:table[ ]++)?(?P<table>{SLUG})[ ]++(?=[^@]*+@)")
_REPLACE = re.compile(
    r"(?P<player>.{1,80}?)[ ]{1,9}(?:with|by)[ ]{1,9}(?P<name>[^@<>]{0,80}?)["
    rf" ,:]{{0,9}}<?(?:mailto:)?(?P<address>{_ADDRESS})>?"
    r"(?:[ ]{0,9}<mailto:[^>]{0,320}>)?(?:[ ,]{1,9}(?:time ?)?zone["
    r" :]{1,9}(?P<zone>\S{1,80}))?(?P<rest>.*)",
    re.IGNORECASE,
)
_REPLACE_PLAINLY = re.compile(
    rf"(?P<player>[^@<>,;:]{{1,80}}?)[ :,]{{1,9}}<?(?:mailto:)?(?P<address>{_ADDRESS})>?["
    r" .!]{0,9}",
    re.IGNORECASE,
)
_REPLACE_BY_ASKER = re.compile(
    r"(?P<player>[^@<>,;:]{1,80}?)[ ]{1,9}(?:with|by)[ ]{1,9}(?P<name>[^@<>,;:]{1,40})",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"(?<![ ,.;:(–-])[ ,.;:(–-]*+\b(?:because(?: of)?|since|due to|(?:the )?reason(?: is)?:?)[ ]++",
    re.IGNORECASE,
)
_AFTER_A_MARK = re.compile(r"(?<![ ])[ ]*+:[ ]*+|(?<![ ])[ ]++(?:[-–—][ ]++|(?=\())")
_ROLL = re.compile(
    rf"(?:(?:of|at|in) )?(?:(?P<first>(?!to\b|phase\b|of\b){SLUG}) )?"
    r"(?:to )?(?:the )?(?:(?:begin(?:ning)? of|start of) )?(?:phase ?)?(?P<phase>\d{1,9})?"
    rf"(?: (?:of|at|in) (?P<second>{SLUG}))?"
    r"(?P<reshuffle>,? ?(?:and |with |, ?)?(?:a )?(?:reshuffle|reshuffling|shuffle again)(?: the"
    r" decks)?)?",
    re.IGNORECASE,
)
_AND = re.compile(r",(?! *and\b)|\band\b|&|;", re.IGNORECASE)
MOST_NOTES = 50
"""So many notes one command dismisses."""
_NOTE = re.compile(
    r"(?:note )?(?:#|no\.? ?|number )?(?P<note>\d{1,9})(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_TO_PLAYER = re.compile(
    r"(?:to )?(?P<player>[^\W\d_][^:\"“„«\n]{0,40}?)(?:[ ]*:[ ]*|["
    r" ]+(?=[\"“„«]))(?:[\"“„«](?P<quoted>[^\"“”„«»]+)[\"”“»]|(?P<text>.+))",
    re.IGNORECASE | re.DOTALL,
)
_OWNER = re.compile(
    r"(?P<player>.+?)(?:(?:'s|’s|'|’)(?: (?:orders|cards|hand|answer))?| orders)", re.IGNORECASE
)


def _new_game(rest: str, table: str, lexicon: Lexicon) -> c.NewGame:
    if table:
        raise Unread("invalid", "title", table)
    said = rest.strip(" :")
    title, _mark, clauses = said.partition(":") if ":" in said else said.partition(",")
    title = re.sub(r"^(?:called|named)[ ]+", "", title.strip(" .\"'"), flags=re.IGNORECASE)
    if not title:
        raise Unread("missing", "title")
    slug = slug_of(title)
    if re.fullmatch(SLUG, slug) is None or not all(
        letter.isalnum() or letter in " -'’&" for letter in title
    ):
        raise Unread("invalid", "title", title)
    if slug.replace("-", " ") in PHRASES:
        raise Unread("invalid", "title-is-a-word", title)
    choices = parse_choices(clauses, lexicon)
    if not choices.ruleset and len(lexicon.rulesets) != 1:
        raise Unread("missing", "ruleset", nearest=tuple(lexicon.rulesets))
    return c.NewGame(title=title, choices=choices, table=slug)


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


def _unlock(rest: str, table: str, lexicon: Lexicon) -> c.Unlock:
    player, table = _player(rest, table, lexicon)
    return c.Unlock(player=player, table=table)


def _look(rest: str, table: str, lexicon: Lexicon) -> c.Look:
    player, table = _player(rest, table, lexicon)
    return c.Look(player=player, table=table)


def _predict(rest: str, table: str, _lexicon: Lexicon) -> c.Predict:
    return c.Predict(table=table_alone(rest, table))


def _promote(rest: str, table: str, lexicon: Lexicon) -> c.Promote:
    """As an invitation of one, whose name may be left out."""
    try:
        invite, is_named = _invite(rest, table, lexicon), True
    except Unread as error:
        if (error.kind, error.what) != ("missing", "name"):
            raise
        invite, is_named = (
            _invite(re.sub(rf"(?={_ADDRESS})", "x ", rest, count=1), table, lexicon),
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


def _player(rest: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    said = re.sub(r"^[ :]*(?:the )?(?:orders of )?", "", rest, flags=re.IGNORECASE)
    said, table = of_table(said, table, lexicon)
    owner = _OWNER.fullmatch(said)
    player = (owner["player"] if owner is not None else said).strip(" .!:")
    if not player:
        raise Unread("missing", "player")
    return player, table


def _strike(rest: str, table: str, lexicon: Lexicon) -> c.Strike:
    player, reason, table = _player_and_reason(rest, table, lexicon)
    return c.Strike(player=player, reason=reason, table=table)


def _pardon(rest: str, table: str, lexicon: Lexicon) -> c.Pardon:
    player, reason, table = _player_and_reason(rest, table, lexicon)
    return c.Pardon(player=player, reason=reason, table=table)


def _player_and_reason(rest: str, table: str, lexicon: Lexicon) -> tuple[str, str, str]:
    said = rest.strip(" :")
    found = BEFORE_A_REASON.search(said)
    player, table = of_table(said[: found.start()] if found is not None else said, table, lexicon)
    if not player:
        raise Unread("missing", "player")
    reason = said[found.end() :].strip() if found is not None else ""
    if not reason:
        raise Unread("missing", "reason", player)
    return player, reason, table


def _correct(rest: str, table: str, lexicon: Lexicon) -> c.Correct:
    """What shall be otherwise, and the reason behind `because`, a colon or a dash, or in
    brackets.
    """
    said = rest.strip(" :")
    named = re.match(rf"(?:(?:of|at|in|for)[ ]+)?(?P<table>{SLUG})(?P<colon>[ ]*:)?[ ]+", said)
    if named is not None and slug_of(named["table"]) in lexicon.tables:
        table, said = slug_of(named["table"]), said[named.end() :]
    found = _BECAUSE.search(said) or _AFTER_A_MARK.search(said)
    reason = said[found.end() :].strip(" .()") if found is not None else ""
    what, table = of_table_within(
        said[: found.start()] if found is not None else said, table, lexicon
    )
    what, table = of_table(what, table, lexicon)
    if not what:
        raise Unread("missing", "correction")
    if not reason:
        raise Unread("missing", "reason", what)
    return c.Correct(what=what, reason=reason, table=table)


def _announce(rest: str, table: str, _lexicon: Lexicon) -> c.Announce:
    head, mark, text = rest.partition(":")
    if not mark or "\n" in head or len(head) > 50:
        raise Unread("missing", "colon", rest.strip().partition("\n")[0])
    if not text.strip():
        raise Unread("missing", "text")
    return c.Announce(
        text=text.strip(), table=table_alone(re.sub(r"^[ ]*(?:to|at)[ ]+", "", head), table)
    )


def _write(rest: str, table: str, _lexicon: Lexicon) -> c.Write:
    head, mark, text = rest.partition(":")
    if not mark or "\n" in head or len(head) > MOST_READERS:
        raise Unread("missing", "colon", rest.strip().partition("\n")[0])
    if not head.strip():
        raise Unread("missing", "player")
    if not text.strip():
        raise Unread("missing", "text")
    return c.Write(whom=" ".join(head.split()), text=text.strip(), table=table)


def _answer(rest: str, table: str, _lexicon: Lexicon) -> c.Answer | c.Write:
    """`answer 12: TEXT`, a note; `answer Anna: TEXT` or with the text in quotation marks, a
    player.
    """
    found = _NOTE.fullmatch(rest.strip(" :"))
    player = _TO_PLAYER.fullmatch(rest.strip(" ")) if found is None else None
    if player is not None:
        return c.Write(
            whom=player["player"].strip(),
            text=(player["quoted"] or player["text"]).strip(),
            table=table,
        )
    if found is None:
        raise Unread("missing", "note", rest.strip().partition("\n")[0])
    text = found["rest"].strip().lstrip(":,-").strip()
    if not text:
        raise Unread("missing", "text")
    return c.Answer(note=int(found["note"]), text=text, table=table)


def _dismiss(rest: str, table: str, _lexicon: Lexicon) -> c.Dismiss:
    """`dismiss 4`, or several: `dismiss 4, 5 and 7`."""
    found = [_NOTE.fullmatch(part.strip()) for part in _AND.split(rest.strip(" :.!"))]
    notes = [int(one["note"]) for one in found if one is not None and not one["rest"].strip()]
    if len(notes) < len(found) or len(notes) > MOST_NOTES:
        raise Unread("missing", "note", rest.strip())
    first, *others = dict.fromkeys(notes)
    return c.Dismiss(note=first, also=tuple(others), table=table)


def _option(rest: str, table: str, lexicon: Lexicon) -> c.Option:
    named = re.match(rf"^[ ]*(?:of|at|for|in)[ ]+(?P<table>{SLUG})[ ]*:?[ ]+", rest)
    if named is not None:
        table, rest = slug_of(named["table"]), rest[named.end() :]
    choices = parse_choices(rest.strip(" :"), lexicon)
    if choices == c.Choices():
        raise Unread("missing", "option")
    return c.Option(choices=choices, table=table)


def _press(rest: str, table: str, _lexicon: Lexicon) -> c.Press:
    named = re.match(rf"^[ ]*(?:of|at|for|in)[ ]+(?P<table>{SLUG})[ ]*(?::|[ ](?:to[ ])?)", rest)
    if named is not None:
        table, rest = slug_of(named["table"]), rest[named.end() :]
    try:
        return c.Press(change=parse_press_rules(rest), table=table)
    except UnclearRules as unclear:
        raise Unread("invalid", "press-clause", unclear.written.strip(), PRESS_CLAUSES) from unclear


def _roll_back(rest: str, table: str, _lexicon: Lexicon) -> c.RollBack:
    said = rest.strip(" :.!")
    found = _ROLL.fullmatch(said)
    if found is None:
        raise Unread("invalid", "phase", said)
    if found["phase"] is None:
        raise Unread("missing", "phase")
    named = {slug_of(name) for name in (found["first"], found["second"]) if name}
    if len(named) > 1:
        raise Unread("ambiguous", "table", said, tuple(sorted(named)))
    return c.RollBack(
        phase=int(found["phase"]),
        reshuffle=bool(found["reshuffle"]),
        table=named.pop() if named else table,
    )


def _start(rest: str, table: str, _lexicon: Lexicon) -> c.Start:
    return c.Start(table=table_alone(rest, table))


def _status(rest: str, table: str, _lexicon: Lexicon) -> c.Status:
    return c.Status(table=table_alone(rest, table))


def _games(_rest: str, _table: str, _lexicon: Lexicon) -> c.Games:
    return c.Games()


def _notes(rest: str, table: str, _lexicon: Lexicon) -> c.Notes:
    return c.Notes(table=table_alone(rest, table))


def _resume(rest: str, table: str, _lexicon: Lexicon) -> c.Resume:
    return c.Resume(table=table_alone(rest, table))


def _zone(rest: str, _table: str, _lexicon: Lexicon) -> c.Zone:
    said = re.sub(r"^[ :=]*(?:is[ ]+)?", "", rest, flags=re.IGNORECASE).strip(" .!")
    if not said:
        raise Unread("missing", "zone")
    return c.Zone(zone=parse_zone(said))


def _help(_rest: str, _table: str, _lexicon: Lexicon) -> c.Help:
    return c.Help()


PARSERS: Mapping[str, Callable[[str, str, Lexicon], AnyCommand]] = {
    "people": parse_set_people,
    "substitute": parse_substitute,
    "defaults": parse_defaults,
    "remove": parse_remove,
    "clock": parse_set_clock,
    "grant": parse_grant,
    "refuse": parse_refuse,
    "new game": _new_game,
    "invite": _invite,
    "option": _option,
    "press": _press,
    "team": _team,
    "faction": _faction,
    "start": _start,
    "status": _status,
    "games": _games,
    "notes": _notes,
    "extend": parse_extend,
    "shorten": parse_shorten,
    "deadline": parse_deadline,
    "eject": _eject,
    "predict": _predict,
    "promote": _promote,
    "close": parse_close,
    "pause": parse_pause,
    "resume": _resume,
    "announce": _announce,
    "write": _write,
    "answer": _answer,
    "dismiss": _dismiss,
    "replace": _replace,
    "unlock": _unlock,
    "strike": _strike,
    "pardon": _pardon,
    "correct": _correct,
    "look": _look,
    "roll back": _roll_back,
    "end": parse_end,
    "zone": _zone,
    "help": _help,
}
