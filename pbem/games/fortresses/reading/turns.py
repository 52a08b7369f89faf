"""What in a sentence belongs to its orders though no order has it, and what turns them."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.fortresses.reading.lexing import UNITS
from pbem.games.fortresses.reading.pieces import VERBS
from pbem.grammar.kit.common import is_foreign
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring, is_bound, unknown_beside
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.slots import SILENT, TURNS

_ANY = frozenset({"ALL", "BOTH", "ULAND", "UNITS", "THEUNITS", "EXCEPT"})
_PROVISO = frozenset({"only", "yet", "until", "till", "once", "unless"})
_HAVING = frozenset(
    {"have", "has", "is", "are", "was", "were", "i have", "we have", "i am", "it is"}
)
_GLUED = re.compile(r"[lkwgd]\d{1,2}")
_POINTS = frozenset({"that", "it", "this", "those", "these"})


def with_units(judged: Sequence[Judged]) -> list[Judged]:
    """Units beside an order belong to it, in whatever words: `but leave 2 legions home`."""
    if all(one.ring is not Ring.ORDER for one in judged):
        return list(judged)
    return [
        replace(one, ring=Ring.ORDER) if one.ring is Ring.BESIDE and _belongs(one) else one
        for one in judged
    ]


def _belongs(one: Judged) -> bool:
    """It speaks of units, or is nothing but what to do: `losses: knights`."""
    kinds = {x.kind for x in one.clause.lexemes if x.kind not in SILENT}
    return bool(kinds & UNITS) or (bool(kinds) and kinds <= VERBS)


def is_like_order(sentence: Sentence) -> bool:
    kinds = {x.kind for x in sentence.lexemes}
    return "PLACE" in kinds and bool(kinds & UNITS)


def without_denied(judged: Sequence[Judged]) -> list[Judged]:
    """Without a no to what the sentence does not speak of otherwise: `attack Syria with 2L from
    Egypt, not Cyprus`, `no dragons`; but of everything it takes something away.
    """
    lexemes = [x for one in judged for x in one.clause.lexemes]
    said = Counter(map(_key, lexemes))
    counts = not {x.kind for x in lexemes} & _ANY

    def is_denied(one: Judged) -> bool:
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        if one.clause.cue or len(solid) != 2 or solid[0].kind != "NEG" or said[_key(solid[1])] > 1:
            return False
        what = solid[1]
        return (what.value or 0) >= 0 if what.kind == "PLACE" else counts and what.kind in UNITS

    return [one for i, one in enumerate(judged) if not i or not is_denied(one)]


def _key(lexeme: Lexeme) -> tuple[str, int | None]:
    """A place by its zone, a unit by its type."""
    return lexeme.kind, lexeme.value if lexeme.kind == "PLACE" else None


def forbids(lexemes: Sequence[Lexeme]) -> bool:
    """`don't do that yet`: it speaks of what was said."""
    if not lexemes or lexemes[0].kind != "NEG" or lexemes[0].text[:2] != "do":
        return False
    rest = itertools.takewhile(lambda x: x.kind in SILENT, lexemes[1:])
    return any(x.text in _POINTS for x in rest)


def is_glued(lexeme: Lexeme) -> bool:
    """Units in letters: `L2`."""
    return lexeme.kind == "WORD" and _GLUED.fullmatch(lexeme.text) is not None


def is_unknown(lexemes: Sequence[Lexeme]) -> bool:
    """A word alone that nobody knows."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    return [x.kind for x in solid] == ["WORD"] and not is_foreign(solid[0].text)


def is_turned(sentence: Sentence, judged: Sequence[Judged]) -> bool:
    """Whether something in a sentence turns what it orders."""
    loose = any(
        x.kind == "ORELSE"
        for one in judged
        if one.ring is not Ring.ORDER  # where it is, it must have its place in an order
        for x in one.clause.lexemes
    )
    turned = any(
        x.kind in TURNS for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes
    )
    unknown = bool(unknown_beside(judged))
    states = any(_states(one) for one in judged if one.ring is Ring.ORDER)
    held_back = any(holds_back(one) for one in judged[1:]) or _is_headed(judged)
    held_back = held_back or any(is_glued(x) for x in sentence.lexemes)
    turns = loose or turned or unknown or states or held_back
    return is_bound(judged) or turns or _is_hung(sentence)


def _is_hung(sentence: Sentence) -> bool:
    """A condition stands behind a reason: `so that he stays, unless he goes`."""
    kinds = [x.kind for x in sentence.lexemes]
    behind = sentence.lexemes[kinds.index("REASON") :] if "REASON" in kinds else []
    return bool({x.kind for x in behind} & {"COND", "TURN", "ORELSE"}) or _has_proviso(behind)


def holds_back(one: Judged) -> bool:
    """A part that no order is in, and that may take back the order before it: `but my wife won't
    let me`, `, after Cara confirmed`, `(only when ...)`, `, wait for my ok`.
    """
    if one.ring is Ring.ORDER:
        return False
    clause = one.clause
    kinds = {x.kind for x in clause.lexemes} - SILENT
    says = bool(kinds - {"PROSE"})
    but = clause.joint == "BUT" or "EXCEPT" in kinds
    return (but and says) or bool(clause.cue and clause.lexemes) or _has_proviso(clause.lexemes)


def _has_proviso(lexemes: Sequence[Lexeme]) -> bool:
    kinds = {x.kind for x in lexemes}
    later = bool(kinds & {"AFTER", "BEFORE"}) and "ROUND" not in kinds
    return later or any(x.text in _PROVISO for x in lexemes)


def _states(one: Judged) -> bool:
    """It tells what is there: `I have 3 legions in Greece`, `my dragon is in Kiev`."""
    kinds = {x.kind for x in one.clause.lexemes}
    having = any(x.kind == "FILLER" and x.text in _HAVING for x in one.clause.lexemes)
    goes_back = any(x.kind == "PROSE" and x.text.startswith("back ") for x in one.clause.lexemes)
    return (having or goes_back) and not kinds & VERBS


def _is_headed(judged: Sequence[Judged]) -> bool:
    """`Legions: 1 from Greece to Bulgaria`: one of them, or one more?"""
    for one, after in itertools.pairwise(judged):
        solid = [x.kind for x in one.clause.lexemes if x.kind not in SILENT]
        numbered = next((x.kind for x in after.clause.lexemes if x.kind not in SILENT), "") == "NUM"
        if after.clause.joint == "COLON" and len(solid) == 1 and solid[0] in UNITS and numbered:
            return True
    return False
