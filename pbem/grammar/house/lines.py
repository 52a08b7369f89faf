"""One line of a message: the word of the house that it is, if it is one. It comes folded and
without politeness.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from rapidfuzz.distance import OSA

from pbem.grammar.house.commands import AnyCommand
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.joining import drop_politeness
from pbem.grammar.kit.vocabulary import SHORTEST_SLIP
from pbem.grammar.names import without_stop
from pbem.grammar.people import Wish
from pbem.grammar.veterans import alias_of
from pbem.later import Later

_MAKE = Later("pbem.grammar.house.productions:make_command")
"""A reader imports it: a look at a table needs no grammar."""
SIGNS = " :="
"""What stands between a word and what it takes."""
MOST_CHARACTERS, MOST_WISH = 160, 200
MOST_WISHES = 16


def parse_line(words: str) -> AnyCommand | None:
    """The command that a line is, letter by letter."""
    bare = words.rstrip(SIGNS)
    if len(bare) > MOST_CHARACTERS or (bare != words and bare in load_words().lines):
        return None
    command: AnyCommand | None = _MAKE(bare)
    return command


def parse_wish(line: str) -> Wish | None:
    """The wish that a line is, as it was written, politeness around it left aside."""
    if len(line) > MOST_WISH:
        return None
    ours = " ".join((alias_of(line) or line).lstrip("/ ").split())
    said = without_stop(drop_politeness(ours))
    wish: Wish | None = _MAKE(said, "wish")
    return wish


def parse_wishes(text: str) -> tuple[Wish, ...] | None:
    """Every wish of a message that holds nothing else, except a greeting and thanks; None when it
    does.
    """
    found: list[Wish] = []
    for line in text.splitlines()[:MOST_WISHES]:
        stripped = line.strip()
        if not stripped or _small_talk().fullmatch(stripped) is not None:
            continue
        wish = parse_wish(stripped)
        if wish is None:
            return None
        found.append(wish)
    return tuple(found) or None


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
        for line, meant in _single_words().get(len(words), ())
        if OSA.distance(words, line, score_cutoff=1) <= 1
    }
    return parse_line(*near.values()) if len(near) == 1 else None


@cache
def _single_words() -> Mapping[int, Sequence[tuple[str, str]]]:
    """Lines in which a slip is read, and what they mean, by the lengths that they have with one."""
    found: dict[int, list[tuple[str, str]]] = {}
    for line, meant in load_words().lines.items():
        if line.isalpha() and len(line) >= SHORTEST_SLIP:
            for length in range(len(line) - 1, len(line) + 2):
                found.setdefault(length, []).append((line, meant))
    return found


@cache
def _small_talk() -> re.Pattern[str]:
    said = load_words().either("greeting", "sign off")
    return re.compile(rf"(?:{said}|please)\b[^:@?]{{0,40}}", re.IGNORECASE)
