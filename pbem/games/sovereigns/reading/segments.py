"""Where in a sentence another order begins."""

from collections.abc import Iterator, Sequence

from pbem.games.sovereigns.reading.pieces import (
    ANSWER,
    BUILDING_KINDS,
    DO,
    HEADS,
    JOINTS,
    SPREAD,
    TRADE,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import SILENT


def segments(lexemes: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    """Lexemes parted where another order begins: at the joint before its head."""
    part: list[Lexeme] = []
    joint: int | None = None
    head, counted, held = "", False, False
    for i, lexeme in enumerate(lexemes):
        kind = lexeme.kind
        if kind == "CONDITION":  # in front of what it leads: `and, if they are gone, ...`
            held = joint is not None and all(x.kind in JOINTS for x in part[joint:])
            joint = len(part) if joint is None else joint
        elif (kind in JOINTS and not held) or kind == "ORELSE":
            joint = len(part)
        if kind == "ORELSE" and head:
            yield part
            part, joint, head, counted = [], None, "", False
        begins = _begins(lexemes, i, head)
        again = begins == head and not counted and head in DO | ANSWER | {"FEAR"}
        parts = bool(head and joint is not None)
        recurs = kind in _RECURRING and not _trails(lexemes, i)
        if parts and (recurs or (begins and not again and not _goes_on(head, begins))):
            yield part[:joint]
            part = part[joint:]
            counted = any(x.kind in _COUNTED and x.text not in SPREAD for x in part)
            head = ""
        if begins:
            head, joint = head if begins == "TRYING" and head else begins, None
            held = False
        elif recurs and parts:
            joint = None
        counted |= kind in _COUNTED and lexeme.text not in SPREAD
        part.append(lexeme)
    if part:
        yield part


_TRAIL = 12
"""The most words behind `every season` that say nothing."""


def _trails(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`expedition with 2, every season`: the clause has nothing else of its own."""
    for lexeme in lexemes[i + 1 : i + 1 + _TRAIL]:
        if lexeme.kind in JOINTS:
            return True
        if lexeme.kind not in SILENT | {"ALWAYS", "SEASONNOW"}:
            return False
    return True


_COUNTED = frozenset({"NUM", "ALL", "HALF", "WHO"})


def _begins(lexemes: Sequence[Lexeme], i: int, head: str) -> str:
    """The head that an order begins with here; empty if none does."""
    kind = lexemes[i].kind
    used = kind == "BCAMP" and i and lexemes[i - 1].kind in JOINTS | {"SPEND"}
    if kind in BUILDING_KINDS and (not head or (used and head in DO)):
        return "BUILD"
    if _begins_year(lexemes, i, head):
        return "YEAR"
    return kind if kind in HEADS else ""


_RECURRING = frozenset({"EVERYYEAR", "EVERYSEASON", "NEXTYEAR"})
_OF_HARMONY = frozenset({"FOUND", "SPREAD", "CONTACT", "FOMENT", "INCREASE", "TRYING", "RESEARCH"})


def _begins_year(lexemes: Sequence[Lexeme], i: int, head: str) -> bool:
    """Points of Harmony that no action before them spends."""
    if lexemes[i].kind != "AH" or head in _OF_HARMONY | TRADE:
        return False
    near = [x.kind for x in (*lexemes[max(i - 2, 0) : i], *lexemes[i + 1 : i + 3])]
    return "NUM" in near or "ALL" in near


def _goes_on(head: str, kind: str) -> bool:
    """Whether a word may belong to the order whose head was before it."""
    return {head, kind} <= TRADE or kind == "TRYING" or {head, kind} == {"YEAR"}
