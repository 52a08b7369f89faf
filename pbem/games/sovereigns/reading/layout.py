"""How a text is laid out: where another order begins below a long line."""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from pbem.games.sovereigns.reading.pieces import AMOUNTS, HEADS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS

_WRAPPED = 55
"""From this length on a line may have been broken by the mail program."""
_CONDITIONS = set_of("IF UNLESS WHILE ONLYIF COND CONDITION")
_HANGING = set_of(
    "to must shall will should would can we i our my the a and or an that may now which who"
)


def with_ends(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """The lexemes with an end to each long line below which another order begins: `..., since it
    is known` / `research with 2`; but not to a condition, which may be one of both lines.
    """
    line = 0
    said: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "NL":
            below = list(takewhile(lambda x: x.kind not in ENDS, islice(lexemes, i + 1, None)))
            wide = lexeme.start - line >= _WRAPPED
            if wide and not (i and lexemes[i - 1].text in _HANGING) and _are_two(said, below):
                yield Lexeme("DOT", ".", lexeme.start, lexeme.start)
            line, said = lexeme.end, []
        elif lexeme.kind in ENDS:
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
