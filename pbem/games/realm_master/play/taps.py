"""The way through the buttons of live play to an answer: their words, as a player reads them."""

from collections.abc import Mapping

from engine.realm_master import orders as o
from engine.realm_master.conditions import Face, card_name, land_name
from engine.realm_master.view import TableView

_DICE = frozenset({"reroll", "second", "knuckle"})
_ON_A_DIE: Mapping[Face, str] = {"-": "□", "b": "½", "s": "⚔", "c": "●", "h": "♥", "R": "R"}
_WORDS: Mapping[tuple[str, str], str] = {
    ("attack", "yes"): "Attack",
    ("attack", "no"): "No attack",
    ("smoke", "yes"): "Smoke Pot!",
    ("smoke", "no"): "Keep the pot",
    ("hit", "stay"): "Stay",
    ("hit", "leave"): "Leave",
    ("ultimatum", "leave"): "Leave",
    ("ultimatum", "lose"): "Lose 4 hearts",
}
_PLACES: Mapping[str, str] = {o.NOWHERE: "Stay outside", "stay": "Stay", "leave": "Leave"}


def taps_of(order: o.Order, view: TableView) -> tuple[str, ...]:
    """Button by button; () for what is sooner written, as the plan of a round."""
    rolled = view.turn.rolled if view.turn is not None else ()
    match order:
        case o.Reroll(rules=rules) if view.stage in _DICE and all(
            rule.what.isdigit() for rule in rules
        ):
            return ("Choose dice", *_thrown([rolled[int(rule.what) - 1] for rule in rules]))
        case o.Faces(rules=rules) if view.stage == "faces" and all(
            rule.face == "s" for rule in rules
        ):
            return ("Choose faces", *["⚔ sword"] * rolled.count("R"))
        case o.Choose(key=key, choices=(choice,)) if key == view.stage:
            return (_WORDS[key, choice.word],) if (key, choice.word) in _WORDS else ()
        case o.Enter(choices=(choice,)) | o.Realm(choices=(choice,)) if view.stage == o.key_of(
            order
        ):
            return (_PLACES.get(choice.word) or f"{land_name(choice.word)},",)
        case o.BuyNow(card=card):
            return ("Buy or play", f"Buy {card_name(card)},")
        case o.GoOn() if view.stage == "last":
            return ("Go on",)
    return ()


def _thrown(faces: list[Face]) -> tuple[str, ...]:
    """A tap for each die that is thrown again, then the button that throws them."""
    if not faces:
        return ("Keep all",)
    return (*(_ON_A_DIE[face] for face in faces), f"Reroll {len(faces)}")
