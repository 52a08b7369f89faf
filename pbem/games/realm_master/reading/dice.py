"""Rerolls and what R become, as lines of a plan (rules, section 12)."""

from dataclasses import dataclass, field
from typing import Literal

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from pbem.games.realm_master.reading.parts import FACES, NotRead, Part
from pbem.games.realm_master.reading.scene import Draft, Scene

_SECOND = ("second", "knuckle")
"""The questions that are about a second reroll anyway."""
Rest = Literal["blanks", "keep", "reroll"]


@dataclass(slots=True)
class _Throw:
    """What is said of the dice: rules in order, and what becomes of the others."""

    rules: list[o.DieRule] = field(default_factory=list)
    rest: Rest = "blanks"
    verb: str = "REROLL"

    def add(self, part: Part, when: c.When, scene: Scene) -> None:
        self.verb = {"": self.verb, "PLAY": "REROLL"}.get(part.kind, part.kind)
        flags = {*part.flags}
        named = _dice(part, scene)
        is_again = self.verb == "REROLL" or "AGAIN" in flags
        if "NOT" in flags and (
            ({"EXCEPT", "ONLY"} & flags)
            or (not named and not is_again)
            or ("AGAIN" in flags and self.verb == "KEEP")
        ):
            raise NotRead("not-understood", part.flags["NOT"])
        says_rest = (
            bool({"EXCEPT", "ONLY"} & flags)
            or ("NOT" in flags and not named)
            or (bool(part.of("REST", "ALL", "NOTHING")) and not named)
        )
        if says_rest and (when or self.rest not in ("blanks", _rest(part, is_again))):
            raise NotRead("not-understood", part.first)
        if not says_rest and not named and (when or (self.rules or self.rest != "blanks")):
            raise NotRead(
                "not-understood", part.first
            )  # `reroll if my hearts are below 4`: which dice?
        if when and "NOT" in flags:
            raise NotRead("not-understood", part.flags["NOT"])
        if says_rest:
            self.rest = _rest(part, is_again)
        rerolled = is_again != bool({"EXCEPT", "NOT"} & flags)
        for what in named:
            if any(rule.what == what for rule in self.rules):
                raise NotRead("not-understood", part.first)
            self.rules.append(o.DieRule(what, rerolled, when))

    def is_whole(self) -> bool:
        """Whether it tells of every die what becomes of it (RM-10.2): `keep swords` alone does
        not.
        """
        return self.rest != "blanks" or (
            bool(self.rules) and all(rule.reroll for rule in self.rules)
        )

    def rerolls(self, face: str) -> bool:
        rule = next((rule for rule in self.rules if rule.what == face), None)
        if rule is not None:
            return rule.reroll
        return face == "-" if self.rest == "blanks" else self.rest == "reroll" and face != "R"


def reroll(draft: Draft, scene: Scene) -> list[o.Order]:
    flags = {kind for part, _ in draft.parts for kind in part.flags}
    second = scene.stage in _SECOND or bool({"SECOND", "TWICE"} & flags)
    if draft.otherwise is not None:
        rules, rest = _either(draft, draft.otherwise, scene), "blanks"
        told = o.Reroll(tuple(rules), "blanks", second, draft.always)
    else:
        throw = _Throw()
        for part, when in draft.parts:
            throw.add(part, when, scene)
        rules, rest = throw.rules, throw.rest
        if not rules and rest == "blanks" and not second:  # `reroll`: which dice?
            raise NotRead("not-understood", draft.parts[0][0].first)
        told = o.Reroll(tuple(rules), throw.rest, second, draft.always)
    if "TWICE" not in flags or not rules or scene.stage in _SECOND:
        return [told]
    return [o.Reroll(told.rules, told.rest, always=draft.always), told]


def _either(draft: Draft, otherwise: int, scene: Scene) -> list[o.DieRule]:
    """`Reroll blanks if ..., else keep only swords`: a rule for each face of which the two differ
    (RM-10.3).
    """
    when = draft.parts[0][1]
    one, other = _Throw(), _Throw()
    for i, (part, told) in enumerate(draft.parts):
        if told != (when if i < otherwise else c.ALWAYS) or not when:
            raise NotRead("not-understood", part.first)
        if i == otherwise:
            other.verb = one.verb
        (one if i < otherwise else other).add(part, c.ALWAYS, scene)
    if not (one.is_whole() and other.is_whole()) or any(
        rule.what not in c.FACES for rule in (*one.rules, *other.rules)
    ):
        raise NotRead("not-understood", draft.parts[otherwise][0].first)
    rules: list[o.DieRule] = []
    for face in c.FACES:
        first = one.rerolls(face)
        if first != other.rerolls(face):
            rules.append(o.DieRule(face, first, when))
        elif first != (face == "-"):
            rules.append(o.DieRule(face, first))
    if not rules:
        raise NotRead("not-understood", draft.parts[otherwise][0].first)
    return rules


def _rest(part: Part, rerolls: bool) -> Rest:
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


def _has_dice(part: Part) -> bool:
    return any(phrase.kind == "number" or phrase.lexemes[0].kind in FACES for phrase in part.things)


def _dice(part: Part, scene: Scene) -> list[str]:
    """The dice a part names: faces, a lone half banner, places."""
    found: list[str] = []
    lone = False
    for phrase in part.things:
        lexeme = phrase.lexemes[0]
        if lexeme.kind == "LONE":
            lone = True
        elif lexeme.kind in FACES:
            if lone and FACES[lexeme.kind] != "b":
                raise NotRead("not-understood", lexeme)
            found.append("lone" if lone else FACES[lexeme.kind])
            lone = False
        elif (
            phrase.kind == "number"
            and scene.stage in ("reroll", "second", "knuckle")
            and lexeme.value in (1, 2, 3, 4, 5)
        ):
            found.append(str(lexeme.value))
        elif lexeme.kind not in ("REST", "ALL", "BOTH", "NOTHING", "ANY"):
            raise NotRead("not-understood", lexeme)
    if lone:
        raise NotRead("not-understood", part.verb)
    return found


def faces(draft: Draft, scene: Scene) -> list[o.Order]:
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
