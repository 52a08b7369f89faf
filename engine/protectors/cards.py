"""The cards (PR-4.1): a data file read once, and the names by which the rules speak of them."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from engine.protectors.state import DeckName

BLACK_SWAN = "Black Swan"
CALMS_OF_SUMMER = "Calms of Summer"
DEEP_SNOW = "Deep Snow"
HEAVY_RAINS = "Heavy Rains of Autumn"
POWER_OVERWHELMING = "Power Overwhelming"
RESTLESSNESS = "Restlessness of Spring"
WINTER_STORMS = "Winter Storms"
BLESSINGS = "Imarin's Blessings"
FLOOD = "Flood!"
THERE_BE_DRAGONS = "There be Dragons!"
MISTY_MOUNTAINS = "The Misty Mountains Cold"
BLOODLUST = "Bloodlust!"
SEAFARERS = "Seafarers!"
FERRY = "Ferry!"
CRABS = "Crab Infestation!"
PLAGUE = "Plague!"
PIRATES = "Pirates!"
THE_END_IS_NIGH = "The End is Nigh!"
TIMES_UP = "Time's Up!"

Effect = Literal["none", "standing", "reshuffle", "raise", "attack", "plague", "lock", "last"]
"""What a card does when it is played; a standing one is asked about wherever its rule applies."""

FIRST_SEA_TURN = 5
FIRST_END_TURN = 10


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of card: `count` of them are in its deck; `rules` are what it applies; `short` fits
    into a margin.
    """

    name: str
    deck: DeckName
    count: int
    short: str
    effect: Effect
    rules: tuple[str, ...]


@lru_cache(maxsize=1)
def all_cards() -> Mapping[str, Card]:
    """Every kind of card by its name, deck by deck."""
    raw = resources.files("engine.protectors").joinpath("data/cards.json").read_bytes()
    return {card.name: card for card in msgspec.json.decode(raw, type=tuple[Card, ...])}


def card_named(name: str) -> Card:
    """KeyError if there is no such card."""
    return all_cards()[name]


@lru_cache(maxsize=4)
def standard_deck(deck: DeckName) -> tuple[str, ...]:
    """All cards of a deck, a name for each copy, unshuffled (PR-4.1)."""
    return tuple(
        card.name for card in all_cards().values() if card.deck == deck for _ in range(card.count)
    )


def decks_drawn(turn: int) -> tuple[DeckName, ...]:
    """The decks of which a card is revealed this turn, in order (PR-4.2)."""
    decks: list[DeckName] = ["event", "dragons"]
    if turn >= FIRST_SEA_TURN:
        decks.append("sea")
    if turn >= FIRST_END_TURN:
        decks.append("end")
    return tuple(decks)
