"""What a case expects of a position: its keys and kingdoms are checked, its words made those of
`format_position`; and events as cases tell them (SF-8).
"""

from collections.abc import Iterable, Mapping

import msgspec

from engine.positions import PositionPart
from engine.ruleset import Event, Standing
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.orders import Order
from engine.sovereigns.positions.position_words import (
    KINGDOM_KEYS,
    NEXT_KEYS,
    POSITION_KEYS,
    names_of,
)
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_item, parse_item

UNORDERED = frozenset({"used", "converted_by", "winner"})
"""Lists of a position without an order."""
_WHOLE: Mapping[str, Iterable[str]] = {"next": NEXT_KEYS, "standing": ("year", "season")}
_PEOPLE = ("kingdom", "target", "by", "from", "to", "lender", "borrower", "claimant", "winner")
"""Facts of events that are players' numbers."""


def parse_expectation(
    part: PositionPart, state: State, more: tuple[str, ...] = ()
) -> dict[str, object]:
    """A part of a position, as it would be written out; `more` keys are the runner's and left
    alone. PositionError for an unknown key or kingdom.
    """
    told = part.fields((*POSITION_KEYS, *more))
    names = names_of(state)
    return {
        key: entry.value if key in more else _read(key, entry, names) for key, entry in told.items()
    }


def read_command(
    state: State, standings: Mapping[int, Standing[Order]], text: str
) -> Mapping[str, object]:
    """A game master's act of a case (SF-5)."""
    return parse_command(state, text, {n: told.orders for n, told in standings.items()})


def tell_event(event: Event, state: State) -> dict[str, object]:
    """An event as cases tell it, kingdoms by their names."""
    names = {number: name for name, number in names_of(state).items()}
    told: dict[str, object] = {"kind": event.kind, "rules": list(event.rules)}
    facts: dict[str, object] = msgspec.json.decode(msgspec.json.encode(event.facts))
    for key, value in facts.items():
        if key in _PEOPLE and isinstance(value, int):
            told[key] = names[value]
        elif key in _PEOPLE and isinstance(value, list):
            people = [names[number] for number in value]
            told[key] = people[0] if len(people) == 1 else people
        elif key != "kind":
            told[key] = value
    if event.kind == "loan-returned":
        told["points"] = f"{facts['points']}{facts['attribute']}"
    if event.audience is not None:
        told["audience"] = [names[number] for number in event.audience]
    return told


def _read(key: str, part: PositionPart, names: Mapping[str, int]) -> object:
    match key:
        case "kingdoms":
            told = part.fields(names)
            return {name: _kingdom(one) for name, one in told.items()}
        case "offers":
            return [_offer(one) for one in part.parts()]
        case "ballots":
            return [_ballot(one) for one in part.parts()]
    return part.value


def _kingdom(part: PositionPart) -> dict[str, object]:
    """Leave out what a fallen kingdom has lost."""
    told = part.fields(KINGDOM_KEYS)
    found = {key: _of_kingdom(key, one) for key, one in told.items()}
    if found.get("alive") is False:
        return {key: value for key, value in found.items() if key == "alive" or value}
    return found


def _of_kingdom(key: str, part: PositionPart) -> object:
    if key in _WHOLE:
        told = {name: one.value or None for name, one in part.fields(_WHOLE[key]).items()}
        return dict.fromkeys(_WHOLE[key]) | told
    if key == "mods":
        return [{name: one.value for name, one in mod.pairs() if one.value} for mod in part.parts()]
    if key == "discoveries":
        return [{"great": False} | dict(_plain(one)) for one in part.parts()]
    return part.value


def _plain(part: PositionPart) -> dict[str, object]:
    return {name: one.value for name, one in part.pairs()}


def _offer(part: PositionPart) -> dict[str, object]:
    return _plain(part) | {
        name: [format_item(parse_item(item.text())) for item in one.parts()]
        for name, one in part.pairs()
        if name in ("gives", "wants")
    }


def _ballot(part: PositionPart) -> dict[str, object]:
    """The players who have said yes, by name: a set without an order."""
    ayes = [aye.text() for name, one in part.pairs() if name == "ayes" for aye in one.parts()]
    return _plain(part) | {"ayes": sorted(ayes)}
