"""One line of a message: the word of the house that it is, if it is one. It comes folded and
without politeness.
"""

import re

from rapidfuzz.distance import OSA

from pbem.grammar.house.commands import AnyCommand
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.kit.vocabulary import SHORTEST_SLIP
from pbem.later import Later

_MAKE = Later("pbem.grammar.house.productions:make_command")
"""Imported by who reads: a look at a table needs no grammar."""
SIGNS = " :="
"""What stands between a word and what it takes."""
MOST_CHARACTERS = 160
_FIRST = re.compile(r"[^ :=]+")


def parse_line(words: str) -> AnyCommand | None:
    """The command that a line is, letter by letter."""
    bare, known = words.rstrip(SIGNS), load_words()
    first = _FIRST.match(bare)
    if first is None or len(bare) > MOST_CHARACTERS:
        return None
    if first.group() not in known.first or (bare != words and bare in known.lines):
        return None
    command: AnyCommand | None = _MAKE(bare)
    return command


def parse_slip(words: str) -> AnyCommand | None:
    """The same of a single word of five letters or more with one slip."""
    if (
        not words.isalpha()
        or len(words) < SHORTEST_SLIP - 1
        or words in load_words().lists["no slip"]
    ):
        return None
    near = {
        meant: line
        for line, meant in load_words().lines.items()
        if line.isalpha()
        and len(line) >= SHORTEST_SLIP
        and OSA.distance(words, line, score_cutoff=1) <= 1
    }
    return parse_line(*near.values()) if len(near) == 1 else None
