"""What a player, or the public, may know (RM-0.5): the only way from a state to words and pictures.

The types are here; `view_of` builds them. A view of the public and one of a player differ in `you`
alone.
"""

import msgspec

from engine.realm_master.conditions import Face
from engine.realm_master.orders import Line
from engine.realm_master.state import Mode, Options, Stage, StepName


class HeroView(msgspec.Struct, frozen=True):
    """`seat` counts from 1, the first player; `maximum` is how many hearts the hero can hold."""

    number: int
    name: str
    colour: str
    seat: int
    hero: str | None
    hearts: int
    maximum: int
    gold: int
    banners: int
    cards: tuple[str, ...]
    at: str | None
    alive: bool
    fell_in: int
    fell_to: int | None
    fell_round: int
    conceding: bool


class LandView(msgspec.Struct, frozen=True):
    """`room` is how many tokens more it takes; `occupant` the player on it."""

    key: str
    hearts: int
    gold: int
    banners: int
    room: int
    occupant: int | None


class PileView(msgspec.Struct, frozen=True):
    """A place of the row: the visible card, what it costs anybody except for a hero's own discount,
    and what it covers, the next first.
    """

    card: str
    cost: int
    covers: tuple[str, ...]


class TurnView(msgspec.Struct, frozen=True):
    """The turn being played; `faces` is empty until R are fixed. `damage` is what the attack does
    to those who must decide now, `steps` what is still to come.
    """

    number: int
    player: int
    inside: bool
    rolled: tuple[Face, ...]
    faces: tuple[Face, ...]
    horn: int
    lives: int
    attacked: bool
    damage: tuple[tuple[int, int], ...]
    steps: tuple[StepName, ...] = ()


class OwnView(msgspec.Struct, frozen=True):
    """What only this player sees: the plan that stands from earlier messages, and what things cost
    him.
    """

    number: int
    plan: tuple[Line, ...]
    auto: bool
    last: tuple[Line, ...]
    prices: tuple[tuple[str, int], ...]
    entries: tuple[tuple[str, int, int], ...]
    """(land, gold, hearts) to enter it."""
    payable: tuple[str, ...]


class TableView(msgspec.Struct, frozen=True):
    """The table as it lies. `players` by number, `seating` in seat order; `card` is the round's
    turn card, `past` those before it.

    `to_come` are those with a turn to come in this round, in its order; `to_pay` those whose
    tribute is to come, `to_yield` tells whether the ultimatum is. `revealed` is a revealed card
    that lies open until its buyer decides; `victim` whose cards are being looted. The turns that
    are `contestable` can be objected to (RM-11.9).
    """

    options: Options
    mode: Mode
    stage: Stage
    round: int
    asked: tuple[int, ...]
    seating: tuple[int, ...]
    players: tuple[HeroView, ...]
    lands: tuple[LandView, ...]
    room: bool
    card: str | None
    past: tuple[str, ...]
    rounds_left: int
    row: tuple[PileView, ...]
    deck: int
    discard: tuple[str, ...]
    turn: TurnView | None
    turns: int
    to_come: tuple[int, ...]
    to_pay: tuple[int, ...]
    to_yield: bool
    revealed: str | None
    victim: int | None
    winners: tuple[int, ...]
    ended_by: str
    you: OwnView | None
    contestable: tuple[int, ...] = ()

    def player(self, number: int) -> HeroView:
        return self.players[number - 1]

    def land(self, key: str) -> LandView:
        """KeyError if it is not in play."""
        for land in self.lands:
            if land.key == key:
                return land
        raise KeyError(key)
