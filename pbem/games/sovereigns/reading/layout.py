"""How a text is laid out: lines that a mail program has broken, and the signature below it."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from pbem.games.sovereigns.reading.pieces import AMOUNTS, BUILDING_KINDS, HEADS
from pbem.games.sovereigns.reading.words import vocabulary
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain, blanked

_WRAPPED = 55
"""From this length on a line may have been broken by the mail program."""
_BEGINS = HEADS | BUILDING_KINDS
_SIGNED = re.compile(r"\n-- ?\n")
_WORD = re.compile(r"[^\W\d_]+")
_CLOSED = frozenset(".!?:;")
_STARTS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG"})
_CONDITIONS = set_of("IF UNLESS WHILE ONLYIF COND CONDITION")
_HANGING = set_of(
    "to must shall will should would can we i our my the a and or an that may now which who"
)


def laid_out(text: str, plain: Plain) -> str:
    """A folded text without its signature, broken lines joined; every sign stays in its place."""
    signed = _SIGNED.search(text)
    if signed is not None:
        text = blanked(text, [(signed.start(), len(text))])
    lines = text.split("\n")
    start, ends = 0, list[tuple[int, int]]()
    for line in lines[:-1]:
        end = start + len(line)
        if len(" ".join(line.split())) >= _WRAPPED and _goes_on(line, end, text, plain):
            ends.append((end, end + 1))
        start = end + 1
    return blanked(text, ends)


def _goes_on(line: str, end: int, text: str, plain: Plain) -> bool:
    """A line that ends in no sign, above one that begins small and with no order."""
    small = plain.quote(end + 1, end + 2).islower()
    if not small or line.rstrip()[-1:] in _CLOSED:
        return False
    found = _WORD.match(text, end + 1)
    phrases = vocabulary().phrases.get(found[0], ()) if found is not None else ()
    return all(len(words) > 1 or kind not in _BEGINS for words, kind in phrases)


def with_ends(lexemes: Sequence[Lexeme], plain: Plain) -> Iterator[Lexeme]:
    """The lexemes with an end to each long line below which another order begins: `..., since it
    is known` / `research with 2`; but not to a condition, which may be one of both lines.
    """
    line = 0
    said: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "NL":
            below = list(takewhile(lambda x: x.kind not in _STARTS, islice(lexemes, i + 1, None)))
            wide = lexeme.start - line >= _WRAPPED
            if wide and not (i and lexemes[i - 1].text in _HANGING) and _are_two(said, below):
                yield Lexeme("DOT", ".", lexeme.start, lexeme.start)
            line, said = lexeme.end, []
        elif lexeme.kind in _STARTS:
            said = []
        else:
            said.append(lexeme)
        yield lexeme


def _are_two(above: Sequence[Lexeme], below: Sequence[Lexeme]) -> bool:
    """Whether an order begins below a line that has one of its own: an order word, or points that
    it spends as the line below does.
    """
    kinds, others = {x.kind for x in above}, {x.kind for x in below}
    if not below or below[0].kind not in HEADS or kinds & _CONDITIONS:
        return False
    return bool(kinds & HEADS) or bool(kinds & AMOUNTS and others & AMOUNTS)
