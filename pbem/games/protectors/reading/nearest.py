"""The legal order nearest to what was refused or not read, to be suggested for a yes."""

from collections.abc import Collection, Iterable

import msgspec

from engine.protectors import orders as o
from engine.protectors.numbers import mates_of
from pbem.games.protectors.reading.judging import build, kind_of
from pbem.games.protectors.reading.position import Position, Unclear
from pbem.games.protectors.reading.weighing import Weighed
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.suggesting import Choice, nearest

_SAID: dict[str, type[o.Order]] = {
    **dict.fromkeys(("MARCH", "ATTACK"), o.March),
    "FORTIFY": o.Fortify,
    "WORK": o.Work,
    "HOLD": o.Hold,
    "SUPPORT": o.Support,
    "SEND": o.Send,
    "BID": o.Bid,
    "BUY": o.Buy,
    "UPGRADE": o.Upgrade,
}
"""What kind of order a verb says."""


def settled_by(position: Position, accepted: Iterable[o.Order]) -> frozenset[tuple[object, ...]]:
    """What has an order already, of this message or of one before."""
    return frozenset(map(about, (*position.standing.orders, *accepted)))


def offerable(
    choices: Iterable[Choice[o.Order]], position: Position, settled: Collection[object]
) -> list[Choice[o.Order]]:
    """The orders that can be suggested beside those that stand: none about what has an order
    already, none that leaves the player's last province without a unit, and no march against a team
    mate.
    """
    board, mates = position.state.board, mates_of(position.state, position.player)
    return [
        choice
        for choice in choices
        if about(choice.order) not in settled
        and not leaves_last(choice.order, position)
        and not (isinstance(choice.order, o.March) and board[choice.order.target].owner in mates)
    ]


def about(order: o.Order) -> tuple[object, ...]:
    """What an order settles: another one about the same would take its place."""
    match order:
        case o.March(origin=province) | o.Support(origin=province):
            return ("province", province)
        case o.Fortify(province) | o.Work(province) | o.Hold(province) | o.Commit(_, province):
            return ("province", province)
        case o.Cancel(province=int(province)):
            return ("province", province)
        case o.Buy(province=province) | o.Upgrade(province) | o.Capitol(province):
            return (type(order), province)
        case o.Send(to=to):
            return (type(order), to)
    return (type(order),)


def leaves_last(order: o.Order, position: Position) -> bool:
    """Whether all units leave the only province of the player that has any."""
    if not isinstance(order, o.March | o.Commit):
        return False
    left = order.origin if isinstance(order, o.March) else order.province
    return position.manned == (left,) and order.units >= position.units(left)


def nearest_legal(
    plain: Plain,
    line: Weighed,
    choices: list[Choice[o.Order]],
    position: Position,
    settled: Collection[object],
) -> Choice[o.Order] | None:
    """The nearest legal reading: of an order refused, the one like it in most parts; of words not
    read, the text most like them, and of the kind that they say if they say one.
    """
    if line.orders:
        order = line.orders[min(line.refused)]
        if about(order) in settled:
            return None
        if isinstance(order, o.Send | o.Bid):
            alike = [
                choice
                for choice in choices
                if type(choice.order) is type(order)
                and getattr(choice.order, "to", 0) == getattr(order, "to", 0)
            ]
            return min(
                alike,
                key=lambda choice: abs(getattr(choice.order, "amount", 0) - order.amount),
                default=None,
            )
        ungilded = (
            msgspec.structs.replace(order, golden=False)
            if isinstance(order, o.Fortify | o.March | o.Support | o.Work)
            else order
        )
        alike = [choice for choice in choices if choice.order == ungilded] or [
            choice
            for choice in choices
            if type(choice.order) is type(order) and _helps_the_same(choice.order, order, position)
        ]
        return max(alike, key=lambda choice: _alikeness(choice.order, order), default=None)
    whole = _with_everything(line, position)
    if whole is not None:
        return next((choice for choice in choices if choice.order == whole), None)
    slots = line.entry.slots
    kind = _SAID.get(kind_of(slots, position))
    if kind is o.Send and not slots.numbers:
        return None  # an army is sent to nobody, and no sum was said
    alike = [choice for choice in choices if kind is None or isinstance(choice.order, kind)]
    return nearest(plain.quote(slots.start, slots.end), alike)


def _helps_the_same(legal_order: o.Order, order: o.Order, position: Position) -> bool:
    """Whether a Support helps the player that was named, and where that one has units (F-26)."""
    if not isinstance(legal_order, o.Support) or not isinstance(order, o.Support):
        return True
    there = position.state.board[legal_order.target]
    return legal_order.player == order.player == there.owner and there.units > 0


def _with_everything(line: Weighed, position: Position) -> o.Order | None:
    """A March that only lacks how many: all of them."""
    slots = line.entry.slots
    if not {"missing", "units"} <= line.problems[0].facts.keys():
        return None
    whole = slots.copy()
    whole.quantity = Lexeme("ALL", "all", slots.start, slots.start)
    try:
        return build(whole, position)[0]
    except Unclear:
        return None


def _alikeness(legal_order: o.Order, order: o.Order) -> tuple[int, int]:
    """How many parts of two orders agree, and how near the numbers are that do not."""
    pairs = [(getattr(legal_order, name), getattr(order, name)) for name in order.__struct_fields__]
    near = -sum(
        abs(a - b) for a, b in pairs if isinstance(a, int) and isinstance(b, int) and a != b
    )
    return sum(a == b for a, b in pairs), near
