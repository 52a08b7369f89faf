"""The lands, heroes and cards of Realm-Master (RM-2): data files, each read once, and the names by
which the rules speak of them.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal, TypeVar

import msgspec

Token = Literal["hearts", "gold", "banners"]
TOKENS: tuple[Token, ...] = ("hearts", "gold", "banners")
"""In the order in which mixed additions fill a land (RM-8.6)."""

Effect = Literal[
    "attack",
    "tribute",
    "outsiders",
    "exchange",
    "ultimatum",
    "poor-lands",
    "lands",
    "dice",
    "stipend",
    "market",
    "second-reroll",
]

IRON_SHIELD, WHETTED_BLADE, KNUCKLE, BOOTS, STOUT_HEART, TOLL_WRIT, STANDARD_POLE = (
    "B01",
    "B02",
    "B03",
    "B04",
    "B05",
    "B06",
    "B07",
)
DRAUGHT, WAR_HORN, SMOKE_POT, CUTPURSE, MINTED_HONOUR, CHARM, THORNS = (
    "B08",
    "B09",
    "B10",
    "B11",
    "B12",
    "B13",
    "B14",
)
MENDING, BOLT, GOLDEN_TOUCH, GATE_RUNE, PHOENIX, MISTS = "B15", "B16", "B17", "B18", "B19", "B20"

PLAYABLE = (DRAUGHT, WAR_HORN, CUTPURSE, MINTED_HONOUR, CHARM, BOLT, GOLDEN_TOUCH)
"""The discard cards that are played in one's own turn; the Smoke Pot and the Phoenix Feather have
their own moments.
"""

HERO_MAXIMUM, STOUT_MAXIMUM = 10, 12
BANNERS_TO_WIN = 10
ROW_SIZE = 3
LANDS_IN_PLAY = 4


class Tokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hearts: int = 0
    gold: int = 0
    banners: int = 0


class LandCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`gold` and `hearts` are the entry cost, `bonus` what comes from the supply, `attack` what is
    added against who stands there.
    """

    rule: str
    key: str
    name: str
    short: str
    gold: int
    hearts: int
    bonus: Tokens
    capacity: int
    start: Tokens
    attack: int


class HeroCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    key: str
    title: str
    name: str
    start: Tokens


class TurnCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    key: str
    name: str
    kind: str
    effect: Effect
    amount: int
    tokens: tuple[Token, ...]


class BuyCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    key: str
    name: str
    keep: bool
    enchantment: bool
    cost: int


CardT = TypeVar("CardT", LandCard, HeroCard, TurnCard, BuyCard)


def _read(name: str, kind: type[CardT]) -> dict[str, CardT]:
    raw = resources.files("engine.realm_master").joinpath(f"data/{name}.json").read_bytes()
    cards = [msgspec.convert(entry, kind) for entry in msgspec.json.decode(raw)]
    return {card.key: card for card in cards}


@lru_cache(maxsize=1)
def all_lands() -> Mapping[str, LandCard]:
    """The six lands by key (RM-2.1 to RM-2.6)."""
    return _read("lands", LandCard)


@lru_cache(maxsize=1)
def all_heroes() -> Mapping[str, HeroCard]:
    """The six heroes by key (RM-2.10 to RM-2.15)."""
    return _read("heroes", HeroCard)


@lru_cache(maxsize=1)
def all_turn_cards() -> Mapping[str, TurnCard]:
    """The seventeen turn cards by key, `T01` to `T17`."""
    return _read("turn_cards", TurnCard)


@lru_cache(maxsize=1)
def all_buy_cards() -> Mapping[str, BuyCard]:
    """The twenty buy cards by key, `B01` to `B20`."""
    return _read("buy_cards", BuyCard)


def half(amount: int) -> int:
    """Halves are rounded down (RM-7.2)."""
    return amount // 2
