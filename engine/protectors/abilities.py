"""The abilities of the factions, their costs, and who has which (PR-11.1 to PR-11.8, PR-12.3)."""

from collections.abc import Collection
from typing import Literal

import msgspec

from engine.protectors.orders import ISLAND, Faction
from engine.protectors.state import State

AbilityKey = Literal[
    "defenders",
    "fire",
    "forecast",
    "nothing",
    "merchants",
    "king",
    "crusade",
    "faith",
    "politics",
    "bank",
]


AbilityUse = Literal["fire", "nothing", "king", "faith", "bank", "ash-reading"]
"""A use that is good for once in a game, as it stands in a player's `used`."""

Effect = Literal["bank", "guard", "faith"]
"""What an ability leaves in force for a while."""


class Ability(msgspec.Struct, frozen=True):
    """`name` is how `Refresh` and `Take` orders spell it; `once` is the use in it that is good for
    one time in a game, if any.

    `effect` is what it leaves in force for a while.
    """

    key: AbilityKey
    name: str
    faction: Faction
    tier: Literal[1, 2]
    once: AbilityUse | None = None
    effect: Effect | None = None


ABILITIES: tuple[Ability, ...] = (
    Ability("defenders", "Defenders of the Realm", "Cenarion", 2),
    Ability("fire", "Fight fire with fire", "Cenarion", 1, "fire"),
    Ability("forecast", "Weather forecast", "Kalu'Ak", 2, "ash-reading"),
    Ability("nothing", "Nothing to see here", "Kalu'Ak", 1, "nothing"),
    Ability("merchants", "Merchants of the gods", "Hodir", 2),
    Ability("king", "The Mountain King", "Hodir", 1, "king", "guard"),
    Ability("crusade", "Crusade", "Iron Light", 2),
    Ability("faith", "Faith alone sustains us", "Iron Light", 1, "faith", "faith"),
    Ability("politics", "The Great Game of politics", "Lannuvár", 2),
    Ability("bank", "The Bank of Lannuvár", "Lannuvár", 1, "bank", "bank"),
)
BY_NAME = {ability.name: ability for ability in ABILITIES}
BY_KEY = {str(ability.key): ability for ability in ABILITIES}

ASH_READING: AbilityUse = "ash-reading"
"""The use, once a game, of the Weather forecast on the Dragon's deck (PR-11.2)."""

ONE_TIME_USES: tuple[AbilityUse, ...] = ("fire", "nothing", "king", "faith", "bank", ASH_READING)
"""What may stand in a player's `used`."""

FIRE_COST = 35
MOST_MAGISTERS = 9
WHOLE_COUNCIL = 13
"""The strength of all Highmagisters together (PR-11.1)."""
ISLAND_WEAPONS = 1
"""What the Sanctum's weapons add against the Dragon (PR-12.5)."""
POLITICS = 15
"""How much higher a bid counts for each province (PR-11.7)."""
GODS_PAY = 90
"""What a Work order brings with the Merchants of the gods: 80 % more (PR-11.4)."""
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


def abilities_with(faction: Faction | None, extra: Collection[str]) -> tuple[Ability, ...]:
    """Those of a faction and those taken in the Sanctum."""
    return tuple(
        ability for ability in ABILITIES if ability.faction == faction or ability.name in extra
    )


def abilities_of(state: State, player: int) -> tuple[Ability, ...]:
    """Those of the player's faction and those taken in the Sanctum."""
    seat = state.players[player - 1]
    return abilities_with(seat.faction, seat.extra)


def has_ability(state: State, player: int, key: AbilityKey) -> bool:
    seat, ability = state.players[player - 1], BY_KEY[key]
    return ability.faction == seat.faction or ability.name in seat.extra


def has_used(state: State, player: int, use: str) -> bool:
    """Whether the one use in the game is spent (PR-11.8)."""
    return use in state.players[player - 1].used


def reads_ashes(state: State, player: int) -> bool:
    """Ashes of Power: controlling a burnt province (PR-11.3)."""
    return any(province.owner == player and province.burnt for province in state.board[1:])


def holds_island(state: State, player: int) -> bool:
    """Control of the Island needs a unit there (PR-12.1)."""
    return state.board[ISLAND].owner == player and state.board[ISLAND].units > 0


def may_choose_gift(state: State, player: int) -> bool:
    """Whether the Sanctum still owes its controller the choice of this capture (PR-12.3)."""
    return holds_island(state, player) and not state.players[player - 1].extra


def refreshable(state: State, player: int) -> tuple[Ability, ...]:
    """Those of the player's abilities whose one use is spent (PR-12.3)."""
    used = state.players[player - 1].used
    return tuple(ability for ability in abilities_of(state, player) if ability.once in used)


def takeable(state: State, player: int) -> tuple[Ability, ...]:
    """The abilities a player has not got: another faction's, or any without factions (PR-12.3,
    PR-12.6).
    """
    had = abilities_of(state, player)
    return tuple(ability for ability in ABILITIES if ability not in had)


def is_in_effect(state: State, player: int, effect: Effect) -> bool:
    """Whether an effect still covers this turn. Faith ends where the Consolidation of its last turn
    begins (PR-11.6).
    """
    last = dict(state.players[player - 1].effects).get(effect, 0)
    if effect == "faith" and last == state.turn:
        return state.stage != "consolidation" and (
            state.attack is None or state.attack.during == "reveal"
        )
    return last >= state.turn


def magister_strength(count: int) -> int:
    """What this many Highmagisters add against the Dragon (PR-11.1)."""
    return WHOLE_COUNCIL if count == MOST_MAGISTERS else count
