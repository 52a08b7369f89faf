"""The map, the units' numbers and who stands with whom (FW-1, FW-2, FW-3): one data file, read
once.

Names of zones are their keys everywhere; distances are counted on the empty board.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from engine.fortresses.units import CODES, UnitCode, Units

Kingdom = Literal["silver", "red", "blue", "gold"]
KINGDOMS: tuple[Kingdom, ...] = ("silver", "red", "blue", "gold")
"""In turn order (FW-1.5)."""

Alliance = Literal["silver_gold", "red_blue"]
ALLIANCES: Mapping[Alliance, tuple[Kingdom, Kingdom]] = {
    "silver_gold": ("silver", "gold"),
    "red_blue": ("red", "blue"),
}
"""The pairing never changes (FW-1.1)."""

Structure = Literal["none", "castle", "fortress"]
POINTS: Mapping[Structure, int] = {"none": 0, "castle": 1, "fortress": 5}
"""Castle points (FW-7.10)."""

Element = Literal["land", "sea", "air"]


class UnitFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of FW-3: `die` in sides, `move` in zones, `cost` in gold, `supply` the most of a
    kingdom on the board.
    """

    name: str
    kind: Element
    die: int
    move: int
    cost: int
    supply: int


class Zone(msgspec.Struct, frozen=True):
    """A Land or a Sea. `ways` are the borders within its element (Bridges among them, FW-2.2),
    `coast` those to the other.
    """

    name: str
    code: str
    x: int
    y: int
    is_land: bool
    ways: tuple[str, ...]
    coast: tuple[str, ...]
    bridges: tuple[str, ...]
    owner: Kingdom | None
    structure: Structure
    great_city: str | None
    start_kingdom: Kingdom | None
    start: Units
    aliases: tuple[str, ...]


class _Land(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    x: int
    y: int
    owner: Kingdom
    structure: Structure
    great_city: str | None
    land: tuple[str, ...]
    bridge: tuple[str, ...]
    coast: tuple[str, ...]
    start: Units
    aliases: tuple[str, ...]


class _Sea(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    x: int
    y: int
    sea: tuple[str, ...]
    coast: tuple[str, ...]
    start_kingdom: Kingdom | None
    start: Units
    aliases: tuple[str, ...]


class _Map(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    turn_order: tuple[Kingdom, ...]
    alliances: dict[Alliance, tuple[Kingdom, Kingdom]]
    units: dict[UnitCode, UnitFacts]
    lands: dict[str, _Land]
    seas: dict[str, _Sea]


@lru_cache(maxsize=1)
def _map() -> _Map:
    raw = resources.files("engine.fortresses").joinpath("data", "map.yaml").read_bytes()
    return msgspec.yaml.decode(raw, type=_Map)


@lru_cache(maxsize=1)
def zones() -> Mapping[str, Zone]:
    """All zones by name, in the order of the map: Lands, then Seas."""
    found: dict[str, Zone] = {}
    for name, land in _map().lands.items():
        ways = tuple(sorted((*land.land, *land.bridge)))
        found[name] = Zone(
            name,
            land.code,
            land.x,
            land.y,
            True,
            ways,
            land.coast,
            land.bridge,
            land.owner,
            land.structure,
            land.great_city,
            land.owner,
            land.start,
            land.aliases,
        )
    for name, sea in _map().seas.items():
        found[name] = Zone(
            name,
            sea.code,
            sea.x,
            sea.y,
            False,
            sea.sea,
            sea.coast,
            (),
            None,
            "none",
            None,
            sea.start_kingdom,
            sea.start,
            sea.aliases,
        )
    return found


@lru_cache(maxsize=1)
def lands() -> tuple[str, ...]:
    return tuple(name for name, zone in zones().items() if zone.is_land)


@lru_cache(maxsize=1)
def seas() -> tuple[str, ...]:
    return tuple(name for name, zone in zones().items() if not zone.is_land)


@lru_cache(maxsize=1)
def fortresses() -> tuple[str, ...]:
    return tuple(name for name in lands() if zones()[name].structure == "fortress")


@lru_cache(maxsize=len(CODES))
def facts_of(code: UnitCode) -> UnitFacts:
    return _map().units[code]


def cost_of(units: Units) -> int:
    return sum(facts_of(code).cost * count for code, count in units.pairs())


def alliance_of(kingdom: Kingdom) -> Alliance:
    return "silver_gold" if kingdom in ALLIANCES["silver_gold"] else "red_blue"


def ally_of(kingdom: Kingdom) -> Kingdom:
    first, second = ALLIANCES[alliance_of(kingdom)]
    return second if kingdom == first else first


def other_alliance(alliance: Alliance) -> Alliance:
    return "red_blue" if alliance == "silver_gold" else "silver_gold"


def neighbours(zone: str, element: Element) -> tuple[str, ...]:
    """The zones one move away for units of that element (FW-2.3); none for one that cannot be
    there.
    """
    found = zones()[zone]
    if element == "air":
        return (*found.ways, *found.coast)
    return found.ways if found.is_land == (element == "land") else ()


@lru_cache(maxsize=512)
def distances(origin: str, element: Element) -> Mapping[str, int]:
    """How many zones everything is away on the empty board; what cannot be reached is missing."""
    found = {origin: 0}
    border = [origin]
    while border:
        after = [(near, found[zone] + 1) for zone in border for near in neighbours(zone, element)]
        border = []
        for zone, far in after:
            if zone not in found:
                found[zone] = far
                border.append(zone)
    return found
