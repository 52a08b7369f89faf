"""What a sentence says of its orders together: what they cost or count in all, and what is denied
for the sake of what is done.
"""

from collections.abc import Sequence

from engine.protectors import numbers
from engine.protectors import orders as o
from pbem.games.protectors.reading.dialect import IN_PLACE, MARCHING
from pbem.games.protectors.reading.ledger import Ledger
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.slots import Slots


def settle_totals(ledger: Ledger, number: int, position: Position) -> None:
    """`buy 1 in P1 and 1 in P2 for 150`: what all of it costs; `I send 3 in total: 2 from P3, 1
    from P4`: how many they are.
    """
    here = ledger.orders_of(number)
    bought = [e.slots for e in here if e.slots.kind == "BUY"]
    last = bought[-1].numbers if bought else []
    if len(bought) > 1 and len(last) == 2:
        units = sum(s.numbers[0].value or 0 for s in bought if s.numbers)
        if last[1].value == numbers.UNIT_COST * units:
            bought[-1].numbers = last[:1]
    counting = [e for e in here if e.slots.kind in {"COMMIT", "BUY"}]
    if len(counting) > 1 and not counting[0].slots.all_places:
        whole, parts = counting[0], [e.slots for e in counting[1:]]
        said = whole.slots.filled() - {"mark"} == {"verb", "number"}
        placed = all(len(x.all_places) == 1 and x.kind == whole.slots.kind for x in parts)
        if (
            said
            and placed
            and whole.slots.numbers[0].value == sum(_count(part, position) for part in parts)
        ):
            whole.gone = True


def _count(slots: Slots, position: Position) -> int:
    """How many units of one province; 0 if that is not plain."""
    if len(slots.numbers) == 1 and slots.quantity is None:
        return slots.numbers[0].value or 0
    whole = slots.quantity is not None and slots.quantity.kind == "ALL" and not slots.numbers
    return position.units(slots.all_places[0].value or 0) if whole else 0


def settle_denials(
    clauses: Sequence[Slots], ledger: Ledger, number: int, position: Position
) -> None:
    """`don't fortify P4, work there instead`, `not P4 but P8 works`: what is not done is said
    for the sake of what is.
    """
    ordered = {o.ordered_province(order) for order in position.standing.orders}
    for entry in [e for e in ledger.entries if e.sentence == number and e.why]:
        slots = entry.slots
        denied = slots.turns and all(x.kind == "NEG" for x in slots.turns)
        if not denied or slots.loose or slots.numbers:
            continue
        at = next((i for i, other in enumerate(clauses) if other is slots), len(clauses))
        after = next(iter(clauses[at + 1 : at + 2]), None)
        done = next((e for e in ledger.orders if e.slots is after), None)
        if done is None or after is None:
            continue
        named, there = {p.value for p in slots.all_places}, done.provinces()
        other = slots.kind in IN_PLACE | MARCHING and slots.kind != after.kind
        if slots.verb is not None:
            answered = other and named == there and len(named) == 1
        else:
            answered = after.joint == "BUT" and not named & there and not named & ordered
        entry.gone = entry.gone or answered
