"""Words of positions: keys, kingdoms, units of several kingdoms (FF-2)."""

from collections.abc import Mapping

from engine.fortresses.atlas import KINGDOMS, Kingdom, zones
from engine.fortresses.orders import Order, parse_order
from engine.fortresses.state import State
from engine.fortresses.units import NOBODY, Units, parse_units
from engine.positions import PositionPart

POSITION_KEYS = (
    "year",
    "phase",
    "active",
    "base",
    "owners",
    "units",
    "gold",
    "moved",
    "carried",
    "presets",
    "held",
    "seats",
    "missed",
    "command",
    "agreed",
    "answered",
    "instructions",
    "battles",
    "passengers",
    "winner",
    "by",
)
BATTLE_KEYS = ("zone", "attackers", "started", "points", "round", "hits")
PASSENGER_KEYS = ("sea", "unit", "land")
STAGES = ("attack", "battle", "reinforce", "over")


def names_of(state: State) -> dict[str, int]:
    return {player.name: player.number for player in state.players}


def parse_zone(part: PositionPart, is_land: bool | None = None) -> str:
    name = part.text()
    if name not in zones():
        raise part.error(f"no zone {name!r}")
    if is_land is not None and zones()[name].is_land != is_land:
        raise part.error(f"{name} is no {'Land' if is_land else 'Sea'}")
    return name


def parse_kingdom(part: PositionPart) -> Kingdom:
    named = part.one_of(KINGDOMS)
    return next(kingdom for kingdom in KINGDOMS if kingdom == named)


def parse_number(part: PositionPart) -> Units:
    """Units of one kingdom: `2L 1K`."""
    try:
        return parse_units(part.text())
    except ValueError as wrong:
        raise part.error(str(wrong)) from wrong


def parse_troops(part: PositionPart) -> dict[Kingdom, Units]:
    """Units of one zone: `silver 2L, gold 1L`, `-`."""
    found: dict[Kingdom, Units] = {}
    text = part.text()
    for piece in () if text == NOBODY else text.split(","):
        name, _, units = piece.strip().partition(" ")
        kingdom = parse_kingdom(PositionPart(name, part.path))
        if kingdom in found:
            raise part.error(f"{kingdom} is told twice")
        found[kingdom] = parse_number(PositionPart(units.strip(), part.path))
    return found


def format_troops(there: Mapping[Kingdom, Units]) -> str:
    return (
        ", ".join(f"{kingdom} {there[kingdom].text}" for kingdom in KINGDOMS if kingdom in there)
        or NOBODY
    )


def parse_text(part: PositionPart) -> Order:
    """A canonical text."""
    try:
        return parse_order(part.text())
    except ValueError as wrong:
        raise part.error(str(wrong)) from wrong
