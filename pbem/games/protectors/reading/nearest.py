"""The legal order nearest to what was refused or not read, to be suggested for a yes."""

import msgspec

from engine.protectors import orders as o
from pbem.games.protectors.reading.lines import Line
from pbem.games.protectors.reading.orders import build
from pbem.games.protectors.reading.position import Position, Refusal
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.suggesting import Choice, nearest


def nearest_legal(
    plain: Plain, line: Line, choices: list[Choice[o.Order]], position: Position
) -> Choice[o.Order] | None:
    """The nearest legal reading: of an order refused, the one like it in most parts; of words not
    read, the text most like them.
    """
    if line.built:
        order = line.built[min(line.refused)].order
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
            choice for choice in choices if type(choice.order) is type(order)
        ]
        return max(alike, key=lambda choice: _alikeness(choice.order, order), default=None)
    whole = _with_everything(line, position)
    if whole is not None:
        return next((choice for choice in choices if choice.order == whole), None)
    return nearest(plain.quote(line.entry.start, line.entry.end), choices)


def _with_everything(line: Line, position: Position) -> o.Order | None:
    """A March that only lacks how many: all of them."""
    draft = line.entry.draft
    if draft is None or not {"missing", "units"} <= line.problems[0].facts.keys():
        return None
    whole = draft.copy()
    whole.quantity = Lexeme("ALL", "all", line.entry.start, line.entry.start)
    try:
        return build(whole, position, ())[0].order
    except Refusal:
        return None


def _alikeness(legal_order: o.Order, order: o.Order) -> tuple[int, int]:
    """How many parts of two orders agree, and how near the numbers are that do not."""
    pairs = [(getattr(legal_order, name), getattr(order, name)) for name in order.__struct_fields__]
    return sum(a == b for a, b in pairs), -sum(
        abs(a - b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)
    )
