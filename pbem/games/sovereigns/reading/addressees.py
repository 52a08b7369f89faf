"""Whom a sentence speaks to: what somebody else is to do is no order of the writer's."""

import itertools
from collections.abc import Sequence

from pbem.grammar.kit.holding import Manner, solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import SILENT

_LOUD = SILENT - {"COLON"}
OTHERS = 10**6
"""Somebody else, who has no number."""
_SIGNS = frozenset({"COMMA", "COLON", "DASH", "BANG"})


def called_in(lexemes: Sequence[Lexeme], me: int, manner: Manner) -> tuple[int, list[Lexeme]]:
    """Whom a sentence speaks to by name (0: nobody), and what it says: `Ben, could you ...`."""
    number, parted = 0, False
    for i, lexeme in enumerate(lexemes):
        rest = lexemes[i + 1 : i + 2]
        ends = not rest or rest[0].kind in _SIGNS
        called = lexeme.kind != "FILLER" and lexeme.text in manner.said["CALLED"]
        called = called and (bool(rest) or lexeme.text in manner.said["ALLIES"])
        if lexeme.kind == "WHO" or (called and ends):
            joined = bool(rest) and rest[0].kind == "AND" and lexeme.kind == "WHO"
            if lexeme.value == me or (lexeme.value is None and not called):
                break
            number = number or max(lexeme.value or 0, 0) or OTHERS
            if not (ends or joined):
                return (number, list(lexemes[i + 1 :])) if parted else (0, [])
            parted = ends
        elif number and parted and lexeme.kind not in _SIGNS:
            return number, list(lexemes[i:])
        elif lexeme.kind not in _LOUD | _SIGNS | {"AND"}:
            if lexeme.text not in manner.said["GREETING"]:
                break
    return (number, []) if parted else (0, [])


def called_beside(lexemes: Sequence[Lexeme], me: int) -> int:
    """Who is spoken to behind an order: `I accept, Chloé!` 0: nobody."""
    ends = solid_of(lexemes)[-2:]
    spoken = [x.kind for x in ends] == ["COMMA", "WHO"] and ends[1].value not in {me, None}
    return max(ends[1].value or 0, 0) if spoken else 0


def addresses(lexemes: Sequence[Lexeme], me: int, manner: Manner, told: frozenset[str]) -> bool:
    """`To Borland: it is only for defence`: said to another, and no order with numbers (or what
    else is `told` in one) in it.
    """
    solid = [x for x in lexemes if x.kind not in _LOUD]
    kinds = [x.kind for x in solid]
    if kinds[:1] != ["TO"] or kinds[2:3] != ["COLON"] or kinds[1] not in {"WHO", "ALL"}:
        return False
    other = kinds[1] == "ALL" or solid[1].value != me
    return other and not ({*kinds} & manner.heads and {*kinds} & told)


def bids(
    lexemes: Sequence[Lexeme], manner: Manner, joints: frozenset[str], *, below: bool = False
) -> bool:
    """Whether somebody who is spoken to is to do something: `please attack Cyrene`; `below` a
    salutation only what takes effect at once is theirs.
    """
    said = manner.said
    for lexeme in lexemes:
        own = lexeme.text.split(" ")[0] in said["OWN"]
        if lexeme.kind == "REQUEST":
            return not below or any(x.kind in manner.binding for x in lexemes)
        if lexeme.kind in manner.stated:
            return not below and lexeme.text in said["BIDDEN"]
        if lexeme.kind in manner.heads:
            replies = lexeme.kind in manner.replies and lexeme.text in said["REPLY"]
            theirs = not below or lexeme.kind in manner.strict
            return not replies and not own and theirs
        if lexeme.kind == "SPEND" and not own:
            return True
        if own or lexeme.kind not in SILENT | joints:
            return False
    return False


def bids_for_us(lexemes: Sequence[Lexeme], manner: Manner) -> bool:
    """`Anna, could you attack Borland for me?`: Anna is not of this table, nor of the house."""
    kinds = [x.kind for x in lexemes[:3]]
    if kinds[1:] != ["COMMA", "REQUEST"] or kinds[0] not in {"COMMON", "WORD"}:
        return False
    mine = (to.text in {"me", "us"} and by.kind == "FOR" for by, to in itertools.pairwise(lexemes))
    return lexemes[0].text not in manner.said["HOUSE"] and any(mine)
