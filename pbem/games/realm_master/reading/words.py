"""The words of Realm-Master: its own file, and the names of lands, heroes and cards from the
engine's data.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.vocabulary import Vocabulary, build_vocabulary

LANGUAGE = "pbem.games.realm_master.reading"
"""The package of the order language: its grammar and its words."""
_ALSO = {
    "honour": "B12",
    "honor": "B12",
    "the shield": "B01",
    "shield": "B01",
    "blade": "B02",
    "knuckle": "B03",
    "boots": "B04",
    "writ": "B06",
    "pole": "B07",
    "draught": "B08",
    "potion": "B08",
    "horn": "B09",
    "smoke": "B10",
    "smoke pot": "B10",
    "pot": "B10",
    "minted honor": "B12",
    "charm": "B13",
    "ward": "B14",
    "circle": "B15",
    "bolt": "B16",
    "touch": "B17",
    "rune": "B18",
    "phoenix": "B19",
    "feather": "B19",
    "mists": "B20",
}
_LANDS_ALSO = {
    "kingdom": "MER",
    "forest of kurull": "KUR",
    "forests": "KUR",
    "forest": "KUR",
    "desert": "ARU",
    "fen": "SAL",
    "saltmere": "SAL",
    "barrows": "BAR",
    "hollow": "BAR",
}


@lru_cache(maxsize=1)
def lands_by_name() -> Mapping[str, str]:
    names = {
        fold(name): land.key
        for land in all_lands().values()
        for name in (land.name, land.short, land.key)
    }
    return {name: names[name] for name in sorted(names)} | _LANDS_ALSO


@lru_cache(maxsize=1)
def heroes_by_name() -> Mapping[str, str]:
    """A hero's title, plural and name; the rulebook's Warrior is the barbarian (RM-2.12)."""
    names = {
        fold(name): hero.key
        for hero in all_heroes().values()
        for name in (hero.title, hero.name, f"{hero.title}s")
    }
    return names | {"warrior": "barbarian"}


@lru_cache(maxsize=1)
def cards_by_name() -> Mapping[str, str]:
    """A buy card's whole name, its number, and what it is called for short."""
    names = {
        fold(name): card.key for card in all_buy_cards().values() for name in (card.name, card.key)
    }
    bare = {name.replace("'s", ""): key for name, key in names.items()}
    return names | bare | _ALSO


def reserved_words() -> tuple[str, ...]:
    """Words no player may be called by: heroes, lands, and what lies on them."""
    return (*heroes_by_name(), *lands_by_name(), "heart", "hearts", "gold", "banner", "banners")


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    named = {"LAND": lands_by_name(), "HERO": heroes_by_name(), "CARD": cards_by_name()}
    names = (f"{kind}: {', '.join(names)}" for kind, names in named.items())
    return build_vocabulary(files(LANGUAGE) / "orders.words", *names)
