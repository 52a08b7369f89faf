"""The board as a player's words are about it: what is free there, whose it is, what is open."""

from collections.abc import Iterable, Iterator, Sequence

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.checks import stored_lines
from engine.fortresses.state import Stage, State
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, UnitCode, Units
from engine.ruleset import Problem


class Position:
    """`kept`: what is said is for Reinforce; `used` is what the message has ordered already."""

    def __init__(self, state: State, standing: Sequence[o.Order]) -> None:
        self.table = Table(state)
        self.kept = False
        self.used: dict[str, Units] = {}
        self.is_held = bool(state.held or standing)
        for order in stored_lines(state, standing):
            self.use(order)

    @property
    def stage(self) -> Stage:
        """The phase that the words are for."""
        return "reinforce" if self.kept else self.table.stage

    def use(self, order: o.Order) -> None:
        """Count what an order takes."""
        if not isinstance(order, o.Move):
            for zone, units in taken_by(order):
                self.used[zone] = self.used.get(zone, NONE) + units

    def free(self, zone: str) -> Units:
        """Own unmoved units that nothing before in this message uses; none in an unknown zone."""
        if zone not in zones():
            return NONE
        return left_of(self.table.unmoved(zone), self.used.get(zone, NONE))

    def own(self, zone: str) -> Units:
        return self.table.own(zone) if zone in zones() else NONE

    def is_ours(self, zone: str) -> bool:
        return zone in zones() and self.table.is_ours(zone)

    def is_foreign(self, zone: str) -> bool:
        """Whether it may be attacked."""
        if zone not in zones():
            return False
        land = zones()[zone].is_land
        return bool(self.table.enemies(zone)) or (land and not self.table.is_ours(zone))

    def is_base(self, zone: str) -> bool:
        """Whether units may set out from here, rather than go here."""
        return bool(self.own(zone).total) and (not zones()[zone].is_land or self.is_ours(zone))

    @property
    def fliers(self) -> int:
        """How many Dragons fight: in the battle of the question, or by the orders, else all there
        are.
        """
        if self.stage == "battle":
            return self.table.battles[0].attackers.D
        sent = sum(units.D for units in self.used.values())
        return sent or sum(self.own(zone).D for zone in zones())

    def homes_of(self, code: UnitCode) -> tuple[str, ...]:
        """Where own units of a type lie that have not moved."""
        return tuple(zone for zone in zones() if self.table.unmoved(zone).of(code))

    def away(self, code: UnitCode) -> tuple[str, ...]:
        """The same, away from home."""
        return tuple(zone for zone in self.homes_of(code) if not self.table.is_ours(zone))


def taken_by(order: o.Order | Problem) -> Iterator[tuple[str, Units]]:
    """The units that an order sends off, by their zone."""
    match order:
        case o.Attack(_, groups):
            yield from ((group.origin, group.units) for group in groups)
        case o.Move(units, origin):
            yield origin, units
        case o.Carry():
            yield order.origin, order.units
            yield order.sea, Units(G=1)


def left_of(units: Units, taken: Units) -> Units:
    """What is left of them, type by type."""
    return Units(*(max(0, units.of(code) - taken.of(code)) for code in CODES))


def gathered(groups: Iterable[o.Group]) -> tuple[o.Group, ...]:
    """Groups of one zone and one way as one."""
    found: dict[tuple[str, tuple[str, ...]], o.Group] = {}
    for group in groups:
        key = group.origin, group.via
        before = found[key].units if key in found else NONE
        found[key] = o.Group(before + group.units, *key)
    return tuple(found.values())
