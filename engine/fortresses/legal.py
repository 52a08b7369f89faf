"""What a player may order now, one by one (help, suggestions and tests come from it)."""

from collections.abc import Collection, Iterator, Sequence

from engine.fortresses import orders as o
from engine.fortresses.atlas import distances, facts_of, lands, neighbours, zones
from engine.fortresses.judgement import judge
from engine.fortresses.phases.battles import advice_of
from engine.fortresses.state import State
from engine.fortresses.table import Table
from engine.fortresses.table_commands import judge_command
from engine.fortresses.units import CODES, LAND_CODES, Units, one

RETREATS = (
    (o.Condition("never"),),
    (o.Condition("outnumbered"),),
    (o.Condition("alone"),),
    (o.Condition("first-loss"),),
    (o.Condition("after", 2),),
)


def legal(state: State, player: int, near: Collection[str] | None = None) -> Iterator[o.Order]:
    """Every single order this player may give now: of units that go together one, and all of a
    type. `near`: of those about zones, the ones that name one of these alone.
    """
    table = Table(state)
    for command in o.PLAIN.values():
        if isinstance(command, o.TableCommand) and judge_command(table, player, command) is None:
            yield command
    if table.is_over or player != table.commander(table.active):
        return
    # in Reinforce what stands is done, and uses up the limits of its Lands (FW-4.4, FW-8.4)
    held = state.held if state.stage == "reinforce" else ()
    tried = Table(state)
    for order in _candidates(table):
        named = _zones_of(order) if near is not None else ()
        if near is not None and named and not any(zone in near for zone in named):
            continue
        verdict = judge(tried, (*held, order))[-1]
        if verdict.problem is None:
            yield verdict.order
        if held or (verdict.problem is None and table.stage == "reinforce"):
            tried = Table(state)
    if state.held and state.stage != "battle":
        yield o.Cancel()
        yield from (o.Cancel(number) for number in range(1, len(state.held) + 1))


def _zones_of(order: o.Order) -> Sequence[str]:
    match order:
        case o.Attack():
            return order.target, *(group.origin for group in order.groups)
        case o.Move():
            return order.origin, order.target
        case o.Carry():
            return order.sea, order.origin, order.drop
        case o.Buy():
            return (order.zone,)
    return ()


def _candidates(table: Table) -> Iterator[o.Order]:
    match table.stage:
        case "attack":
            yield from (o.NoAttacks(), o.Done())
            yield from _attacks(table)
            yield from _carriages(table)
            yield from _instructions()
            yield from map(o.Always, _instructions())
        case "reinforce":
            yield from (o.BuyNothing(), o.Done())
            yield from _purchases(table)
            yield from _moves(table)
            yield from _carriages(table)
            yield from map(o.Always, _instructions())
        case "battle":
            battle = table.battles[0]
            advised = advice_of(table, battle.zone).losses(battle.attackers, battle.hits)
            cheap = [one(code, battle.hits) for code in CODES]
            yield from (o.LoseNow(units) for units in dict.fromkeys((advised, *cheap)))
            yield from (o.RetreatNow(), o.Stay())


def _instructions() -> Iterator[o.Instruction]:
    yield from (o.Lose((code,)) for code in CODES)
    yield from (o.Keep(True), o.Keep(False), o.Interactive(True), o.Interactive(False))
    yield from (line for line in o.PLAIN.values() if isinstance(line, o.Instruction))
    yield from (o.Retreat((policy,)) for policy in RETREATS)


def _steps(table: Table) -> Iterator[tuple[str, str, Units]]:
    """One unit, and all of its type, from everywhere to everywhere they could reach on an empty
    board.
    """
    for origin in table.units:
        for code, count in table.unmoved(origin).pairs():
            unit = facts_of(code)
            for target, far in distances(origin, unit.kind).items():
                if 0 < far <= unit.move:
                    yield from (
                        (origin, target, one(code, number)) for number in sorted({1, count})
                    )


def _attacks(table: Table) -> Iterator[o.Attack]:
    return (o.Attack(target, (o.Group(units, origin),)) for origin, target, units in _steps(table))


def _moves(table: Table) -> Iterator[o.Move]:
    return (o.Move(units, origin, target) for origin, target, units in _steps(table))


def _carriages(table: Table) -> Iterator[o.Carry]:
    for sea, zone in zones().items():
        if zone.is_land or not table.unmoved(sea).G:
            continue
        near = [final for final, far in distances(sea, "sea").items() if far <= facts_of("G").move]
        quays = {land for final in near for land in zones()[final].coast}
        inland = {land for quay in quays for land in neighbours(quay, "land")} | quays
        for origin in (land for land in lands() if land in inland):
            for code in LAND_CODES:
                if table.unmoved(origin).of(code):
                    yield from (
                        o.Carry(sea, one(code), origin, drop) for drop in lands() if drop in quays
                    )


def _purchases(table: Table) -> Iterator[o.Buy]:
    for name, zone in zones().items():
        for code in CODES if zone.is_land else ("G",):
            most = table.gold // facts_of(code).cost
            yield from (o.Buy(one(code, count), name) for count in sorted({1, most}) if count)
