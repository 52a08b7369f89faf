"""The map, the units' numbers and who stands with whom (FW-1, FW-2, FW-3): read from
data files, once.

Names of zones are their keys everywhere; distances are counted on the empty board.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from engine.fortresses.units import NONE, UnitCode, Units
from engine.maps import Map, Place, load_map

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
WAYS: Mapping[Element, tuple[str, ...]] = {
    "land": ("land",),
    "sea": ("sea",),
    "air": ("land", "sea", "coast"),
}
"""The borders that units of an element cross."""
PACKAGE = "engine.fortresses"


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


class _ZoneFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    owner: Kingdom | None = None
    structure: Structure = "none"
    great_city: str | None = None
    bridges: tuple[str, ...] = ()
    start_kingdom: Kingdom | None = None
    start: Units = NONE


@lru_cache(maxsize=1)
def atlas() -> Map[_ZoneFacts]:
    """The map as the kit reads it."""
    borders = ("land", "sea", "coast")
    kinds = ("land", "sea")
    return load_map(PACKAGE, "data/map.yaml", _ZoneFacts, kinds=kinds, borders=borders)


@lru_cache(maxsize=1)
def zones() -> Mapping[str, Zone]:
    """All zones by name, in the order of the map: Lands, then Seas."""
    return {name: _zone(place) for name, place in atlas().places.items()}


def _zone(place: Place[_ZoneFacts]) -> Zone:
    facts = place.facts
    return Zone(
        place.name,
        place.code,
        place.kind == "land",
        place.borders[place.kind],
        place.borders["coast"],
        facts.bridges,
        facts.owner,
        facts.structure,
        facts.great_city,
        facts.owner or facts.start_kingdom,
        facts.start,
        place.aliases,
    )


@lru_cache(maxsize=1)
def lands() -> tuple[str, ...]:
    return tuple(name for name, zone in zones().items() if zone.is_land)


@lru_cache(maxsize=1)
def seas() -> tuple[str, ...]:
    return tuple(name for name, zone in zones().items() if not zone.is_land)


@lru_cache(maxsize=1)
def fortresses() -> tuple[str, ...]:
    return tuple(name for name in lands() if zones()[name].structure == "fortress")


@lru_cache(maxsize=1)
def _units() -> Mapping[UnitCode, UnitFacts]:
    raw = resources.files(PACKAGE).joinpath("data", "units.yaml").read_bytes()
    return msgspec.yaml.decode(raw, type=dict[UnitCode, UnitFacts])


def facts_of(code: UnitCode) -> UnitFacts:
    return _units()[code]


def cost_of(units: Units) -> int:
    return sum(facts_of(code).cost * count for code, count in units.pairs())


def alliance_of(kingdom: Kingdom) -> Alliance:
    return "silver_gold" if kingdom in ALLIANCES["silver_gold"] else "red_blue"


def ally_of(kingdom: Kingdom) -> Kingdom:
    first, second = ALLIANCES[alliance_of(kingdom)]
    return second if kingdom == first else first


def other_alliance(alliance: Alliance) -> Alliance:
    return "red_blue" if alliance == "silver_gold" else "silver_gold"


@lru_cache(maxsize=256)
def neighbours(zone: str, element: Element) -> tuple[str, ...]:
    """The zones one move away for units of that element (FW-2.3); none for one that cannot be
    there.
    """
    return atlas().neighbours(zone, WAYS[element])


def distances(origin: str, element: Element) -> Mapping[str, int]:
    """How many zones everything is away on the empty board; what cannot be reached is missing."""
    return atlas().distances(origin, WAYS[element])
