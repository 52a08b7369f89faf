"""Slips of the pen in the orders window: now a word nobody knows, now a province that is somebody
else's.
"""

import re
from collections.abc import Mapping, Sequence

from engine.protectors import orders as o
from pbem.games.protectors.play.phrases import Named, names_of
from pbem.games.protectors.play.sight import Sight, sight_of
from pbem.play import ScriptedQuestion, Slip

SLIPS = {"Fortify!": "frotfy", "Work, work!": "wrok", "Hold": "hodl"}


def slip_of(question: ScriptedQuestion, orders: Sequence[o.Order]) -> Slip | None:
    """One of the orders to provinces, said wrong; nothing in other windows."""
    meant = [order for order in orders if o.ordered_province(order) is not None]
    if question.stage != "orders" or not meant:
        return None
    wrong, sight = meant[0], sight_of(question.seen)
    names = names_of(sight.view.players)
    if isinstance(wrong, o.March | o.Support):
        faulty = _too_far(wrong, sight, names)
    else:
        faulty = _misspelt(wrong, names) if question.of_stage % 2 else _misplaced(sight)
    return (
        None
        if faulty is None
        else Slip(faulty, wrong, tuple(order for order in orders if order != wrong))
    )


def _misspelt(order: o.Order, names: Mapping[int, Named]) -> str:
    said = o.format_order(order, {number: named.name for number, named in names.items()})
    return re.sub("|".join(map(re.escape, SLIPS)), lambda found: SLIPS[found[0]], said, count=1)


def _too_far(order: o.March | o.Support, sight: Sight, names: Mapping[int, Named]) -> str | None:
    near = sight.view.province(order.origin).neighbours
    far = [p.number for p in sight.view.provinces if p.number not in (*near, order.origin)]
    if not far:
        return None
    if isinstance(order, o.March):
        return f"march {order.units} from P{order.origin} to P{far[0]}"
    return f"support {names[order.player].name} in P{far[0]} from P{order.origin}"


def _misplaced(sight: Sight) -> str | None:
    foreign = [p.number for p in sight.view.provinces if p.owner not in (None, sight.me.number)]
    return f"fortify P{foreign[0]}" if foreign else None
