"""Which words of a message had no effect in this game: the kinds of its words, and what an order
says about the position (whose a province is, how many stand there).
"""

from collections.abc import Sequence

from engine.protectors.numbers import UNIT_COST, capitols
from pbem.games.protectors.reading.dialect import DIALECT
from pbem.games.protectors.reading.here import lexemes_here
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.coverage import Coverage, Terms
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import normalise

_THINGS = set_of("PLACE NUM WHO")
MOST_BOUGHT = 20
"""A price may be named for fewer units than this."""
_MARKS = set_of("GOLD DELAY SAC")
_SPREADS = set_of("ALL ELSE BOTH HALF EACH LEFT")
_ALIKE = {"PLACE": "NUM"}
"""A bare number may be a province."""

_FIGHTING = dict.fromkeys(("SEND", "COMMIT", "MARCH", "NOTHING"), "COMMIT")
"""`I'm not sending anybody` is an order where units are sent against the Dragon."""


def coverage_in(position: Position) -> Coverage:
    """Outside the orders window it orders nothing to say where units stay."""
    orders = position.state.stage == "orders"
    talks = frozenset[str]() if orders else set_of("HOLD KEEP")
    weak = DIALECT.weak | {"HOLD", "SAME"}
    terms = Terms(
        DIALECT.verbs,
        weak,
        _THINGS,
        _MARKS,
        _SPREADS,
        talks,
        others=set_of("ELSE LEFT"),
        alike=_ALIKE,
        nays=_FIGHTING if position.fights_dragon else {},
        denies={"NOGOLD": "GOLD", "NODELAY": "DELAY"},
    )

    def read(text: str) -> Sequence[Lexeme]:
        lexemes = lexemes_here(normalise(text).text, position)
        return [*lexemes, *_implied(lexemes, position)]

    return Coverage(terms, position.player, read)


def _implied(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    board = position.state.board
    places = [x.value for x in lexemes if x.kind == "PLACE" and x.value is not None]
    if any(x.kind == "KING" for x in lexemes):
        places += capitols(position.state, position.player)
    found = []
    if any(x.kind == "BUY" for x in lexemes):  # `buy 2 in P1 for 150`
        found += [Lexeme("NUM", "", 0, 0, UNIT_COST * count) for count in range(1, MOST_BOUGHT)]
    if any(x.kind == "CANCELALL" for x in lexemes):
        found.append(Lexeme("CANCEL", "", 0, 0))
    if any(x.kind == "BID" for x in lexemes) and any(x.value == 0 for x in lexemes):
        found.append(Lexeme("NOBID", "", 0, 0))
    if any(x.kind == "NOTHING" for x in lexemes):  # `buy 0 in P1`
        places += position.own
        found += [Lexeme("NUM", "", 0, 0, 0), Lexeme("PASS", "", 0, 0)]
    spends = any(x.kind in {"SEND", "BID"} for x in lexemes)
    for paid in (x.value for x in lexemes if spends and x.kind == "NUM" and x.value is not None):
        found.append(Lexeme("NUM", "", 0, 0, position.purse - paid))  # `all but 20`
    for place in places:
        found.append(Lexeme("PLACE", "", 0, 0, place))
        held = board[place] if 0 <= place < len(board) else None
        if held is not None:
            found += [Lexeme("WHO", "", 0, 0, held.owner), Lexeme("NUM", "", 0, 0, held.units)]
    return found
