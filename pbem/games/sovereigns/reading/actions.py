"""Rolled actions (SS-6, SS-8): what is done, with how many points, against whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from engine.sovereigns.checking.actions import NEED_TARGET
from engine.sovereigns.codes import Attribute
from engine.sovereigns.seasons.effects import SPARED
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, POINTS_MISSING, ambiguous
from pbem.games.sovereigns.reading.pieces import Amount, Parts
from pbem.games.sovereigns.reading.position import AMBIGUOUS, Position
from pbem.games.sovereigns.reading.words import ACTIONS, BUILDINGS
from pbem.grammar.kit.lexemes import Lexeme, set_of

_GOAL = ("TO", "NUM")
_MISSING = 2
"""Points of an order that names none (SS-12.10)."""
_BEING = frozenset({"is", "are", "was", "were", "has", "have", "it is", "is off"})
_OF_TARGETS = set_of(
    "kingdom land lands king queen people poor weak evil wicked great old mighty proud arrogant "
    "neighbours duke lord duchess emperor lady prince"
)


@dataclass(slots=True)
class Made:
    """What words come to: an action, or what is wrong with them at which word."""

    action: o.Action | Problem
    caret: Lexeme | None = None
    warnings: list[Problem] = field(default_factory=list)


def action_of(parts: Parts, position: Position, last: int | None) -> Made:
    """The action of these words; `last` is the kingdom spoken of last, whom `them` means."""
    kinds = {head.kind for head in parts.heads} - {"TRYING"}
    if len(kinds) > 1 or not kinds <= ACTIONS.keys():
        return Made(NOT_UNDERSTOOD, parts.heads[-1] if parts.heads else None)
    if not kinds:
        return Made(NOT_UNDERSTOOD, parts.head("TRYING"))
    kind, attribute = ACTIONS[kinds.pop()]
    if parts.loose or "EFFECT" in parts.marks:
        return Made(NOT_UNDERSTOOD, parts.loose[0] if parts.loose else parts.marks["EFFECT"])
    head = next(head for head in parts.heads if head.kind != "TRYING")
    raises: Attribute | None = None
    amounts = list(parts.amounts)
    if kind == "Increase":
        raises, amounts = _raised(amounts)
        goal = next((to for to, n in pairwise(parts.lexemes) if (to.kind, n.kind) == _GOAL), None)
        if sum(x.kind == "NUM" for x in parts.lexemes) > 1:
            goal = None
        if raises is None or goal is not None:  # `increase military to 6` tells no points
            return Made(NOT_UNDERSTOOD, goal or head)
    target: int | None = None
    if kind in NEED_TARGET:
        found = target_of(parts, position, last)
        if isinstance(found, Made):
            return found
        target = found
        if (kind == "Attack" and _is_apart(head, parts)) or "BOTHOF" in parts.marks:
            return Made(NOT_UNDERSTOOD, head)
    elif any(who.value != position.me for who, _ in parts.whos):
        return Made(NOT_UNDERSTOOD, parts.whos[0][0])
    points = _points(amounts, attribute, position)
    if isinstance(points, Lexeme):
        return Made(NOT_UNDERSTOOD, points)
    count, depleted, missing = points
    tells = next((x for x in parts.lexemes if x.text in _BEING), None)
    if missing and (parts.common or tells):  # `research shows that ...`, `the attack is off`
        return Made(NOT_UNDERSTOOD, parts.common[0] if parts.common else tells)
    action = o.Action(kind, attribute, count, depleted, target, raises)
    more = _with_more(action, parts, position)
    if isinstance(more, Lexeme):
        return Made(NOT_UNDERSTOOD, more)
    return Made(more, warnings=[POINTS_MISSING] if missing else [])


def _is_apart(head: Lexeme, parts: Parts) -> bool:
    """`attack the friends of Borland`: another than is named."""
    whos = [who for who, _ in parts.whos if who.start > head.start]
    if not whos:
        return False
    between = [x for x in parts.lexemes if head.end <= x.start < whos[0].start]
    behind = next((x for x in parts.lexemes if x.start >= whos[0].end), None)
    owned = behind is not None and behind.start - whos[0].end == len("'s ")  # `Borland's friends`
    return any(
        x.kind in {"COMMON", "WORD"} and x.text not in _OF_TARGETS
        for x in (*between, *([behind] if behind is not None and owned else []))
    )


def target_of(parts: Parts, position: Position, last: int | None) -> int | Made | None:
    """The one kingdom in the words; 0: an unknown one, None: no kingdom."""
    whos = [who for who, led in parts.whos if who.value != position.me or led not in {"FOR", "OF"}]
    others = [who for who in whos if who.value != position.me] or whos
    numbers = {who.value for who in others}
    if AMBIGUOUS in numbers:
        who = next(who for who in others if who.value == AMBIGUOUS)
        return Made(ambiguous("kingdom", position.meant_by(who.text)), who)
    if len(numbers) > 1:
        return Made(NOT_UNDERSTOOD, others[-1])
    if others:
        return others[0].value
    pointed = parts.marks.get("THEM") or parts.marks.get("THERE")
    if pointed is not None:
        return last if last is not None else Made(NOT_UNDERSTOOD, pointed)
    return None


def _raised(amounts: list[Amount]) -> tuple[Attribute | None, list[Amount]]:
    """What is increased, and the amounts that are left to spend."""
    named = [one for one in amounts if one.attribute in {"M", "H"}]
    if len({one.attribute for one in named}) > 1:
        return None, amounts
    if named:
        first = named[0]
        rest = [one for one in amounts if one is not first]
        spent = any(not x.bare and not x.depleted for x in rest)
        if first.ahead and not spent and first.count != 1:
            return None, amounts  # `train 2 soldiers`
        if first.count is not None and not first.ahead and not spent:
            rest.insert(0, Amount(first.count, first.lexeme))
        return first.attribute, [one for one in rest if one.attribute != first.attribute]
    bare = [one for one in amounts if one.bare and one.attribute == "R"]
    return ("R", [one for one in amounts if one is not bare[0]]) if bare else (None, amounts)


def _points(
    amounts: list[Amount], attribute: Attribute, position: Position
) -> tuple[int | None, int, bool] | Lexeme:
    """Points, depleted ones, and whether none were named; the word that is too much."""
    fresh = [one for one in amounts if not one.depleted and not one.bare]
    again = [one for one in amounts if one.depleted]
    wrong = next((one for one in fresh if one.attribute not in (None, attribute)), None)
    if wrong is not None:
        return wrong.lexeme
    if len(fresh) > 1 or len(again) > 1:
        return (fresh[1:] or again[1:])[0].lexeme
    depleted = 0
    for one in again:
        if one.bare:
            return one.lexeme
        spent = position.own.ex.R - position.own.depleted
        depleted = spent if one.count is None else one.count
    if not fresh:
        return (0, depleted, False) if depleted else (_MISSING, 0, True)
    count = counted(fresh[0], position.free(attribute))
    return count, depleted, False


def counted(amount: Amount, free: int) -> int | None:
    """How many points are meant, of so many that are free; None: all."""
    return max(free - amount.but, 0) if amount.but else amount.count


def _with_more(action: o.Action, parts: Parts, position: Position) -> o.Action | Lexeme:
    """What goes with an action; the word that does not."""
    marks, buildings = parts.marks, list(parts.buildings)
    works = [one for one in buildings if one.kind == "BWORKS"]
    if "BURN" not in marks and works:
        action = replace(action, works=True)
        buildings = [one for one in buildings if one.kind != "BWORKS"]
    if {"BOON", "NOBOON"} <= marks.keys():
        return marks["NOBOON"]
    if "BOON" in marks:
        action = replace(action, boon=True)
    if action.kind == "Attack" and "SPARE" in marks:
        action = replace(action, burn=SPARED)
    elif "BURN" in marks:
        if action.kind != "Attack" or len(buildings) != 1:
            return marks["BURN"]
        action = replace(action, burn=_burnt(buildings.pop(), action, position))
    if action.kind == "Espionage" and parts.techs:
        names = list(position.state.technologies)
        action = replace(action, seek=names[parts.techs[0].value or 0])
    elif parts.techs and action.kind == "Theft":
        return parts.techs[0]  # a technology is got by espionage
    elif "SEEK" in marks and action.kind == "Espionage":
        return marks["SEEK"]
    if "CODE" in marks and (action.kind != "Research" or "NAME" not in marks):
        return marks["CODE"]
    if "CODE" in marks and not marks["CODE"].text.endswith("?"):
        action = replace(action, proposal=proposal_of(marks, position))
    return buildings[0] if buildings else action


def proposal_of(marks: Mapping[str, Lexeme], position: Position) -> o.Proposal:
    """A technology of its name, its code and where it grows from (SS-7.2)."""
    origin = marks["ORIGIN"].value if "ORIGIN" in marks else None
    names = list(position.state.technologies)
    grown = names[origin] if origin is not None else ""
    return o.Proposal(marks["NAME"].text, marks["CODE"].text, grown)


def _burnt(building: Lexeme, action: o.Action, position: Position) -> str:
    code = BUILDINGS[building.kind]
    if not action.target:
        return code
    stand = position.state.kingdom(action.target).buildings
    return next((one.code for one in stand if one.code.startswith(code)), code)
