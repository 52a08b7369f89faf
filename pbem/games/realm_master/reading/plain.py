"""Orders that are said in a word, and what is forgotten of a plan."""

from engine.realm_master import orders as o
from engine.realm_master.cards import SMOKE_POT
from pbem.games.realm_master.reading.parts import NotRead, PlanPart
from pbem.games.realm_master.reading.position import Position
from pbem.games.realm_master.reading.words import cards_by_name

STANCES = {"STAY", "LEAVE", "MOVE"}
_DROPPED: dict[str, o.Key] = {
    "REROLL": "reroll",
    "ATTACK": "attack",
    "ENTER": "enter",
    "BUY": "buy",
    "REVEAL": "reveal",
    "TRIBUTE": "tribute",
    "ULTIMATUM": "ultimatum",
    "LOOT": "loot",
    "RFACE": "faces",
    "LIFE": "life",
    "WHENHIT": "hit",
    "OWNTURN": "realm",
}
"""The line of a plan that a word names, to be forgotten."""
_MOMENTS = ("WHENHIT", "OWNTURN")
PLAIN: dict[str, o.Order] = {
    "WAIT": o.Wait(),
    "FORGETALL": o.Drop(),
    "CONCEDE": o.Concede(),
    "CONCEDED": o.Concede(),
    "AUTOON": o.Auto(on=True),
    "AUTOOFF": o.Auto(on=False),
    "GOON": o.GoOn(),
}


def plain_orders(part: PlanPart, position: Position) -> list[o.Order]:
    told = {"THEN", "NOW", "AGAIN", *((*_MOMENTS, "SECOND") if part.kind == "FORGET" else ())}
    if part.how or (part.things and part.kind != "FORGET") or set(part.flags) - told:
        raise NotRead("not-understood", part.verb)
    if part.kind == "SAME":
        if not position.last:
            raise NotRead("no-last-plan", part.verb)
        return list(position.last)
    if part.kind == "FORGET":
        return [_dropped(part)]
    return [PLAIN[part.kind]]


def _dropped(part: PlanPart) -> o.Drop:
    """`Forget everything`, `forget entering`, `forget what I said for when hit`."""
    kinds = {phrase.lexemes[0].kind for phrase in part.things} - {"REALM"}
    if kinds == {"ALL"} and not part.flags:
        return o.Drop()
    moments = [_DROPPED[kind] for kind in _MOMENTS if kind in part.flags]
    keys: set[str] = {
        _DROPPED.get(kind, "") for kind in kinds - (STANCES if moments else set())
    } | {*moments}
    cards = [cards_by_name()[lexeme.text] for lexeme in part.of("CARD")]
    if cards == [SMOKE_POT] and keys == {""}:
        keys = {"smoke"}
    key = next((told for told in _DROPPED.values() if {told} == keys), None)
    if key == "reroll" and "SECOND" in part.flags:
        key = "second"
    if keys == {"smoke"}:
        key = "smoke"
    if key is None:
        raise NotRead("not-understood", part.verb)
    return o.Drop(key)
