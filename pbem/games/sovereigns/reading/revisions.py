"""What a correction makes of the order before it."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.actions import counted
from pbem.games.sovereigns.reading.pieces import AIMED, FRAGMENT, JOINTS, Amount, Parts, parts_of
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.words import ACTIONS, BUILDINGS
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import SILENT
from pbem.reading.ledger import About


def about(order: o.Order) -> About:
    """What a ruler does in a season, an answer to an offer, the one vote."""
    match order.order if isinstance(order, o.Every) else order:
        case o.Do() | o.Pass():
            return frozenset({o.Do})
        case o.Answer(offer=offer):
            return frozenset({(o.Answer, offer)})
        case o.Year() | o.Build() | o.Offer() | o.Propose() | o.Split() | o.Vote() as bare:
            return frozenset({type(bare)})
    return frozenset()


def inherited(old: o.Order, new: o.Order, *, missing: bool) -> tuple[o.Order, bool]:
    """A new action with the points and the target of the old one where it names none, and under
    the same standing; whether its points are still missing.
    """
    if isinstance(old, o.Every):
        inner, missing = inherited(old.order, new, missing=missing)
        bare = inner.order if isinstance(inner, o.Every) else inner
        return (o.Every(bare), missing) if isinstance(bare, o.Do | o.Year) else (new, missing)
    if not isinstance(old, o.Do) or not isinstance(new, o.Do):
        return new, missing
    before, after = old.ways[0], new.ways[0]
    if missing and before.attribute == after.attribute:
        after, missing = replace(after, points=before.points, depleted=before.depleted), False
    if after.target is None and ACTIONS_OF[after.kind] in AIMED:
        after = replace(after, target=before.target)
    return replace(new, ways=(after, *new.ways[1:])), missing


ACTIONS_OF = {action: kind for kind, (action, _) in ACTIONS.items()} | {"Try": "TRYING"}


def amended(order: o.Order, lexemes: Sequence[Lexeme], position: Position) -> o.Order | None:
    """The order with the values of a fragment in place of its own; None if that is ambiguous."""
    words = [x for x in lexemes if x.kind not in SILENT]
    solid = [x for x in words if x.kind not in JOINTS]
    if not solid or any(x.kind not in FRAGMENT for x in solid):
        return None
    parts = parts_of(words)
    whos = {who.value for who, _ in parts.whos}
    if len(whos) > 1 or not all((number or 0) > 0 for number in whos):
        return None
    return _amended(order, parts, next(iter(whos), None), position)


def _amended(order: o.Order, parts: Parts, who: int | None, position: Position) -> o.Order | None:
    match order:
        case o.Do(ways=(way,)):
            action = _action(way, parts, who, position)
            return replace(order, ways=(action,)) if action is not None else None
        case o.Year(ways=(way,)):
            return _year(order, way, parts) if who is None else None
    return None


def _action(way: o.Action, parts: Parts, who: int | None, position: Position) -> o.Action | None:
    if who is not None:
        if way.target is None:
            return None
        way = replace(way, target=who)
    slots = [(one.depleted, one.bare or one.attribute in {"M", "H"}) for one in parts.amounts]
    if len({*slots}) < len(slots):
        return None  # `I mean, 1 and 2`
    for amount in parts.amounts:
        changed = _with_amount(way, amount, position)
        if changed is None:
            return None
        way = changed
    if "SPARE" in parts.marks and way.kind == "Attack":
        way = replace(way, burn="nothing")
    if parts.marks.keys() & {"BOON", "NOBOON"}:
        way = replace(way, boon="BOON" in parts.marks)
    if parts.buildings and parts.buildings[0].kind == "BWORKS" and "BURN" not in parts.marks:
        way = replace(way, works=True)
    elif parts.buildings:
        if way.kind != "Attack" or not (way.burn or "BURN" in parts.marks):
            return None
        way = replace(way, burn=BUILDINGS[parts.buildings[0].kind])
    return way


def _with_amount(way: o.Action, amount: Amount, position: Position) -> o.Action | None:
    if amount.depleted:
        return None if amount.count is None else replace(way, depleted=amount.count)
    if way.kind == "Increase" and amount.attribute in {"M", "H"}:
        way = replace(way, raises=amount.attribute)
        return way if amount.bare else replace(way, points=amount.count)
    if amount.bare or amount.attribute not in {None, way.attribute}:
        return None
    return replace(way, points=counted(amount, position.free(way.attribute)))


def _year(order: o.Year, way: o.Way, parts: Parts) -> o.Year | None:
    if way.fear or len(parts.amounts) != 1:
        return None
    amount = parts.amounts[0]
    if amount.bare or amount.depleted or amount.attribute not in {None, "H"}:
        return None
    return replace(order, ways=(replace(way, points=amount.count, but=amount.but),))
