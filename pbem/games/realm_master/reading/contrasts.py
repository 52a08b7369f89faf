"""What is not to be done, in contrast to an order: `enter Kurull, not Arub`, `don't enter Arub,
enter Saltmere`, `attack instead of staying out`. It adds nothing to the order.
"""

from collections.abc import Sequence

from pbem.games.realm_master.reading.entries import class_of, thing_of
from pbem.games.realm_master.reading.parts import CONDITIONAL, VERBS, Piece
from pbem.grammar.kit.lexemes import Lexeme

_NAMES = frozenset({"LAND", "CARD", "HERO"})
_MOST = 40
"""Pieces of a sentence that are compared."""
_BESIDE = frozenset({"NOT", "TO", "ARE", "AND", "OR", "BUT", "ONLY"})


def without_contrasts(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces without those that only deny what the others do not say."""
    pieces = [without_instead(piece) for piece in pieces]
    if not 1 < len(pieces) <= _MOST or not any({"NOT", "NEG"} & {*x.kinds} for x in pieces):
        return pieces
    kept = []
    for piece in pieces:
        others = [other for other in pieces if other is not piece and "NOT" not in other.kinds]
        if not _denies(piece) or not any(_covers(other, piece) for other in others):
            kept.append(piece)
    return kept


def _named(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    return [x for x in lexemes if class_of(x) in _NAMES]


def _denies(piece: Piece) -> bool:
    kinds = set(piece.kinds)
    known = kinds <= _BESIDE | VERBS | {"LAND", "CARD", "HERO", "WHO"}
    return piece.kinds.count("NOT") == 1 and known and bool(_named(piece.lexemes))


def _covers(order: Piece, denied: Piece) -> bool:
    """Whether an order names another thing of the same kind, and does the same with it."""
    if set(order.kinds) & CONDITIONAL.keys():
        return False
    verbs = {x.kind for x in denied.lexemes if x.kind in VERBS}
    same = {x.kind for x in order.lexemes if x.kind in VERBS}
    ours, theirs = _named(order.lexemes), _named(denied.lexemes)
    classes = {class_of(x) for x in theirs}
    apart = not {thing_of(x) for x in ours} & {thing_of(x) for x in theirs}
    return (
        (not verbs or verbs == same)
        and apart
        and len(classes) == 1
        and classes <= {class_of(x) for x in ours}
    )


def without_instead(piece: Piece) -> Piece:
    """`enter Kurull instead of Arub`: without what it is done instead of."""
    at = next((i for i, x in enumerate(piece.lexemes) if x.kind == "CONTRAST"), 0)
    tail = piece.lexemes[at + 1 :]
    head = Piece(piece.joiner, piece.lexemes[:at])
    plain = {x.kind for x in tail} <= {"LAND", "CARD", "HERO", "WHO", "TO", "ENTER", "BUY"}
    if at and plain and _covers(head, Piece("comma", tail)):
        return head
    return piece
