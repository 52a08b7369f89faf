"""How a text is laid out: lines that a mail program has broken, and the signature below it."""

import re
from collections.abc import Iterator, Sequence

from pbem.games.sovereigns.reading.pieces import BUILDING_KINDS, HEADS
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
    is known` / `research with 2`.
    """
    line, ordered = 0, False
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind in _STARTS and lexeme.kind != "NL":
            ordered = False
        elif lexeme.kind in HEADS:
            ordered = True
        elif lexeme.kind == "NL":
            begins = i + 1 < len(lexemes) and lexemes[i + 1].kind in HEADS
            hangs = bool(i) and lexemes[i - 1].text in _HANGING
            if begins and ordered and not hangs and lexeme.start - line >= _WRAPPED:
                yield Lexeme("DOT", ".", lexeme.start, lexeme.start)
            line, ordered = lexeme.end, False
        yield lexeme
