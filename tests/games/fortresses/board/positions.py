"""Scenes of Fortresses in which much lies on the map: told as a few words, or by lot. They obey no
rule but look like a table on which much has happened.
"""

from collections.abc import Callable, Mapping
from random import Random

from engine.fortresses.atlas import ALLIANCES, KINGDOMS, Kingdom, alliance_of, facts_of, zones
from engine.fortresses.units import CODES, UnitCode, Units, parse_units
from pbem.games.fortresses.board.drawing import draw_svg
from pbem.games.fortresses.board.scene import (
    Battle,
    Counts,
    Force,
    Landing,
    March,
    Realm,
    Scene,
    Zone,
)

NAMES = ("Anna", "Maximiliane von Hohenstein-Waldburg-Zeil", "Ελένη", "Дмитро")


def counts(text: str) -> Counts:
    return tuple(parse_units(text).pairs())


def scene(
    owners: Mapping[str, Kingdom] = {},
    units: Mapping[str, str] | None = None,
    **more: object,
) -> Scene:
    """The start, but for what is told: `units` by zone as `silver 2L 1K, gold 1G`; None: those of
    the start.
    """
    held = {name: owners.get(name, zone.owner) for name, zone in zones().items()}
    if units is None:
        units = {
            name: f"{zone.start_kingdom} {zone.start.text}"
            for name, zone in zones().items()
            if zone.start_kingdom
        }
    shown = tuple(
        Zone(
            name,
            zone.code,
            held[name],
            zone.structure,
            zone.great_city or "",
            forces(units.get(name, "")),
        )
        for name, zone in zones().items()
    )
    facts: dict[str, object] = {
        "table": "Heron",
        "year": 5,
        "stage": "reinforce",
        "phase": "Reinforce",
        "due": ("Orders due", "Wed 30 Sept", "18:00 CEST"),
        "zones": shown,
        "realms": tuple(_realm(kingdom, shown) for kingdom in KINGDOMS),
        "fortresses": tuple(
            (
                alliance,
                tuple(
                    zone.owner
                    for zone in shown
                    if zone.structure == "fortress" and zone.owner in pair
                ),
            )
            for alliance, pair in ALLIANCES.items()
        ),
    }
    return Scene(**(facts | more))  # type: ignore[arg-type]  # the facts of a test by name


def forces(text: str) -> tuple[Force, ...]:
    found = []
    for part in filter(None, text.split(", ")):
        word, _, lot = part.partition(" ")
        found.append(Force(next(k for k in KINGDOMS if k == word), counts(lot)))
    return tuple(found)


def _realm(kingdom: Kingdom, shown: tuple[Zone, ...]) -> Realm:
    there = Units()
    for zone in shown:
        for force in zone.forces:
            if force.kingdom == kingdom:
                there += parse_units(" ".join(f"{n}{c}" for c, n in force.counts))
    lands = [zone for zone in shown if zone.owner == kingdom]
    return Realm(
        kingdom=kingdom,
        alliance=alliance_of(kingdom),
        player=NAMES[KINGDOMS.index(kingdom)],
        gold=16 if kingdom == "red" else 0,
        income=len(lands) + sum(bool(zone.city) for zone in lands),
        lands=len(lands),
        supply=tuple((code, max(0, facts_of(code).supply - there.of(code))) for code in CODES),
        active=kingdom == "red",
    )


# ------------------------------------------------------------------------------------- told in words
_BATTLES_OWNERS: Mapping[str, Kingdom] = {
    "Denmark": "blue", "France": "red", "Flanders": "blue", "Syria": "red", "Armenia": "blue",
    "Lombardy": "gold", "Cyprus": "red",
}  # fmt: skip
_BATTLES_UNITS = {
    "Normandy": "silver 5L 2K 1W 1D", "England": "silver 3L 1K", "Scotland": "silver 1L",
    "Ireland": "silver 1L", "Norway": "silver 2L", "Aquitaine": "silver 2L 1K",
    "France": "red 1L 1K", "Flanders": "blue 2L 1K", "Denmark": "blue 1L",
    "Saxony": "blue 3L 2K 1W", "Bohemia": "blue 1L", "Poland": "blue 2L",
    "Novgorod": "blue 1L 1K", "Sweden": "blue 2L", "Kiev": "blue 4L 1K 1W 1D",
    "Hungary": "blue 3L 1K 1W", "Cumania": "blue 1L", "Armenia": "blue 2L 1K",
    "Lombardy": "gold 2L 1K", "Naples": "gold 1L", "Greece": "gold 3L 1K",
    "Bulgaria": "gold 4L 1K 1W", "Constantinople": "gold 6L 2K 1W 1D", "Anatolia": "gold 2L",
    "Crete": "gold 1L", "Syria": "red 2L 1K", "Egypt": "red 1L", "Cyprus": "red 1L",
    "Tripoli": "red 1L", "Tunis": "red 2L 1K", "Morocco": "red 1L", "Andalusia": "red 4L 1K 2W",
    "Aragon": "red 2L 1W", "Castile": "red 2L", "Provence": "red 1L", "Sicily": "red 2L",
    "Bay of Biscay": "silver 1G, red 1D", "English Channel": "silver 2G", "North Sea": "blue 1G",
    "Baltic Sea": "blue 2G", "Levantine Sea": "red 1G", "Tyrrhenian Sea": "red 1G",
    "Black Sea": "blue 2G", "Aegean Sea": "gold 2G", "Balearic Sea": "red 1G",
}  # fmt: skip


def battles(**more: object) -> Scene:
    """Eight attacks, two of them by ship, and six battles."""
    facts: dict[str, object] = {
        "attacker": "red",
        "marches": (
            March("red", "Egypt", "Egypt", "Syria", counts("3L 1K")),
            March("red", "Provence", "Provence", "France", counts("2L 1K")),
            March("red", "Aragon", "Provence", "France", counts("1K")),
            March("red", "Andalusia", "Castile", "Bay of Biscay", counts("1D")),
            March("red", "Atlantic Ocean", "Atlantic Ocean", "Bay of Biscay", counts("1G")),
            March("red", "Ionian Sea", "Ionian Sea", "Levantine Sea", counts("2G")),
        ),
        "landings": (
            Landing("red", "Tripoli", "Tripoli", "Levantine Sea", "Cyprus", counts("1L")),
            Landing(
                "red", "Sicily", "Sicily", "Tyrrhenian Sea", "Naples", counts("1K"), drowned=True
            ),
        ),
        "battles": (
            Battle("Bay of Biscay", "red", 1, 0, 2, "silver", result="held", retreated=1),
            Battle("Levantine Sea", "red", 1, 1, 1, "red", result="won"),
            Battle("Syria", "red", 1, 3, 2, "red", result="conquered", conquered_from="gold"),
            Battle("France", "red", 1, 2, 2, "red", result="conquered", conquered_from="silver"),
            Battle("Naples", "red", 1, 1, 1, "gold", result="held"),
            Battle("Cyprus", "red", 0, 1, 1, "red", result="conquered", conquered_from="gold"),
        ),
    }
    return scene(_BATTLES_OWNERS, _BATTLES_UNITS, **(facts | more))


_END_OWNERS: Mapping[str, Kingdom] = {
    **dict.fromkeys(
        ("Andalusia", "Castile", "Aragon", "Provence", "Saxony", "Bohemia", "Poland"), "silver"
    ),
    **dict.fromkeys(("Kiev", "Cumania", "Hungary", "Egypt", "Lombardy", "Sicily"), "gold"),
}


def end(**more: object) -> Scene:
    """Few units are left, and Lands without any; the last battle ended the game."""
    units = {
        "Normandy": "silver 2L", "England": "silver 1L", "Andalusia": "silver 3L 1K",
        "Castile": "silver 1L", "Aragon": "silver 2L", "Provence": "silver 1L",
        "Saxony": "silver 3L 1K 1W", "Bohemia": "silver 1L", "Poland": "silver 2L 1K 1D",
        "Kiev": "gold 2L 1K 1W", "Cumania": "gold 1L", "Hungary": "gold 2L 1K",
        "Constantinople": "gold 3L", "Bulgaria": "gold 2L", "Greece": "gold 1L",
        "Egypt": "gold 2L 1K", "Syria": "gold 1L", "Lombardy": "gold 1L", "Sicily": "gold 1L",
        "Anatolia": "gold 1L 1D", "Novgorod": "blue 3L 1K", "Sweden": "blue 2L",
        "Tunis": "red 4L 1K 1W", "Morocco": "red 2L", "Tripoli": "red 1L",
        "Balearic Sea": "silver 2G", "Black Sea": "gold 2G", "Levantine Sea": "gold 1G",
        "Baltic Sea": "blue 1G", "Tyrrhenian Sea": "red 1G", "North Sea": "silver 1G",
    }  # fmt: skip
    facts: dict[str, object] = {
        "year": 12,
        "stage": "over",
        "phase": "The end",
        "due": ("Game over", "", ""),
        "winner": "silver_gold",
        "how": "fortresses",
        "attacker": "gold",
        "marches": (
            March("gold", "Hungary", "Hungary", "Kiev", counts("4L 2K")),
            March("gold", "Cumania", "Cumania", "Kiev", counts("2L 2W")),
        ),
        "battles": (
            Battle("Kiev", "gold", 5, 9, 4, "gold", result="conquered", conquered_from="blue"),
        ),
    }
    return scene(_END_OWNERS, units, **(facts | more))


def measured() -> dict[str, Callable[[], str]]:
    """What `bench.board` paints, by its figure: forty Lands, two marches, a battle."""
    of = end()
    return {"board_40_ms": lambda: draw_svg(of)}


def crowded(zone: str, **more: object) -> Scene:
    """All types of two allies stand in this zone, and a flight of enemies that retreated."""
    units = dict(_BATTLES_UNITS)
    owner = _BATTLES_OWNERS.get(zone, zones()[zone].owner) or "gold"
    first, second = ALLIANCES[alliance_of(owner)]
    enemy = "red" if first == "silver" else "silver"
    lot = "12L 3K 8W 2D" if zones()[zone].is_land else "7G 2D"
    units[zone] = f"{first} {lot}, {second} {lot}, {enemy} 1D"
    return scene(_BATTLES_OWNERS, units, **more)


# --------------------------------------------------------------------------------------------- by lot
def by_lot(lot: int) -> Scene:
    """Eight attacks and six battles anywhere, the attacked Lands full of units."""
    rng = Random(lot)
    attacker = KINGDOMS[lot % 4]
    owners: dict[str, Kingdom] = {
        name: rng.choice(KINGDOMS) if rng.random() < 0.4 else zone.owner
        for name, zone in zones().items()
        if zone.owner is not None
    }
    units = {}
    for name, zone in zones().items():
        if rng.random() < 0.85:
            owner = owners.get(name) or rng.choice(KINGDOMS)
            codes: tuple[UnitCode, ...] = ("L", "K", "W", "D") if zone.is_land else ("G", "D")
            most = rng.choice((1, 1, 2, 3, 4))
            kept = [code for code in codes if rng.random() < 0.5][:most] or [codes[0]]
            units[name] = f"{owner} " + " ".join(f"{rng.randint(1, 5)}{code}" for code in kept)
    targets = rng.sample(list(zones()), 6)
    marches, landings, fights = [], [], []
    for i in range(8):
        target = targets[i % 6]
        zone = zones()[target]
        near = rng.choice([*zone.ways, *zone.coast])
        if i % 4 == 3 and zone.is_land and zone.coast:
            sea = rng.choice(zone.coast)
            shores = [land for land in zones()[sea].coast if land != target]
            shore = rng.choice(shores)
            origin = shore if rng.random() < 0.7 else "Sweden"
            landings.append(
                Landing(
                    attacker, origin, shore if origin == shore else "", sea, target, counts("1L")
                )
            )
            continue
        if zone.is_land and zones()[near].is_land:
            lot_of = rng.choice(("1L", "3L 1K", "12L 2K 1W", "2W", "4K 1D", "2D"))
        else:
            lot_of = "2D" if zone.is_land or zones()[near].is_land else rng.choice(("1G", "3G 1D"))
        origin = near if rng.random() < 0.8 else "Armenia"
        marches.append(March(attacker, origin, near, target, counts(lot_of)))
    for i, target in enumerate(targets):
        fights.append(
            Battle(
                target,
                attacker,
                rng.randint(0, 12),
                rng.randint(0, 12),
                3,
                rng.choice((attacker, owners.get(target), None)),
                retreated=int(i == 0),
                state="fought" if i == 1 else "over",
            )
        )
    return scene(
        owners,
        units,
        attacker=attacker,
        marches=tuple(marches),
        landings=tuple(landings),
        battles=tuple(fights),
    )
