"""The Attack phase: lines judged on the position at its start (FW-5.12), and what their close comes
to (FW-6).
"""

from collections import Counter

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.phases.ground import Ground
from engine.fortresses.phases.ways import bar_between
from engine.fortresses.refusals import first_of, refuse
from engine.fortresses.state import Battle, Passenger
from engine.fortresses.table import Table
from engine.fortresses.units import NONE, Units
from engine.ruleset import Problem


class AttackPlan(Ground):
    """What the accepted lines of the phase add up to."""

    is_attack = True

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.marches: list[tuple[str, str, Units]] = []
        self.trips: list[o.Carry] = []
        self.carried_from: Counter[str] = Counter()
        self.landed: set[str] = set()
        self.mentions: list[str] = []

    def free(self, zone: str) -> Units:
        return self.table.unmoved(zone) - self.used.get(zone, NONE)

    def has_carried(self, sea: str) -> bool:
        return self.carried_from[sea] > 0 or super().has_carried(sea)

    # ---------------------------------------------------------------------------------------- lines
    def judge_attack(self, order: o.Attack) -> Problem | None:
        """Why an attack does not stand; one that does is added."""
        problem = first_of(self._problems_of(order))
        if problem is not None:
            return problem
        for group in order.groups:
            self.use(group.origin, group.units)
            self.marches.append((group.origin, order.target, group.units))
            if group.units.land:
                self.landed.add(order.target)
        self._mention(order.target)
        return None

    def _problems_of(self, order: o.Attack) -> list[Problem]:
        groups = order.groups
        needs: dict[str, Units] = {}
        for group in groups:
            needs[group.origin] = needs.get(group.origin, NONE) + group.units
        found = list(self.shortages(needs))
        for origin, units in needs.items():
            bars = (
                bar_between(self.table, code, origin, order.target) for code, _ in units.pairs()
            )
            found += [bar for bar in bars if bar is not None]
        is_land, is_held = zones()[order.target].is_land, self.table.is_held(order.target)
        if is_land and self.table.is_ours(order.target):
            found.append(refuse("friendly", zone=order.target))
        if (
            is_land
            and not is_held
            and order.target not in self.landed
            and not any(group.units.land for group in groups)
        ):
            found.append(refuse("air-empty", zone=order.target))
        if not is_land and not is_held:
            found.append(refuse("no-battle", zone=order.target))
        return found

    def judge_carriage(self, order: o.Carry) -> o.Carry | Problem:
        """A landing with its boarding Land and final Sea, added; or why it does not stand."""
        resolved = self.judge_carry(order)
        if isinstance(resolved, Problem):
            return resolved
        self.use(resolved.sea, Units(G=1))
        self.use(resolved.origin, resolved.units)
        self.carried_from[resolved.sea] += 1
        self.trips.append(resolved)
        self.landed.add(resolved.drop)
        final = resolved.final or resolved.sea
        if self.table.is_held(final):
            self._mention(final)
        self._mention(resolved.drop)
        return resolved

    def _mention(self, zone: str) -> None:
        if zone not in self.mentions:
            self.mentions.append(zone)

    # ------------------------------------------------------------------------------------ the close
    def carry_out(self, wished: tuple[str, ...]) -> None:
        """Move everything at once. The battles that follow lie on the table in the order of
        fighting (FW-7.1).
        """
        table = self.table
        attackers: dict[str, Units] = dict.fromkeys(self.mentions, NONE)
        at_risk: list[Passenger] = []
        for origin, target, units in self.marches:
            table.march(origin, target, units)
            attackers[target] += units
        for trip in self.trips:
            final = trip.final or trip.sea
            table.ship(trip.sea, final)
            table.march(trip.origin, trip.drop, trip.units)
            attackers[trip.drop] += trip.units
            if table.is_held(final):
                attackers[final] += Units(G=1)
                at_risk += [Passenger(final, code, trip.drop) for code, _ in trip.units.pairs()]
        wishes = [zone for zone in dict.fromkeys(wished) if zone in attackers]
        order = [*wishes, *(zone for zone in self.mentions if zone not in wishes)]
        order.sort(
            key=lambda zone: zones()[zone].is_land
        )  # Seas first; the sort keeps the rest as it is
        table.battles = [Battle(zone, attackers[zone]) for zone in order]
        table.passengers = sorted(
            at_risk, key=lambda passenger: self.mentions.index(passenger.land)
        )
