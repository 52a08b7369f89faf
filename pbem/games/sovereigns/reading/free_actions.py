"""Free-form actions (SS-8): a goal in the ruler's words, points of an attribute, a target and a
wished effect. Actions of the catalogue are not among them (SS-8.6).
"""

import re
from collections.abc import Sequence

from engine.sovereigns import orders as o
from engine.sovereigns.checking.actions import MOST_WORDS
from pbem.games.sovereigns.reading.actions import Made, counted, target_of
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD
from pbem.games.sovereigns.reading.pieces import BUILDING_KINDS, HEADS, JOINTS, Amount, parts_of
from pbem.games.sovereigns.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.slots import SILENT, TURNS

_EFFECT = re.compile(r"STAT-ROLL ([RMH])")
_ALLOWED = frozenset({"TRYING", "BUILD", "GIVE"})
"""Heads that may stand in the goal of a free-form action."""
_PLAIN_WORDS = frozenset({"OTHER", "QUOTE", "QUOTEDPLACE", "STATEMENT"})
_APART = set_of(
    "TRYING EFFECT CODE NUM AR AM AH POINTS DEPLETE DEPLETED AGAINST WITH SPEND BOON NEXT COLON "
    "COMMA LPAR RPAR CUE GETS WHO"
)
"""What is no part of the goal."""


def may_try(lexemes: Sequence[Lexeme]) -> bool:
    """Whether it is worth a look."""
    kinds = {x.kind for x in lexemes}
    if not kinds & {"AR", "AM", "AH"} or kinds & (HEADS - _ALLOWED):
        return False
    return bool(kinds & {"TRYING", "EFFECT", "CODE", "WHO"})


def tried(lexemes: Sequence[Lexeme], plain: Plain, position: Position) -> Made | None:
    """The free-form action of a sentence; None if it is not one."""
    heads = {x.kind for x in lexemes if x.kind in HEADS}
    said = "TRYING" in heads
    effect = next((x for x in lexemes if x.kind in {"EFFECT", "CODE"}), None)
    if heads - _ALLOWED:
        return None
    parts = parts_of(lexemes)
    fresh = [one for one in parts.amounts if not one.depleted and not one.bare]
    spent = [one for one in fresh if one.attribute is not None]
    aims = _aims(lexemes, position)
    if len(spent) != 1 or not (said or effect is not None or aims):
        return Made(NOT_UNDERSTOOD, parts.head("TRYING")) if said and not spent else None
    if not said and position.state.stage != "season":
        return None
    turn = next((x for x in lexemes if x.kind in TURNS - _PLAIN_WORDS), None)
    if turn is not None or len(fresh) > 1:
        return Made(NOT_UNDERSTOOD, turn or fresh[1].lexeme)
    return _made(lexemes, spent[0], effect, plain, position)


def _aims(lexemes: Sequence[Lexeme], position: Position) -> bool:
    """`to starve Borland`, `against Borland`."""
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "WHO" and lexeme.value != position.me and i:
            before = [x for x in lexemes[max(i - 3, 0) : i] if x.kind not in SILENT]
            kinds = [x.kind for x in before]
            if kinds[-1:] == ["AGAINST"] or kinds[-2:] in (["TO", "COMMON"], ["TO", "WORD"]):
                return True
    return False


def _made(
    lexemes: Sequence[Lexeme],
    spent: Amount,
    effect: Lexeme | None,
    plain: Plain,
    position: Position,
) -> Made:
    parts = parts_of(lexemes)
    attribute = spent.attribute
    target = target_of(parts, position, None) if parts.whos else None
    if isinstance(target, Made):
        return target
    if attribute is None:
        return Made(NOT_UNDERSTOOD, spent.lexeme)
    wished = _wished(effect)
    if wished is None or (target is None and wished == "-1"):
        return Made(NOT_UNDERSTOOD, effect)
    again = [one for one in parts.amounts if one.depleted]
    depleted = again[0].count or 0 if again else 0
    words = _goal(lexemes, plain)
    if not words:
        return Made(NOT_UNDERSTOOD, spent.lexeme)
    action = o.Action(
        "Try",
        attribute,
        counted(spent, position.free(attribute)),
        depleted,
        target,
        effect=wished or ("-1" if target is not None else ""),
        words=words,
        boon="BOON" in parts.marks,
    )
    return Made(action)


def _wished(effect: Lexeme | None) -> str | None:
    """`+1 M` or `-1`; empty: no effect is named, None: one that needs a ruling."""
    if effect is None:
        return ""
    found = _EFFECT.fullmatch(effect.text)
    if found:
        return f"+1 {found[1]}"
    return effect.text if effect.text in {"-1", "+1 R", "+1 M", "+1 H"} else None


_PARTS = frozenset({"BURN", "SPARE", "SEEK", "CRUSHED", "NOBOON", *BUILDING_KINDS})
"""Parts of actions of the catalogue, which no free-form action has."""


def _tells(run: Sequence[Lexeme]) -> bool:
    """Whether words name a goal."""
    return sum(x.kind in {"COMMON", "WORD"} for x in run) > 1


def _goal(lexemes: Sequence[Lexeme], plain: Plain) -> str:
    """What is quoted, or the longest run of words."""
    quoted = next((x for x in lexemes if x.kind == "QUOTE"), None)
    if quoted is not None:
        return plain.quote(quoted.start, quoted.end)[1:-1].strip()
    best: tuple[int, list[Lexeme]] = (0, [])
    run: list[Lexeme] = []
    for lexeme in [*lexemes, Lexeme("COMMA", "", 0, 0)]:
        if lexeme.kind in _APART | JOINTS:
            weight = sum(x.kind not in SILENT for x in run)
            best = max(best, (weight, run), key=lambda found: found[0])
            run = []
        else:
            run.append(lexeme)
    weight, found = best
    while found and found[0].kind in SILENT | {"TO", "FOR", "OF"}:
        found = found[1:]
    said = any(x.kind == "TRYING" for x in lexemes)
    if not said and (any(x.kind in _PARTS for x in found) or not _tells(found)):
        return ""
    if not weight or not found:
        return ""
    words = " ".join(plain.quote(found[0].start, found[-1].end).split()).replace('"', "'")
    return "".join(x for x in words if x.isprintable())[:MOST_WORDS]
