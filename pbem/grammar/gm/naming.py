"""Which table and which player a game master's line names, and how a table's name is compared."""

import re

from pbem.grammar.gm.values import Lexicon, Unread

SLUG = r"[A-Za-z][A-Za-z0-9-]{0,30}"
BEFORE_A_REASON = re.compile(
    r"(?<![ ])[ ]*+[:,][ ]*+|(?:^|(?<![ ])[ ]++)(?:[-–]|(?:because(?: of)?|for|since)\b)(?:["
    r" ]++|$)",
    re.IGNORECASE,
)
"""What stands between a name and a reason."""
_OWNER = re.compile(
    r"(?P<player>.+?)(?:(?:'s|’s|'|’)(?: (?:orders|cards|hand|answer))?| orders)", re.IGNORECASE
)
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


def of_table_within(said: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    """`Ben in heron in P2 with 2`: the table in the middle of what is said of it, but for what is a
    province there.
    """
    for found in re.finditer(rf"(?<![ ])[ ]++(?:of|at|in)[ ]++(?P<table>{SLUG})(?=[ ])", said):
        slug = slug_of(found["table"])
        if slug in lexicon.tables and re.fullmatch(r"p\d+", slug) is None:
            return f"{said[: found.start()]}{said[found.end() :]}".strip(), slug
    return said, table


def table_alone(rest: str, table: str) -> str:
    """What follows a word that wants nothing but a table."""
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


def split_reason(rest: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    """`heron: reason`, `: reason`, `heron because reason`; `for heron` is the table, `for a week` a
    reason.
    """
    said = rest.strip()
    alone = re.sub(r"^for[ ]+", "", said, flags=re.IGNORECASE)
    if slug_of(alone) in lexicon.tables:
        return slug_of(alone), ""
    found = BEFORE_A_REASON.search(said)
    if found is None:
        return table_alone(said, table), ""
    return table_alone(said[: found.start()], table), said[found.end() :].strip()


def player_of(rest: str, table: str, lexicon: Lexicon) -> tuple[str, str]:
    said = re.sub(r"^[ :]*(?:the )?(?:orders of )?", "", rest, flags=re.IGNORECASE)
    said, table = of_table(said, table, lexicon)
    owner = _OWNER.fullmatch(said)
    player = (owner["player"] if owner is not None else said).strip(" .!:")
    if not player:
        raise Unread("missing", "player")
    return player, table
