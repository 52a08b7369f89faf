"""A game master's corrections of the table: public, each with the old and the new value. The state
stays a possible one.

A correction changes the table and nothing that follows from it: victory is tested after the next
battle (FW-9.1), income already collected stays, stored lines are judged again at the close. In a
battle that has not been fought, the attackers are the units that stand there afterwards.
"""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.fortresses.atlas import KINGDOMS, Kingdom, alliance_of, ally_of, zones
from engine.fortresses.codec import CODEC
from engine.fortresses.event_kinds import Corrected, CorrectedThing
from engine.fortresses.state import Battle, Passenger, State
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, Units, parse_units
from engine.ruleset import Outcome

MOST = 999
"""More gold or missed turns is a slip of the hand."""


class _Correction(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True
):
    """`reason` is the game master's, in their own words. The page of the correction has it; it
    changes nothing.
    """

    reason: str = ""


class SetZone(_Correction, frozen=True, kw_only=True, tag="set-zone"):
    """Whose a Land is, all the units of the kingdoms named (`2L 1K`, `-` for none), and which of
    the active kingdom's there have moved this turn. What is not told stays.
    """

    zone: str
    owner: Kingdom | None = None
    units: dict[Kingdom, str] = msgspec.field(default_factory=dict)
    moved: str | None = None


class SetGold(_Correction, frozen=True, kw_only=True, tag="set-gold"):
    kingdom: Kingdom
    gold: int


class SetCommand(_Correction, frozen=True, kw_only=True, tag="set-command"):
    """Who gives a kingdom's orders: its own human, or the partner."""

    kingdom: Kingdom
    player: int


class SetMissed(_Correction, frozen=True, kw_only=True, tag="set-missed"):
    """How many turns in a row a kingdom's human has missed (FW-4.12)."""

    kingdom: Kingdom
    turns: int


Correction = SetZone | SetGold | SetCommand | SetMissed
CORRECTIONS = ("set-zone", "set-gold", "set-command", "set-missed")
"""The acts of this module."""

_RULES: Mapping[CorrectedThing, tuple[str, ...]] = {
    "owner": ("FW-1.8", "FW-1.7"),
    "units": ("FW-1.8", "FW-3.5", "FW-8.16"),
    "moved": ("FW-1.8", "FW-5.8"),
    "gold": ("FW-1.8", "FW-8.3"),
    "command": ("FW-1.8", "FW-9.8"),
    "missed": ("FW-1.8", "FW-4.12"),
}


def correct(state: State, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Carry a correction of a game that is not over out; ValueError if it is not one, or would
    leave a table that cannot be.
    """
    try:
        correction: Correction = msgspec.convert(dict(told), Correction)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"no correction: {wrong}") from wrong
    table = Table(state, chance)
    _HANDLERS[type(correction)](table, correction)
    return Outcome(CODEC.decode_state(CODEC.encode_state(table.freeze())), tuple(table.events))


# ------------------------------------------------------------------------------------------ a zone
def _set_zone(table: Table, told: SetZone) -> None:
    zone = told.zone
    _need(zone in zones(), f"there is no zone {zone!r}")
    _need(bool(told.owner or told.units or told.moved), f"nothing is said of {zone}")
    if told.owner is not None:
        _need(zones()[zone].is_land, f"nobody owns the {zone}")
        before, table.owners[zone] = table.owners[zone], told.owner
        _tell(table, told, "owner", before, told.owner, zone=zone)
    for kingdom in KINGDOMS:
        if kingdom in told.units:
            _set_units(table, told, kingdom, parse_units(told.units[kingdom]))
    if told.moved is not None:
        _set_moved(table, told, parse_units(told.moved))
    _check_places(table, zone)


def _set_units(table: Table, told: SetZone, kingdom: Kingdom, units: Units) -> None:
    zone, before = told.zone, table.units[told.zone].get(kingdom, NONE)
    table.take(zone, kingdom, before - units)
    if kingdom == table.active:
        table.battles = [
            _refitted(table, battle, before) if battle.zone == zone else battle
            for battle in table.battles
        ]
        table.passengers = _still_at_risk(table)
    _tell(table, told, "units", before.text, units.text, zone=zone, kingdom=kingdom)


def _refitted(table: Table, battle: Battle, before: Units) -> Battle:
    """A battle with the attackers there are now; fliers that retreated stay off the board
    (FW-7.13), and everybody there has moved.
    """
    own = table.own(battle.zone)
    fled = before.D - battle.attackers.D
    attackers = replace(own, D=max(0, own.D - fled))
    table.moved[battle.zone] = own
    return replace(
        battle,
        attackers=attackers,
        started=None if battle.started is None else _most(battle.started, attackers),
        hits=min(battle.hits, attackers.total),
    )


def _most(first: Units, second: Units) -> Units:
    return Units(*(max(first.of(code), second.of(code)) for code in CODES))


def _still_at_risk(table: Table) -> list[Passenger]:
    """The passengers that are there, each with a Galleon, the first mentioned first (FW-6.15)."""
    kept: list[Passenger] = []
    for passenger in table.passengers:
        aboard = sum(other.sea == passenger.sea for other in kept)
        landed = sum((other.land, other.unit) == (passenger.land, passenger.unit) for other in kept)
        if aboard < table.own(passenger.sea).G and landed < table.own(passenger.land).of(
            passenger.unit
        ):
            kept.append(passenger)
    return kept


def _set_moved(table: Table, told: SetZone, moved: Units) -> None:
    zone = told.zone
    _need(table.stage == "reinforce", "what has moved counts in Reinforce alone")
    _need(not moved.D, "Dragons have a move of their own in Reinforce (FW-5.10)")
    _need(table.own(zone).holds(moved), f"{table.active} has {table.own(zone).text} in {zone}")
    before, table.moved[zone] = table.moved.get(zone, NONE), moved
    table.carried[zone] = min(table.carried.get(zone, 0), moved.G)
    _tell(table, told, "moved", before.text, moved.text, zone=zone, kingdom=table.active)


def _check_places(table: Table, zone: str) -> None:
    """No unit stands in a Land of the other alliance or next to an enemy, except where a battle has
    yet to be fought. The active kingdom's fliers may, once its attacks have begun (FW-8.16).
    """
    there, is_fought = table.units[zone], any(battle.zone == zone for battle in table.battles)
    if is_fought:
        _need(not table.is_ours(zone), f"the battle of {zone} is still to be fought")
        _need(ally_of(table.active) not in there, "an ally's units never join an attack (FW-5.13)")
    standing = {
        kingdom: replace(units, D=0)
        if kingdom == table.active and table.stage != "attack"
        else units
        for kingdom, units in there.items()
        if not (is_fought and kingdom == table.active)
    }
    for kingdom, units in standing.items():
        if zone in table.owners:
            is_home = alliance_of(table.owners[zone]) == alliance_of(kingdom)
            _need(
                is_home or units == NONE,
                f"{units.text} of {kingdom} cannot stand in {zone}, which is"
                f" {table.owners[zone]}'s",
            )
        else:
            _need(not units.D, f"Dragons of {kingdom} cannot stay in the {zone} (FW-5.11)")
    sides = {alliance_of(kingdom) for kingdom, units in standing.items() if units != NONE}
    _need(len(sides) <= 1, f"both alliances would be in the {zone}, and no battle is fought there")


# ------------------------------------------------------------------------------------- a kingdom
def _set_gold(table: Table, told: SetGold) -> None:
    _need(table.stage == "reinforce", "gold is collected when Reinforce opens (FW-8.1)")
    _need(told.kingdom == table.active, f"only {table.active} has gold now (FW-8.3)")
    _need(0 <= told.gold <= MOST, f"nobody can have {told.gold} gold")
    before, table.gold = table.gold, told.gold
    _tell(table, told, "gold", before, told.gold, kingdom=told.kingdom)


def _set_command(table: Table, told: SetCommand) -> None:
    alliance, realm = alliance_of(told.kingdom), table.realms[told.kingdom]
    _need(
        told.player in table.humans(alliance),
        f"player {told.player} has no seat in the alliance of {told.kingdom}",
    )
    table.change(told.kingdom, command=0 if told.player == realm.seat else told.player)
    _tell(table, told, "command", realm.commander, told.player, kingdom=told.kingdom)


def _set_missed(table: Table, told: SetMissed) -> None:
    _need(0 <= told.turns <= MOST, f"nobody can have missed {told.turns} turns")
    before = table.realms[told.kingdom].missed
    table.change(told.kingdom, missed=told.turns)
    _tell(table, told, "missed", before, told.turns, kingdom=told.kingdom)


_HANDLERS: Mapping[type[Correction], Callable[..., None]] = {
    SetZone: _set_zone,
    SetGold: _set_gold,
    SetCommand: _set_command,
    SetMissed: _set_missed,
}


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(f"a correction that cannot be: {why}")


def _tell(
    table: Table,
    told: _Correction,
    what: CorrectedThing,
    before: int | str,
    after: int | str,
    *,
    zone: str | None = None,
    kingdom: Kingdom | None = None,
) -> None:
    """What became another, that is: what is named as it is already is no news."""
    if before != after:
        table.tell(Corrected(what, before, after, zone, kingdom, told.reason), *_RULES[what])
