"""The rules guide of Realm-Master: every rule has an entry of whole sentences, in the shape of the
other guide.
"""

from importlib import resources

import msgspec
import yaml

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from tests.games.realm_master.engine.test_cases import SINGLE


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    text: str
    example: str = ""


class _Section(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    intro: str
    rules: dict[str, _Entry]


RAW = resources.files("pbem.games.realm_master").joinpath("rules.yaml").read_text(encoding="utf-8")
SECTIONS = msgspec.convert(yaml.safe_load(RAW), dict[int, _Section])
ENTRIES = {rule: entry for section in SECTIONS.values() for rule, entry in section.rules.items()}


def test_every_rule_has_an_entry_in_its_order() -> None:
    assert tuple(ENTRIES) == SINGLE
    assert list(SECTIONS) == list(range(12))


def test_entries_are_whole_sentences() -> None:
    assert [rule for rule, entry in ENTRIES.items() if not entry.text.strip().endswith(".")] == []


def test_names_and_numbers_are_those_of_the_data() -> None:
    for land in all_lands().values():
        entry = ENTRIES[land.rule]
        assert entry.title == land.name
        assert f"{land.capacity} tokens" in entry.text
        assert (f"{land.gold} gold" if land.gold else "nothing") in entry.text
    for hero in all_heroes().values():
        entry = ENTRIES[hero.rule]
        assert entry.title == f"The {hero.title}, {hero.name}"
        assert f"{hero.start.hearts} hearts" in entry.text
        assert f"{hero.start.gold} gold" in entry.text
    for card in all_buy_cards().values():
        entry = ENTRIES[card.rule]
        assert entry.title == card.name
        assert f"{card.cost} gold" in entry.text
        assert ("keep" in entry.text) == card.keep
        assert entry.text.startswith("Enchantment") == card.enchantment
    assert all(f"RM-{key}" in ENTRIES for key in all_turn_cards())
