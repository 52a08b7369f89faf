"""What the condition of a part asks, in the kind of line that it is of."""

from engine.realm_master import conditions as c
from pbem.games.realm_master.reading.parts import NotRead, PlanPart
from pbem.games.realm_master.reading.position import Position
from pbem.games.realm_master.reading.when import when_of

IMPLIED = {"stance": "HEART", "enter": "HEART", "attack": "SWORD"}
_DICE = frozenset({"BLANK", "HALF", "SWORD", "COIN", "RFACE"})
_OWN = frozenset({"HEART", "GOLD", "BANNER"})
_AT_LEAST = {
    **dict.fromkeys(("attack", "enter", "stance"), _OWN),
    **dict.fromkeys(("buy", "reveal"), frozenset({"GOLD", "BANNER"})),
    "play": frozenset({"GOLD", "BANNER", "DAMAGE"}),
}
"""What besides dice a bare number may be this many at least of."""


def asked_of(position: Position, group: str, part: PlanPart, told: PlanPart) -> c.When:
    if not told.how and not told.condition:
        return c.ALWAYS
    named = {lexeme.kind for lexeme in part.of(*_DICE, *_OWN)}
    kinds = {phrase.lexemes[0].kind for phrase in told.condition}
    first = told.condition[0].lexemes[0] if told.condition else None
    mixed = group == "reroll" and "HEART" in named & kinds and len(named) > 1
    whose = group == "play" and part.of("HERO", "WHO") and kinds & _OWN and "HAVE" not in kinds
    if (
        mixed or whose
    ):  # `keep swords and hearts if hearts below 5`, `Bolt on Ben if hearts below 3`
        raise NotRead("condition-unknown", first)
    implied = "HEART" if group == "reroll" and named == {"HEART"} else IMPLIED.get(group, "")
    things = [*told.things, *(thing for thing in part.things if told is not part)]
    stands = group == "stance" and part.kind in ("STAY", "LEAVE") and "ALWAYS" not in part.flags
    when = when_of(
        PlanPart(told.verb, told.flags, things, told.condition, told.how),
        implied,
        position.heroes,
        _bare(group, part, told, named),
        position.at if stands else None,
        goes=group == "stance" and part.kind in ("MOVE", ""),
    )
    hits = any(isinstance(question, c.AttackedBy) for every in when for question in every)
    if hits and group not in ("stance", "play"):  # `buy the Stout Heart in case Ben hits me`
        raise NotRead("condition-unknown", first)
    return when


def _bare(group: str, part: PlanPart, told: PlanPart, named: set[str]) -> frozenset[str]:
    """Of what a bare number can only mean this many at least (`attack if I have 3 swords`), for
    this order.
    """
    is_no = ("NOT" in part.flags) != (told.how == "UNLESS")
    if group == "enter" and (part.kind == "STAYOUT" or part.of("NOTHING")):
        is_no = told.how != "UNLESS"
    if group == "stance" and part.kind == "LEAVE":
        is_no = not is_no
    if group in ("reroll", "faces"):
        return _DICE - named
    if is_no:
        return frozenset({"DAMAGE"}) if group == "stance" else frozenset()
    return _DICE | _AT_LEAST[group] if group in _AT_LEAST else frozenset()


def is_about_card(part: PlanPart, group: str) -> bool:
    """What becomes of a revealed card: its conditions are about the card."""
    return group == "reveal" and part.kind != "REVEAL"
