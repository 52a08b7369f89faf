"""Whether a line can be understood at all, and names zones there are: this goes before whose turn
it is, and what phase (FW-11.5).
"""

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.refusals import refuse
from engine.fortresses.units import LAND_CODES, Units
from engine.ruleset import Problem


def misread(order: o.Order) -> Problem | None:
    """What is wrong with a line by itself, for any sender at any time. Lines kept for Reinforce are
    checked there.
    """
    if isinstance(order, o.Named):
        return misread(order.order)
    unknown = [zone for zone in _zones_of(order) if zone not in zones()]
    if not _says_something(order) or (not unknown and not _fits_together(order)):
        return refuse("not-understood")
    return refuse("unknown-zone", zone=unknown[0]) if unknown else None


def _zones_of(order: o.Order) -> list[str]:
    """Every zone that a line names."""
    if isinstance(order, o.Instruction):
        return [order.zone] if order.zone else []
    match order:
        case o.Attack(target, groups):
            return [target, *(zone for group in groups for zone in (group.origin, *group.via))]
        case o.Carry():
            return [
                zone
                for zone in (order.sea, order.origin, order.drop, order.board, order.final)
                if zone or zone is order.sea
            ]
        case o.Move():
            return [order.origin, order.target, *order.via]
        case o.Buy():
            return [order.zone, *([order.land] if order.land else [])]
        case o.BattleOrder(named):
            return list(named)
        case o.Always(line) | o.Then(line):
            return _zones_of(line)
    return []


def _says_something(order: o.Order) -> bool:
    """Some units, from here to somewhere else; some types; some condition (FF-8.3)."""
    match order:
        case o.Attack(target, groups):
            return bool(groups) and all(
                group.origin != target and _are_some(group.units) for group in groups
            )
        case o.Carry() | o.Buy():
            return _are_some(order.units)
        case o.Move():
            return order.origin != order.target and (bool(order.every) or _are_some(order.units))
        case o.Lose(codes):
            return bool(codes)
        case o.Retreat(policy):
            return bool(policy) and all(policy)
        case o.BattleOrder(named):
            return bool(named)
        case o.Always(line):
            return _says_something(line)
    return True


def _are_some(units: Units) -> bool:
    return units.is_whole and units.total > 0


def _fits_together(order: o.Order) -> bool:
    """Ships in Seas, passengers and purchases of a kind that can be there (FF-8.3); the zones are
    known.
    """
    every = zones()
    match order:
        case o.Carry():
            is_ashore = all(
                every[land].is_land for land in (order.origin, order.drop, order.board) if land
            )
            is_afloat = not any(every[sea].is_land for sea in (order.sea, order.final) if sea)
            return is_ashore and is_afloat and order.units == order.units.only(LAND_CODES)
        case o.Buy(units, zone, land) if every[zone].is_land:
            return not units.G and not land
        case o.Buy(units, _, land):
            return units == Units(G=units.G) and (not land or every[land].is_land)
    return True
