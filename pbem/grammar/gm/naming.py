"""Which table and which player a game master's line names, and how a table's name is compared."""

import re

from pbem.grammar.gm.values import Lexicon, Unread

SLUG = r"[A-Za-z][A-Za-z0-9-]{0,30}"
ADDRESS = r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,254}\w"


def slug_of(name: str) -> str:
    """A table's short name as it is compared: `Grey Heron` is `grey-heron`."""
    return "-".join(re.sub(r"[^a-z0-9]+", " ", name.casefold()).split())


def is_title(title: str) -> bool:
    """Whether a table can be called so."""
    return re.fullmatch(SLUG, slug_of(title)) is not None and all(
        letter.isalnum() or letter in " -'’&" for letter in title
    )


def of_table(said: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    """`Ben of heron`: the player and the table, if that is the name of one."""
    found = re.fullmatch(
        rf"(?P<what>.*?[^ ])[ ]++(?:of|at|in)[ ]++(?P<table>{SLUG})[ .!]{{0,9}}", said.strip()
    )
    if found is not None and slug_of(found["table"]) in lexicon.tables:
        return found["what"].strip(), slug_of(found["table"])
    return said.strip(" .!"), table


def table_alone(rest: str, table: str) -> str:
    """The table that follows a word which takes only a table."""
    said = rest.strip(" :.!?")
    said = re.sub(
        r"^(?:(?:of|at|in|for|the)[ ]+)*(?:(?:table|game)[ ]*)?", "", said, flags=re.IGNORECASE
    )
    if not said:
        return table
    if re.fullmatch(SLUG, said) is None and " " in said and len(said) > 40:
        raise Unread("invalid", "table", said)
    slug = slug_of(said)
    if not slug or re.fullmatch(SLUG, slug) is None:
        raise Unread("invalid", "table", said)
    return slug
