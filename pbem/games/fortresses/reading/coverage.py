"""Which words of a message had no effect in this game: the kinds of its words."""

from collections.abc import Callable, Sequence

from pbem.games.fortresses.reading.kinds import DIALECT
from pbem.grammar.kit.coverage import Coverage, Terms
from pbem.grammar.kit.lexemes import Lexeme, set_of

_TERMS = Terms(
    DIALECT.verbs,
    DIALECT.weak | {"DONE"},
    set_of("PLACE NUM"),
    spreads=DIALECT.marks | set_of("WHO KINGDOM ALL ELSE BOTH HALF"),
    others=set_of("ELSE"),
    people=set_of("WHO KINGDOM"),
)


def coverage_of(me: int, read: Callable[[str], Sequence[Lexeme]]) -> Coverage:
    """`read` makes lexemes of a canonical text; a claim names all who claim (FW-9.8), and
    who never retreats stays.
    """

    def implied(text: str) -> Sequence[Lexeme]:
        lexemes = read(text)
        kinds = {x.kind for x in lexemes}
        found = ["KINGDOM"] if "CLAIM" in kinds else ["ATTACK"] if "CARRY" in kinds else []
        if {"RETREAT", "NEVERLEAVE"} <= kinds or "REMAIN" in kinds:
            found += ["NEVERRETREAT", "STAY", "REMAIN"]
        return [*lexemes, *(Lexeme(kind, "", 0, 0) for kind in found)]

    return Coverage(_TERMS, me, implied)
