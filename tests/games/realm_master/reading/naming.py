"""What may be named in this game, found by plain patterns: no word of it is the reader's."""

from collections.abc import Mapping

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands
from engine.realm_master.state import State

UNITS: Mapping[str, str] = {}


def names_of(_: State) -> Mapping[str, tuple[str, ...]]:
    """How somebody or something is written, and how an order may tell it."""
    lands = {
        name: (land.short,) for land in all_lands().values() for name in (land.name, land.short)
    }
    cards = {card.name: (card.name,) for card in all_buy_cards().values()}
    return lands | cards | {hero.title: (hero.title, hero.key) for hero in all_heroes().values()}
