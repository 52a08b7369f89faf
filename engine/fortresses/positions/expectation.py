"""What a case expects of a position: its keys, zones, units and players are checked, its words made
those of `format_position`; None where the case may say nothing (FF-1).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from engine.fortresses.atlas import KINGDOMS, lands, zones
from engine.fortresses.orders import format_order
from engine.fortresses.positions.position_words import (
    BATTLE_KEYS,
    PASSENGER_KEYS,
    POSITION_KEYS,
    STAGES,
    format_troops,
    names_of,
    parse_kingdom,
    parse_number,
    parse_text,
    parse_troops,
    parse_zone,
)
from engine.fortresses.state import HOWS, State
from engine.fortresses.units import NOBODY
from engine.positions import PositionPart
from engine.ruleset import Event

UNORDERED: frozenset[str] = frozenset()
"""No list of a position is without an order."""
ELSEWHERE = "elsewhere"


def parse_expectation(
    part: PositionPart, state: State, more: tuple[str, ...] = ()
) -> dict[str, object]:
    """A part of a position, as it would be written out; `more` keys are the runner's and left
    alone. PositionError for an unknown key, zone, kingdom or player.
    """
    told = part.fields((*POSITION_KEYS, *more))
    names = names_of(state)
    return {
        key: entry.value if key in more else _read(key, entry, names) for key, entry in told.items()
    }


def _read(key: str, part: PositionPart, names: Mapping[str, int]) -> object:
    """Of zones only those that are named must match; every other key is compared whole."""
    match key:
        case "units" | "moved" | "owners" | "carried":
            return _by_zone(key, part)
        case "presets":
            return _whole(part, KINGDOMS, _texts)
        case "missed":
            return _whole(part, KINGDOMS, PositionPart.integer)
        case "command":
            return _whole(part, KINGDOMS, lambda one: one.one_of(names))
        case "seats":
            return _whole(part, names, lambda one: [parse_kingdom(each) for each in one.parts()])
        case "agreed":
            return _whole(
                part,
                ("draw", "concede"),
                lambda one: [each.one_of(names) for each in one.parts()],
            )
        case "held" | "instructions":
            return _texts(part)
        case "battles":
            return [_battle(one) for one in part.parts()]
        case "passengers":
            return [_passenger(one) for one in part.parts()]
        case "active":
            return parse_kingdom(part)
        case "phase":
            return part.one_of(STAGES)
        case "by":
            return part.one_of(HOWS)
        case "answered":
            return part.flag()
        case "year" | "gold":
            return part.integer()
    return part.value


def tell_event(event: Event, state: State) -> dict[str, object]:
    """An event as cases tell it, players by their names (FF-6)."""
    names = {number: name for name, number in names_of(state).items()}
    told: dict[str, Any] = {"kind": event.kind, "rules": list(event.rules)}
    told |= msgspec.json.decode(msgspec.json.encode(event.facts))
    if "player" in told:
        told["player"] = names[told["player"]]
    if "asked" in told:
        told["asked"] = [names[number] for number in told["asked"]]
    if "seats" in told:
        told["seats"] = [[kingdom, names[number]] for kingdom, number in told["seats"]]
    return told


def _texts(part: PositionPart) -> list[str]:
    return [format_order(parse_text(one)) for one in part.parts()]


def _whole(
    part: PositionPart, known: Iterable[str], read: Callable[[PositionPart], object]
) -> dict[str, object]:
    return dict.fromkeys(known) | {key: read(one) for key, one in part.fields(known).items()}


def _by_zone(key: str, part: PositionPart) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, one in part.pairs():
        if name != ELSEWHERE:
            found[parse_zone(PositionPart(name, one.path))] = _there(key, one)
        elif _there(key, one) is not None:
            raise one.error(f"elsewhere is {NOBODY!r}")
    if ELSEWHERE in dict(part.pairs()):
        found |= {
            name: None for name in (lands() if key == "owners" else zones()) if name not in found
        }
    return found


def _there(key: str, part: PositionPart) -> object:
    """What lies in a zone; None for nothing, which is not told."""
    match key:
        case "owners":
            return parse_kingdom(part)
        case "carried":
            return (0 if part.value == NOBODY else part.integer()) or None
    if part.value == NOBODY:
        return None
    return format_troops(parse_troops(part)) if key == "units" else parse_number(part).text


def _battle(part: PositionPart) -> dict[str, object]:
    told = part.fields(BATTLE_KEYS)
    return {
        key: parse_zone(one)
        if key == "zone"
        else parse_number(one).text
        if key in ("attackers", "started")
        else one.integer()
        for key, one in told.items()
    }


def _passenger(part: PositionPart) -> dict[str, object]:
    return {key: one.text() for key, one in part.fields(PASSENGER_KEYS).items()}
