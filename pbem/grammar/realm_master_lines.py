"""The parts of a sentence put together to lines of a plan, answers and deeds of Realm-Master (rules, section 12)."""

from collections.abc import Callable, Sequence
from typing import Literal

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from pbem.grammar.lexemes import Lexeme
from pbem.grammar.realm_master_dice import faces, reroll
from pbem.grammar.realm_master_parts import NotRead, Part, hero_of, when_of
from pbem.grammar.realm_master_scene import Draft, Scene
from pbem.grammar.realm_master_stances import attack, enter_lands, stance
from pbem.grammar.realm_master_trade import buy, life, loot, play, reveal, tribute

GROUPS = {
    "REROLL": "reroll", "KEEP": "reroll", "ATTACK": "attack", "STAY": "stance", "LEAVE": "stance", "MOVE": "stance", "BLEED": "stance",
    "ENTER": "enter", "STAYOUT": "enter", "BUY": "buy", "PLAY": "play", "REVEAL": "reveal", "TAKEIT": "reveal", "COVER": "reveal",
    "TRIBUTE": "tribute", "TRADE": "life", "LOOT": "loot", "WANT": "hero", "ULTIMATUM": "stance", "SAVE": "save",
}  # fmt: skip


_COMMON = frozenset({"ALWAYS", "ELSE", "THEN", "ARE", "TO", "NOW", "CAN"})
_FLAGS = {
    "reroll": frozenset({"NOT", "ONLY", "EXCEPT", "TWICE", "SECOND", "AGAIN"}),
    "attack": frozenset({"NOT"}),
    "enter": frozenset({"NOT"}),
    "stance": frozenset({"NOT", "WHENHIT", "OWNTURN"}),
    "buy": frozenset({"NOT", "HOPE", "EARLY"}),
    "play": frozenset({"NOT", "EARLY"}),
    "life": frozenset({"FORLIFE"}),
}
"""The small words that say something in each kind of line; another one makes it uncertain."""


_ANSWERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "enter": ("enter", ("LAND", "BEST", "CHEAPEST", "NOTHING")),
    "realm": ("stance", ("LAND", "BEST", "CHEAPEST")),
    "tribute": ("tribute", ("LAND", "HEART", "GOLD", "BANNER", "ALL")),
    "faces": ("faces", ("NUM", "BLANK", "HALF", "SWORD", "COIN", "HEART", "GOLD", "BANNER", "FIVE")),
}
"""What a part without a verb is about that names but what is asked now: `Jerum`, `sword`."""
IMPLIED = {"stance": "HEART", "enter": "HEART"}
_PLAIN: dict[str, o.Order] = {
    "WAIT": o.Wait(),
    "CONCEDE": o.Concede(),
    "AUTOON": o.Auto(on=True),
    "AUTOOFF": o.Auto(on=False),
    "GOON": o.GoOn(),
}


def build(parts: Sequence[Part], scene: Scene, moment: Literal["", "hit", "realm", "ultimatum"] = "") -> list[o.Order]:
    """The orders of a sentence. NotRead where something in it is uncertain: then nothing of it counts."""
    orders: list[o.Order] = []
    drafts: list[Draft] = []
    pending: Part | None = None
    carried: dict[str, Lexeme] = {}
    for i, part in enumerate(parts):
        if part.flags and part.verb is None and not part.things and not part.how and i + 1 < len(parts):
            carried |= part.flags  # `when hit, leave`
            continue
        part.flags |= carried
        carried = {}
        if part.kind in _PLAIN or part.kind in ("SAME", "FORGET"):
            orders += _plain(part, scene)
            continue
        group = _group(part, drafts, scene)
        is_bare = part.verb is None and not part.things and bool(part.how)
        if is_bare and (part.how == "ONLY" or (drafts and (i == len(parts) - 1 or "ELSE" in parts[i + 1].flags))):
            _restrict(drafts[-1] if drafts else None, part, scene)
            continue
        if is_bare:
            if pending is not None or {"NOT", "EXCEPT"} & set(part.flags):
                raise NotRead("not-understood")
            pending = part
            continue
        continues = bool(drafts) and drafts[-1].group == group and (part.verb is None or _goes_on(part, drafts[-1]))
        draft = drafts[-1] if continues else Draft(group, moment=moment)
        if not continues:
            drafts.append(draft)
        _enter(draft, part, pending, scene)
        pending = None
    if pending is not None:
        raise NotRead("not-understood")
    always = any("ALWAYS" in part.flags for part in parts)
    for draft in drafts:
        draft.always = always
        orders += _BUILDERS[draft.group](draft, scene)
    if not orders:
        raise NotRead("not-understood")
    return orders


def _plain(part: Part, scene: Scene) -> list[o.Order]:
    if part.how or (part.things and part.kind != "FORGET") or "NOT" in part.flags:
        raise NotRead("not-understood", part.verb)
    if part.kind == "SAME":
        if not scene.last:
            raise NotRead("no-last-plan", part.verb)
        return list(scene.last)
    if part.kind == "FORGET":
        if not part.of("ALL") or len(part.things) > 1:
            raise NotRead("not-understood", part.verb)
        return [o.Drop()]
    return [_PLAIN[part.kind]]


def _group(part: Part, drafts: Sequence[Draft], scene: Scene) -> str:
    """What a part is about: its verb, else what came before, else its first thing, else what is asked."""
    last = drafts[-1].group if drafts else ""
    if part.kind == "KEEP" and part.of("GOLD") and part.things[0].kind == "number":
        return "buy"
    if part.kind == "BUY" and part.of("HEART", "LIFE"):
        return "life"
    if part.kind in ("TAKEIT", "BUY", "COVER") and last == "reveal":
        return "reveal"
    if part.kind:
        return GROUPS.get(part.kind, "")
    first = next((phrase.lexemes[0].kind for phrase in part.things if phrase.kind != "number"), "")
    if first == "RFACE":
        return "faces"
    if part.of("REST") and "AGAIN" in part.flags:
        return "reroll"
    if last:
        return last
    asked, kinds = _ANSWERS.get(scene.stage or "", ("", ()))
    if asked and part.things and part.says_only(*kinds):
        return asked
    return "hero" if part.things and part.says_only("HERO") else "reroll" if "SECOND" in part.flags else ""


def _goes_on(part: Part, draft: Draft) -> bool:
    """Whether a part with a verb belongs to the line before it."""
    group = draft.group
    if draft.parts[-1][0].kind == "ULTIMATUM":
        return True
    return group in ("reroll", "reveal", "buy") or "ELSE" in part.flags or ("THEN" in part.flags and group == "stance")


def _restrict(draft: Draft | None, part: Part, scene: Scene) -> None:
    """`..., but only with 7 hearts or more`: of all that was said; `..., unless ...`: of the last."""
    if draft is None or not draft.parts:
        raise NotRead("not-understood")
    if "NOT" in part.flags or "EXCEPT" in part.flags:  # `enter Arub, not if ...`
        if part.how != "IF" or "EXCEPT" in part.flags:
            raise NotRead("not-understood", part.verb)
        part.how = "UNLESS"
    when = when_of(part, IMPLIED.get(draft.group, ""), scene.heroes)
    concerned = draft.parts if part.how == "ONLY" else draft.parts[-1:]
    if any(old for _, old in concerned):
        raise NotRead("not-understood")
    if draft.group == "stance":  # which says what to do else, too
        for old, _ in concerned:
            old.how = part.how
    draft.parts = [(old, when) if any(old is one for one, _ in concerned) else (old, was) for old, was in draft.parts]


def _enter(draft: Draft, part: Part, pending: Part | None, scene: Scene) -> None:
    stray = next((lexeme for kind, lexeme in part.flags.items() if kind not in _COMMON | _FLAGS.get(draft.group, frozenset())), None)
    if stray is not None:
        raise NotRead("not-understood", stray)
    implied = _implied(draft.group, part)
    if draft.group == "reveal" and part.kind != "REVEAL":  # what becomes of the card: its conditions are about the card
        if pending is not None:
            raise NotRead("not-understood")
        draft.parts.append((part, c.ALWAYS))
        return
    when = when_of(part, implied, scene.heroes)
    if pending is not None:
        if when:
            raise NotRead("not-understood")
        if pending.how == "UNLESS":  # `unless that, then this`: this, where that holds, goes before what was said
            when = when_of(_as_if(pending), implied, scene.heroes)
            draft.parts.insert(max(0, len(draft.parts) - 1), (part, when))
            return
        when = when_of(pending, implied, scene.heroes)
    draft.parts.append((part, when))


def _as_if(part: Part) -> Part:
    return Part(part.verb, part.flags, part.things, part.condition, "IF")


def _implied(group: str, part: Part) -> str:
    if group == "reroll":
        kinds = {phrase.lexemes[0].kind for phrase in part.things}
        return "HEART" if kinds == {"HEART"} else ""
    return IMPLIED.get(group, "")


def _hero(draft: Draft, scene: Scene) -> list[o.Order]:
    heroes = [hero_of(lexeme, {}) for part, _ in draft.parts for lexeme in part.of("HERO")]
    if not heroes or any(when or not part.says_only("HERO") or "NOT" in part.flags for part, when in draft.parts):
        raise NotRead("not-understood")
    return [o.PickHero(tuple(dict.fromkeys(heroes)))]


def _save(draft: Draft, scene: Scene) -> list[o.Order]:
    """`Otherwise save`: nothing more is bought."""
    return []


def _none(draft: Draft, scene: Scene) -> list[o.Order]:
    raise NotRead("not-understood")


_BUILDERS: dict[str, Callable[[Draft, Scene], list[o.Order]]] = {
    "reroll": reroll, "faces": faces, "attack": attack, "enter": enter_lands, "stance": stance, "buy": buy, "play": play,
    "reveal": reveal, "tribute": tribute, "life": life, "loot": loot, "hero": _hero, "save": _save, "": _none,
}  # fmt: skip
