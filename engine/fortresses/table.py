"""The table while it is being played: a private working copy of a state, frozen again at the next
question.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.chance import Chance
from engine.fortresses.atlas import (
    KINGDOMS,
    POINTS,
    Alliance,
    Kingdom,
    alliance_of,
    facts_of,
    fortresses,
    lands,
    zones,
)
from engine.fortresses.event_kinds import GameOver
from engine.fortresses.orders import Instruction, Line, Order
from engine.fortresses.state import Battle, Garrison, How, Passenger, Realm, State, Winner
from engine.fortresses.units import CODES, NONE, Units
from engine.ruleset import Event, Facts

ABSENT_AFTER = 3
"""A human who misses this many turns in a row is absent (FW-4.12)."""


class Table:
    def __init__(self, state: State, chance: Chance | None = None) -> None:
        self.was = state
        self.chance = Chance(b"") if chance is None else chance
        self.events: list[Event] = []
        self.players = {player.number: player for player in state.players}
        self.realms: dict[Kingdom, Realm] = {realm.kingdom: realm for realm in state.realms}
        self.owners: dict[str, Kingdom] = dict(zip(lands(), state.owners, strict=True))
        self.units: dict[str, dict[Kingdom, Units]] = {name: {} for name in zones()}
        self.moved: dict[str, Units] = {}
        self.carried: dict[str, int] = {}
        for garrison in state.garrisons:
            self.units[garrison.zone][garrison.kingdom] = garrison.units
            if garrison.kingdom == state.active:
                self.moved[garrison.zone] = garrison.moved
                self.carried[garrison.zone] = garrison.carried
        self.year, self.stage, self.active, self.gold = (
            state.year,
            state.stage,
            state.active,
            state.gold,
        )
        self.question = state.question
        self.held: tuple[Order, ...] = state.held
        self.kept: tuple[Line, ...] = state.kept
        self.answered = state.answered
        self.opened = state.stage != "over"
        self.draw, self.concede = state.draw, state.concede
        self.instructions: tuple[Instruction, ...] = state.instructions
        self.battles: list[Battle] = list(state.battles)
        self.passengers: list[Passenger] = list(state.passengers)
        self.winner: Winner | None = state.winner
        self.how: How | None = state.how

    # ------------------------------------------------------------------------------ what lies where
    @property
    def alliance(self) -> Alliance:
        return alliance_of(self.active)

    def own(self, zone: str) -> Units:
        return self.units[zone].get(self.active, NONE)

    def unmoved(self, zone: str) -> Units:
        return self.own(zone) - self.moved.get(zone, NONE)

    def enemies(self, zone: str) -> dict[Kingdom, Units]:
        """The units of the other alliance there, in turn order."""
        there = self.units[zone]
        return {
            kingdom: there[kingdom]
            for kingdom in KINGDOMS
            if kingdom in there and alliance_of(kingdom) != self.alliance
        }

    def is_held(self, zone: str) -> bool:
        """Whether enemy units are there."""
        return bool(self.enemies(zone))

    def is_ours(self, zone: str) -> bool:
        """Whether the alliance owns that Land; no Sea is owned (FW-2.11)."""
        return zone in self.owners and alliance_of(self.owners[zone]) == self.alliance

    def on_board(self, kingdom: Kingdom) -> Units:
        return sum((there[kingdom] for there in self.units.values() if kingdom in there), NONE)

    def supply_left(self, kingdom: Kingdom) -> Units:
        """What may still be bought of each type (FW-3.5)."""
        held = self.on_board(kingdom)
        return Units(*(max(0, facts_of(code).supply - held.of(code)) for code in CODES))

    def lands_of(self, kingdom: Kingdom) -> Iterator[str]:
        return (name for name, owner in self.owners.items() if owner == kingdom)

    def income_of(self, kingdom: Kingdom) -> int:
        """Lands and Great Cities (FW-8.2)."""
        return sum(2 if zones()[name].great_city else 1 for name in self.lands_of(kingdom))

    def fortresses_of(self, alliance: Alliance) -> int:
        return sum(alliance_of(self.owners[name]) == alliance for name in fortresses())

    @property
    def has_truce(self) -> bool:
        """Silver attacks nobody in Year 1 (FW-1.6)."""
        return self.year == 1 and self.active == "silver"

    # ---------------------------------------------------------------------------------- changing it
    def put(self, zone: str, kingdom: Kingdom, units: Units) -> None:
        after = self.units[zone].get(kingdom, NONE) + units
        if after == NONE:
            self.units[zone].pop(kingdom, None)
        else:
            self.units[zone][kingdom] = after

    def take(self, zone: str, kingdom: Kingdom, units: Units) -> None:
        self.put(zone, kingdom, NONE - units)
        if kingdom == self.active:  # the dead and the departed have moved no more than are left
            self.moved[zone] = _least(self.moved.get(zone, NONE), self.own(zone))
            self.carried[zone] = min(self.carried.get(zone, 0), self.moved[zone].G)

    def march(self, origin: str, target: str, units: Units) -> None:
        """Unmoved units of the active kingdom move."""
        self.put(origin, self.active, NONE - units)
        self.put(target, self.active, units)
        self.moved[target] = self.moved.get(target, NONE) + units

    def ship(self, origin: str, target: str) -> None:
        """A Galleon that carries moves, or stays where it is: it has moved anyway (FW-6.13)."""
        self.march(origin, target, Units(G=1))
        self.carried[target] = self.carried.get(target, 0) + 1

    def change(self, kingdom: Kingdom, **changes: object) -> None:
        self.realms[kingdom] = replace(self.realms[kingdom], **changes)

    def leave(self, player: int) -> None:
        """A player leaves their seat, and their consents lapse."""
        self.players[player] = replace(self.players[player], gone=True)
        self.draw = tuple(other for other in self.draw if other != player)
        self.concede = tuple(other for other in self.concede if other != player)

    def tell(self, facts: Facts, *rules: str) -> None:
        self.events.append(Event(facts, rules))

    # ------------------------------------------------------------------------------------ who plays
    def commander(self, kingdom: Kingdom) -> int:
        return self.realms[kingdom].commander

    def kingdoms_of(self, player: int) -> tuple[Kingdom, ...]:
        """Of this player's own seat."""
        return tuple(kingdom for kingdom in KINGDOMS if self.realms[kingdom].seat == player)

    def alliance_of_player(self, player: int) -> Alliance:
        """LookupError for one who has none (any more)."""
        return alliance_of(self.kingdoms_of(player)[0])

    def humans(self, alliance: Alliance | None = None) -> tuple[int, ...]:
        """Who still has a seat, of an alliance or at all."""
        found = {
            realm.seat
            for realm in self.realms.values()
            if alliance in (None, alliance_of(realm.kingdom))
        }
        return tuple(sorted(found))

    def is_absent(self, player: int) -> bool:
        return any(
            self.realms[kingdom].missed >= ABSENT_AFTER for kingdom in self.kingdoms_of(player)
        )

    # -------------------------------------------------------------------------------------- the end
    @property
    def is_over(self) -> bool:
        return self.stage == "over"

    def end(self, winner: Winner, how: How, *rules: str) -> None:
        self.stage, self.winner, self.how = "over", winner, how
        self.gold, self.held, self.kept, self.answered = 0, (), (), False
        self.moved, self.carried = {}, {}
        self.instructions, self.battles, self.passengers = (), [], []
        self.tell(GameOver(winner, how), *rules)

    def check_victory(self) -> None:
        """All four Fortresses (FW-9.1), tested after each battle (FW-7.20)."""
        if not self.is_over and self.fortresses_of(self.alliance) == len(fortresses()):
            self.end(self.alliance, "fortresses", "FW-9.1", "FW-7.20", "FW-1.2")

    def freeze(self) -> State:
        return State(
            options=self.was.options,
            players=tuple(self.players.values()),
            realms=tuple(self.realms[kingdom] for kingdom in KINGDOMS),
            owners=tuple(self.owners.values()),
            garrisons=tuple(self._garrisons()),
            year=self.year,
            stage=self.stage,
            active=self.active,
            question=self.question,
            gold=self.gold,
            held=self.held,
            kept=self.kept,
            answered=self.answered,
            draw=self.draw,
            concede=self.concede,
            instructions=self.instructions,
            battles=tuple(self.battles),
            passengers=tuple(self.passengers),
            winner=self.winner,
            how=self.how,
        )

    def _garrisons(self) -> Iterator[Garrison]:
        for zone, there in self.units.items():
            for kingdom in KINGDOMS:
                if kingdom in there:
                    is_active = kingdom == self.active
                    moved = self.moved.get(zone, NONE) if is_active else NONE
                    yield Garrison(
                        zone,
                        kingdom,
                        there[kingdom],
                        moved,
                        self.carried.get(zone, 0) if is_active else 0,
                    )


def points_of(zone: str) -> int:
    return POINTS[zones()[zone].structure]


def _least(first: Units, second: Units) -> Units:
    return Units(*(min(first.of(code), second.of(code)) for code in CODES))
