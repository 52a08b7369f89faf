"""The three commands that are more than their fields: a table that is opened, an answer that may be
a word to a player, and a result, which ends a game as a correction does.
"""

import re

from rapidfuzz import process

from pbem.grammar.gm.commands import Answer, Correct, End, NewGame, Write
from pbem.grammar.gm.naming import is_title, of_table, slug_of, table_alone
from pbem.grammar.gm.opening import parse_choices
from pbem.grammar.gm.records import read_record
from pbem.grammar.gm.values import Lexicon, Unread

_RESULT = re.compile(
    r"(?:(?:the )?game )?(?P<result>(?:(?:as|in|with) )?(?:an?"
    r" )?draw|(?!(?:of|at|in|for|the|this|table|game|because|since)\b)"
    r"[^\W\d_][^:,– ]*(?: [^:,– ]+){0,3}?)(?P<table>[ ]+(?:of|at|in)[ ]+[A-Za-z][A-Za-z0-9-]*)?"
    r"(?:(?:[ ]*[:,][ ]*|[ ]+(?:[-–]|because(?: of)?|since)[ ]+)(?P<reason>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_DRAW = re.compile(r"(?:(?:as|in|with) )?(?:an? )?draw[ .!]*", re.IGNORECASE)
_NOTE = re.compile(
    r"(?:note )?(?:#|no\.? ?|number )?(?P<note>\d{1,9})(?P<sign>[ ]*+[:,-]*+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TO_PLAYER = re.compile(
    r"(?:to )?(?P<player>[^\W\d_][^:\"“„«\n]{0,40}?)(?:[ ]*:[ ]*|["
    r" ]+(?=[\"“„«]))(?:[\"“„«](?P<quoted>[^\"“”„«»]+)[\"”“»]|(?P<text>.+))",
    re.IGNORECASE | re.DOTALL,
)
NO_REASON = "the game master ends the game"
"""Of a result that is set without a reason."""


def read_new_game(rest: str, table: str, lexicon: Lexicon) -> NewGame:
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
    return NewGame(title=title, choices=choices, table=slug)


def read_answer(rest: str, table: str, _lexicon: Lexicon) -> Answer | Write:
    """`answer 12: TEXT`, a note; `answer Anna: TEXT` or with the text in quotation marks, a
    player.
    """
    found = _NOTE.fullmatch(rest.lstrip(" :"))
    player = _TO_PLAYER.fullmatch(rest.strip(" ")) if found is None else None
    if player is not None:
        said = (player["quoted"] or player["text"]).strip()
        if not said:
            raise Unread("missing", "text")
        return Write(whom=player["player"].strip(), text=said, table=table)
    if found is None:
        raise Unread("missing", "note", rest.strip().partition("\n")[0])
    text = found["rest"].strip()
    if not text:
        raise Unread("missing", "text")
    return Answer(note=int(found["note"]), text=text, table=table)


def read_end(rest: str, table: str, lexicon: Lexicon) -> End | Correct:
    """`end`, `end heron: REASON`; with a result, `end draw` or `end Anna`, the game itself is set
    right so that it is over.
    """
    result = _RESULT.fullmatch(rest.strip()) if not rest.lstrip().startswith(":") else None
    if result is not None:
        said, named = of_table(f"{result['result']}{result['table'] or ''}", table, lexicon)
        if not _is_table(said, lexicon):
            what = "draw" if _DRAW.fullmatch(said) else f"winner {said}"
            return Correct(
                what=what, reason=(result["reason"] or "").strip() or NO_REASON, table=named
            )
    return read_record(End, rest, table, lexicon)


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
