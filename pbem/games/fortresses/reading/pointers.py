"""`attack it`, `the dragon flies there too`: what points at a zone that was named before is that
zone, if it can be no other.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.games.fortresses.reading.kinds import UNITS, VERBS
from pbem.games.fortresses.reading.lexer import zone_of
from pbem.games.fortresses.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of

_STOPS = frozenset({"NL", "DOT", "SEMI", "BANG", "ASK"})
_IT = frozenset({"it", "them"})
_THERE = frozenset({"there", "right there"})
POINTERS = _IT | _THERE
_EXISTS = set_of("is are was were will isn't aren't wasn't weren't may might must can 's")
_LEADS = VERBS | UNITS | {"ALSO", "FIRST", "LAST", "ZONES"}
_AHEAD = frozenset({"FILLER", "ALSO", "FIRST"})


def pointed(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with the zones that such words mean; two of a sentence, or of the sentence before
    it, leave them what they are.
    """
    found: list[Lexeme] = []
    here, before = list[Lexeme](), list[Lexeme]()
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind in _STOPS and here:
            here, before = [], here
        elif lexeme.kind == "PLACE" and _is_aim(lexeme, position):
            if all(lexeme.value != place.value for place in here):
                here = [*here[-1:], lexeme]
        elif _points(lexemes, i):
            meant = _one_of(here) if here else _one_of(before)
            if meant is not None:
                lexeme = replace(lexeme, kind="PLACE", value=meant.value)
        found.append(lexeme)
    return found


def _one_of(places: Sequence[Lexeme]) -> Lexeme | None:
    return places[0] if len(places) == 1 else None


def _is_aim(place: Lexeme, position: Position) -> bool:
    """Whether it may be attacked; in Reinforce any zone may be meant."""
    if (place.value or 0) < 0:
        return False
    return position.stage != "attack" or position.is_foreign(zone_of(place))


def _points(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether a word stands for a zone: `attacks it`, `goes there`, `2 legions there`."""
    lexeme = lexemes[i]
    last = next(_said(reversed(lexemes[max(i - 3, 0) : i])), None)
    after = next(_said(iter(lexemes[i + 1 : i + 4])), None)
    if lexeme.text in _IT:
        counted = after is not None and after.kind in UNITS | {"NUM"}
        return i > 0 and lexemes[i - 1].kind == "ATTACK" and not counted
    if lexeme.text not in _THERE or (i + 1 < len(lexemes) and lexemes[i + 1].text in _EXISTS):
        return False
    return last is not None and last.kind in _LEADS


def _said(lexemes: Iterator[Lexeme]) -> Iterator[Lexeme]:
    return (x for x in lexemes if x.kind not in _AHEAD)
