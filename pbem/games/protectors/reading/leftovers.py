"""Whole lines beside the orders that look like orders and were read as nothing: they are told, and
small talk is not.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain

_MASTERS_WORD = re.compile(
    r"(?:please |pls )?(?:extend|shorten|unlock|strike|announce|replace|invite|resume|pause|roll"
    r" ?back)\b"
    r"|(?:please |pls )?(?:close (?:the )?(?:phase|now)|(?:start|end) (?:the )?(?:game|table))\b"
)
_TERMS = frozenset({"PLACE", "NUM", "UNITS", "DRAGON", "WHO", "GOLD"})
"""What orders speak of."""

_TELLING = frozenset({"PLACE", "NUM", "WHO", "ALL", "ELSE"})

_STOPS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG", "COLON"})
_FIRST = frozenset({"PLACE", "GOLD", "DELAY", "NUM", "FACTIONNAME"})

_NO_COMMAND = re.compile(r".*(?:ed|ing|s)$")
MOST_WORDS = 8
WRAPPED = 60
"""Characters of a line behind which the next may go on with the same sentence."""


def unread_lines(
    plain: Plain, lexemes: Sequence[Lexeme], heard: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The spans (of the folded text) of lines that begin with a game master's word, or with a word
    unknown here that tells somebody to do something with what orders speak of. `heard` are the
    spans that came to something.
    """
    spans, at, before = tuple(heard), 0, ""
    for line in plain.text.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        previous, before = before, line.strip()
        words = [lexeme for lexeme in lexemes if start <= lexeme.start < end]
        if (
            not words
            or len(line.split()) > MOST_WORDS
            or any(first < end and start < last for first, last in spans)
        ):
            continue
        if len(previous) > WRAPPED and previous[-1] not in ".!?:;":
            continue
        if _MASTERS_WORD.match(line.strip()) or _commands(words):
            yield words[0].start, words[-1].end


def _commands(words: Sequence[Lexeme]) -> bool:
    """`flurb the dragon`: not `loved the dragon`, nor `met Mark`."""
    first = words[0]
    is_command = (
        first.kind == "WORD"
        and first.text.isalpha()
        and len(first.text) > 2
        and _NO_COMMAND.fullmatch(first.text) is None
    )
    return is_command and any(word.kind in _TERMS for word in words[1:])


def lines_beside_question(
    plain: Plain, lexemes: Sequence[Lexeme], heard: Iterable[tuple[int, int]], verbs: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """The spans of lines that tell what somebody does, beside a `what if` whose paragraph they are
    no part of, and came to nothing.
    """
    spans, at = tuple(heard), 0
    for line in plain.text.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        words = [lexeme for lexeme in lexemes if start <= lexeme.start < end]
        kinds = {word.kind for word in words}
        if (
            kinds & verbs
            and kinds & _TELLING
            and len(line.split()) <= 2 * MOST_WORDS
            and not any(a < end and start < b for a, b in spans)
        ):
            yield words[0].start, words[-1].end


def order_sentences(
    lexemes: Sequence[Lexeme], start: int, end: int, verbs: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """The spans of sentences, of what stands from start up to end, that begin as an order does."""
    sentence: list[Lexeme] = []
    for lexeme in [*(one for one in lexemes if start <= one.start < end), None]:
        if lexeme is not None and lexeme.kind not in _STOPS:
            sentence.append(lexeme)
            continue
        said = [one for one in sentence if one.kind not in {"FILLER", "PROSE", "DASH", "COMMA"}]
        kinds = {one.kind for one in said}
        begins = said[0].kind in verbs | _FIRST if said else False
        named = kinds & {"PLACE", "FACTIONNAME"} or kinds >= {"BID", "NUM"}
        if begins and named and (kinds & verbs or "ARROW" in kinds):
            yield said[0].start, said[-1].end
        sentence = []
