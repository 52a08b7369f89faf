"""What in a sentence belongs to its orders though no order has it, and what turns them."""

import itertools
import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.fortresses.reading.kinds import UNITS, VERBS
from pbem.grammar.kit.holding import Manner, held_by, held_words, solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reports import cued_by, told_by
from pbem.grammar.kit.rings import Judged, Ring
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.slots import SILENT

_GLUED = re.compile(r"[lkwgd]\d{1,2}")
MANNER = Manner(
    held_words("pbem.games.fortresses.reading"),
    heads=VERBS,
    deeds=frozenset({"ATTACK", "MOVE", "CARRY", "BUY"}),
    counted=UNITS,
    binding=frozenset({"DRAW", "CONCEDE", "RESIGN", "TAKECOMMAND", "CLAIM"}),
    later=frozenset({"EXCEPT", "AFTER", "BEFORE"}),
)


def with_units(judged: Sequence[Judged]) -> list[Judged]:
    """Units next to an order belong to it, in whatever words: `but leave 2 legions home`."""
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


def is_glued(lexeme: Lexeme) -> bool:
    """Units in letters: `L2`."""
    return lexeme.kind == "WORD" and _GLUED.fullmatch(lexeme.text) is not None


def turn_in(sentence: Sentence, judged: Sequence[Judged], plain: Plain) -> Lexeme | None:
    """The word of a sentence that turns what it orders, if one does."""
    beside = [x for one in judged if one.ring is not Ring.ORDER for x in one.clause.lexemes]
    loose = (x for x in beside if x.kind == "ORELSE")  # elsewhere it must have its place
    bound = (
        x for one in judged for x in one.clause.lexemes if x.kind in {"COND", "TURN", "REFERS"}
    )
    glued = (x for one in judged for x in one.clause.lexemes if is_glued(x))
    return (
        next(itertools.chain(bound, loose, glued), None)
        or held_by(judged, plain, MANNER)
        or told_by(judged, MANNER)
        or cued_by(judged)
        or _goes_back(judged)
        or _hung_in(sentence)
        or _heading_of(judged)
    )


def _hung_in(sentence: Sentence) -> Lexeme | None:
    """A condition behind a reason: `so that he stays, unless he goes`."""
    behind = itertools.dropwhile(lambda x: x.kind != "REASON", sentence.lexemes)
    hangs = MANNER.later | {"COND", "TURN", "ORELSE"}
    return next((x for x in behind if x.kind in hangs or x.text in MANNER.said["PROVISO"]), None)


def _goes_back(judged: Sequence[Judged]) -> Lexeme | None:
    """`dragon back to Constantinople`: whether it is there, or is to go there?"""
    for one in judged:
        if one.ring is Ring.ORDER and not any(x.kind in VERBS for x in one.clause.lexemes):
            back = (x for x in one.clause.lexemes if x.kind == "PROSE" and x.text[:5] == "back ")
            if (found := next(back, None)) is not None:
                return found
    return None


def _heading_of(judged: Sequence[Judged]) -> Lexeme | None:
    """`Legions: 1 from Greece to Bulgaria`: one of them, or one more?"""
    for one, after in itertools.pairwise(judged):
        solid = solid_of(one.clause.lexemes)
        numbered = [x.kind for x in solid_of(after.clause.lexemes)[:1]] == ["NUM"]
        if after.clause.joint == "COLON" and len(solid) == 1 and solid[0].kind in UNITS:
            if numbered:
                return solid[0]
    return None
