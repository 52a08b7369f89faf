"""The rules guide of Fortresses: an entry for every rule that the engine names, and its numbers are
those of the data.
"""

import re
from pathlib import Path

import engine.fortresses
from engine.fortresses.atlas import KINGDOMS, POINTS, facts_of, zones
from engine.fortresses.phases.battles import LEAST_HIT
from engine.fortresses.state import YEAR_LIMIT
from engine.fortresses.units import CODES, UnitCode
from pbem.pages.kit.rules import Book, find_rule, sections

BOOK = Book("pbem.games.fortresses", "FW")
RULES = {rule.id: rule for section in sections(BOOK) for rule in section.rules}


def text(rule: str) -> str:
    return " ".join(RULES[rule].text)


def test_every_rule_that_the_engine_names_has_an_entry() -> None:
    (folder,) = engine.fortresses.__path__
    named = {
        rule
        for path in Path(folder).rglob("*.py")
        for rule in re.findall(r"FW-\d+\.\d+", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 100
    assert sorted(named - set(RULES)) == []


def test_entries_stand_in_their_order_without_a_gap() -> None:
    for section in sections(BOOK):
        numbered = [f"FW-{section.number}.{i}" for i in range(1, len(section.rules) + 1)]
        assert [rule.id for rule in section.rules] == numbered
    assert [section.number for section in sections(BOOK)] == list(range(1, 12))


def test_entries_are_whole_sentences() -> None:
    for rule in RULES.values():
        for paragraph in (*rule.text, *rule.example):
            assert paragraph.endswith("."), rule.id
            assert "[" not in paragraph


def test_the_units_are_those_of_the_data() -> None:
    """FW-3.1, FW-3.5."""
    for code, told in zip(CODES, RULES["FW-3.1"].text, strict=False):
        unit = facts_of(code)
        assert f"A {unit.name} rolls a d{unit.die}, moves {unit.move}, costs {unit.cost}" in told
        assert f"{unit.supply} {unit.name}s" in text("FW-3.5")
    assert f"{LEAST_HIT} or more" in text("FW-3.3")


def test_the_map_is_that_of_the_data() -> None:
    """FW-2.1, FW-2.2, FW-2.4 to FW-2.9, FW-7.10, FW-9.2."""
    known = zones().values()
    assert f"{sum(zone.is_land for zone in known)} Lands" in text("FW-2.1")
    assert f"{sum(not zone.is_land for zone in known)} Seas" in text("FW-2.1")
    for zone in known:
        assert all(zone.name in text("FW-2.2") for _ in zone.bridges)
        told = {"fortress": "FW-2.4", "castle": "FW-2.5"}.get(zone.structure)
        assert [rule for rule in ("FW-2.4", "FW-2.5") if zone.name in text(rule)] == (
            [told] if told else []
        )
        assert zone.great_city is None or f"{zone.great_city} in {zone.name}" in text("FW-2.7")
        assert zone.is_land or (zone.name in text("FW-2.9")) == bool(zone.start.G)
    for kingdom in KINGDOMS:
        for code in CODES:
            count = sum(zone.start.of(code) for zone in known if zone.start_kingdom == kingdom)
            assert f"{count} {_named(code, count)}" in text("FW-2.8")
        income = sum(1 + (zone.great_city is not None) for zone in known if zone.owner == kingdom)
        assert f"income of {income} gold" in text("FW-2.10")
    assert f"castle takes {POINTS['castle']} hit" in text("FW-7.10")
    assert f"Fortress {POINTS['fortress']}" in text("FW-7.10")
    assert f"Year {YEAR_LIMIT}" in text("FW-9.2")


def test_rules_are_found_as_people_ask_for_them() -> None:
    assert find_rule("7.9", BOOK).id == "FW-7.9"
    assert find_rule("fw 10.4", BOOK).id == "FW-10.4"
    assert find_rule("knights ride", BOOK).id == "FW-5.5"


def _named(code: UnitCode, count: int) -> str:
    return facts_of(code).name + ("s" if count > 1 else "")
