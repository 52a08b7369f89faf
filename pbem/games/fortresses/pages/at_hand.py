"""What is at hand besides the orders that stand: units to send, gold, room and supply."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.fortresses import orders as o
from engine.fortresses.atlas import cost_of, distances, facts_of, zones
from engine.fortresses.stored_lines import merge
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units
from engine.fortresses.view import TableView
from engine.ruleset import Standing

Reach = dict[str, dict[str, tuple[UnitCode, ...]]]
"""From where which types get where."""


@dataclass(frozen=True, slots=True)
class AtHand:
    """`stored` are the lines that stand, in the order of their numbers (FW-4.4)."""

    view: TableView
    stored: Sequence[o.Order]

    # ---------------------------------------------------------------------------------------- units
    def free(self, zone: str) -> Units:
        """Own units that may still be ordered from there, new ones among them (FW-8.10)."""
        place = self.view.zone(zone)
        left = dict(place.units).get(self.view.active, NONE) - place.moved
        for order in self.stored:
            for origin, units in _leaving(order):
                left = left - units if origin == zone else left
            if isinstance(order, o.Buy) and order.zone == zone:
                left += order.units
        return left

    def is_held(self, zone: str) -> bool:
        """Whether enemy units are there."""
        ours = {row.kingdom for row in self.view.kingdoms if row.alliance == self._alliance}
        return any(kingdom not in ours for kingdom, _ in self.view.zone(zone).units)

    @property
    def _alliance(self) -> str:
        return self.view.kingdom(self.view.active).alliance

    def groups_at(self, target: str) -> tuple[o.Group, ...]:
        """Who is sent into that battle already, passengers among them (FW-6.3)."""
        found: list[o.Group] = []
        for order in self.stored:
            if isinstance(order, o.Attack) and order.target == target:
                found += order.groups
            if isinstance(order, o.Carry) and order.drop == target:
                found.append(o.Group(order.units, order.origin))
        return tuple(found)

    @property
    def battles(self) -> tuple[str, ...]:
        """The zones that are attacked so far, as first named."""
        found: list[str] = []
        for order in self.stored:
            if isinstance(order, o.Carry) and self.is_held(order.final or order.sea):
                found.append(order.final or order.sea)
            if isinstance(order, o.Attack | o.Carry):
                found.append(order.target if isinstance(order, o.Attack) else order.drop)
        return tuple(dict.fromkeys(found))

    def may_enter(self, target: str, units: Units) -> bool:
        """Dragons alone enter no Land without enemies (FW-6.4)."""
        is_empty = zones()[target].is_land and not self.is_held(target)
        sent = sum((group.units.land for group in self.groups_at(target)), units.land)
        return bool(units.total) and (not is_empty or sent > 0)

    def reach(self, legal: Sequence[o.Order]) -> Reach:
        """The attacks or moves that may be given one by one, of units that are free still; and the
        Dragons that may go along.
        """
        found: dict[str, dict[str, set[UnitCode]]] = {}
        for order in legal:
            match order:
                case o.Attack(target, (group,)):
                    origin, units = group.origin, group.units
                case o.Move(units, origin, target):
                    pass
                case _:
                    continue
            codes = {code for code, _ in units.pairs() if self.free(origin).of(code)}
            if codes:
                found.setdefault(origin, {}).setdefault(target, set()).update(codes)
        if self.view.stage == "attack":
            self._add_dragons(found)
        return {
            origin: {
                target: tuple(code for code in CODES if code in codes)
                for target, codes in targets.items()
            }
            for origin, targets in found.items()
        }

    def _add_dragons(self, found: dict[str, dict[str, set[UnitCode]]]) -> None:
        landed = {target for target in self.battles if self.may_enter(target, Units(D=1))}
        for zone in self.view.zones:
            if not self.free(zone.name).D:
                continue
            near = distances(zone.name, "air")
            there = found.get(zone.name, {})
            for target in {*landed, *there}:
                if 0 < near[target] <= facts_of("D").move and (
                    target in landed or there[target] & set(LAND_CODES)
                ):
                    found.setdefault(zone.name, {}).setdefault(target, set()).add("D")

    def carriages(self, legal: Sequence[o.Order]) -> list[o.Carry]:
        """Those whose ship and passenger are free still."""
        return [
            order
            for order in legal
            if isinstance(order, o.Carry)
            and self.free(order.sea).G
            and self.free(order.origin).holds(order.units)
        ]

    # ------------------------------------------------------------------------------------ purchases
    @property
    def bought(self) -> list[o.Buy]:
        return [order for order in self.stored if isinstance(order, o.Buy)]

    @property
    def gold(self) -> int:
        return self.view.gold - sum(cost_of(order.units) for order in self.bought)

    def room(self, zone: str) -> int:
        """How many new units that Land, or a harbour of that Sea, takes still (FW-8.4, FW-8.6)."""
        place = zones()[zone]
        if not place.is_land:
            return 0 if self.is_held(zone) else max(map(self.room, place.coast))
        if self.view.zone(zone).owner != self.view.active or place.structure == "none":
            return 0
        if place.structure == "fortress":
            return sum(facts_of(code).supply for code in CODES)
        return 1 - sum(
            order.units.total for order in self.bought if zone in (order.zone, order.land)
        )

    def most(self, code: UnitCode, zone: str, beside: Units = NONE) -> int:
        """How many of that type can be bought there in addition to those."""
        supply = self.view.kingdom(self.view.active).supply - sum(
            (order.units for order in self.bought), NONE
        )
        others = beside - beside.only((code,))
        return max(
            0,
            min(
                supply.of(code),
                (self.gold - cost_of(others)) // facts_of(code).cost,
                self.room(zone) - others.total,
            ),
        )


def at_hand(view: TableView, standing: Standing[o.Order]) -> AtHand:
    """Room besides what stands; lines kept for Reinforce count when it has come (FW-4.8)."""
    return AtHand(view, tuple(merge(view.held, standing.orders)[0]))


def _leaving(order: o.Order) -> tuple[tuple[str, Units], ...]:
    """What leaves from where by that line."""
    match order:
        case o.Attack(_, groups):
            return tuple((group.origin, group.units) for group in groups)
        case o.Carry():
            return ((order.sea, Units(G=1)), (order.origin, order.units))
        case o.Move(units, origin):
            return ((origin, units),)
    return ()
