"""Positions written out in the shape of cases (FF-2, the told position)."""

from collections.abc import Mapping

from engine.fortresses.atlas import KINGDOMS
from engine.fortresses.orders import Order, format_order
from engine.fortresses.positions.position_words import format_troops
from engine.fortresses.state import Battle, State
from engine.fortresses.table import Table
from engine.fortresses.units import NONE
from engine.ruleset import Standing


def format_position(
    state: State, standings: Mapping[int, Standing[Order]] | None = None
) -> dict[str, object]:
    """The position as a case would tell it, every key of it; what is sent to an open phase is no
    part of it.
    """
    table = Table(state)
    names = {player.number: player.name for player in state.players}
    told: dict[str, object] = {
        "year": state.year,
        "phase": state.stage,
        "active": state.active,
        "owners": dict(table.owners),
        "units": {zone: format_troops(there) for zone, there in table.units.items() if there},
        "gold": state.gold,
        "moved": {
            garrison.zone: garrison.moved.text
            for garrison in state.garrisons
            if garrison.moved != NONE
        },
        "carried": {
            garrison.zone: garrison.carried for garrison in state.garrisons if garrison.carried
        },
        "presets": {
            realm.kingdom: list(map(format_order, realm.presets))
            for realm in state.realms
            if realm.presets
        },
        "held": list(map(format_order, (*state.held, *state.kept))),
        "seats": {
            player.name: kingdoms
            for player in state.players
            if (
                kingdoms := [
                    kingdom for kingdom in KINGDOMS if table.realms[kingdom].seat == player.number
                ]
            )
        },
        "missed": {realm.kingdom: realm.missed for realm in state.realms if realm.missed},
        "command": {realm.kingdom: names[realm.command] for realm in state.realms if realm.command},
        "agreed": {
            what: [names[player] for player in said]
            for what, said in (("draw", state.draw), ("concede", state.concede))
            if said
        },
        "answered": state.answered,
    }
    if state.stage == "battle":
        told["instructions"] = list(map(format_order, state.instructions))
        told["battles"] = list(map(_battle, state.battles))
        told["passengers"] = [
            {"sea": passenger.sea, "unit": passenger.unit, "land": passenger.land}
            for passenger in state.passengers
        ]
    if state.stage == "over":
        told |= {"winner": state.winner, "by": state.how}
    return told


def _battle(battle: Battle) -> dict[str, object]:
    told: dict[str, object] = {"zone": battle.zone, "attackers": battle.attackers.text}
    if battle.started is None:
        return told
    return told | {
        "started": battle.started.text,
        "points": battle.points,
        "round": battle.round,
        "hits": battle.hits,
    }
