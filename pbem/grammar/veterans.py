"""The lines of the old judges (njudge, DPjudge) that players' fingers know, as exact aliases of
plain language.

A line counts when it is that and nothing else. Where plain English could read so too, the word
counts in capital letters alone. Any other line is left as it is; a word of theirs that has
no counterpart here is named by a key, and answered with the words to use.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from pbem.grammar.joining import CODE_LENGTH, CODE_LETTERS
from pbem.grammar.old_lines import MOST_CHARACTERS, SLUG, load_pairs, load_patterns, translate

_CODE = rf"[a-z][a-z0-9-]{{0,30}}-[{CODE_LETTERS}]{{{CODE_LENGTH}}}"

_SIGN_OFF = re.compile(r"\s*(?:(?i:signoff)|SIGN OFF)\s*+(?:[.!]\s*+)?")
_SIGN_ON = re.compile(
    rf"\s*sign ?on\s+[?]?(?P<name>{SLUG})(?:\s+(?P<password>\S{{1,40}}))?\s*", re.IGNORECASE
)
_CODE_ALONE = re.compile(_CODE, re.IGNORECASE)
_LOOK_ON = re.compile(
    rf"\s*(?P<word>observe|watch)\s+[?]?(?P<code>{_CODE})\s+\S{{1,40}}\s*", re.IGNORECASE
)
_ABOUT_A_TABLE = re.compile(
    rf"\s*(?P<word>list|summary|status|history|who ?game|map|resign|withdraw)\s+(?P<name>{SLUG})"
    r"(?P<more>[ ]+(?:from|to|lines)[ ]\S.{0,60})?\s*",
    re.IGNORECASE,
)
_CLEAR = re.compile(r"\s*CLEAR(?: ALL| ORDERS| ALL ORDERS)?\s*")
_NOTE = re.compile(
    r"\s*+(?:[/*•-]\s*+)?(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)\s?:", re.IGNORECASE
)


OLD_WORDS = frozenset(key for _, key in load_patterns("player key"))
_ANY_OLD = re.compile(
    "|".join(
        f"(?i:{pattern.pattern})" if pattern.flags & re.IGNORECASE else f"(?:{pattern.pattern})"
        for pattern, _ in load_patterns("player key")
    )
)
_SPELLED: Mapping[str, str] = {
    "phase": "phase 1",
    "conditions": "endif",
    "nodraw": "set nodraw",
    "create": "CREATE",
    "master": "unstart",
    "get": "GET it",
}
"""Those whose key alone is not one of their lines."""

LIST: Mapping[str, str] = dict(load_pairs("player list"))
"""For the page that lists them: an old line, and the plain one."""


def tidy(text: str) -> str:
    """A message (new text alone) as far as the old judges' frame around it goes: it ends at
    SIGNOFF, and a SIGN ON with a join code is the wish to join. Passwords go nowhere.
    """
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    end = next(
        (number for number in range(first + 1, len(lines)) if _SIGN_OFF.fullmatch(lines[number])),
        len(lines),
    )
    head = _first_line(lines[first])
    if head is None and end == len(lines):
        return text
    lines[first] = head if head is not None else lines[first]
    return "\n".join(lines[:end])


def _first_line(line: str) -> str | None:
    """None: as it is."""
    signed = _SIGN_ON.fullmatch(line)
    if signed is not None:
        return (
            f"join {signed['name']}"
            if _CODE_ALONE.fullmatch(signed["name"])
            else f"SIGNON {signed['name']}"
        )
    looks = _LOOK_ON.fullmatch(line)
    return f"{looks['word']} {looks['code']}" if looks is not None else None


def named_table(text: str) -> tuple[tuple[str, ...], str] | None:
    """What a first line like `SIGNON Aheron`, `LIST heron` names (as it may be read, one or the
    other), and the message without it.

    None: it begins otherwise.
    """
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    signed = _SIGN_ON.fullmatch(lines[first])
    if signed is not None:
        return (signed["name"], signed["name"][1:]), "\n".join(lines[first + 1 :])
    about = _ABOUT_A_TABLE.fullmatch(lines[first])
    if about is None:
        return None
    return (about["name"],), "\n".join(
        (f"{about['word']}{about['more'] or ''}", *lines[first + 1 :])
    )


def alias_of(line: str) -> str | None:
    """What a line says in our words, if it is an old judges' one."""
    return _alias(_bare(line))


@lru_cache(maxsize=64)
def _alias(said: str) -> str | None:
    """Of a line without what is around it; each is asked for more than once."""
    return translate(said, "player says")


def old_word_of(line: str) -> str | None:
    """The key of an old word that has no counterpart here, if a line is one."""
    said = _bare(line)
    if not said or _ANY_OLD.fullmatch(said) is None:
        return None
    return next(key for pattern, key in load_patterns("player key") if pattern.fullmatch(said))


def spell_old(key: str) -> str:
    """A line that is the old word of this key."""
    return _SPELLED.get(key, key)


def _bare(line: str) -> str:
    return " ".join(line.split()).lstrip("/ ").rstrip(" .!") if len(line) <= MOST_CHARACTERS else ""


def put_orders(text: str) -> str:
    """CLEAR in the words that every game reads; not within a note, which continues to the next
    blank line.
    """
    lines, inside = text.split("\n"), False
    for number, line in enumerate(lines):
        inside = bool(line.strip()) and (inside or _NOTE.match(line) is not None)
        if not inside and _CLEAR.fullmatch(line):
            lines[number] = "cancel all"
    return "\n".join(lines)
