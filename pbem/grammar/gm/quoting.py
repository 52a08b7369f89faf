"""What stands in quotation marks is taken as it is: a name that ends in a stop or reads like a word
of ours, a reason that ends in thanks. A mark within it is doubled.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pbem.grammar.gm.values import Lexicon, Unread
from pbem.grammar.names import MOST_CHARACTERS

MOST_QUOTED = 4
_QUOTED = re.compile(r'"(?P<said>(?>(?:[^"]++|"")+))"|[“„](?P<curly>[^“”„]++)[”“]')
_STAND_IN = "ǂ"
"""A letter that hardly a name has: more of them than stand together in a line, and one more for
each part, stand for what is quoted while the rest of the line is read.
"""
_STANDING = re.compile(f"{_STAND_IN}++")
_PLAIN = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")
_OURS = frozenset(
    "a an and any as at because by due for from gm in into is it like longer more no none not of"
    " off on open orders place please pls reason s since table thank thanks the then thx till to"
    " until with zone cheers time game".split()
)
"""Words that mean something behind a name."""


def say(text: str) -> str:
    """A name or a reason as it can be read back: bare where it is plain words."""
    is_plain = (
        len(text) <= MOST_CHARACTERS
        and _PLAIN.fullmatch(text) is not None
        and _OURS.isdisjoint(re.split(r"[ '’-]", text.casefold()))
    )
    return text if is_plain else quote(text)


def quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def read_quoted(
    parse: Callable[[str, str, Lexicon], Any], rest: str, table: str, lexicon: Lexicon
) -> Any:
    """The command, where each part that is quoted is all of what one field says; None elsewhere,
    for then the marks belong to what is said.
    """
    quoted: dict[str, str] = {}
    longest = max(map(len, _STANDING.findall(rest)), default=0)

    def stand_in(found: re.Match[str]) -> str:
        name = _STAND_IN * (longest + len(quoted) + 1)
        said = found["curly"] or found["said"].replace('""', '"')
        quoted[name] = " ".join(said.split())
        return name

    plain = _QUOTED.sub(stand_in, rest, MOST_QUOTED + 1)
    if not 0 < len(quoted) <= MOST_QUOTED or not all(quoted.values()):
        return None
    try:
        command = parse(plain, table, lexicon)
    except Unread:
        return None
    said = _unquoted(msgspec.to_builtins(command), quoted)
    return None if quoted else msgspec.convert(said, type(command))


def _unquoted(said: Any, quoted: dict[str, str]) -> Any:
    """The same with each quoted part instead of its stand-in, which is taken out of `quoted`."""
    if isinstance(said, Mapping):
        return {key: _unquoted(value, quoted) for key, value in said.items()}
    if isinstance(said, list | tuple):
        return [_unquoted(value, quoted) for value in said]
    return quoted.pop(said, said) if isinstance(said, str) else said
