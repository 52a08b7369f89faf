"""Names, lands, cards and orders in the words of one reader: what every sentence about a game of
Realm-Master needs.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.conditions import card_name, land_name
from engine.realm_master.orders import Order
from engine.realm_master.view import TableView
from engine.realm_master.wording import format_order
from pbem.pages.kit import usual
from pbem.pages.kit.rules import Book, find_rule
from pbem.pages.rendering import clean_line

BOOK = Book("pbem.games.realm_master", "RM", "realm_master/guide.md.j2")
"""The rules guide of this game."""


@dataclass(frozen=True, slots=True)
class Cast(usual.Cast):
    """Besides the names: who plays which hero."""

    heroes: tuple[str | None, ...] = ()

    def title(self, hero: str | None) -> str:
        """`Elf`; nothing before the heroes are taken."""
        return "" if hero is None else all_heroes()[hero].title

    def hero(self, player: int) -> str:
        return self.title(self.heroes[player - 1])

    def called(self, player: int) -> str:
        """`Anna, the Elf`."""
        hero = self.hero(player)
        return f"{self.name(player)}, the {hero}" if hero else self.name(player)

    def titled(self, hero: str) -> str:
        """`Elf, Ryllae`."""
        card = all_heroes().get(hero)
        return hero if card is None else f"{card.title}, {card.name}"

    def land(self, key: str) -> str:
        """The short name, as orders use it."""
        return land_name(key)

    def lands(self, keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(land_name, keys))

    def long_land(self, key: str) -> str:
        return all_lands()[key].name if key in all_lands() else key

    def card(self, key: str) -> str:
        return card_name(key)

    def cards(self, keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(card_name, keys))

    def turn_card(self, key: str) -> str:
        return all_turn_cards()[key].name if key in all_turn_cards() else key

    def order(self, order: Order) -> str:
        return in_words(format_order(order))

    def orders(self, orders: Iterable[Order]) -> tuple[str, ...]:
        return tuple(map(self.order, orders))


_THING = r"(?P<thing>hearts|gold|banners|damage)"
_ALONE = r"\b(?! (?:and|or)\b)"
_AT_LEAST = re.compile(rf"\bif {_THING} at least (?P<number>\d+){_ALONE}")
_BELOW = re.compile(rf"\bif {_THING} below (?P<number>\d+){_ALONE}")
_CHOICES = re.compile(
    r"(?:Always: )?(?:Enter|When hit|In the Realm|R|Ultimatum|Smoke Pot|Attack): (?!\d).+"
)


def in_words(text: str) -> str:
    """A canonical text in words that are read as the same: `Enter: Arub with 6+ hearts, else
    Kurull` for `Enter: Arub if hearts at least 6, Kurull`.
    """
    said = _AT_LEAST.sub(r"with \g<number>+ \g<thing>", text)
    said = _BELOW.sub(r"if below \g<number> \g<thing>", said)
    return said.replace(", ", ", else ") if _CHOICES.fullmatch(said) else said


def effect_of(key: str) -> str:
    """What a card does, in the words of the rules guide."""
    return " ".join(find_rule(f"RM-{key}", BOOK).text)


def deed_of(card: str) -> str:
    """The same of a buy card without its price, which stands next to it."""
    price = f"{all_buy_cards()[card].cost} gold"
    bare = effect_of(card).removeprefix(f"{price}, ").replace(f", {price}", "", 1)
    return bare[:1].upper() + bare[1:]


def gift_of(hero: str) -> str:
    """What a hero can, without what he starts with."""
    return effect_of_hero(hero).partition(". ")[2]


def effect_of_hero(hero: str) -> str:
    return " ".join(find_rule(all_heroes()[hero].rule, BOOK).text)


def cast_of(view: TableView, you: int | None) -> Cast:
    """The cast of this table for one reader."""
    return _cast(
        tuple(player.name for player in view.players),
        tuple(player.hero for player in view.players),
        you or 0,
    )


@lru_cache(maxsize=128)
def _cast(names: tuple[str, ...], heroes: tuple[str | None, ...], you: int) -> Cast:
    return Cast(tuple(map(clean_line, names)), you, heroes)
