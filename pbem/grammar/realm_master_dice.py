"""Rerolls and what R become, as lines of a plan (rules, section 12)."""

from typing import Literal

from engine.realm_master import orders as o
from pbem.grammar.realm_master_parts import FACES, NotRead, Part
from pbem.grammar.realm_master_scene import Draft, Scene

_SECOND = ("second", "knuckle")
"""The questions that are about a second reroll anyway."""


def reroll(draft: Draft, scene: Scene) -> list[o.Order]:
    rules: list[o.DieRule] = []
    rest: Literal["blanks", "keep", "reroll"] = "blanks"
    second = scene.stage in _SECOND
    twice = False
    verb = "REROLL"
    for part, when in draft.parts:
        verb = part.kind or verb
        second = second or bool({"SECOND", "TWICE"} & set(part.flags))
        twice = twice or "TWICE" in part.flags
        if "NOT" in part.flags and ("EXCEPT" in part.flags or (verb == "KEEP" and (not part.things or "AGAIN" in part.flags))):
            raise NotRead("not-understood", part.verb)
        rerolls = (verb == "REROLL" or "AGAIN" in part.flags) != ("NOT" in part.flags and bool(part.things))
        if "EXCEPT" in part.flags or "ONLY" in part.flags or part.of("REST", "ALL", "NOTHING") or "NOT" in part.flags:
            if when or rest != "blanks":
                raise NotRead("not-understood", part.verb)
            rest = _rest(part, rerolls)
        rerolled = rerolls != ("EXCEPT" in part.flags)
        named = _dice(part, scene)
        if when and not named:  # `reroll if my hearts are below 4`: which dice?
            raise NotRead("not-understood", part.verb)
        rules += [o.DieRule(what, rerolled, when) for what in named]
    if not rules and rest == "blanks" and not second:
        rules = [o.DieRule("-", reroll=True)]
    again = o.Reroll(tuple(rules), rest, second, draft.always)
    return [o.Reroll(again.rules, rest, always=draft.always), again] if twice and rules and scene.stage not in _SECOND else [again]


def _rest(part: Part, rerolls: bool) -> Literal["blanks", "keep", "reroll"]:
    """What a part says of the dice it does not name."""
    if "NOT" in part.flags and not part.things:
        return "keep"
    if {"EXCEPT", "ONLY"} & set(part.flags) and not part.things:
        raise NotRead("not-understood", part.verb)
    if "EXCEPT" in part.flags:
        return "reroll" if rerolls else "keep"
    if "ONLY" in part.flags:
        return "keep" if rerolls else "reroll"
    if part.of("NOTHING"):
        return "keep" if rerolls else "reroll"
    if part.of("REST", "ALL"):
        return "reroll" if rerolls else "keep"
    return "blanks"


def _dice(part: Part, scene: Scene) -> list[str]:
    """The dice a part names: faces, a lone half banner, places."""
    found: list[str] = []
    lone = False
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        if lexeme.kind == "LONE":
            lone = True
        elif lexeme.kind in FACES:
            found.append("lone" if lone and FACES[lexeme.kind] == "b" else FACES[lexeme.kind])
            lone = False
        elif phrase.kind == "number" and scene.stage in ("reroll", "second", "knuckle") and lexeme.value in (1, 2, 3, 4, 5):
            found.append(str(lexeme.value))
        elif lexeme.kind not in ("REST", "ALL", "NOTHING"):
            raise NotRead("not-understood", lexeme)
    if lone:
        raise NotRead("not-understood", part.verb)
    return found


def faces(draft: Draft, scene: Scene) -> list[o.Order]:
    """`R's are swords`, `one R as sword, rest coins`, `R complete five`."""
    rules: list[o.FaceRule] = []
    for part, when in draft.parts:
        count: int | None = None
        face = ""
        for phrase in part.things:
            lexeme = phrase.lexemes[0]
            if phrase.kind == "number" and count is None and not face:
                count = lexeme.value
            elif lexeme.kind == "FIVE" and not face:
                face = o.FIVE
            elif lexeme.kind in FACES and lexeme.kind != "RFACE" and not face:
                face = FACES[lexeme.kind]
            elif lexeme.kind not in ("RFACE", "REST", "ALL"):
                raise NotRead("not-understood", lexeme)
        if not face or part.verb is not None or (count is not None and not 1 <= count <= 5) or "NOT" in part.flags:
            raise NotRead("not-understood", part.verb)
        rules.append(o.FaceRule(face, count, when))
    return [o.Faces(tuple(rules), draft.always)]
