"""What a player, or the public, may know of a game: the only way from a state to words and pictures
(PR-1.8, PR-1.9).

The types are here; `view_of` builds them. A view of the public and one of a player differ in `you`
alone.
"""

from typing import Literal

import msgspec

from engine.protectors.events import Scale, Score
from engine.protectors.lands import LandPlan
from engine.protectors.orders import Faction, Order
from engine.protectors.state import Cause, Ending, Options, Peek, Stage

GoldenType = Literal["march", "support", "fortify", "work"]


class ProvinceView(msgspec.Struct, frozen=True):
    """`start_of`: the player who began here; `order`: a Work order in force after its reveal."""

    number: int
    owner: int | None
    units: int
    level: int
    burnt: bool
    start_of: int | None
    order: Literal["work", "golden work"] | None
    neighbours: tuple[int, ...]


class AbilityView(msgspec.Struct, frozen=True):
    """An ability of a player: `borrowed` from the Sanctum (or refreshed by it), `spent` its one use
    (None: it has none).

    `until` is the last turn that its effect covers, while one is in force; `ashes`: its owner has
    the Ashes of Power (PR-11.3).
    """

    key: str
    name: str
    tier: int
    borrowed: bool
    spent: bool | None
    until: int | None
    ashes: bool = False


class UsableView(msgspec.Struct, frozen=True):
    """What an ability lets its owner order, in exact words, for this many $Realm; `phases` when,
    `now` if the open window takes it.

    `key` is that of the ability, `palantir` or `gift` (the Sanctum's choice); `again`: what it does
    is in force already, and this would be for later.
    """

    key: str
    words: str
    cost: int
    phases: tuple[str, ...]
    now: bool
    again: bool = False


class PlayerView(msgspec.Struct, frozen=True):
    """`rank` and `bracket` (1..4) are None for an eliminated player; `minimum` is the present
    min.US.
    """

    number: int
    name: str
    colour: str
    start: int
    vp: int
    rank: int | None
    bracket: int | None
    golden: tuple[GoldenType, ...]
    provinces: tuple[int, ...]
    units: int
    minimum: int
    faction: Faction | None
    used: tuple[str, ...]
    team: str | None
    fell_to: tuple[int, ...]
    fell_in: int | None
    abilities: tuple[AbilityView, ...] = ()
    has_crusade: bool = False


class AttackView(msgspec.Struct, frozen=True):
    """`answers` are those of everybody else, shown while the Bank's is waited for (PR-11.7)."""

    during: Literal["reveal", "consolidation"]
    dpl: int
    more: int
    scale: Scale
    worldeater: bool
    cause: Cause
    answers: tuple[tuple[int, tuple[Order, ...]], ...] = ()


class OwnView(msgspec.Struct, frozen=True):
    """What only this player knows: the purse, what it will earn, and what may be done now.

    `income` is what production would bring if nothing changed hands; `prize` what the Dragon's
    defeat would bring. `capitols` are level-3 provinces of which one must be named; `upgradable`
    those whose golden Work succeeded. `usable` is what abilities are still good for; `seen` the
    cards looked at this turn; `mates` whose money may be used.
    """

    number: int
    realm: int
    income: int
    golden: tuple[GoldenType, ...]
    prize: int
    room: tuple[tuple[int, int], ...]
    capitols: tuple[int, ...]
    upgradable: tuple[int, ...]
    usable: tuple[UsableView, ...] = ()
    seen: tuple[Peek, ...] = ()
    mates: tuple[int, ...] = ()


class TableView(msgspec.Struct, frozen=True):
    """The table as it lies. `provinces` are in order of number (the Island, if any, is `island`).

    `bids` are those revealed while the Bank's is waited for; `teams` all teams with their members;
    `scores` where everybody active stands at the end, the best first (PR-14.3). `last_orders` and
    `working_lost` are those of the state: everybody was told.
    """

    options: Options
    land: LandPlan
    turn: int
    stage: Stage
    starting_players: int
    players: tuple[PlayerView, ...]
    provinces: tuple[ProvinceView, ...]
    island: ProvinceView | None
    ranking: tuple[int, ...]
    brackets: tuple[int, ...]
    dpl: int
    threshold: int
    tier: int
    step: int
    in_play: tuple[str, ...]
    locked: tuple[str, ...]
    attack: AttackView | None
    ties: tuple[tuple[int, ...], ...]
    asked: tuple[int, ...]
    last_turn: bool
    winners: tuple[int, ...]
    ended_by: Ending
    you: OwnView | None
    bids: tuple[tuple[int, int], ...] = ()
    teams: tuple[tuple[str, tuple[int, ...]], ...] = ()
    scores: tuple[Score, ...] = ()
    last_orders: tuple[tuple[int, tuple[Order, ...]], ...] = ()
    working_lost: tuple[int, ...] = ()

    def player(self, number: int) -> PlayerView:
        return self.players[number - 1]

    def province(self, number: int) -> ProvinceView:
        if number == 0 and self.island is not None:
            return self.island
        if not 1 <= number <= len(self.provinces):
            raise KeyError(number)
        return self.provinces[number - 1]

    def is_in_force(self, card: str) -> bool:
        return card in self.in_play or card in self.locked
