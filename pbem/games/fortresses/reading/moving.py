"""Attacks, moves and purchases: which units go from where to where (FW-11.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.refusals import refuse
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one
from engine.ruleset import Problem
from pbem.games.fortresses.reading.lexing import AMBIGUOUS, meant_by, zone_of
from pbem.games.fortresses.reading.pieces import Amount, Piece, Place
from pbem.games.fortresses.reading.scene import Scene, total
from pbem.games.fortresses.reading.stepping import Force, Mover, Step
from pbem.grammar.kit.lexemes import Lexeme

NOT_UNDERSTOOD = refuse("not-understood")


@dataclass(frozen=True, slots=True)
class Made:
    """An order, or what is wrong with the words for one, and the word it is about."""

    order: o.Line | Problem
    start: int
    end: int
    caret: Lexeme | None = None


def orders_of(pieces: Sequence[Piece], scene: Scene) -> Iterator[Made]:
    """What the pieces of a run come to."""
    kind, bought = "", list[o.Buy]()
    steps = [step for step in Mover(pieces, scene).read() if step.seen]
    shared = len(steps) > 1 and any(step.is_bare_target for step in steps)
    if shared or any(step.loose for step in steps):  # what is not understood may be any of them
        yield from (
            Made(NOT_UNDERSTOOD, *_span_of(step), next(iter(step.loose), None)) for step in steps
        )
        return
    for step in steps:
        kind = step.kind or kind
        made = list(_orders_of(step, kind, scene, bought))
        for one_made in made:
            if isinstance(one_made.order, o.Buy):
                bought.append(one_made.order)
            if not isinstance(one_made.order, Problem):
                scene.use(one_made.order)
        yield from made


def _orders_of(step: Step, kind: str, scene: Scene, bought: Sequence[o.Buy]) -> Iterator[Made]:
    start, end = _span_of(step)
    unclear = _unclear(step)
    if unclear is not None:
        yield replace(unclear, start=start, end=end)
        return
    if "THEM" in step.marks and bought and kind == "MOVE" and step.target and not step.forces:
        last = bought[-1]
        yield Made(o.Move(last.units, last.zone, zone_of(step.target.lexeme)), start, end)
        return
    if step.marks & {"THEM", "THERE"}:
        yield Made(NOT_UNDERSTOOD, start, end)
        return
    _place_bare(step, kind, scene)
    if step.bare:
        yield Made(NOT_UNDERSTOOD, start, end, step.bare[0].lexeme)
    elif kind == "BUY" or (not kind and scene.stage == "reinforce" and step.target is None):
        yield from _purchases(step, start, end)
    else:
        yield from _movements(step, kind, scene, start, end)


def _span_of(step: Step) -> tuple[int, int]:
    lexemes = [*step.seen, *(amount.lexeme for force in step.forces for amount in force.units)]
    return min(x.start for x in lexemes), max(x.end for x in lexemes)


def _unclear(step: Step) -> Made | None:
    """A place that may be several."""
    for place in step.places:
        if place.value == AMBIGUOUS:
            return Made(ambiguous("zone", meant_by(place)), 0, 0, place)
    return None


def ambiguous(what: str, choices: Sequence[str]) -> Problem:
    """What cannot be told apart, with the choices."""
    return refuse("ambiguous", what=what, choices=tuple(choices))


def _place_bare(step: Step, kind: str, scene: Scene) -> None:
    """Zones that no word leads: where units of ours are they set out, elsewhere they go."""
    left: list[Place] = []
    for place in step.bare:
        zone = zone_of(place.lexeme)
        open_force = next((force for force in step.forces if force.place is None), None)
        buys = kind == "BUY" or (not kind and scene.stage == "reinforce" and step.target is None)
        wants = buys or scene.is_base(zone)
        if wants and open_force is not None:
            open_force.place = place
        elif step.target is None and not buys:
            step.target = place
        else:
            left.append(place)
    step.bare = left


def _purchases(step: Step, start: int, end: int) -> Iterator[Made]:
    for force in step.forces:
        counted = all(amount.count is not None and not amount.excepted for amount in force.units)
        codes = [amount.code for amount in force.units]
        misplaced = force.place is None or force.place.role == "from"
        if force.place is None or misplaced or not (force.units and counted and _are_types(codes)):
            yield Made(NOT_UNDERSTOOD, start, end)
            continue
        units = total(_counted(amount) for amount in force.units)
        land = zone_of(force.land.lexeme) if force.land is not None else ""
        yield Made(o.Buy(units, zone_of(force.place.lexeme), land), start, end)
    if not step.forces:
        yield Made(NOT_UNDERSTOOD, start, end)


def _are_types(codes: Sequence[str]) -> bool:
    return all(code in CODES for code in codes)


def _counted(amount: Amount) -> Units:
    code = next(code for code in CODES if code == amount.code)
    return one(code, amount.count or 0)


def _movements(step: Step, kind: str, scene: Scene, start: int, end: int) -> Iterator[Made]:
    target = zone_of(step.target.lexeme) if step.target is not None else ""
    if not target:
        yield Made(NOT_UNDERSTOOD, start, end)
        return
    attacks = kind == "ATTACK" or (scene.stage == "attack" and not scene.is_ours(target))
    groups: list[o.Group] = []
    for force in step.forces or [Force()]:
        found = _group_of(force, step, scene, kept=scene.kept)
        if isinstance(found, Problem):
            yield Made(found, start, end)
            return
        units, origin, every = found
        via = tuple(zone_of(place.lexeme) for place in force.via)
        if attacks:
            groups.append(o.Group(units, origin, via))
        else:
            yield Made(o.Move(units, origin, target, via, every), start, end)
    if attacks:
        yield Made(o.Attack(target, tuple(groups)), start, end)


def _group_of(
    force: Force, step: Step, scene: Scene, *, kept: bool
) -> tuple[Units, str, o.Every] | Problem:
    codes = {amount.code for amount in force.units}
    if force.place is None:
        only = next((code for code in CODES if codes == {code}), None)
        where = () if only is None else scene.homes_of(only)
        if only is not None and "HOME" in step.marks:
            where = scene.away(only)
            if len(where) == 1:
                return _units_of(force, where[0], scene), where[0], ""
        sure = scene.stage == "attack" and len(where) == len(force.units) == 1
        if only is not None and sure and force.units[0].count == 1:
            return _units_of(force, where[0], scene), where[0], ""  # `the dragon`
        return ambiguous("origin", where) if where or not force.units else NOT_UNDERSTOOD
    origin = zone_of(force.place.lexeme)
    if not force.units:
        return ambiguous("units", [f"{origin}: {scene.free(origin).text}"])
    first = force.units[0]
    if kept and first.count is None:
        single = len(force.units) == 1 and first.code in (*CODES, "")
        every: o.Every = "all" if not first.code else _code(first)
        return (NONE, origin, every) if single else NOT_UNDERSTOOD
    free = scene.free(origin)
    if _is_all(force, free):
        return free, origin, ""
    units = _units_of(force, origin, scene)
    counted = any(amount.count is not None and amount.code not in CODES for amount in force.units)
    return ambiguous("units", [scene.free(origin).text]) if counted else (units, origin, "")


def _is_all(force: Force, free: Units) -> bool:
    """`the Norway guy`, `2 guys and the horse`: units of no type, as many as there are beside the
    others.
    """
    untold = [amount for amount in force.units if not amount.code]
    told = [amount for amount in force.units if amount.code]
    if len(untold) != 1 or untold[0].count is None or any(x.count is None for x in told):
        return False
    if any(amount.excepted or amount.code == "land" for amount in force.units):
        return False
    others = total(_counted(amount) for amount in told)
    fits = all(others.of(code) <= free.of(code) for code in CODES)
    return fits and others.total + untold[0].count == free.total


def _code(amount: Amount) -> UnitCode:
    return next(code for code in CODES if code == amount.code)


def _units_of(force: Force, origin: str, scene: Scene) -> Units:
    """The numbers that the words mean there; of what is not there one, for the engine to refuse."""
    free, units = scene.free(origin), NONE
    if origin in zones() and zones()[origin].is_land:
        free = free.only((*LAND_CODES, "D"))
    for amount in force.units:
        meant = _meant(amount, free)
        if amount.excepted:
            units = Units(*(max(0, units.of(code) - meant.of(code)) for code in CODES))
        else:
            units += (
                one(_code(amount) if amount.code in CODES else "L")
                if amount.count is None and not meant.total
                else meant
            )
    return units


def _meant(amount: Amount, free: Units) -> Units:
    if amount.count is not None:
        return _counted(amount) if amount.code in CODES else NONE
    if amount.code == "land":
        return free.only(LAND_CODES)
    return free.only([_code(amount)]) if amount.code else free
