"""The old judges' lines of masters: what they say in our words, or the words to use where there is
no counterpart.
"""

import re

from pbem.grammar.gm.spelling import ANY_GAME
from pbem.grammar.old_lines import MOST_CHARACTERS, SLUG, load_patterns, translate

_SIGNED = re.compile(rf"sign ?on [?]?(?P<name>{SLUG})(?: \S{{1,40}})?", re.IGNORECASE)
_LISTED = re.compile(rf"(?:list|who ?game|history|map)(?: (?P<name>{SLUG}))", re.IGNORECASE)


def signed_table(line: str) -> tuple[str, ...] | None:
    """The tables that `SIGNON Mheron` may mean; None for another line."""
    found = _SIGNED.fullmatch(line)
    return (found["name"][1:], found["name"]) if found is not None else None


def master_alias_of(line: str, tables: frozenset[str]) -> str | None:
    """What an old line says in our words."""
    said = line.rstrip(" .") if len(line) <= MOST_CHARACTERS else ""
    listed = _LISTED.fullmatch(said)
    if listed is not None and listed["name"].casefold() in tables:
        return f"status {listed['name']}"
    return translate(said, "master says")


def master_words_for(line: str, game: str) -> tuple[str, ...] | None:
    """The words of ours to use for an old line that has no counterpart; None: it is no such line.
    Words that open a table show the game of this id.
    """
    said = line.rstrip(" .!") if len(line) <= MOST_CHARACTERS else ""
    for pattern, ours in load_patterns("master use"):
        if said and pattern.fullmatch(said):
            return tuple(words.replace(ANY_GAME, game) for words in ours.split(" | "))
    return None
