"""What a correction makes of the order before it, and what is added to an attack."""

from dataclasses import replace as replace_piece

from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.units import Units
from engine.ruleset import Problem
from pbem.games.fortresses.reading.lexer import place_of, zone_of
from pbem.games.fortresses.reading.moves import orders_of
from pbem.games.fortresses.reading.pieces import Amount, Piece, Place, Run, Say, counted
from pbem.games.fortresses.reading.pointers import POINTERS
from pbem.games.fortresses.reading.position import Position, gathered
from pbem.games.fortresses.reading.steps import Mover
from pbem.reading.ledger import About

_GOING = frozenset({"MOVE", "ATTACK", "PICK", "FIGHT", "THERE", "THEM", "FIRST"})
"""What those do who go along."""
_HARMLESS = frozenset({"FIRST", "THEN", "ROUND"})


def about(order: o.Line | Problem) -> About:
    """Units of one zone, one kind of instruction."""
    match order:
        case Problem():
            return frozenset()
        case o.RetreatNow() | o.Stay():
            return frozenset({o.Stay})
        case o.Attack():
            return frozenset({(o.Attack, *sorted({group.origin for group in order.groups}))})
        case o.Carry():
            return frozenset({(o.Carry, order.sea)})
        case o.Move():
            return frozenset({(o.Move, order.origin, order.units)})
        case o.Buy():
            return frozenset({(o.Buy, order.zone), (o.Buy, order.units)})
    return frozenset({type(order)})


def with_groups(attack: o.Attack, run: Run, position: Position) -> o.Attack | None:
    """The attack with the groups of a run that names no target."""
    steps = Mover(run.pieces, position).read()
    if attack.target not in zones():
        return None
    if len(steps) != 1 or steps[0].target is not None or steps[0].verb is not None:
        return None
    last = run.solid[-1].lexeme
    target = Place("to", replace(last, kind="PLACE", value=place_of(attack.target)))
    verb = Say(replace(last, kind="ATTACK"))
    made = list(orders_of([verb, *run.pieces, target], position))
    if len(made) == 1 and isinstance(made[0].order, o.Attack):
        return replace(attack, groups=(*attack.groups, *made[0].order.groups))
    return None


def joined_by(attack: o.Attack, run: Run, position: Position) -> o.Attack | None:
    """The attack with further units of a run: from the place that the words name, or else from
    where the others are, or from the one place with such units.
    """
    places = [piece for piece in run.solid if isinstance(piece, Place)]
    aims = [place for place in places if zone_of(place.lexeme) == attack.target]
    units: list[Piece] = [
        replace_piece(x, role="from")
        if isinstance(x, Place) and not x.role and position.is_base(zone_of(x.lexeme))
        else x
        for x in run.pieces
        if not isinstance(x, Say) and x not in aims
    ]
    known = all(x.kind in _GOING for x in run.pieces if isinstance(x, Say))
    if any(x.lexeme.text not in POINTERS for x in aims):
        return None  # `Attack Lombardy with a knight too` is a line of its own
    if not known or not any(isinstance(piece, Amount) for piece in units):
        return None
    origins = {group.origin for group in attack.groups}
    if len(places) == len(aims) and len(origins) == 1:
        behind = run.solid[-1].lexeme
        near = Place("from", replace(behind, kind="PLACE", value=place_of(next(iter(origins)))))
        amounts = [x for x in units if isinstance(x, Amount)]
        free = position.free(zone_of(near.lexeme))
        if all(x.type and free.of(x.type) for x in amounts):
            units.append(near)
    more = with_groups(attack, Run("", units), position)
    if more is None:
        return None
    return replace(more, groups=gathered(more.groups))


def amended(order: o.Line, run: Run, position: Position) -> o.Line | None:
    """The order with the values of a fragment in place of its own; None if that is ambiguous."""
    units = [piece for piece in run.solid if isinstance(piece, Amount)]
    places = [piece for piece in run.solid if isinstance(piece, Place)]
    words = [piece for piece in run.solid if isinstance(piece, Say)]
    known = all(place.lexeme.value is not None and place.lexeme.value >= 0 for place in places)
    if not known or any(say.kind not in _HARMLESS for say in words) or len(places) > 1:
        return None
    number = counted(units)
    if units and number is None:
        return None
    if not isinstance(order, o.Attack) or len(order.groups) != 1:
        return None
    (group,), target = order.groups, order.target
    if number is not None:
        if not _fits(group.units, number):
            return None
        group = replace(group, units=number)
    for place in places:
        zone = zone_of(place.lexeme)
        if place.role == "from" or (place.role in {"", "in"} and position.is_base(zone)):
            group = replace(group, origin=zone)
        else:
            target = zone
    return o.Attack(target, (group,))


def _fits(old: Units, new: Units) -> bool:
    """Whether the new number can only mean what the old one did: one type for one type."""
    before, after = [code for code, _ in old.pairs()], [code for code, _ in new.pairs()]
    return len(before) == 1 or before == after
