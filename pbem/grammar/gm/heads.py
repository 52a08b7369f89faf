"""The word that a game master's line begins with, perhaps behind the name of a table."""

import re
from typing import NamedTuple

from pbem.grammar.gm.words import PHRASES

_ANY_PHRASE = "|".join(
    "[ ]+".join(map(re.escape, phrase.split())) for phrase in sorted(PHRASES, key=len, reverse=True)
)
_VERB = re.compile(rf"(?P<phrase>{_ANY_PHRASE})(?=[\s:.,!?]|$)", re.IGNORECASE)
PREFIX = re.compile(r"(?P<table>[^\W\d_][\w -]{0,40}?)[ ]?:(?P<rest>.*)", re.DOTALL)


class Head(NamedTuple):
    """The table that a line names first, the phrase of its command and the word that this means
    ("": none), all from the phrase on (`rest`), and what stands behind it (`said`).
    """

    table: str
    phrase: str
    word: str
    rest: str
    said: str


def head_of(line: str) -> Head:
    verb, table, rest = _VERB.match(line), "", line
    if verb is None and (prefix := PREFIX.fullmatch(line)) is not None:
        table, rest = prefix["table"], prefix["rest"].strip()
        verb = _VERB.match(rest)
    if verb is None:
        return Head(table, "", "", rest, "")
    phrase = " ".join(verb["phrase"].casefold().split())
    return Head(table, phrase, PHRASES[phrase], rest, rest[verb.end() :])
