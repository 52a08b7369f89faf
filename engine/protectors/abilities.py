"""The abilities of the factions, and who has which (PR-11.1 to PR-11.8, PR-12.3): what checking must know of them."""

from typing import Literal

import msgspec

from engine.protectors.orders import ISLAND, Faction
from engine.protectors.state import State

AbilityKey = Literal[
    "defenders", "fire", "forecast", "nothing", "merchants", "king", "crusade", "faith", "politics", "bank"
]  # fmt: skip


class Ability(msgspec.Struct, frozen=True):
    """`name` is how `Refresh` and `Take` orders spell it; an ability of tier 1 is good for one use in a game."""

    key: AbilityKey
    name: str
    faction: Faction
    tier: Literal[1, 2]


ABILITIES: tuple[Ability, ...] = (
    Ability("defenders", "Defenders of the Realm", "Cenarion", 2),
    Ability("fire", "Fight fire with fire", "Cenarion", 1),
    Ability("forecast", "Weather forecast", "Kalu'Ak", 2),
    Ability("nothing", "Nothing to see here", "Kalu'Ak", 1),
    Ability("merchants", "Merchants of the gods", "Hodir", 2),
    Ability("king", "The Mountain King", "Hodir", 1),
    Ability("crusade", "Crusade", "Iron Light", 2),
    Ability("faith", "Faith alone sustains us", "Iron Light", 1),
    Ability("politics", "The Great Game of politics", "Lannuvár", 2),
    Ability("bank", "The Bank of Lannuvár", "Lannuvár", 1),
)
BY_NAME = {ability.name: ability for ability in ABILITIES}
BY_KEY = {str(ability.key): ability for ability in ABILITIES}

ASH_READING = "ash-reading"
"""The use, once a game, of the Weather forecast on the Dragon's deck (PR-11.2)."""

ONE_TIME_USES: tuple[str, ...] = (*(str(ability.key) for ability in ABILITIES if ability.tier == 1), ASH_READING)
"""What may stand in a player's `used`."""

FIRE_COST = 35
MOST_MAGISTERS = 9
HIDE_COST = 25
HIDE_COST_WITH_ASHES = 45
ASHES_COST = 15
PALANTIR_COST = 15
GUARD_COST = 50
FAITH_COST = 7
BANK_COST = 33


def ability_named(text: str) -> Ability | None:
    """The ability of this name or key."""
    return BY_NAME.get(text) or BY_KEY.get(text)


def abilities_of(state: State, player: int) -> tuple[Ability, ...]:
    """Those of the player's faction and those taken in the Sanctum."""
    seat = state.players[player - 1]
    return tuple(ability for ability in ABILITIES if ability.faction == seat.faction or ability.name in seat.extra)


def has_ability(state: State, player: int, key: AbilityKey) -> bool:
    return any(ability.key == key for ability in abilities_of(state, player))


def has_used(state: State, player: int, use: str) -> bool:
    """Whether the one use in the game is spent (PR-11.8)."""
    return use in state.players[player - 1].used


def reads_ashes(state: State, player: int) -> bool:
    """Ashes of Power: controlling a burnt province (PR-11.3)."""
    return any(province.owner == player and province.burnt for province in state.board[1:])


def holds_island(state: State, player: int) -> bool:
    """Control of the Island needs a unit there (PR-12.1)."""
    return state.board[ISLAND].owner == player and state.board[ISLAND].units > 0


def is_in_effect(state: State, player: int, effect: str) -> bool:
    """Whether an effect (bank, guard, faith) still covers this turn."""
    return any(name == effect and last >= state.turn for name, last in state.players[player - 1].effects)
