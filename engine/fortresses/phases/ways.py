"""Whether units get from one zone to another (FW-5). An order need not name the path: any legal one
will do (FW-5.12).
"""

from engine.fortresses.atlas import distances, facts_of, neighbours
from engine.fortresses.refusals import refuse
from engine.fortresses.table import Table
from engine.fortresses.units import UnitCode
from engine.ruleset import Problem


def bar_between(table: Table, code: UnitCode, origin: str, target: str) -> Problem | None:
    """What keeps a unit from moving there: it is too far even on an empty board, or every way is
    blocked (FW-11.6).
    """
    unit = facts_of(code)
    far = distances(origin, unit.kind).get(target)
    if far is None or far > unit.move:
        return refuse(
            "too-far", unit=code, origin=origin, target=target, move=unit.move, distance=far or 0
        )
    if unit.kind == "air":  # fliers cross everything (FW-5.9)
        return None
    reached = {origin}
    border = {origin}
    blocking: set[str] = set()
    for _ in range(unit.move):
        near = {zone for passed in border for zone in neighbours(passed, unit.kind)} - reached
        if target in near:
            return None
        reached |= near
        border = {zone for zone in near if may_pass(table, code, zone)}
        blocking |= {
            zone
            for zone in near - border
            if distances(zone, unit.kind).get(target, unit.move) < unit.move
        }
    return refuse("blocked", unit=code, origin=origin, target=target, by=tuple(sorted(blocking)))


def may_pass(table: Table, code: UnitCode, zone: str) -> bool:
    """Whether a land or sea unit may continue from there (FW-5.3 to FW-5.6)."""
    if table.is_held(zone):
        return False
    return code in ("K", "G") or table.is_ours(zone)
