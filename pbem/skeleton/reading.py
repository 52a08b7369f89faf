"""Words to guesses, and what a game master sets right."""

from collections.abc import Sequence

from engine.ruleset import Problem
from pbem.board.palette import arms_of
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.clause_parser import Phrase
from pbem.grammar.kit.people import Person
from pbem.grammar.kit.reading import Correction
from pbem.grammar.usual import UsualReader
from pbem.reading.usual import usual_offering

from .rules import RULES, Guess, State


def build(state: State, player: int, phrases: Sequence[Phrase]) -> Guess | Problem:
    """The guess that the phrases of a sentence say."""
    numbers = [lexeme.value for lexeme in phrases[0].lexemes if lexeme.kind == "NUM"]
    return Guess(numbers[0] or 0)


def persons_of(state: State) -> tuple[Person, ...]:
    """Who sits at the table, as others call them."""
    return tuple(
        Person(player.number, player.name, player.colour, arms_of(player.colour).symbol)
        for player in state.players
    )


READER = UsualReader(__package__, RULES, build, persons_of, usual_offering)


def read_correction(state: State, text: str) -> Correction:
    """`rule: ...`: there is nothing else to set right in this game."""
    if text.casefold().startswith("rule:"):
        ruling = text[len("rule:") :].strip()
        return Correction({"act": "rule", "text": ruling}, f"rule: {ruling}", is_said=True)
    raise Unread("unknown", "correction", text, ("rule: a guess of 0 does not count",))
