"""The Reinforce phase: purchases, then moves, judged and done one after the other on the board as
it becomes (FW-8, FF-8.4).
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import Structure, cost_of, distances, facts_of, lands, zones
from engine.fortresses.event_kinds import DefaultPurchase, FliersHome, UnitsBought
from engine.fortresses.phases.ground import Ground
from engine.fortresses.phases.ways import bar_between
from engine.fortresses.refusals import first_of, refuse
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, UnitCode, Units
from engine.ruleset import Problem

CASTLE_ROOM = 1
"""New units a phase in a Castle Land (FW-8.4)."""

_SHELTER: tuple[Structure, ...] = ("fortress", "castle", "none")
"""Where fliers go first of Lands equally near (FW-8.14)."""


class Reinforcement(Ground):
    """Lines change the table at once; `used` are units that left a zone."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.placed: Counter[str] = Counter()
        self.has_chosen = False

    def had(self, zone: str) -> Units:
        return self.table.own(zone) + self.used.get(zone, NONE)

    # ------------------------------------------------------------------------------------ purchases
    def buy_nothing(self) -> None:
        self.has_chosen = True

    def judge_buy(self, order: o.Buy) -> o.Buy | Problem:
        """The purchase with the Land whose limit it uses, done; or why it does not stand (FW-8.4 to
        FW-8.8).
        """
        is_land = zones()[order.zone].is_land
        land = order.zone if is_land else order.land or self._harbour(order.zone, order.units.total)
        problem = first_of(self._problems_of_buy(order, land))
        if problem is not None:
            return problem
        table = self.table
        self.placed[land] += order.units.total
        self.has_chosen = True
        table.gold -= cost_of(order.units)
        table.put(order.zone, table.active, order.units)
        table.tell(
            UnitsBought(table.active, order.zone, order.units.text),
            "FW-8.1",
            "FW-8.7" if is_land else "FW-8.6",
            "FW-8.10",
        )
        return order if is_land else replace(order, land=land)

    def _problems_of_buy(self, order: o.Buy, land: str) -> Iterator[Problem]:
        table = self.table
        if land and table.owners[land] != table.active:
            yield refuse("not-yours", zone=land, owner=table.owners[land])
        if order.land and order.zone not in zones()[order.land].coast:
            yield refuse("no-coast", sea=order.zone, land=order.land)
        if table.is_held(order.zone):
            yield refuse("enemy-sea", zone=order.zone)
        if not land or self.room_in(land) < order.units.total:
            yield refuse(
                "placement-limit", zone=land or order.zone, room=self.room_in(land) if land else 0
            )
        left = table.supply_left(table.active)
        for code, count in order.units.pairs():
            if left.of(code) < count:
                yield refuse("supply-limit", unit=code, left=left.of(code), wanted=count)
        if cost_of(order.units) > table.gold:
            yield refuse("cannot-afford", cost=cost_of(order.units), gold=table.gold)

    def room_in(self, land: str) -> int:
        """How many more new units that Land's structure allows in this phase."""
        structure = zones()[land].structure
        if structure == "fortress":
            return sum(facts_of(code).supply for code in CODES)
        return CASTLE_ROOM - self.placed[land] if structure == "castle" else 0

    def _harbour(self, sea: str, count: int) -> str:
        """The player's Land whose limit new Galleons use when the order names none; empty if none
        has room (FW-8.6, FF-8.10).
        """
        own = sorted(
            land
            for land in zones()[sea].coast
            if self.table.owners[land] == self.table.active and self.room_in(land) >= count
        )
        return min(own, key=lambda land: (zones()[land].structure != "fortress", land), default="")

    # ---------------------------------------------------------------------------------------- moves
    def judge_move(self, order: o.Move) -> o.Move | Problem:
        """The move with its number of units, done; or why it does not stand (FW-8.9 to FW-8.13)."""
        units = order.units if not order.every else self._everything(order)
        problem = first_of(self._problems_of_move(order, units))
        if problem is not None:
            return problem
        self.use(order.origin, units)
        self.table.march(order.origin, order.target, units)
        return replace(order, units=units, every="")

    def _everything(self, order: o.Move) -> Units:
        free = self.free(order.origin)
        return (
            free
            if order.every == "all"
            else free.only(code for code in CODES if code == order.every)
        )

    def _problems_of_move(self, order: o.Move, units: Units) -> Iterator[Problem]:
        table, target = self.table, zones()[order.target]
        if not units.total:
            yield refuse("too-few-units", zone=order.origin, free=0, wanted=1)
        yield from self.shortages({order.origin: units})
        if table.is_held(target.name) or (target.is_land and not table.is_ours(target.name)):
            yield refuse("hostile", zone=target.name)
        for code, _ in units.pairs():
            bar = bar_between(table, code, order.origin, target.name)
            if bar is not None:
                yield bar
        if units.D and not target.is_land:
            yield refuse("no-landing", zone=target.name)

    def judge_carriage(self, order: o.Carry) -> o.Carry | Problem:
        """A carriage with its boarding Land and final Sea, done; or why it does not stand
        (FW-8.12).
        """
        resolved = self.judge_carry(order)
        if isinstance(resolved, Problem):
            return resolved
        self.use(resolved.sea, Units(G=1))
        self.use(resolved.origin, resolved.units)
        self.table.ship(resolved.sea, resolved.final or resolved.sea)
        self.table.march(resolved.origin, resolved.drop, resolved.units)
        return resolved

    # ------------------------------------------------------------------------------------ the close
    def judge_done(self) -> Problem | None:
        """Gold that could be spent and was not thought of keeps the phase open (FW-4.6)."""
        if self.has_chosen or not any(self._could_place(code) for code in CODES):
            return None
        return refuse("unspent", gold=self.table.gold)

    def _could_place(self, code: UnitCode) -> bool:
        table, unit = self.table, facts_of(code)
        if unit.cost > table.gold or not table.supply_left(table.active).of(code):
            return False
        own = [land for land in table.lands_of(table.active) if self.room_in(land) > 0]
        return any(
            code != "G" or any(not table.is_held(sea) for sea in zones()[land].coast)
            for land in own
        )

    def buy_by_default(self) -> None:
        """Legions for a player who has chosen nothing (FW-8.15)."""
        if self.has_chosen:
            return
        table = self.table
        own = sorted(land for land in table.lands_of(table.active) if self.room_in(land) > 0)
        strong = [land for land in own if zones()[land].structure == "fortress"]
        price = facts_of("L").cost
        for land in strong[:1] or own:
            count = min(table.gold // price, table.supply_left(table.active).L, self.room_in(land))
            if count > 0:
                table.gold -= count * price
                table.put(land, table.active, Units(L=count))
                table.tell(
                    DefaultPurchase(table.active, land, Units(L=count).text), "FW-8.15", "FW-4.9"
                )

    def fly_home(self) -> None:
        """Dragons off the alliance's Lands go to the nearest one (FW-8.14, FW-5.11)."""
        table = self.table
        for zone in zones():
            fliers = Units(D=table.own(zone).D)
            if not fliers.D or table.is_ours(zone):
                continue
            far = distances(zone, "air")
            homes = [land for land in lands() if table.is_ours(land)]
            home = min(
                homes,
                key=lambda land: (far[land], _SHELTER.index(zones()[land].structure), land),
                default=None,
            )
            if home is not None:
                table.put(zone, table.active, NONE - fliers)
                table.put(home, table.active, fliers)
                table.tell(FliersHome(table.active, fliers.text, zone, home), "FW-8.14", "FW-5.11")
