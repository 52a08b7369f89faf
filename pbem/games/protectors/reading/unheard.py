"""Clauses with a word of the game that had no effect, and that are not chat."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.ledger import LedgerEntry
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.likeness import is_nearly
from pbem.grammar.kit.rings import Judged, Ring, is_told
from pbem.grammar.kit.slots import SILENT, Slots, slots_of

AMOUNTS = frozenset({"NUM", "MONEY"})
"""What is a bid or a purchase by itself where these are given, and nothing elsewhere."""
_HOLDINGS = frozenset({"have", "has", "are", "got"})
_SHORT = 3


def unheard_in(judged: Sequence[Judged], number: int, position: Position) -> Iterator[LedgerEntry]:
    """An entry for each such clause of sentence `number`."""
    for one in judged:
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        if _is_misspelt(one, solid):
            slots = slots_of(one.clause.lexemes, DIALECT)  # `bidd 9`
            yield LedgerEntry(slots, number, why="not-understood")
        elif _is_unheard(one, solid, position):
            slots = Slots(solid[0].start, solid[-1].end)
            yield LedgerEntry(slots, number, why="not-understood", talk=True)


def is_of_others(one: Judged, me: int) -> bool:
    """Whether it speaks of others, or does not mention the board."""
    kinds = {x.kind for x in one.clause.lexemes}
    past = {x.text for x in one.clause.lexemes[:1]} & {"i", "we"} or "PAST" in kinds
    if one.of_others or (past and one.ring is Ring.TOLD):
        return True
    others = any(
        x.kind == "OTHER" or (x.kind == "WHO" and x.value != me) for x in one.clause.lexemes
    )
    return others or not kinds & {"PLACE", *DIALECT.verbs}


def _is_misspelt(one: Judged, solid: Sequence[Lexeme]) -> bool:
    """Whether a number stands next to a word that may be an order word with a slip."""
    if one.ring is not Ring.BESIDE or len(solid) > _SHORT:
        return False
    counts = any(x.kind == "NUM" for x in solid)
    return counts and (solid[0].kind == "WORD" or is_nearly(solid[0].text, _short_verbs()))


def _is_unheard(one: Judged, solid: Sequence[Lexeme], position: Position) -> bool:
    kinds = {x.kind for x in solid}
    if one.ring is Ring.TOLD:
        bare = "PLACE" in kinds and not is_of_others(one, position.player)
        return bare or bool(kinds & {"FACTIONNAME", "LED"})
    if one.ring is not Ring.BESIDE:
        return False
    verbs = [i for i, x in enumerate(solid) if x.kind in DIALECT.verbs]
    amount = {"NUM", "WORD"} <= kinds and bool(kinds & {"FROM", "TO", "IN"})
    amount |= _may_be_money(solid, position) or bool(kinds & {"FACTIONNAME", "ABILITY", "SAC"})
    amount |= "WORD" in kinds and bool(kinds & DIALECT.marks)  # `flurb the dragon`
    counts = kinds >= {"NUM", "UNITS"} and position.state.stage != "orders"
    amount |= counts and not _HOLDINGS & {x.text for x in one.clause.lexemes}
    odd = len(solid) <= _SHORT or bool(kinds & {"WORD", "NUM", "WHO"})
    odd |= bool(verbs and not verbs[0] and kinds & {"UNITS", "THEUNITS"})
    return amount or (odd and any(not is_told(solid, i, position.player) for i in verbs))


def _may_be_money(solid: Sequence[Lexeme], position: Position) -> bool:
    """`30 for Maja from my purse`, `50 for the King`: an amount for somebody begins it."""
    kinds = [x.kind for x in solid[:2]]
    led = kinds[1:] == ["FOR"] and position.state.stage != "orders"
    others = any(x.kind == "WHO" and x.value != position.player for x in solid)
    return bool({*kinds[:1]} & AMOUNTS) and (led or others)


@lru_cache(maxsize=1)
def _short_verbs() -> frozenset[str]:
    """Order words of one word, to be missed by a letter: `bud 20`."""
    phrases = lexicon().phrases.values()
    return frozenset(
        words[0]
        for found in phrases
        for words, kind in found
        if len(words) == 1 and kind in DIALECT.verbs and len(words[0]) >= _SHORT
    )
