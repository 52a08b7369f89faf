"""What stays at home of the units that leave: `P1 x2 to P5, keep one at home`, `P1 x2 to P5, the
other one stays`. It says again how many go.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.protectors import orders as o
from pbem.games.protectors.reading.dialect import IN_PLACE, MARCHING, PARTS, PAYING
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import TURNS, Slots

_STOPS = PARTS | {"LPAR", "RPAR"}
_KEPT = frozenset({"NUM", "UNITS", "MONEY", "EACH", "IN", "FROM", "PLACE", "THERE", "FILLER"})
_HOME = frozenset({"behind", "back", "home"})
REST = frozenset({"rest", "the rest", "all the rest"})
RESTS = REST | {"others", "the others", "all others", "all the others"}
"""What is left: of the units of a march that leaves some, else of the provinces."""
_ORDINALS = {"second": 2, "third": 3, "fourth": 4}
_LEAVING = MARCHING | PAYING | {"COMMIT", "BID"}


def settle_keeping(settled: list[Lexeme], i: int) -> None:
    """`keep one behind` is a part of an order, `keep one for later` leaves the order open, and
    `keep calm` is talk.
    """
    end = next((j for j in range(i, min(i + 12, len(settled))) if settled[j].kind in _STOPS), None)
    said = range(i + 1, len(settled) if end is None else end)
    counted = next((settled[j].kind for j in said if settled[j].kind != "FILLER"), "")
    kind = "KEEP" if counted in {"NUM", "MONEY"} else "COMMON"
    if counted == "PLACE":
        kinds = {settled[j].kind for j in said}
        orders = kinds & IN_PLACE and not kinds & {"FROM", "NUM", *TURNS}
        kind = "FILLER" if orders else kind  # `keep P4 on work`
    for j in said if kind == "KEEP" else ():
        if settled[j].text in _HOME:
            settled[j] = replace(settled[j], kind="FILLER")
        elif settled[j].kind not in _KEPT:
            kind = "RANGE"
    settled[i] = replace(settled[i], kind=kind)


def settle_ordinal(settled: list[Lexeme], i: int) -> None:
    """`two from P2 to P3, the third stays`: the one that is left."""
    count = _ORDINALS.get(settled[i].text, 0) - 1
    for lexeme in reversed(settled[max(i - 12, 0) : i]):
        if lexeme.kind in {"NL", "DOT", "SEMI", "BANG"}:
            return
        if lexeme.kind == "NUM" and lexeme.value == count and count > 0:
            settled[i] = replace(settled[i], kind="ELSE", text="the remaining one")
            return


def stays_at_home(
    slots: Slots, ledger: OrderLedger, number: int, position: Position
) -> bool | None:
    """How a clause that keeps units fits the order that sends the others: True if they agree; False
    if they do not, so that we ask; None if the clause does not speak of such an order.
    """
    entry = _sending(slots, ledger, number)
    count = _counted(slots)
    if entry is None or (count is None and slots.quantity is None):
        return None
    plain = not (slots.loose or slots.turns or slots.flags)
    province = count is not None and count.value in position.own and not _is_of_units(slots)
    if province and not entry.slots.numbers:
        return None  # `P2 to P3, 1 stays`, of P1
    if plain and _agrees(entry.slots, slots, count, position):
        entry.slots.end = max(entry.slots.end, slots.end)
        return True
    if plain and province:
        return None
    entry.ask()
    return False


def leaves_some(march: LedgerEntry | None, slots: Slots, position: Position) -> bool:
    """`1 from P8 to P9, the rest stays`, of more than one there; not `..., hold the rest`."""
    if march is None or march.slots.kind not in MARCHING or len(march.slots.numbers) != 1:
        return False
    told = slots.quantity is None or slots.verb is None or slots.quantity.start > slots.verb.start
    here = position.units(next(iter(march.provinces()), 0))
    return not told and here > (march.slots.numbers[0].value or 0)


def _agrees(old: Slots, slots: Slots, count: Lexeme | None, position: Position) -> bool:
    origin = old.origin or next(iter(old.places), None)
    here = position.units(origin.value or 0) if origin is not None else 0
    stays = here - (old.numbers[0].value or 0) if len(old.numbers) == 1 else 0
    if origin is None or "ALLBUT" in old.marks or stays < 1:
        return False
    return count.value == stays if count is not None else stays == 1 or not _is_one(slots)


def _sending(slots: Slots, ledger: OrderLedger, number: int) -> LedgerEntry | None:
    """The order whose units stay in part: the last of the sentence, or that from the province that
    is named.
    """
    named = {x.value for x in slots.all_places if x.kind == "PLACE"}
    here = [e for e in ledger.orders_of(number) if e.slots.kind in _LEAVING]
    if not here and _is_of_units(slots):
        here = [e for e in ledger.standing[-1:] if e.slots.kind in _LEAVING]
    if named:
        here = [e for e in here if named <= (e.provinces() or named)]
    last = ledger.last
    return here[-1] if here and (named or here[-1] is last) else None


def _is_of_units(slots: Slots) -> bool:
    count = _counted(slots)
    return "KEEP" in slots.marks or (
        count is not None and ("UNITS" in slots.marks or not count.text.isdigit())
    )


def _counted(slots: Slots) -> Lexeme | None:
    """The number that is kept; where a unit stays, a bare number may have gone for a province."""
    counts: Sequence[Lexeme] = [*slots.numbers, *(x for x in slots.places if x.kind == "NUM")]
    return counts[0] if len(counts) == 1 else None


def _is_one(slots: Slots) -> bool:
    return slots.quantity is not None and slots.quantity.text.endswith(("one", "other", "unit"))


def rest_stays(slots: Slots, ledger: OrderLedger, position: Position) -> bool:
    """`P12 fortify, the rest stays`, where orders stand (or one is taken back): those stay, and the
    other provinces are not ordered to Hold.
    """
    rest = slots.kind == "HOLD" and slots.quantity is not None and slots.quantity.kind == "ELSE"
    if not rest or not slots.filled() <= {"verb", "quantity"}:
        return False
    ordered = {o.ordered_province(order) for order in position.standing.orders} - {None}
    return bool(ordered) or any(e.slots.kind == "CANCEL" for e in ledger.standing)


def is_left_alone(slots: Slots, ledger: OrderLedger, position: Position) -> bool:
    """`cancel P5, P4 is fine`: nothing changes there, and the message orders nothing there."""
    named = {place.value for place in slots.all_places}
    said = any(e.spreads or e.provinces() & named for e in ledger.standing)
    stands = {o.ordered_province(order) for order in position.standing.orders}
    changes = ledger.last is not None or ledger.corrected
    if slots.loose or slots.turns or "ALSO" in slots.marks:
        return False
    return not said and (changes or (bool(named) and named <= stands))
