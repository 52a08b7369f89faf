"""What each line of a message comes to."""

from dataclasses import dataclass

from engine.fortresses import orders as o
from engine.fortresses.atlas import Kingdom
from engine.ruleset import Problem
from pbem.games.fortresses.reading.moving import NOT_UNDERSTOOD
from pbem.grammar.kit.lexemes import Lexeme


@dataclass(slots=True)
class Entry:
    """A line of the message: the order it is, or the problem with its words."""

    order: o.Line | Problem
    start: int
    end: int
    number: int
    caret: Lexeme | None = None
    kept: bool = False
    kingdom: Kingdom | None = None

    @property
    def line(self) -> o.Order | Problem:
        """The order as it is sent."""
        if isinstance(self.order, Problem):
            return self.order
        line = o.Then(self.order) if self.kept else self.order
        return o.Named(self.kingdom, line) if self.kingdom is not None else line

    @property
    def stands(self) -> bool:
        return not isinstance(self.order, Problem)

    def ask(self) -> None:
        """Not to be taken: something beside it turns it."""
        if not isinstance(self.order, Problem):
            self.order = NOT_UNDERSTOOD
