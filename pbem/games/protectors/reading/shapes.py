"""What a clause without an order word is: provinces, a way, a number, a flag."""

from typing import Literal

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import Slots

Shape = Literal[
    "order",
    "places",
    "path",
    "number",
    "amount",
    "flag",
    "who",
    "spread",
    "except",
    "to",
    "from",
    "units",
    "nothing",
    "unflag",
    "unknown",
]
EVERYWHERE = frozenset({"everywhere", "all over", "all provinces", "all my provinces"})
"""Words for all provinces, next to a number: of each."""


def is_each(quantity: Lexeme) -> bool:
    """Whether a number next to it is of each province: `one from every province`."""
    return quantity.text in EVERYWHERE or quantity.text.startswith(("each", "every "))


_SMALL = frozenset({"UNITS", "ALSO", "THEM", "THERE", "FOR", "TIMES", "WHICH", "BY"})
"""Marks that make no other shape."""


def shape_of(slots: Slots) -> Shape:
    """The shape of a clause; it says which order it completes."""
    if slots.verb is not None:
        return "order"
    filled = slots.filled()
    marks = set(slots.marks) - _SMALL
    if marks and marks <= {"NOGOLD", "NODELAY"} and not filled - {"mark"}:
        return "unflag"
    if marks - {"MONEY", "ALLBUT", "DRAGON", "NOGOLD", "NODELAY"}:
        return "units" if "SAC" in marks else "unknown"
    filled -= {"mark"}
    if slots.excepted and filled <= {"excepted", "quantity"}:
        return "except"
    ways = filled & {"target", "dash"}
    if ways and filled & {"origin", "place", "number", "quantity"} and "who" not in filled:
        return "path"
    if filled == {"number", "who"}:
        return "amount"
    if filled == {"place", "quantity"} and slots.quantity and slots.quantity.kind == "BOTH":
        return "places"
    if filled == {"number", "quantity"} and slots.quantity and is_each(slots.quantity):
        return "units"
    if filled & {"number", "quantity"} and filled & {"origin", "place"} and not ways:
        return "units" if filled <= {"number", "quantity", "origin", "place"} else "unknown"
    shapes: dict[frozenset[str], Shape] = {
        frozenset({"place"}): "places",
        frozenset({"number"}): "number",
        frozenset({"flag"}): "flag",
        frozenset({"who"}): "who",
        frozenset({"quantity"}): "spread",
        frozenset({"target"}): "to",
        frozenset({"origin"}): "from",
        frozenset(): "nothing",
    }
    return shapes.get(frozenset(filled), "unknown")
