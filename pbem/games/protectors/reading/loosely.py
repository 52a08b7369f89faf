"""Words around orders that say nothing of them here, for offers: who is where, what nobody uses,
and what units are called by those who play a part.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of

_ENDS = set_of("NL SEMI DOT BANG ASK")
_PARTS = _ENDS | {"COMMA", "AND", "BUT"}
_NOUNS = set_of("COMMON WORD")
_LEADS = set_of("FROM IN TO FOR ARROW")
_SUMS = set_of("NUM REALM WHO")
_HAVING = set_of("has holds owns keeps is guards sits stands")
_STAYING = set_of("keep keeps keeping leave leaves leaving")
_MOST = 3
"""So many words at most name units: `three brave souls`."""
_LONGEST = 40


def told_plainly(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with these as what they are."""
    told = [*lexemes]
    buys = position.state.stage != "orders" and not position.fights_dragon
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind in {"USE", "KEEP"}:
            part = _part_of(lexemes, i)
            uses = buys and lexeme.kind == "USE" and any(x.kind in _SUMS for x in part)
            stays = lexeme.kind == "KEEP" and any(x.kind in {"PLACE", "NUM"} for x in part)
            told[i] = lexeme if uses or stays else replace(lexeme, kind="FILLER")
        elif lexeme.text in _STAYING and any(x.kind == "PLACE" for x in lexemes[i + 1 : i + 3]):
            told[i] = replace(lexeme, kind="KEEP")  # `and keep P4 at home`
        elif lexeme.kind == "NUM":
            _name_units(told, i)
        elif lexeme.kind == "WHO" and lexeme.value != position.player:
            at = next(
                (j for j in range(i + 1, min(i + 3, len(told))) if told[j].text in _HAVING), 0
            )
            if at:
                told[at] = replace(told[at], kind="STATEMENT")  # `Sal only has one unit there`
    return told


def _part_of(lexemes: Sequence[Lexeme], i: int) -> Sequence[Lexeme]:
    """The words between the commas around a word."""
    first = next((j for j in range(i, max(i - _LONGEST, 0), -1) if lexemes[j].kind in _PARTS), 0)
    last = min(i + _LONGEST, len(lexemes))
    return lexemes[first : next((j for j in range(i, last) if lexemes[j].kind in _PARTS), last)]


def _name_units(told: list[Lexeme], i: int) -> None:
    """`three brave souls from P2`, `a single new novice arrives in P6`: who is counted, and goes,
    is a unit.
    """
    at = i + 1
    while at < len(told) and told[at].kind in _NOUNS | {"FILLER"} and at <= i + _MOST:
        at += 1
    names = [j for j in range(i + 1, at) if told[j].kind in _NOUNS]
    led = at < len(told) and told[at].kind in _LEADS | {"MARCH", "ATTACK", "COMMIT"}
    if not names or not led or not any(x.kind == "PLACE" for x in told[at : at + 4]):
        return
    for j in names:
        told[j] = replace(told[j], kind="FILLER")
    told[names[-1]] = replace(told[names[-1]], kind="UNITS")
