"""The vocabulary of a told position: its keys, and how options, players, provinces and cards are
named.
"""

from collections.abc import Mapping
from typing import get_args

import msgspec

from engine.positions import PositionPart
from engine.protectors import orders as o
from engine.protectors.abilities import ability_named
from engine.protectors.cards import all_cards
from engine.protectors.lands import MOST_PLAYERS, MOST_PROVINCES
from engine.protectors.state import DeckName, Options, Played, Stage, State

OPTION_WORDS: Mapping[str, tuple[str, ...]] = {
    "version": ("normal", "grand"),
    "factions": ("none", "choice", "chance"),
    "finality": ("confirm", "strict"),
}
OPTION_KEYS = ("version", "provinces", "factions", "island", "teams", "finality", "early_close")
DERIVED_KEYS = ("winner", "score", "bracket", "threshold")
"""What follows from a position. A case may state it, and then it must agree."""
POSITION_KEYS = (
    "turn",
    "phase",
    "provinces",
    "borders",
    "starting_players",
    "ranking",
    "eliminated",
    "dpl",
    "eliminated_this_turn",
    "in_play",
    "locked",
    "decks",
    "discards",
    "removed",
    "attack",
    "answers",
    "owed",
    "bids",
    "ties",
    "final",
    "last_orders",
    "players",
    "board",
    *DERIVED_KEYS,
)
PLAYER_KEYS = ("realm", "vp", "colour", "faction", "used", "effects", "extra", "team")
PROVINCE_KEYS = ("owner", "units", "level", "burnt", "order")
ISLAND_KEYS = ("owner", "units")
ATTACK_KEYS = ("during", "dpl", "more", "next", "bank")
EFFECTS = ("bank", "guard", "faith")
STAGES: tuple[Stage, ...] = get_args(Stage)
ISLAND_NAME = "Island"
DRAGON_NAME = "dragon"
NOBODY = "nobody"
"""The winner of a game that was drawn."""


def parse_options(data: object) -> Options:
    """The table options of a case; another key is an error."""
    told = PositionPart(data, ("options",)).fields(OPTION_KEYS)
    values: dict[str, object] = {}
    for key, part in told.items():
        if key in OPTION_WORDS:
            values[key] = part.one_of(OPTION_WORDS[key])
        elif key == "provinces":
            values[key] = part.integer(2, MOST_PROVINCES)
        elif key == "teams":
            values[key] = part.integer(0, MOST_PLAYERS)
        else:
            values[key] = part.flag()
    return msgspec.convert(values, Options)


def names_of(state: State) -> dict[str, int]:
    return {seat.name: seat.number for seat in state.players}


def parse_player(part: PositionPart, names: Mapping[str, int]) -> int:
    """A player by the name told in `players`."""
    if part.text() not in names:
        raise part.error(f"no player {part.value!r}; players are {', '.join(names)}")
    return names[part.text()]


def parse_province(key: str, part: PositionPart, provinces: int, *, island: bool) -> int:
    """A province by its key: P1 to Pn, or the Island where it is played with."""
    if key == ISLAND_NAME:
        if not island:
            raise part.error("the table plays without the Island (options: island)")
        return o.ISLAND
    if not (
        key.startswith("P")
        and key[1:].isascii()
        and key[1:].isdigit()
        and key[1] != "0"
        and int(key[1:]) <= provinces
    ):
        raise part.error(f"no such province; provinces are P1 to P{provinces}")
    return int(key[1:])


def parse_card(part: PositionPart, deck: DeckName | None = None) -> Played:
    """A card by its name; case, apostrophes and the exclamation mark do not matter."""
    card = _CARDS.get(_plain(part.text()))
    if card is None or (deck is not None and card.deck != deck):
        raise part.error(f"no card {part.value!r}" + (f" in the {deck} deck" if deck else ""))
    return card


def _plain(name: str) -> str:
    return name.casefold().replace("’", "'").rstrip("!").strip()


_CARDS = {_plain(card.name): Played(card.deck, card.name) for card in all_cards().values()}


def parse_ability(part: PositionPart) -> str:
    """An ability by its name or key."""
    ability = ability_named(part.text())
    if ability is None:
        raise part.error(f"no ability {part.value!r}")
    return ability.name
