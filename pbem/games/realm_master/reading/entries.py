"""What one piece of a message says, and the things that it names."""

from dataclasses import dataclass, field

from engine.realm_master import orders as o
from engine.ruleset import Problem
from pbem.games.realm_master.reading.parts import FACES, Piece
from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.kit.lexemes import Lexeme

CLASSES = {
    "NUM": "NUM",
    **dict.fromkeys(("LAND", "BEST", "CHEAPEST"), "LAND"),
    "CARD": "CARD",
    **dict.fromkeys(("HERO", "WHO"), "HERO"),
    **dict.fromkeys(FACES, "FACE"),
    "RFACE": "R",
}
"""Things of a class: one of them may stand where another stood."""
NAMED = CLASSES.keys() - {"WHO", "NUM"}


@dataclass(slots=True)
class PieceEntry:
    """A piece of a message in the making: where it stands in the folded text, what it says, and
    what is wrong with it.
    """

    start: int
    end: int
    orders: list[o.Order] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    caret: Lexeme | None = None
    pieces: list[Piece] = field(default_factory=list)
    adds: bool = False
    """It adds to what was said: `keep the coin, too`."""
    asks: bool = False
    """It is a question."""
    is_turned: bool = False
    """Another part of its sentence turns it: a doubt, a condition, an unknown word."""
    doubted: list[o.Order] = field(default_factory=list)
    """What it said and another put in question."""

    @property
    def stands(self) -> bool:
        """Whether it says something to correct."""
        return bool(self.orders or self.doubted)

    def ask(self) -> None:
        self.doubted, self.orders = [*self.doubted, *self.orders], []

    @property
    def lexemes(self) -> list[Lexeme]:
        return [lexeme for piece in self.pieces for lexeme in piece.lexemes]


def class_of(lexeme: Lexeme) -> str:
    return CLASSES.get(lexeme.kind, lexeme.kind)


def thing_of(lexeme: Lexeme) -> tuple[str, str]:
    """A thing by the name it has with us."""
    names = {"CARD": cards_by_name, "LAND": lands_by_name, "HERO": heroes_by_name}
    if lexeme.kind in names:
        return lexeme.kind, names[lexeme.kind]()[lexeme.text]
    return lexeme.kind, lexeme.kind if lexeme.kind in FACES else lexeme.text
