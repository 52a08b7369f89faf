"""What a part of a sentence is about: the kind of line of a plan, the answer, the deed."""

from collections.abc import Sequence

from engine.realm_master.cards import CHARM, SMOKE_POT
from pbem.games.realm_master.reading.parts import FACES, TOKENS, PlanPart
from pbem.games.realm_master.reading.position import Draft, Position
from pbem.games.realm_master.reading.words import cards_by_name

GROUPS = {
    "REROLL": "reroll",
    "KEEP": "reroll",
    "ATTACK": "attack",
    "STAY": "stance",
    "LEAVE": "stance",
    "MOVE": "stance",
    "BLEED": "stance",
    "ENTER": "enter",
    "STAYOUT": "enter",
    "BUY": "buy",
    "PLAY": "play",
    "REVEAL": "reveal",
    "TAKEIT": "reveal",
    "COVER": "reveal",
    "TRIBUTE": "tribute",
    "TRADE": "life",
    "LOOT": "loot",
    "WANT": "hero",
    "ULTIMATUM": "stance",
    "SAVE": "save",
}
_ANSWERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "enter": ("enter", ("LAND", "BEST", "CHEAPEST", "NOTHING")),
    "realm": ("stance", ("LAND", "BEST", "CHEAPEST")),
    **dict.fromkeys(("reroll", "second", "knuckle"), ("reroll", ("NUM", "AND", "OR"))),
    "tribute": ("tribute", ("LAND", "HEART", "GOLD", "BANNER", "ALL", "NUM")),
    "faces": (
        "faces",
        ("NUM", *FACES, "FIVE", "ALL", "BOTH"),
    ),
}
"""What a part without a verb is about that names but what is asked now: `Jerum`, `sword`."""


def group_of(part: PlanPart, drafts: Sequence[Draft], position: Position) -> str:
    """What a part is about: its verb, else what came before, else its first thing, else what is
    asked.
    """
    last = drafts[-1].group if drafts else ""
    named = [phrase.lexemes[0].kind for phrase in part.things if phrase.kind != "number"]
    first = next((kind for kind in named if kind not in ("ALL", "BOTH")), "")
    if position.stage == "loot" and part.of("CARD") and part.kind in ("", "TAKEIT", "WANT"):
        return "loot"
    if part.verb is not None:
        return _group_of_verb(part, part.verb.text, first, last, position)
    if _is_about_r(part, named, last):
        return "faces"
    if not last and part.of("LAND") and first in TOKENS and _is_paid(part):
        return "tribute"
    if not last and position.owed and first == "LAND" and named[:1] in (["ALL"], ["BOTH"]):
        return "tribute"  # `both to Jerum`
    if "AGAIN" in part.flags:
        return "reroll"
    if _is_exchange(part) or (first == "LIFE" and not last):
        return "life"
    if (
        part.of("CARD")
        and (last in ("", "play") or (last == "stance" and uses_smoke(part)))
        and _is_played(part)
    ):
        return "play"
    if part.how and part.says_only("CARD") and last in ("", "buy"):
        told = _by_condition(part, position)
        if told == "play" or not last:  # what is in hand is not bought
            return told or last
    if part.of("CARD") and not last and "EARLY" in part.flags:
        held = {cards_by_name()[lexeme.text] for lexeme in part.of("CARD")} <= position.hand
        return "play" if held else ""  # `Healing Draught before rolling`
    if last:
        return last
    asked, kinds = _ANSWERS.get(position.stage or "", ("", ()))
    if asked and part.things and part.says_only(*kinds):
        return asked
    if "HOPE" in part.flags and part.of("CARD"):
        return "buy"
    if part.things and part.says_only("HERO"):
        return "hero"
    return "reroll" if "SECOND" in part.flags else ""


def _is_about_r(part: PlanPart, named: Sequence[str], last: str) -> bool:
    """`Rs swords`, `swords for the Rs`: what an R becomes."""
    things = [kind for kind in named if kind not in ("ALL", "BOTH")]
    becomes = "ARE" in part.flags or things[1:] in ([face] for face in FACES)
    if things[:1] == ["RFACE"]:
        return last != "reroll" or becomes
    return things[-1:] == ["RFACE"] and "ARE" in part.flags


def _is_exchange(part: PlanPart) -> bool:
    """`3 gold for life`, `3 gold into hearts`."""
    exchange = part.of("GOLD") and (part.of("LIFE", "HEART") or "FORLIFE" in part.flags)
    changes = "TO" in part.flags and part.flags["TO"].text == "into"
    return bool(exchange) and (changes or bool({"ARE", "FORLIFE"} & {*part.flags}))


def _group_of_verb(part: PlanPart, verb: str, first: str, last: str, position: Position) -> str:
    if part.kind == "KEEP" and part.of("GOLD") and part.things[0].kind == "number":
        return "buy"
    if part.kind == "BUY" and part.of("HEART", "LIFE"):
        return "life"
    if part.kind in ("TAKEIT", "BUY", "COVER") and (last == "reveal" or position.stage == "place"):
        return "reveal"
    if last == "play" and "ELSE" in part.flags and part.kind in ("SAVE", "TAKEIT", "KEEP"):
        return "play"  # `..., otherwise keep it`
    if part.kind == "TAKEIT" and last == "stance" and not part.things:
        return "stance"
    if part.kind == "TAKEIT" and first == "RFACE":
        return "faces"
    if part.kind == "TAKEIT" and first in ("LAND", "BEST", "CHEAPEST"):
        return "enter"
    if part.kind == "TAKEIT" and position.stage == "faces" and part.of(*FACES):
        return "faces"
    if part.kind == "TAKEIT" and first == "HERO":
        return "hero"
    if part.kind == "PLAY" and "AGAIN" in part.flags and verb == "throw":
        return "reroll"
    if part.kind == "PLAY" and first == "RFACE" and verb == "use":
        return "faces"
    if part.kind == "ENTER" and position.stage == "realm":
        return "stance"  # a hero inside enters another land by moving
    return GROUPS.get(part.kind, "")


def _is_paid(part: PlanPart) -> bool:
    """`gold goes to Mertle`: where a tribute goes; `2 hearts on Jerum` tells what lies there."""
    goes = part.flags.get("TO")
    return goes is not None and goes.text.split()[-1] in {"to", "into"} and not part.how


def _by_condition(part: PlanPart, position: Position) -> str:
    """What is done with cards where a condition says when: `horn if 3 swords`, `shield with 6
    gold`.
    """
    held = [cards_by_name()[lexeme.text] in position.hand for lexeme in part.of("CARD")]
    if all(held):
        return "play"
    pays = any(phrase.lexemes[0].kind == "GOLD" for phrase in part.condition)
    return "buy" if pays and not any(held) else ""


def _is_played(part: PlanPart) -> bool:
    """Whether a card is named with whom it is for; or the one that is used or not: `no smoke
    pot`.
    """
    if part.of("HERO", "WHO", "LAND") or {"YES", "NOT"} & {*part.flags}:
        return True
    cards = [cards_by_name()[lexeme.text] for lexeme in part.of("CARD")]
    if cards == [CHARM] and part.of(*FACES):
        return True
    return uses_smoke(part) and part.says_only("CARD")


def uses_smoke(part: PlanPart) -> bool:
    """Whether it is about the Smoke Pot alone, which has its moment when its owner is hit."""
    return [cards_by_name()[lexeme.text] for lexeme in part.of("CARD")] == [SMOKE_POT]
