"""Words to orders, and what a game master sets right."""

import re
from collections.abc import Sequence

from engine.ruleset import Problem
from pbem.board.palette import arms_of
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.clause_parser import Phrase
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.people import Person
from pbem.grammar.kit.reading import Correction
from pbem.grammar.usual import UsualReader
from pbem.reading.usual import usual_offering
from straits.rules import RULES, ways_of
from straits.state import (
    MAP,
    PORTS,
    Build,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    State,
    Support,
    place_of,
)


def build(state: State, player: int, phrases: Sequence[Phrase]) -> Order | Problem:
    """The order that a sentence says. A coast is only told where it must be."""
    phrase = phrases[0]
    keys = [MAP.keys[one.value or 0] for one in phrase.lexemes if one.kind == "PLACE"]
    unit, *others = map(place_of, keys)
    there = state.unit_at(others[0]) if others else None
    for word in phrase.lexemes:
        if word.kind == "WHO" and word.value != player and (not there or there.owner != word.value):
            return Problem("other-unit", ("ST-3.1",), {"place": others[0] if others else unit})
    match phrase.kind:
        case "hold":
            return Hold(unit)
        case "support" | "advance":
            return Support(unit, *others)
        case "build":
            is_fleet = any(one.kind == "FLEET" for one in phrase.lexemes)
            return Build("fleet" if is_fleet else "army", unit)
        case "disband":
            return Disband(unit)
    is_retreat = phrase.kind == "retreat" or state.stage == "muster"
    target = _target(state, player, unit, keys[1])
    return Retreat(unit, target) if is_retreat else Move(unit, target)


def _target(state: State, player: int, unit: str, key: str) -> str:
    """Where a unit goes: the one coast that it can reach, where none is told; an army is on none."""
    goes = next((one for one in state.units_of(player) if one.place == unit), None)
    if goes is None or key in ways_of(goes):
        return key
    near = [way for way in ways_of(goes) if place_of(way) == place_of(key)]
    return near[0] if len(near) == 1 and (key in MAP.places or goes.kind == "army") else key


def persons_of(state: State) -> tuple[Person, ...]:
    """Who sits at the table, as others call them."""
    return tuple(
        Person(one.number, one.name, one.colour, arms_of(one.colour).symbol)
        for one in state.players
    )


READER = UsualReader("straits", RULES, build, persons_of, usual_offering, told=MAP, several=True)
_HOLDS = re.compile(r"(?P<who>.+) holds (?P<port>.+)")


def read_correction(state: State, text: str) -> Correction:
    """`Anna holds Hythe`, or `rule: ...`."""
    if text.casefold().startswith("rule:"):
        ruling = text[len("rule:") :].strip()
        return Correction({"act": "rule", "text": ruling}, f"rule: {ruling}", is_said=True)
    found = _HOLDS.fullmatch(fold(text).strip())
    who = [one for one in state.players if found and fold(one.name) == found["who"]]
    port = [name for name in PORTS if found and fold(name) == found["port"]]
    if not who or not port:
        raise Unread("unknown", "correction", text, ("Anna holds Hythe", "rule: it was a typo"))
    act = {"act": "port", "player": who[0].number, "place": port[0]}
    return Correction(act, f"{who[0].name} holds {port[0]}")
