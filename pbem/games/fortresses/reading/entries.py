"""What each line of a message comes to."""

from dataclasses import dataclass

from engine.fortresses import orders as o
from engine.fortresses.atlas import Kingdom
from engine.ruleset import Problem
from pbem.games.fortresses.reading.moves import NOT_UNDERSTOOD
from pbem.grammar.kit import answers


@dataclass(slots=True)
class OrderEntry(answers.LineEntry[o.Line]):
    """A line, for Reinforce if it is `kept`, of a kingdom if that is named. A table command acts at
    once, wherever it stands (FW-9.3, FW-9.5).
    """

    unread = NOT_UNDERSTOOD

    kept: bool = False
    kingdom: Kingdom | None = None

    @property
    def line(self) -> o.Order | Problem:
        """The order as it is sent."""
        if isinstance(self.order, Problem):
            return self.order
        is_kept = self.kept and not isinstance(self.order, o.TableCommand)
        line = o.Then(self.order) if is_kept else self.order
        return o.Named(self.kingdom, line) if self.kingdom is not None else line
