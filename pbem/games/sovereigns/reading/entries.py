"""What each line of a message comes to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.grammar.kit.lexemes import Lexeme

NOT_UNDERSTOOD = Problem("not-understood", ("SS-13.0",))
POINTS_MISSING = Problem("points-missing", ("SS-12.10",), warning=True)


def ambiguous(what: str, choices: Sequence[str]) -> Problem:
    """What cannot be told apart, with the choices."""
    return Problem("ambiguous", ("SS-13.0",), {"what": what, "choices": tuple(choices)})


@dataclass(slots=True)
class Entry:
    """A line of the message: the order it is, or the problem with its words."""

    order: o.Order | Problem
    start: int
    end: int
    number: int
    caret: Lexeme | None = None
    suggested: o.Order | None = None
    """What it may mean, for its writer to confirm."""
    warnings: list[Problem] = field(default_factory=list)

    @property
    def stands(self) -> bool:
        return not isinstance(self.order, Problem)

    def ask(self) -> None:
        """Not to be taken: something beside it turns it."""
        if self.stands:
            self.order = NOT_UNDERSTOOD
            self.warnings.clear()
