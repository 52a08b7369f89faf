"""States, orders and events as bytes, and what makes a state one that no game can come to."""

from collections.abc import Iterator

from engine.codec import Codec
from engine.fortresses.atlas import KINGDOMS, alliance_of, facts_of, lands, zones
from engine.fortresses.event_kinds import AnyFacts
from engine.fortresses.orders import Order
from engine.fortresses.state import State
from engine.fortresses.table import Table, points_of
from engine.fortresses.units import CODES, NONE, Units


def faults_of(state: State) -> Iterator[str]:
    """Whatever makes a state one that no game can come to (FW-8.16, FW-3.5, FF-2)."""
    found = list(_faults_of_form(state))
    yield from found
    if not found:
        yield from _faults_of_units(state)
        yield from _faults_of_stage(state)


def _faults_of_form(state: State) -> Iterator[str]:
    numbers = [player.number for player in state.players]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the players {numbers}"
    if tuple(realm.kingdom for realm in state.realms) != KINGDOMS:
        yield "the kingdoms"
    for realm in state.realms:
        if realm.seat not in numbers or realm.command not in (0, *numbers) or realm.missed < 0:
            yield f"{realm.kingdom} is played by {realm.seat}, {realm.command}"
    if {realm.seat for realm in state.realms} != {
        player.number for player in state.players if not player.gone
    }:
        yield "a player without a seat"
    sides = [
        {realm.seat for realm in state.realms if alliance_of(realm.kingdom) == alliance_of(side)}
        for side in KINGDOMS[:2]
    ]
    if sides[0] & sides[1]:
        yield "a player of both alliances"
    if len(state.owners) != len(lands()):
        yield f"{len(state.owners)} owners"
    told = [(garrison.zone, garrison.kingdom) for garrison in state.garrisons]
    if len(set(told)) < len(told) or not {zone for zone, _ in told} <= set(zones()):
        yield f"the garrisons {told}"
    if not state.year >= 1 or state.gold < 0 or state.options.year_limit < 0:
        yield f"Year {state.year}, {state.gold} gold"


def _faults_of_units(state: State) -> Iterator[str]:
    table = Table(state)
    for garrison in state.garrisons:
        units, moved, zone = garrison.units, garrison.moved, zones()[garrison.zone]
        if not units.is_whole or not units.total or not moved.is_whole or not units.holds(moved):
            yield f"{units.text} in {zone.name}, {moved.text} of them moved"
        if not 0 <= garrison.carried <= moved.G:
            yield f"{garrison.carried} Galleons have carried in {zone.name}"
        if (moved.total or garrison.carried) and garrison.kingdom != state.active:
            yield f"units of {garrison.kingdom} have moved"
        if units.G if zone.is_land else units.land:
            yield f"{units.text} in {zone.name}"
    for kingdom in KINGDOMS:
        held = table.on_board(kingdom)
        if any(held.of(code) > facts_of(code).supply for code in CODES):
            yield f"{kingdom} has {held.text} on the board"
    if state.stage in ("attack", "reinforce"):
        yield from _faults_of_places(state, table)


def _faults_of_places(state: State, table: Table) -> Iterator[str]:
    """No unit stands next to an enemy, and fliers are on land of their alliance, except the active
    kingdom's in Reinforce (FW-8.16).
    """
    is_free = state.stage == "reinforce"
    for zone, there in table.units.items():
        standing = {
            kingdom: units - Units(D=units.D) if is_free and kingdom == state.active else units
            for kingdom, units in there.items()
        }
        if len({alliance_of(kingdom) for kingdom, units in standing.items() if units != NONE}) > 1:
            yield f"both alliances stand in {zone}"
        for kingdom, units in standing.items():
            if units.D and (
                zone not in table.owners or alliance_of(table.owners[zone]) != alliance_of(kingdom)
            ):
                yield f"a Dragon of {kingdom} in {zone}"


def _faults_of_stage(state: State) -> Iterator[str]:
    if state.stage == "attack" and Table(state).has_truce:
        yield "Silver attacks in Year 1"
    if (state.stage == "battle") != bool(state.battles):
        yield f"{len(state.battles)} battles in {state.stage}"
    if state.stage == "over" and (state.winner is None or state.how is None):
        yield "a game that is over without an end"
    if (state.winner is None) != (state.how is None):
        yield f"won by {state.winner}, {state.how}"
    for i, battle in enumerate(state.battles):
        there = Table(state).own(battle.zone) if battle.zone in zones() else NONE
        if not battle.attackers.is_whole or not there.holds(battle.attackers):
            yield f"{battle.attackers.text} attack {battle.zone}"
        elif (battle.started is not None) != (i == 0):
            yield f"the battle of {battle.zone} has begun out of its turn"
        elif battle.started is not None and not battle.started.holds(battle.attackers):
            yield f"{battle.zone} began with {battle.started.text}"
        elif (
            not 0 <= battle.points <= points_of(battle.zone)
            or not 0 <= battle.hits <= battle.attackers.total
            or battle.round < 0
        ):
            yield f"the battle of {battle.zone}"
    for passenger in state.passengers:
        is_known = passenger.sea in zones() and passenger.land in zones()
        if not is_known or not Table(state).own(passenger.land).of(passenger.unit):
            yield f"a passenger to {passenger.land}"


CODEC = Codec[State, Order](State, Order, AnyFacts, faults_of)
