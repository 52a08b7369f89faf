"""What an order settles, and which places already have an order: for offers next to those that
stand.
"""

from engine.protectors import orders as o
from pbem.games.protectors.reading.position import Position


def settled_by(position: Position) -> frozenset[tuple[object, ...]]:
    """What has an order already."""
    return frozenset(map(about, position.standing.orders))


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
