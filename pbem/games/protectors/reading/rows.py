"""Orders in rows: to each province its own of a list, and cells that a sign parts."""

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import IN_PLACE
from pbem.grammar.kit.lexemes import Lexeme

_STARTS = frozenset({"NL", "DOT", "SEMI", "BANG"})
_BETWEEN = frozenset({"FILLER", "COMMA", "AND", "COLON", "ARROW", "BAR", "DASH", "LPAR"})
_LONGEST = 40
"""So many lexemes may stand before `respectively`."""


def paired(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`P1, P2: work, fortify respectively`: to each province its order, in the order they stand in.
    What is more than two lists of one length is left, and asked about.
    """
    told: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind != "RESPECTIVELY":
            told.append(lexeme)
            continue
        behind = [x.kind for x in lexemes[i + 1 : i + 3]]
        ends = not behind or behind[0] in _STARTS or (behind[0] == "RPAR" and told[-1:] != [])
        ends = ends and (behind[:1] != ["RPAR"] or behind[1:] == [] or behind[1] in _STARTS)
        first = len(told)
        while first > max(len(told) - _LONGEST, 0) and told[first - 1].kind not in _STARTS:
            first -= 1
        pairs = _pairs([x for x in told[first:] if x.kind not in _BETWEEN]) if ends else []
        told[first if pairs else len(told) :] = pairs or [replace(lexeme, kind="REFERS")]
    return told


def _pairs(said: list[Lexeme]) -> list[Lexeme]:
    """Provinces and orders of them, or orders and provinces, as many: each with its own."""
    half = len(said) // 2
    places, verbs = said[:half], said[half:]
    if {x.kind for x in verbs} == {"PLACE"}:
        places, verbs = verbs, places
    fits = {x.kind for x in places} == {"PLACE"} and {x.kind for x in verbs} <= IN_PLACE
    if len(said) % 2 or half < 2 or not fits:
        return []
    comma = Lexeme("COMMA", ",", said[-1].end, said[-1].end)
    return [x for pair in zip(places, verbs, strict=True) for x in (*pair, comma)][:-1]


def with_cells(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`P1; march; 2; P5`: a row of cells, if a province alone begins it."""
    settled, row = list(lexemes), False
    for i, lexeme in enumerate(lexemes):
        ahead = [x.kind for x in lexemes[max(i - 2, 0) : i]]
        if lexeme.kind == "NL":
            row = False
        elif lexeme.kind == "SEMI":
            row = row or ahead in (["PLACE"], ["NL", "PLACE"])
            settled[i] = replace(lexeme, kind="BAR") if row else lexeme
    return settled
