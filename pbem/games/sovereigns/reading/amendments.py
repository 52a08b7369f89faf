"""What is said again: corrections of a line, and lines that are taken back by their name."""

from collections.abc import Sequence
from typing import cast

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.book import AT_ONCE
from pbem.games.sovereigns.reading.entries import POINTS_MISSING, OrderEntry
from pbem.games.sovereigns.reading.order_lines import Lines
from pbem.games.sovereigns.reading.pieces import AMOUNTS, BUILDING_KINDS, HEADS, JOINTS
from pbem.games.sovereigns.reading.revisions import about, amended, inherited
from pbem.grammar.kit.holding import is_material, solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring
from pbem.grammar.kit.slots import SILENT

BACK = ("cancel", "forget", "scrap", "ignore", "disregard", "drop", "delete", "strike", "scratch")
_TALKS = frozenset({"COMMON", "OTHER", "STATEMENT", "WORD"})
_DENIED = AMOUNTS | BUILDING_KINDS | HEADS | {"WHO", "NUM"}


def revise(lines: Lines, lexemes: Sequence[Lexeme], cue: str) -> None:
    """What stands behind `no wait`, `I mean`, `scratch that`."""
    lines.corrected = True
    last = lines.latest
    lines.revised |= last is not None
    if last is not None and not any(x.kind in HEADS for x in lexemes):
        order = amended(cast("o.Order", last.order), lexemes, lines.position)
        if order is not None:
            last.order = order
            if any(x.kind in {"NUM", "ALL", "HALF"} for x in lexemes):
                last.warnings.clear()
            return
    known = len(lines.entries)
    lines.take(lexemes)
    fresh = lines.entries[known:]
    del lines.entries[known:]
    if cue == "retract" and fresh and all(entry.stands for entry in fresh):
        lines.entries = [entry for entry in lines.entries if not entry.stands]
        lines.entries += fresh
        return
    for entry in fresh:
        _replace(lines, entry, cue)


def doubted_by_cue(
    lines: Lines, text: str, clauses: Sequence[Judged], cue: str
) -> tuple[bool, Lexeme | None]:
    """Whether what stands behind a cue makes all before it doubtful, and the word at which it is
    not understood itself: `sorry Ben` may be spoken to Ben; `Ignore this: ...` takes nothing back
    that was said.
    """
    at = clauses[0].clause.at if clauses else None
    if not cue or at is None:
        return False, None
    last, said = lines.latest, text[at.start : at.end]
    first = solid_of(clauses[0].clause.lexemes)
    gap = text[at.end : first[0].start] if first else ""
    recurs = any(x.kind in {"EVERYSEASON", "EVERYYEAR"} for x in first)
    if cue == "retract" and (recurs or (last is None and ":" in gap)):
        return False, at
    if last is None and said in {"wait", "meant"}:
        return False, at  # `I wait to attack`
    solid = [x for one in clauses for x in solid_of(one.clause.lexemes)]
    whole = {x.kind for x in solid if x.kind != "WHO" or x.value != lines.position.me}
    asked = not is_material(clauses) and bool(whole & {"WHO", "NUM", "OFFERNOUN"})
    if [x.kind for x in first] == ["WHO"]:
        asked |= any(one.ring is Ring.TOLD for one in clauses[1:])  # `No, Ben, I won't tell why.`
        if cue == "soft":
            called = "," not in gap or (last is not None and last.number != lines.number)
            return asked or called, at if called else None
    return asked, None


def _replace(lines: Lines, entry: OrderEntry, cue: str) -> None:
    """A new line in the place of the one it corrects."""
    order = entry.order
    last = lines.latest
    if isinstance(order, Problem):
        if last is not None and (cue != "soft" or isinstance(last.order, AT_ONCE)):
            last.ask()
        lines.entries.append(entry)
        return
    before = reversed(lines.standing)
    rival = next((x for x in before if about(cast("o.Order", x.order)) & about(order)), None)
    if rival is not None:
        missing = POINTS_MISSING in entry.warnings
        entry.order, missing = inherited(cast("o.Order", rival.order), order, missing=missing)
        entry.warnings = [POINTS_MISSING] if missing else []
        lines.entries.remove(rival)
    elif cue == "instead" and last is not None and isinstance(last.order, o.Answer):
        pass  # `decline offer 4; offer ... instead`
    elif cue != "soft" and last is not None:
        last.ask()
        entry.ask()
    lines.entries.append(entry)


def takes_away(lines: Lines, lexemes: Sequence[Lexeme]) -> bool:
    """`no, no vault`, `sorry, not Cyrene`: a part of what was said is denied, and all is asked."""
    words = [x for x in lexemes if x.kind not in SILENT | JOINTS or x.kind == "CUE"]
    solid = [x for x in words if x.kind != "CUE"]
    if not solid or solid[0].kind != "NEG" or not lines.standing:
        return False
    kinds = {x.kind for x in solid[1:]}
    cued = solid != words or solid[0].text.startswith(BACK)
    denies = cued and bool(kinds & _DENIED) and not kinds & _TALKS
    if denies:
        lines.ask_all()
    return denies
