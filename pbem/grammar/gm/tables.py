"""A table from its opening to its end, as a game master writes of it."""

import re
from typing import Any

from rapidfuzz import process

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.naming import (
    SLUG,
    is_title,
    of_table,
    slug_of,
    split_reason,
    table_alone,
)
from pbem.grammar.gm.opening import format_choices, parse_choices
from pbem.grammar.gm.word import Word, alone, with_reason, word
from pbem.grammar.press_rules import (
    PRESS_CLAUSES,
    UnclearRules,
    format_press_rules,
    parse_press_rules,
)

_RESULT = re.compile(
    r"(?:(?:the )?game )?(?P<result>(?:(?:as|in|with) )?(?:an?"
    r" )?draw|(?!(?:of|at|in|for|the|this|table|game|because|since)\b)"
    r"[^\W\d_][^:,– ]*(?: [^:,– ]+){0,3}?)(?P<table>[ ]+(?:of|at|in)[ ]+[A-Za-z][A-Za-z0-9-]*)?"
    r"(?:(?:[ ]*[:,][ ]*|[ ]+(?:[-–]|because(?: of)?|since)[ ]+)(?P<reason>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_BEFORE_CLAUSES = re.compile(
    rf"[ ]*+(?P<of>of|at|for|in)[ ]++(?P<table>{SLUG})[ ]*+(?:(?P<colon>:)|(?<=[ ])(?:to[ ])?)"
)
_DRAW = re.compile(r"(?:(?:as|in|with) )?(?:an? )?draw[ .!]*", re.IGNORECASE)
NO_REASON = "the game master ends the game"
"""Of a result that is set without a reason."""


def _new_game(rest: str, table: str, lexicon: Lexicon) -> c.NewGame:
    if table:
        raise Unread("invalid", "title", table)
    said = rest.strip(" :")
    title, _mark, clauses = said.partition(":") if ":" in said else said.partition(",")
    title = re.sub(r"^(?:called|named)[ ]+", "", title.strip(" .\"'"), flags=re.IGNORECASE)
    if not title:
        raise Unread("missing", "title")
    slug = slug_of(title)
    if not is_title(title):
        raise Unread("invalid", "title", title)
    if slug.replace("-", " ") in lexicon.phrases:
        raise Unread("invalid", "title-is-a-word", title)
    choices = parse_choices(clauses, lexicon)
    if not choices.ruleset and len(lexicon.rulesets) != 1:
        raise Unread("missing", "ruleset", nearest=tuple(lexicon.rulesets))
    return c.NewGame(title=title, choices=choices, table=slug)


def _table_before(rest: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    """The table that a line names before its clauses, `of heron:` or `of heron to`, and these; `at
    most 5 players` is a clause.
    """
    named = _BEFORE_CLAUSES.match(rest)
    is_table = named is not None and (
        named["of"] == "of" or named["colon"] or slug_of(named["table"]) in lexicon.tables
    )
    if named is None or not is_table:
        return table, rest
    return slug_of(named["table"]), rest[named.end() :]


def _option(rest: str, table: str, lexicon: Lexicon) -> c.Option:
    table, rest = _table_before(rest, table, lexicon)
    choices = parse_choices(rest.strip(" :"), lexicon)
    if choices == c.Choices():
        raise Unread("missing", "option")
    return c.Option(choices=choices, table=table)


def _press(rest: str, table: str, lexicon: Lexicon) -> c.Press:
    table, rest = _table_before(rest, table, lexicon)
    try:
        return c.Press(change=parse_press_rules(rest), table=table)
    except UnclearRules as unclear:
        raise Unread("invalid", "press-clause", unclear.written.strip(), PRESS_CLAUSES) from unclear


def _end(rest: str, table: str, lexicon: Lexicon) -> c.End | c.Correct:
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


def _format_new_game(command: c.NewGame) -> str:
    return f"new game {command.title}: {format_choices(command.choices)}".rstrip()


WORDS: tuple[Word[Any], ...] = (
    word(c.NewGame, _new_game, _format_new_game),
    word(c.Option, _option, lambda command: f"option {format_choices(command.choices)}"),
    word(c.Press, _press, lambda command: f"set press {format_press_rules(command.change)}"),
    alone(c.Start),
    word(c.End, _end, with_reason),
)
