"""What the condition of a part asks, in the kind of line that it is of."""

from engine.realm_master import conditions as c
from pbem.games.realm_master.reading.parts import NotRead, Part
from pbem.games.realm_master.reading.scene import Scene
from pbem.games.realm_master.reading.when import when_of

IMPLIED = {"stance": "HEART", "enter": "HEART", "attack": "SWORD"}
_DICE = frozenset({"BLANK", "HALF", "SWORD", "COIN", "RFACE"})
_OWN = frozenset({"HEART", "GOLD", "BANNER"})


def asked_of(scene: Scene, group: str, part: Part, told: Part) -> c.When:
    if not told.how and not told.condition:
        return c.ALWAYS
    named = {
        lexeme.kind
        for lexeme in part.of("HEART", "BLANK", "HALF", "SWORD", "COIN", "RFACE", "GOLD", "BANNER")
    }
    implied = "HEART" if group == "reroll" and named == {"HEART"} else IMPLIED.get(group, "")
    if (
        group == "reroll"
        and "HEART" in named
        and len(named) > 1
        and any(phrase.lexemes[0].kind == "HEART" for phrase in told.condition)
    ):
        raise NotRead(
            "condition-unknown", told.condition[0].lexemes[0]
        )  # `keep swords and hearts if hearts below 5`
    kinds = {phrase.lexemes[0].kind for phrase in told.condition}
    if group == "play" and part.of("HERO", "WHO") and kinds & _OWN and "HAVE" not in kinds:
        raise NotRead(
            "condition-unknown", told.condition[0].lexemes[0]
        )  # `Bolt of Fire on Ben if hearts below 3`: whose?
    asked = Part(
        told.verb,
        told.flags,
        [*told.things, *(thing for thing in part.things if told is not part)],
        told.condition,
        told.how,
    )
    place = (
        scene.at
        if group == "stance" and part.kind in ("STAY", "LEAVE") and "ALWAYS" not in part.flags
        else None
    )
    when = when_of(
        asked,
        implied,
        scene.heroes,
        _bare(group, part, told, named),
        place,
        goes=group == "stance" and part.kind in ("MOVE", ""),
    )
    if group not in ("stance", "play") and any(
        isinstance(question, c.AttackedBy) for every in when for question in every
    ):  # `buy the Stout Heart in case Ben hits me`
        raise NotRead("condition-unknown", told.condition[0].lexemes[0])
    return when


def _bare(group: str, part: Part, told: Part, named: set[str]) -> frozenset[str]:
    """Of what a bare number can only mean so many at least (`attack if I have 3 swords`), for this
    order.
    """
    is_no = ("NOT" in part.flags) != (told.how == "UNLESS")
    match group:
        case "attack":
            return frozenset() if is_no else _DICE | _OWN
        case "enter":
            is_no = (part.kind == "STAYOUT" or "NOT" in part.flags or bool(part.of("NOTHING"))) != (
                told.how == "UNLESS"
            )
            return frozenset() if is_no else _DICE | _OWN
        case "stance":
            is_no = (part.kind == "LEAVE") != (("NOT" in part.flags) != (told.how == "UNLESS"))
            return frozenset({"DAMAGE"}) if is_no else _DICE | _OWN
        case "buy" | "reveal":
            return frozenset() if is_no else frozenset({"GOLD", "BANNER"}) | _DICE
        case "play":
            return frozenset() if is_no else frozenset({"GOLD", "BANNER", "DAMAGE"}) | _DICE
        case "reroll" | "faces":
            return _DICE - named
    return frozenset()


def is_about_card(part: Part, group: str) -> bool:
    """What becomes of a revealed card: its conditions are about the card."""
    return group == "reveal" and part.kind != "REVEAL"
