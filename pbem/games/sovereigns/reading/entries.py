"""What each line of a message comes to."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.grammar.kit import answers

NOT_UNDERSTOOD = Problem("not-understood", ("SS-13.0",))
POINTS_MISSING = Problem("points-missing", ("SS-12.10",), warning=True)


def ambiguous(what: str, choices: Sequence[str]) -> Problem:
    """An ambiguity, with the choices."""
    return Problem("ambiguous", ("SS-13.0",), {"what": what, "choices": tuple(choices)})


@dataclass(slots=True)
class OrderEntry(answers.LineEntry[o.Order]):
    """A line of the message."""

    unread = NOT_UNDERSTOOD
