"""What in a sentence orders, and what beside it turns that, holds it back or is talk."""

import re
from collections.abc import Sequence

from pbem.games.sovereigns.reading.pieces import (
    AMOUNTS,
    ANSWER,
    BUILDING_KINDS,
    DO,
    HEADS,
    JOINTS,
    QUIET,
    TRADE,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring, is_told, unknown_beside
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT, TURNS

_PROVISO = frozenset({"only", "yet", "until", "till", "once", "unless", "after"})
_BINDS = frozenset({"COND", "TURN", "REFERS", "HEDGE", "UNSETTLED", "LATER"})
_THEIRS = frozenset({"their", "his", "her", "them", "him", "your"})
_HAVING = frozenset({"i have", "we have", "i had", "we had", "there are", "there is"})
_AT_ONCE = ANSWER | {"VOTE", "CLAIM", "OBJECT", "ABDICATE", "WON", "NOTWON"}
_PEOPLE = frozenset({"all", "everybody", "everyone"})
_FRAGMENT = frozenset({"NUM", "WHO", "ALL", "HALF", "BOTHOF", "EXCEPT", "YEARSTART"})
_SHORT = 1
_GLUED = re.compile(r"\d+[a-z]+|[a-z]+\d+")


def flat(sentence: Sentence, text: str) -> list[Lexeme]:
    """The lexemes of a sentence with the joints and cues between them."""
    found: list[Lexeme] = []
    for clause in sentence.clauses:
        at = clause.lexemes[0].start if clause.lexemes else sentence.end
        start = clause.at.start if clause.at is not None else at
        if clause.joint:
            gap = text[found[-1].end if found else sentence.start : start].strip()
            sign = gap[-1:] if clause.joint == "AND" and gap[-1:] == "+" else gap
            found.append(Lexeme(clause.joint, sign[-8:], start, start))
        if clause.cue and clause.at is not None:
            found.append(Lexeme("CUE", clause.cue, clause.at.start, clause.at.end))
        found += clause.lexemes
    return found


def clauses_of(lexemes: Sequence[Lexeme]) -> list[Clause]:
    """The clauses of such lexemes."""
    found = [Clause("")]
    for lexeme in lexemes:
        if lexeme.kind == "CUE" and lexeme.text:
            if found[-1].lexemes or found[-1].cue:
                found.append(Clause("CUE"))
            found[-1].cue, found[-1].at = lexeme.text, lexeme
        elif lexeme.kind in JOINTS:
            if found[-1].lexemes or found[-1].cue:
                found.append(Clause(lexeme.kind))
            elif not found[-1].joint or lexeme.kind != "COMMA":
                found[-1].joint = lexeme.kind
        else:
            found[-1].lexemes.append(lexeme)
    return [clause for clause in found if clause.lexemes or clause.cue]


def judge(lexemes: Sequence[Lexeme], me: int) -> list[Judged]:
    """The clauses in their rings, without what stands behind `because`."""
    judged: list[Judged] = []
    reasoning = False
    for clause in clauses_of(lexemes):
        if clause.joint in {"COLON", "BUT"} or clause.cue or _starts(clause.lexemes, me):
            reasoning = False
        kept = clause.lexemes
        at = next((i for i, x in enumerate(kept) if x.kind == "REASON"), None)
        if reasoning:
            judged.append(Judged(Clause(clause.joint, clause.lexemes), Ring.TOLD))
            continue
        if at is not None:
            reasoning = True
            kept = kept[:at]
        bare = Clause(clause.joint, kept, clause.cue, clause.at)
        judged.append(Judged(bare, ring_of(bare, me) if kept or bare.cue else Ring.TOLD))
    return _together(judged)


def _together(judged: Sequence[Judged]) -> list[Judged]:
    """Clauses that belong to the order beside them, though alone they would not be one: goods of a
    bargain, a technology to look for, a second target.
    """
    kinds = {x.kind for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes}
    found: list[Judged] = []
    for one in judged:
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        mine = {x.kind for x in solid}
        if one.ring is not Ring.ORDER and solid and not mine & _LOOSE:
            goods = bool(kinds & (TRADE | {"ESPIONAGE"})) and mine & {"TECH", "INTEREST", "AGAINST"}
            second = mine == {"WHO"} and one.clause.joint == "AND" and bool(found)
            if goods or (second and found[-1].ring is Ring.ORDER):
                one = Judged(one.clause, Ring.ORDER)
        found.append(one)
    return found


_LOOSE = frozenset({"COMMON", "WORD", "STATEMENT", "COND", "NEG", "HEDGE", "ASKING", "TURN"})


def _starts(lexemes: Sequence[Lexeme], me: int) -> bool:
    """An order of its own begins: its head is its first word."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    return bool(solid) and solid[0].kind in HEADS | {"ORELSE", "CONDITION"}


def ring_of(clause: Clause, me: int) -> Ring:
    solid = [x for x in clause.lexemes if x.kind not in SILENT]
    kinds = {x.kind for x in solid}
    if not solid:
        return Ring.ORDER if clause.cue else Ring.BESIDE
    heads = [i for i, x in enumerate(solid) if x.kind in HEADS]
    told = [i for i in heads if is_told(solid, i, me)]
    if len(heads) > len(told) or kinds & {"EVERYYEAR", "EVERYSEASON", "ORELSE", "CONDITION"}:
        return Ring.ORDER
    if told:
        return Ring.BINDS if kinds & _BINDS else Ring.TOLD
    if _has_amount(solid) or kinds & {"CODE", "NAME", "SPARE", "BURN", "BOON", "SEEK"}:
        return Ring.ORDER
    if kinds & {"KEEPS", "YEAREND", "FREELY", "EXPENDED", "WITHIN", "CRUSHED", "SAMENUMBERS"}:
        return Ring.ORDER
    if kinds & BUILDING_KINDS and not kinds & ({"COMMON", "WORD"} | TURNS):
        return Ring.ORDER
    if kinds & {"WON", "NOTWON", "VNO", "WHY"} and not kinds & {"OTHER"}:
        return Ring.ORDER
    if kinds & TURNS:
        return Ring.BINDS if kinds & _BINDS else Ring.TOLD
    if kinds & {"REBELLION", "COUP", "KEEPBACK"} and (
        "NUM" in kinds or kinds <= {"MEET", "REBELLION", "COUP"}
    ):
        return Ring.ORDER
    fragment = kinds <= QUIET | _FRAGMENT
    if fragment and (kinds != {"WHO"} or clause.cue):
        every = any(x.kind == "ALL" and x.text not in _PEOPLE for x in solid)
        return Ring.ORDER if "NUM" in kinds or every or clause.cue else Ring.BESIDE
    return Ring.BESIDE


def _has_amount(solid: Sequence[Lexeme]) -> bool:
    """Points with their attribute and a number, or depleted ones."""
    kinds = [x.kind for x in solid]
    if "BOTHOF" in kinds and set(kinds) & AMOUNTS:
        return True
    if "DEPLETE" in kinds or ("DEPLETED" in kinds and "NUM" in kinds):
        return True
    return bool(set(kinds) & AMOUNTS) and bool({"NUM", "ALL", "BOTH", "HALF"} & {*kinds})


def is_material(judged: Sequence[Judged]) -> bool:
    return any(one.ring is Ring.ORDER and one.clause.lexemes for one in judged)


def turn_in(judged: Sequence[Judged]) -> Lexeme | None:
    """What turns the orders of a sentence, if anything does."""
    first = next((i for i, one in enumerate(judged) if one.ring is Ring.ORDER), 0)
    for i, one in enumerate(judged):
        lexemes = one.clause.lexemes
        if one.ring is Ring.ORDER:
            found = next((x for x in lexemes if _turns(x)), None) or _states(one)
        elif one.ring is Ring.BINDS:
            found = next(x for x in lexemes if x.kind in _BINDS)
        else:
            found = _holds_back(one) if i > first else None
        if found is not None:
            return found
    unknown = unknown_beside(judged)
    return unknown[0] if unknown else None


def _turns(lexeme: Lexeme) -> bool:
    if lexeme.kind == "OTHER":
        return lexeme.text not in _THEIRS
    return lexeme.kind in TURNS - {"QUOTE", "QUOTEDPLACE"}


def _states(one: Judged) -> Lexeme | None:
    """It tells what there is: `we have 3 soldiers`."""
    kinds = {x.kind for x in one.clause.lexemes}
    if kinds & HEADS:
        return None
    return next((x for x in one.clause.lexemes if x.text in _HAVING), None)


def _holds_back(one: Judged) -> Lexeme | None:
    """`but ask Cara first`, `, after Cara confirmed`, `, don't`."""
    clause = one.clause
    solid = [x for x in clause.lexemes if x.kind not in SILENT]
    if not solid:
        return None
    proviso = next((x for x in clause.lexemes if x.text in _PROVISO), None)
    if proviso is not None:
        return proviso
    if clause.joint == "BUT":
        return solid[0]
    short = len(solid) <= _SHORT and solid[0].kind in TURNS - {"QUOTE", "OTHER", "STATEMENT"}
    return solid[0] if short else None


def forbids(lexemes: Sequence[Lexeme], *, cued: bool) -> bool:
    """`don't do that yet`, `hold on, don't`: it speaks of what was said."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    if not solid or solid[0].kind != "NEG" or solid[0].text[:2] != "do":
        return False
    points = any(x.text in {"that", "it", "this", "those", "these"} for x in lexemes)
    return points or (cued and len(solid) == 1) or (len(lexemes) == 1 and solid[0].text[:2] == "do")


def is_at_once(lexemes: Sequence[Lexeme]) -> bool:
    """Whether it would take effect at once, and cannot be taken back."""
    return any(x.kind in _AT_ONCE for x in lexemes)


def is_loose(lexemes: Sequence[Lexeme]) -> Lexeme | None:
    """A word beside what takes effect at once, which might hang on it."""
    return next((x for x in lexemes if x.kind in {"COMMON", "WORD"}), None)


__all__ = ["DO", "TRADE", "clauses_of", "flat", "is_at_once", "is_loose", "is_material", "judge"]
