"""Attacks, moves and purchases: which units go from where to where (FW-11.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.refusals import refuse
from engine.fortresses.units import LAND_CODES, NONE, Units, one
from engine.ruleset import Problem
from pbem.games.fortresses.reading.lexer import AMBIGUOUS, meant_by, zone_of
from pbem.games.fortresses.reading.pieces import Piece, Place, counted
from pbem.games.fortresses.reading.position import Position, left_of
from pbem.games.fortresses.reading.steps import Force, Mover, Step
from pbem.grammar.kit.lexemes import Lexeme

NOT_UNDERSTOOD = refuse("not-understood")


@dataclass(frozen=True, slots=True)
class Made:
    """An order, or what is wrong with the words for one, and the word it is about."""

    order: o.Line | Problem
    start: int
    end: int
    caret: Lexeme | None = None


def orders_of(pieces: Sequence[Piece], position: Position) -> Iterator[Made]:
    """What the pieces of a run come to."""
    kind, bought = "", list[o.Buy]()
    steps = [step for step in Mover(pieces, position).read() if step.seen]
    shared = len(steps) > 1 and any(step.is_bare_target for step in steps)
    if shared or any(step.loose for step in steps):  # what is not understood may be any of them
        yield from (
            Made(NOT_UNDERSTOOD, *_span_of(step), next(iter(step.loose), None)) for step in steps
        )
        return
    for step in steps:
        kind = step.kind or kind
        made = list(_orders_of(step, kind, position, bought))
        for one_made in made:
            if isinstance(one_made.order, o.Buy):
                bought.append(one_made.order)
            if not isinstance(one_made.order, Problem):
                position.use(one_made.order)
        yield from made


def _orders_of(
    step: Step, kind: str, position: Position, bought: Sequence[o.Buy]
) -> Iterator[Made]:
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
    _place_bare(step, kind, position)
    if step.bare:
        yield Made(NOT_UNDERSTOOD, start, end, step.bare[0].lexeme)
    elif kind == "BUY" or (not kind and position.stage == "reinforce" and step.target is None):
        yield from _purchases(step, start, end)
    else:
        yield from _movements(step, kind, position, start, end)


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
    """An ambiguity, with the choices."""
    return refuse("ambiguous", what=what, choices=tuple(choices))


def _place_bare(step: Step, kind: str, position: Position) -> None:
    """Zones that no word leads: where units of ours are they set out, elsewhere they go."""
    left: list[Place] = []
    for place in step.bare:
        zone = zone_of(place.lexeme)
        open_force = next((force for force in step.forces if force.place is None), None)
        buys = kind == "BUY" or (not kind and position.stage == "reinforce" and step.target is None)
        wants = buys or position.is_base(zone)
        if wants and open_force is not None:
            open_force.place = place
        elif step.target is None and not buys:
            step.target = place
        else:
            left.append(place)
    step.bare = left


def _purchases(step: Step, start: int, end: int) -> Iterator[Made]:
    for force in step.forces:
        units = counted(force.units)
        if units is None or force.place is None or force.place.role == "from":
            yield Made(NOT_UNDERSTOOD, start, end)
            continue
        land = zone_of(force.land.lexeme) if force.land is not None else ""
        yield Made(o.Buy(units, zone_of(force.place.lexeme), land), start, end)
    if not step.forces:
        yield Made(NOT_UNDERSTOOD, start, end)


def _movements(step: Step, kind: str, position: Position, start: int, end: int) -> Iterator[Made]:
    target = zone_of(step.target.lexeme) if step.target is not None else ""
    if not target:
        yield Made(NOT_UNDERSTOOD, start, end)
        return
    attacks = kind == "ATTACK" or (position.stage == "attack" and not position.is_ours(target))
    groups: list[o.Group] = []
    for force in step.forces or [Force()]:
        found = _group_of(force, step, position)
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


def _group_of(force: Force, step: Step, position: Position) -> tuple[Units, str, o.Every] | Problem:
    """The units (or a word for all that will be there), and where they are."""
    if force.place is None:
        return _from_anywhere(force, step, position)
    origin = zone_of(force.place.lexeme)
    free = position.free(origin)
    if not force.units:
        return ambiguous("units", [f"{origin}: {free.text}"])
    first = force.units[0]
    if position.kept and first.count is None:
        every = first.type or ("" if first.code else "all")
        return (NONE, origin, every) if every and len(force.units) == 1 else NOT_UNDERSTOOD
    rest = left_of(free, sum((amount.units for amount in force.units), NONE))
    guys = [amount for amount in force.units if amount.type is None and amount.count is not None]
    if any(not amount.of(rest).total for amount in guys):
        return ambiguous("units", [free.text])
    found = free if guys else _units_of(force, origin, position)  # `2 guys and the horse`
    return found, origin, ""


def _from_anywhere(
    force: Force, step: Step, position: Position
) -> tuple[Units, str, o.Every] | Problem:
    """From the one zone where such units are: `the dragon`, `the dragon comes home`."""
    types = {amount.type for amount in force.units}
    only = types.pop() if len(types) == 1 else None
    if only is None:
        return NOT_UNDERSTOOD if force.units else ambiguous("origin", ())
    returns = "HOME" in step.marks
    where = position.away(only) if returns else position.homes_of(only)
    named = len(force.units) == force.units[0].count == 1 and position.stage == "attack"
    if len(where) == 1 and (returns or named):
        return _units_of(force, where[0], position), where[0], ""
    return ambiguous("origin", where) if where else NOT_UNDERSTOOD


def _units_of(force: Force, origin: str, position: Position) -> Units:
    """The numbers that the words mean there; of what is not there one, for the engine to refuse."""
    free, units = position.free(origin), NONE
    if origin in zones() and zones()[origin].is_land:
        free = free.only((*LAND_CODES, "D"))
    for amount in force.units:
        meant = amount.of(free)
        if amount.excepted:
            units = left_of(units, meant)
        elif amount.count is None and not meant.total:
            units += one(amount.type or "L")
        else:
            units += meant
    return units
