"""What lines of one phase may still use, and carriage, which both phases know (FW-6.8 to
FW-6.18).
"""

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec.structs import replace

from engine.fortresses.atlas import KINGDOMS, distances, facts_of, neighbours, seas, zones
from engine.fortresses.orders import Carry
from engine.fortresses.phases.ways import bar_between
from engine.fortresses.refusals import first_of, last_of, refuse
from engine.fortresses.table import Table
from engine.fortresses.units import NONE, UnitCode, Units
from engine.ruleset import Problem


class Ground:
    """The board of a phase while its lines are judged one after the other; `used` are units that
    earlier lines took.
    """

    is_attack = False

    def __init__(self, table: Table) -> None:
        self.table = table
        self.used: dict[str, Units] = {}

    def free(self, zone: str) -> Units:
        """Own units that may still be ordered."""
        return self.table.unmoved(zone)

    def had(self, zone: str) -> Units:
        """Own units in that zone, used and moved ones counted (FF-8.1)."""
        return self.table.own(zone)

    def has_carried(self, sea: str) -> bool:
        return self.table.carried.get(sea, 0) > 0

    def use(self, zone: str, units: Units) -> None:
        self.used[zone] = self.used.get(zone, NONE) + units

    def shortages(self, needs: Mapping[str, Units]) -> Iterator[Problem]:
        """What is wanting of this many units, zone by zone and type by type."""
        for zone, wanted in needs.items():
            for code, count in wanted.pairs():
                free = self.free(zone).of(code)
                if free >= count:
                    continue
                others = [
                    kingdom
                    for kingdom in KINGDOMS
                    if self.table.units[zone].get(kingdom, NONE).of(code)
                ]
                others = [kingdom for kingdom in others if kingdom != self.table.active]
                moved = self.table.moved.get(zone, NONE).of(code)
                if not self.had(zone).of(code) and others:
                    yield refuse("not-yours", unit=code, zone=zone, owner=others[0])
                elif not self.is_attack and free + moved >= count:
                    yield refuse("already-moved", unit=code, zone=zone, free=free, wanted=count)
                else:
                    yield refuse("too-few-units", unit=code, zone=zone, free=free, wanted=count)

    # ------------------------------------------------------------------------------------- carriage
    def judge_carry(self, order: Carry) -> Carry | Problem:
        """The order with its boarding Land and final Sea, or why not: the first legal combination
        counts (FW-11.7, FF-8.6).
        """
        code = next(code for code, _ in order.units.pairs())
        found = first_of(self._problems_before_the_way(order, code))
        if found is not None:
            return found
        refused: list[Problem] = []
        for final, board in product(self._seas_for(order), _boards_for(order, code)):
            problem = first_of(self._problems_of_way(order, code, final, board))
            if problem is None:
                return replace(
                    order,
                    board="" if board == order.origin else board,
                    final="" if final == order.sea else final,
                )
            refused.append(problem)
        return last_of(refused) if refused else refuse("no-coast", sea=order.sea, land=order.drop)

    def _problems_before_the_way(self, order: Carry, code: UnitCode) -> Iterator[Problem]:
        if order.units.total > 1:
            yield refuse("capacity", sea=order.sea, units=order.units.text)
        yield from self.shortages({order.origin: order.units})
        for problem in self.shortages({order.sea: Units(G=1)}):
            is_spent = problem.code != "not-yours" and self.has_carried(order.sea)
            yield refuse("capacity", sea=order.sea, units=order.units.text) if is_spent else problem
        is_ours = self.table.is_ours(order.drop)
        if is_ours and self.is_attack:
            yield refuse("friendly", zone=order.drop)
        if not is_ours and not self.is_attack:
            yield refuse("hostile", zone=order.drop)

    def _problems_of_way(
        self, order: Carry, code: UnitCode, final: str, board: str
    ) -> Iterator[Problem]:
        if not self.is_attack and self.table.is_held(final):
            yield refuse("hostile", zone=final)
        coast = zones()[final].coast
        if order.drop not in coast or order.drop == board:
            yield refuse("no-coast", sea=final, land=order.drop)
        if board not in coast and board not in zones()[order.sea].coast:
            yield refuse("no-coast", sea=final, land=board)
        if final != order.sea:
            bar = bar_between(self.table, "G", order.sea, final)
            if bar is not None:
                yield bar
        ride = distances(order.origin, "land").get(board)
        move = facts_of(code).move - 1  # boarding costs one (FW-6.12)
        if ride is None or ride > move:
            yield refuse(
                "too-far",
                unit=code,
                origin=order.origin,
                target=board,
                move=move,
                distance=ride or 0,
            )
        elif ride and self.table.is_held(board):
            yield refuse("blocked", unit=code, origin=order.origin, target=board, by=(board,))

    def _seas_for(self, order: Carry) -> list[str]:
        """The final Seas to try, the best first (FW-11.7)."""
        if order.final:
            return [order.final]
        far = distances(order.sea, "sea")
        touching = sorted(sea for sea in seas() if order.drop in zones()[sea].coast)
        return sorted(
            touching,
            key=lambda sea: (
                sea != order.sea,
                self.table.is_held(sea),
                far.get(sea, len(far)),
                sea,
            ),
        )


def _boards_for(order: Carry, code: UnitCode) -> list[str]:
    if order.board:
        return [order.board]
    return [
        order.origin,
        *(sorted(neighbours(order.origin, "land")) if facts_of(code).move > 1 else ()),
    ]
