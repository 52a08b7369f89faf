"""Rerolls and what R become, as lines of a plan (rules, section 12)."""

from dataclasses import dataclass, field
from typing import Literal

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from pbem.games.realm_master.reading.parts import FACES, NotRead, PlanPart
from pbem.games.realm_master.reading.position import Draft, Position

_SECOND = ("second", "knuckle")
"""The questions that are about a second reroll anyway."""
Rest = Literal["blanks", "keep", "reroll"]


@dataclass(slots=True)
class _Throw:
    """What is said of the dice: rules in order, and what becomes of the others."""

    rules: list[o.DieRule] = field(default_factory=list)
    rest: Rest = "blanks"
    verb: str = "REROLL"

    def add(self, part: PlanPart, when: c.When, position: Position) -> None:
        self.verb = {"": self.verb, "PLAY": "REROLL"}.get(part.kind, part.kind)
        flags, named = {*part.flags}, _dice(part, position)
        again, denies = self.verb == "REROLL" or "AGAIN" in flags, "NOT" in flags
        limits = bool({"EXCEPT", "ONLY"} & flags)
        says_rest = limits or (not named and (denies or bool(part.of("REST", "ALL", "NOTHING"))))
        odd = denies and (
            limits or not (named or again) or {"AGAIN", "KEEP"} <= {*flags, self.verb}
        )
        if when and (denies or says_rest or not named):
            odd = True  # `reroll if my hearts are below 4`: which dice?
        elif says_rest:
            odd |= self.rest not in ("blanks", _rest(part, again))
        elif not named:
            odd |= bool(self.rules) or self.rest != "blanks"
        if odd or {*named} & {rule.what for rule in self.rules} or len({*named}) < len(named):
            raise NotRead("not-understood", part.first)
        if says_rest:
            self.rest = _rest(part, again)
        rerolled = again != bool({"EXCEPT", "NOT"} & flags)
        self.rules += [o.DieRule(what, rerolled, when) for what in named]


def reroll(draft: Draft, position: Position) -> list[o.Order]:
    flags = {kind for part, _ in draft.parts for kind in part.flags}
    second = position.stage in _SECOND or bool({"SECOND", "TWICE"} & flags)
    throw = _Throw()
    for part, when in draft.parts:
        throw.add(part, when, position)
    if not throw.rules and throw.rest == "blanks" and not second:  # `reroll`: which dice?
        raise NotRead("not-understood", draft.parts[0][0].first)
    told = o.Reroll(tuple(throw.rules), throw.rest, second, draft.always)
    if "TWICE" not in flags or not throw.rules or position.stage in _SECOND:
        return [told]
    return [o.Reroll(told.rules, told.rest, always=draft.always), told]


def _rest(part: PlanPart, rerolls: bool) -> Rest:
    """What a part says of the dice it does not name."""
    if "NOT" in part.flags and not _has_dice(part):
        return "keep"
    if {"EXCEPT", "ONLY"} & set(part.flags) and not _has_dice(part):
        raise NotRead("not-understood", part.verb)
    if "EXCEPT" in part.flags:
        return "reroll" if rerolls else "keep"
    if "ONLY" in part.flags or part.of("NOTHING"):
        return "keep" if rerolls else "reroll"
    return "reroll" if rerolls else "keep"


def _has_dice(part: PlanPart) -> bool:
    return any(phrase.kind == "number" or phrase.lexemes[0].kind in FACES for phrase in part.things)


def _dice(part: PlanPart, position: Position) -> list[str]:
    """The dice a part names: faces, a lone half banner, places."""
    found: list[str] = []
    lone = False
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        place = lexeme.value if phrase.kind == "number" else None
        if lexeme.kind in FACES and (not lone or FACES[lexeme.kind] == "b"):
            found.append("lone" if lone else FACES[lexeme.kind])
        elif position.stage in ("reroll", *_SECOND) and place in (1, 2, 3, 4, 5):
            found.append(str(place))
        elif lone or lexeme.kind not in ("LONE", "REST", "ALL", "BOTH", "NOTHING", "ANY"):
            raise NotRead("not-understood", lexeme)
        lone = lexeme.kind == "LONE"
    if lone:
        raise NotRead("not-understood", part.verb)
    return found


def faces(draft: Draft, position: Position) -> list[o.Order]:
    """`R's are swords`, `one R as sword, rest coins`, `R complete five`."""
    rules: list[o.FaceRule] = []
    for part, when in draft.parts:
        ranked = {"FIRST", "SECOND"} & set(part.flags) and part.of("RFACE")
        count: int | None = 1 if ranked else None
        face = ""
        for phrase in part.things:
            lexeme = phrase.lexemes[0]
            if phrase.kind == "number" and count is None and not face:
                count = lexeme.value
            elif lexeme.kind == "FIVE" and not face:
                face = o.FIVE
            elif lexeme.kind in FACES and lexeme.kind != "RFACE" and not face:
                face = FACES[lexeme.kind]
            elif lexeme.kind not in ("RFACE", "REST", "ALL", "BOTH"):
                raise NotRead("not-understood", lexeme)
        if (
            not face
            or part.kind not in ("", "PLAY", "TAKEIT")
            or (count is not None and not 1 <= count <= 5)
            or "NOT" in part.flags
        ):
            raise NotRead("not-understood", part.first)
        if (
            rules and _takes_all(rules[-1]) and "ELSE" not in part.flags
        ):  # `R swords, hearts`: which of them?
            raise NotRead("not-understood", part.first)
        rules.append(o.FaceRule(face, count, when))
    return [o.Faces(tuple(rules), draft.always)]


def _takes_all(rule: o.FaceRule) -> bool:
    return rule.count is None and not rule.when and rule.face != o.FIVE
