"""Lines that are stored for the open phase, and taking them back by their numbers (FW-4.4)."""

from collections.abc import Sequence

from engine.fortresses.orders import Cancel, Order


def merge(held: Sequence[Order], orders: Sequence[Order]) -> tuple[list[Order], set[int]]:
    """The lines that count, those held first, and the numbers of held ones that were taken back.

    A `Cancel` among standing orders names a held line by its place among those held (0: all of
    them).
    """
    cancelled: set[int] = set()
    for order in orders:
        if isinstance(order, Cancel):
            cancelled |= set(range(1, len(held) + 1)) if not order.number else {order.number}
    kept = [order for number, order in enumerate(held, start=1) if number not in cancelled]
    return [*kept, *(order for order in orders if not isinstance(order, Cancel))], cancelled
