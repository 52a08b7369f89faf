"""What says that nothing is done, where that is an order: `I won't commit anything`, `no units from
me this time`, `not buying today`, `no bid`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme

_ENDS = frozenset({"NL", "SEMI", "DOT", "BANG", "ASK"})
_PARTS = _ENDS | {"COMMA", "AND", "BUT"}
_NO = frozenset({"NEG", "NOTHING"})
_NAMED = frozenset(
    {"OTHER", "PLACE", "COND", "HEDGE", "PAST", "ASKING", "OR", "EXCEPT", "CONTRAST", "LATER"}
)
_NOBODY = frozenset(
    {"nobody", "no one", "noone", "none", "nothing", "no units", "not a single unit"}
)
_ONES = frozenset("anyone anybody anything any single spare join anymore today".split())
"""Words of such a part that say nothing else."""
_FIGHTING = frozenset({"COMMIT", "SEND", "GIVE", "DRAGON", "UNITS", "THEUNITS"})
_PAYING = {"BUY": "PASS", "BID": "NOBID"}


def with_nothing(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with the words of such a part of a sentence as one order word."""
    told, begun = list[Lexeme](), 0
    fights = position.fights_dragon
    fights = fights and not any(x.kind == "PLACE" for x in lexemes)
    for end in (*(i for i, x in enumerate(lexemes) if x.kind in _PARTS), len(lexemes)):
        part = list(lexemes[begun:end])
        kind = _denied(part, position, fights=fights)
        if kind:
            at = next(i for i, x in enumerate(part) if x.kind in _NO)
            talk = {"COMMON", "WORD", "FILLER"}
            part = [
                x if x.kind in talk and x.text not in _ONES else replace(x, kind="FILLER")
                for x in part
            ]
            part[at] = replace(part[at], kind=kind)
        told += [*part, *lexemes[end : end + 1]]
        begun = end + 1
    return told


def _denied(part: Sequence[Lexeme], position: Position, *, fights: bool) -> str:
    """What order says that this is not done; nothing if it says more."""
    kinds = [x.kind for x in part]
    numbers = [x for x in part if x.kind == "NUM"]
    others = any(x.kind == "WHO" and x.value != position.player for x in part)
    counted = any(x.value != 1 or x.text.isdigit() for x in numbers)
    if len(_NO & {*kinds}) != 1 or _NAMED & {*kinds} or others or counted:
        return ""
    if fights:
        said = {x.text for x in part}
        return "HIDDEN" if _FIGHTING & {*kinds} or said & (_ONES | _NOBODY) else ""
    if position.state.stage == "orders":
        return ""
    verbs = [i for i, kind in enumerate(kinds) if kind in _PAYING]
    if len(verbs) != 1 or "NEG" not in kinds:
        return ""  # `nothing beats a good bid`
    between = kinds[kinds.index("NEG") + 1 : verbs[0]]
    return (
        _PAYING[kinds[verbs[0]]] if {*between} <= {"FILLER"} and "NEG" in kinds[: verbs[0]] else ""
    )
