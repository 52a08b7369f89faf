"""Problems of words that were not read."""

from collections.abc import Sequence

from engine.ruleset import Problem
from pbem.games.realm_master.reading.parts import NotRead
from pbem.grammar.kit.lexemes import Lexeme

_RULES = {"condition-unknown": ("RM-10.5",), "unknown-land": ("RM-1.3",)}
_SILENT = ("WORD", "COMMON", "TO", "FILLER")


def problem_of(why: NotRead | None, said: Sequence[Lexeme] = ()) -> Problem:
    """The code of what was not read; an unknown word where a land is wanted is an unknown land
    (E1).
    """
    if why is None:
        return Problem("not-understood", ("RM-10.1",))
    code = why.code
    if code == "unknown":
        at = next((i for i, lexeme in enumerate(said) if lexeme is why.at), 0)
        before = [lexeme.kind for lexeme in said[:at] if lexeme.kind not in _SILENT]
        code = "unknown-land" if before[-1:] in (["ENTER"], ["MOVE"]) else "not-understood"
        if {"IF", "UNLESS", "WHILE"} & {*before}:
            code = "condition-unknown"
    facts = {} if why.at is None else {"word": why.at.text}
    return Problem(code, _RULES.get(code, ("RM-10.1",)), facts)
