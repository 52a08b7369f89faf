"""Which table a game master's line names, and how a table's name is compared."""

import re

from pbem.grammar.gm_commands import Lexicon

SLUG = r"[A-Za-z][A-Za-z0-9-]{0,30}"


def slug_of(name: str) -> str:
    """A table's short name as it is compared: `Grey Heron` is `grey-heron`."""
    return "-".join(re.sub(r"[^a-z0-9]+", " ", name.casefold()).split())


def of_table(said: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    """`Ben of heron`: the player and the table, if that is the name of one."""
    found = re.fullmatch(rf"(?P<what>.+?)[ ]+(?:of|at|in)[ ]+(?P<table>{SLUG})[ .!]*", said.strip())
    if found is not None and slug_of(found["table"]) in lexicon.tables:
        return found["what"].strip(), slug_of(found["table"])
    return said.strip(" .!"), table
