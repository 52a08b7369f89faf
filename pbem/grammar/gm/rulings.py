"""What a game master rules, and how it is written: corrections, strikes, going back."""

import re
from functools import partial
from typing import Any

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.naming import (
    BEFORE_A_REASON,
    SLUG,
    of_table,
    of_table_within,
    slug_of,
)
from pbem.grammar.gm.quoting import quote, say
from pbem.grammar.gm.word import Word, of_player, with_reason, word

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


def _strike(
    kind: type[c.Strike | c.Pardon], rest: str, table: str, lexicon: Lexicon
) -> c.Strike | c.Pardon:
    said = rest.strip(" :")
    found = BEFORE_A_REASON.search(said)
    player, table = of_table(said[: found.start()] if found is not None else said, table, lexicon)
    if not player:
        raise Unread("missing", "player")
    reason = said[found.end() :].strip() if found is not None else ""
    if not reason:
        raise Unread("missing", "reason", player)
    return kind(player=player, reason=reason, table=table)


def _correct(rest: str, table: str, lexicon: Lexicon) -> c.Correct:
    """What shall be otherwise, and the reason behind `because`, a colon or a dash, or in
    brackets.
    """
    said = rest.strip(" :")
    named = re.match(rf"(?:(?:of|at|in|for)[ ]+)?(?P<table>{SLUG})(?P<colon>[ ]*:)?[ ]+", said)
    if named is not None and slug_of(named["table"]) in lexicon.tables:
        table, said = slug_of(named["table"]), said[named.end() :]
    found = _BECAUSE.search(said) or _AFTER_A_MARK.search(said)
    reason = said[found.end() :].strip(" .") if found is not None else ""
    if found is not None and ("(" in found[0] or (found.re is _AFTER_A_MARK and reason[:1] == "(")):
        reason = reason.removeprefix("(").removesuffix(")").strip(" .")
    what, table = of_table_within(
        said[: found.start()] if found is not None else said, table, lexicon
    )
    what, table = of_table(what, table, lexicon)
    if not what:
        raise Unread("missing", "correction")
    if not reason:
        raise Unread("missing", "reason", what)
    return c.Correct(what=what, reason=reason, table=table)


def _ruling(rest: str, table: str, lexicon: Lexicon) -> c.Ruling:
    what, table = of_table(rest.strip(" :.!"), table, lexicon)
    if not what:
        raise Unread("missing", "ruling")
    return c.Ruling(what=what, table=table)


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


def _format_roll_back(command: c.RollBack) -> str:
    return f"roll back to phase {command.phase}" + (" and reshuffle" if command.reshuffle else "")


WORDS: tuple[Word[Any], ...] = (
    of_player(c.Unlock),
    word(c.Strike, partial(_strike, c.Strike), with_reason),
    word(c.Pardon, partial(_strike, c.Pardon), with_reason),
    word(
        c.Correct,
        _correct,
        lambda command: f"correct {quote(command.what)} because {say(command.reason)}",
    ),
    word(c.Ruling, _ruling, lambda command: f"ruling {quote(command.what)}"),
    word(c.RollBack, _roll_back, _format_roll_back),
)
