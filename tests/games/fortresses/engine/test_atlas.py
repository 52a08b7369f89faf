"""The map and the units' numbers: FW-1.1, FW-1.5, FW-2.1 to FW-2.11, FW-3.1, FW-3.3, FW-3.6,
FW-7.10.
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.fortresses.atlas import (
    ALLIANCES,
    KINGDOMS,
    POINTS,
    alliance_of,
    ally_of,
    cost_of,
    distances,
    facts_of,
    fortresses,
    lands,
    neighbours,
    other_alliance,
    seas,
    zones,
)
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, Units, one, parse_units
from engine.ruleset import Seat
from tests.rows import each_row

SEATS = ((1, "Anna", "red"), (2, "Ben", "blue"), (3, "Cleo", "yellow"), (4, "Dora", "green"))
COUNTS = st.builds(Units, *(st.integers(0, 40) for _ in CODES))


def test_there_are_36_lands_and_12_seas_whose_borders_are_symmetric() -> None:
    """FW-2.1, FW-2.3."""
    assert (len(lands()), len(seas())) == (36, 12)
    assert len({zone.code for zone in zones().values()}) == 48
    for name, zone in zones().items():
        assert name not in (*zone.ways, *zone.coast)
        assert all(
            name in zones()[near].ways and zones()[near].is_land == zone.is_land
            for near in zone.ways
        )
        assert all(
            name in zones()[near].coast and zones()[near].is_land != zone.is_land
            for near in zone.coast
        )
    assert distances("Normandy", "air").keys() == zones().keys()


def test_bridges_are_land_borders() -> None:
    """FW-2.2."""
    bridged = {frozenset((name, other)) for name, zone in zones().items() for other in zone.bridges}
    wanted = (("Egypt", "Syria"), ("Constantinople", "Bulgaria"), ("Constantinople", "Greece"))
    assert bridged == {frozenset(pair) for pair in wanted}
    assert all(other in neighbours(name, "land") for name, other in wanted)


def test_every_kingdom_has_a_fortress_three_castles_and_three_great_cities() -> None:
    """FW-2.4 to FW-2.8, FW-1.7."""
    owned = Counter(zone.owner for zone in zones().values() if zone.is_land)
    assert owned == dict.fromkeys(KINGDOMS, 9)
    structures = Counter((zone.owner, zone.structure) for zone in zones().values() if zone.is_land)
    assert all(
        structures[kingdom, "fortress"] == 1 and structures[kingdom, "castle"] == 3
        for kingdom in KINGDOMS
    )
    assert Counter(zone.owner for zone in zones().values() if zone.great_city) == dict.fromkeys(
        KINGDOMS, 3
    )
    assert fortresses() == ("Normandy", "Andalusia", "Constantinople", "Kiev")
    for name in fortresses():
        enemies = [
            other
            for other in lands()
            if alliance_of(zones()[other].owner or "red")
            != alliance_of(zones()[name].owner or "red")
        ]
        assert min(distances(name, "land").get(other, 99) for other in enemies) == 2
        assert zones()[name].coast


def test_castles_and_great_cities_stand_where_the_rules_say() -> None:
    """FW-2.5, FW-2.7."""
    castles = {name for name in lands() if zones()[name].structure == "castle"}
    assert castles == {
        *("England", "France", "Denmark", "Tunis", "Egypt", "Aragon", "Novgorod", "Saxony"),
        *("Hungary", "Greece", "Syria", "Bulgaria"),
    }
    assert {(zone.great_city, zone.name) for zone in zones().values() if zone.great_city} == {
        ("Rouen", "Normandy"),
        ("London", "England"),
        ("Paris", "France"),
        ("Cordoba", "Andalusia"),
        ("Kairouan", "Tunis"),
        ("Cairo", "Egypt"),
        ("Kiev", "Kiev"),
        ("Novgorod", "Novgorod"),
        ("Magdeburg", "Saxony"),
        ("Constantinople", "Constantinople"),
        ("Thessalonica", "Greece"),
        ("Antioch", "Syria"),
    }


def test_a_great_city_is_worth_one_gold_more_and_once() -> None:
    """FW-2.6: nine Lands and three Great Cities at the start."""
    table = Table(
        FORTRESSES.setup(
            {}, [Seat(number, name, colour) for number, name, colour in SEATS], Chance(bytes(32))
        ).state
    )
    assert {kingdom: table.income_of(kingdom) for kingdom in KINGDOMS} == dict.fromkeys(
        KINGDOMS, 12
    )


def test_the_start_is_equal() -> None:
    """FW-2.8, FW-2.9, FW-2.11: units by kingdom; a Sea has no owner."""
    for kingdom in KINGDOMS:
        held = NONE
        for zone in zones().values():
            held += zone.start if zone.start_kingdom == kingdom else NONE
        assert held == Units(14, 4, 2, 2, 1)
    assert all(zones()[name].owner is None for name in seas())


def test_the_numbers_of_the_units() -> None:
    """FW-3.1, FW-3.3, FW-3.5."""
    table = [(f.die, f.move, f.cost, f.supply) for f in map(facts_of, CODES)]
    assert table == [(6, 1, 2, 24), (12, 2, 4, 12), (20, 1, 5, 10), (12, 2, 5, 8), (20, 3, 8, 4)]
    assert cost_of(Units(1, 1, 1, 1, 1)) == 24
    assert POINTS == {"none": 0, "castle": 1, "fortress": 5}


def test_the_pairing() -> None:
    """FW-1.1, FW-1.5."""
    assert KINGDOMS == ("silver", "red", "blue", "gold")
    assert [ally_of(kingdom) for kingdom in KINGDOMS] == ["gold", "blue", "red", "silver"]
    assert {other_alliance(alliance) for alliance in ALLIANCES} == set(ALLIANCES)


def test_distances_are_of_the_element() -> None:
    assert distances("Normandy", "land")["Saxony"] == 2
    assert "Sicily" not in distances("Normandy", "land")
    assert "Normandy" not in distances("North Sea", "sea")
    assert neighbours("Normandy", "sea") == ()


@given(COUNTS, COUNTS)
def test_units_add_up_and_read_back(first: Units, second: Units) -> None:
    """FW-3.4."""
    assert (first + second) - second == first
    assert (first + second).holds(second)
    assert parse_units(first.text) == first
    assert first.total == sum(count for _, count in first.pairs())
    assert first.land == first.only(("L", "K", "W")).total


@each_row("text", ["", "L", "0L", "1K 2L", "1L 1L", "1X", "2 L", "1L  1K"])
def test_what_is_no_number_of_units(text: str) -> None:
    with pytest.raises(ValueError, match=r"units|order"):
        parse_units(text)


def test_one_and_wholeness() -> None:
    assert one("W", 3) == Units(W=3)
    assert not Units(L=-1).is_whole
    assert NONE.text == "-"
