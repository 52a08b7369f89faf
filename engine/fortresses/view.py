"""What a player, or the public, may know: everything but the lines kept for a phase that is still
open (FW-1.8). The only way from a state to words and pictures.

Views of the public and of a player differ in `you`, and in `held`, which only the commander of the
active kingdom sees.
"""

import msgspec

from engine.fortresses import defaults
from engine.fortresses.atlas import (
    ALLIANCES,
    KINGDOMS,
    Alliance,
    Kingdom,
    Structure,
    alliance_of,
    zones,
)
from engine.fortresses.flow import winners_of
from engine.fortresses.orders import Instruction, Order
from engine.fortresses.state import (
    Battle,
    Garrison,
    How,
    Options,
    Passenger,
    Player,
    Realm,
    Stage,
    State,
    Winner,
)
from engine.fortresses.table import Table
from engine.fortresses.units import NONE, Units
from engine.ruleset import Standing


class ZoneView(msgspec.Struct, frozen=True):
    """A zone as it lies; `units` by kingdom in turn order, `moved` those of the active kingdom that
    moved this turn.
    """

    name: str
    code: str
    is_land: bool
    owner: Kingdom | None
    structure: Structure
    great_city: str | None
    units: tuple[tuple[Kingdom, Units], ...]
    moved: Units
    carried: int


class KingdomView(msgspec.Struct, frozen=True):
    """`player` holds the seat, `commander` gives the orders; `supply` may still be bought."""

    kingdom: Kingdom
    alliance: Alliance
    player: int
    commander: int
    lands: int
    income: int
    units: Units
    supply: Units
    missed: int
    presets: tuple[Instruction, ...]


class TableView(msgspec.Struct, frozen=True):
    """The table. `fortresses` by alliance; `draw` and `concede` are those who have said so."""

    options: Options
    year: int
    stage: Stage
    active: Kingdom
    asked: tuple[int, ...]
    gold: int
    has_truce: bool
    players: tuple[Player, ...]
    absent: tuple[int, ...]
    kingdoms: tuple[KingdomView, ...]
    zones: tuple[ZoneView, ...]
    fortresses: tuple[tuple[Alliance, int], ...]
    held: tuple[Order, ...]
    instructions: tuple[Instruction, ...]
    battles: tuple[Battle, ...]
    passengers: tuple[Passenger, ...]
    draw: tuple[int, ...]
    concede: tuple[int, ...]
    winner: Winner | None
    how: How | None
    you: int | None

    @property
    def turn(self) -> int:
        return self.year

    @property
    def winners(self) -> tuple[int, ...]:
        """The players of the alliance that has won; nobody for a draw."""
        return winners_of(state_of(self)) if self.stage == "over" else ()

    @property
    def default(self) -> tuple[Order, ...]:
        """What the rules do as well as the lines held, if nothing more comes (FW-4.2, FW-8.15)."""
        if not self.asked:
            return ()
        found = defaults.defaults(state_of(self), self.asked[0], Standing())
        return tuple(order for order in found if order not in self.held)

    def zone(self, name: str) -> ZoneView:
        """KeyError for a zone that is not on the map."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(name)

    def kingdom(self, kingdom: Kingdom) -> KingdomView:
        return self.kingdoms[KINGDOMS.index(kingdom)]


def view_of(state: State, player: int | None) -> TableView:
    """What this player (None: the public) may know. ValueError for a number nobody has."""
    if player is not None and not 1 <= player <= len(state.players):
        raise ValueError(f"no player number {player}")
    table = Table(state)
    asked = () if table.is_over else (table.commander(table.active),)
    return TableView(
        options=state.options,
        year=state.year,
        stage=state.stage,
        active=state.active,
        asked=asked,
        gold=state.gold,
        has_truce=table.has_truce,
        players=state.players,
        absent=tuple(human for human in table.humans() if table.is_absent(human)),
        kingdoms=tuple(_kingdom(table, kingdom) for kingdom in KINGDOMS),
        zones=tuple(_zone(table, name) for name in zones()),
        fortresses=tuple((alliance, table.fortresses_of(alliance)) for alliance in ALLIANCES),
        held=(*state.held, *state.kept) if player in asked else (),
        instructions=state.instructions,
        battles=state.battles,
        passengers=state.passengers,
        draw=state.draw,
        concede=state.concede,
        winner=state.winner,
        how=state.how,
        you=player,
    )


def state_of(view: TableView) -> State:
    """The state that a view shows, so that the rules can be asked about it. What only the record
    counts (`question`, `answered`) is not in it, nor the lines kept by a commander who is not its
    reader (FW-1.8).
    """
    is_fought = view.stage == "battle"
    return State(
        options=view.options,
        players=view.players,
        realms=tuple(map(_realm, view.kingdoms)),
        owners=tuple(zone.owner for zone in view.zones if zone.owner is not None),
        garrisons=tuple(
            _garrison(zone, kingdom, units, zone.moved if kingdom == view.active else NONE)
            for zone in view.zones
            for kingdom, units in zone.units
        ),
        year=view.year,
        stage=view.stage,
        active=view.active,
        gold=view.gold,
        held=() if is_fought else view.held,
        kept=view.held if is_fought else (),  # type: ignore[arg-type]  # kept lines are lines
        draw=view.draw,
        concede=view.concede,
        instructions=view.instructions,
        battles=view.battles,
        passengers=view.passengers,
        winner=view.winner,
        how=view.how,
    )


def _realm(realm: KingdomView) -> Realm:
    command = 0 if realm.commander == realm.player else realm.commander
    return Realm(realm.kingdom, realm.player, command, realm.presets, realm.missed)


def _garrison(zone: ZoneView, kingdom: Kingdom, units: Units, moved: Units) -> Garrison:
    return Garrison(zone.name, kingdom, units, moved, zone.carried if moved.G else 0)


def _zone(table: Table, name: str) -> ZoneView:
    zone = zones()[name]
    there = tuple(
        (kingdom, table.units[name][kingdom])
        for kingdom in KINGDOMS
        if kingdom in table.units[name]
    )
    return ZoneView(
        name,
        zone.code,
        zone.is_land,
        table.owners.get(name),
        zone.structure,
        zone.great_city,
        there,
        table.moved.get(name, NONE),
        table.carried.get(name, 0),
    )


def _kingdom(table: Table, kingdom: Kingdom) -> KingdomView:
    realm = table.realms[kingdom]
    return KingdomView(
        kingdom=kingdom,
        alliance=alliance_of(kingdom),
        player=realm.seat,
        commander=realm.commander,
        lands=len(list(table.lands_of(kingdom))),
        income=table.income_of(kingdom),
        units=table.on_board(kingdom),
        supply=table.supply_left(kingdom),
        missed=realm.missed,
        presets=realm.presets,
    )
