"""Which marches and supports a picture shows: everything while there are few, else what mattered.

The bulletin is one for all, so nobody's own orders come first: what led to a battle, then what was
golden, then the rest while it fits.
"""

from dataclasses import dataclass

from pbem.games.protectors.board.scene import March, Scene, Support

MANY = 15
"""Up to this many are always shown."""
MOST = 28


@dataclass(frozen=True, slots=True)
class Chosen:
    """Marches and supports in the order of weight; from `optional` on they may be dropped when
    there is no room.
    """

    orders: tuple[March | Support, ...]
    optional: int
    left_out: int


def choose_marks(scene: Scene) -> Chosen:
    """Order all by weight; the order of the scene decides between equals."""
    orders: list[March | Support] = [*scene.marches, *scene.supports]
    if len(orders) <= MANY:
        return Chosen(tuple(orders), len(orders), 0)
    orders.sort(key=_weight)
    fought = sum(order.fought for order in orders)
    return Chosen(tuple(orders[:MOST]), min(fought, MANY), max(0, len(orders) - MOST))


def _weight(order: March | Support) -> tuple[bool, bool, bool]:
    return not order.fought, not order.golden, isinstance(order, Support)
