"""Both readers side by side: what both take stands; what only one of them takes is asked, with that
reading as the suggestion that `yes N` takes. Nothing of it is gone in silence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import structs

from engine.protectors import orders as o
from engine.protectors.state import State
from engine.ruleset import Checked, Problem, Standing
from pbem.games.protectors.reading.reader import READER as PRESENT
from pbem.games.protectors.slots.reader import READER as BY_SLOTS
from pbem.games.protectors.slots.reader import READS
from pbem.grammar.house.reading import OrderReader
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS

_ASKED = Problem("not-understood", rules=("PR-6.19",))
_HELD = Problem("final-held", rules=("PR-1.10",))


@dataclass(slots=True)
class _Asking:
    """Puts questions in the place of orders; counts their suggestions on."""

    kept: Sequence[o.Order]
    names: dict[int, str]
    number: int

    def ask(self, item: Item, orders: tuple[o.Order, ...], left: tuple[o.Order, ...]) -> Item:
        """The item without `orders`, which are asked; `left` stay."""
        if all(isinstance(order, o.Final) for order in orders):
            return self._with(item, left, _HELD, item.suggestion)
        return self._with(item, left, _ASKED, self._suggestion(orders) or item.suggestion)

    def _with(
        self, item: Item, left: tuple[o.Order, ...], problem: Problem, suggestion: Suggestion | None
    ) -> Item:
        return structs.replace(
            item,
            orders=left,
            texts=self._texts(left),
            problems=(problem, *(known for known in item.problems if known.code != problem.code)),
            suggestion=suggestion,
        )

    def _suggestion(self, orders: tuple[o.Order, ...]) -> Suggestion | None:
        """None if it would change what stands already, or if there are enough."""
        taken = {o.ordered_province(order) for order in self.kept} - {None}
        offered = tuple(order for order in orders if not isinstance(order, o.Final))
        touches = any(o.ordered_province(order) in taken for order in offered)
        if touches or not offered or self.number >= MOST_SUGGESTIONS:
            return None
        self.number += 1
        return Suggestion(self.number, offered, "; ".join(self._texts(offered)))

    def _texts(self, orders: tuple[o.Order, ...]) -> tuple[str, ...]:
        return tuple(o.format_order(order, self.names) for order in orders)


@dataclass(frozen=True, slots=True)
class AgreeingReader:
    """The reader of those orders that both readers understand alike."""

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return PRESENT.read_canonical(state, text)

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        first = PRESENT.read(state, player, standing, said)
        if state.stage not in READS:
            return first
        second = BY_SLOTS.read(state, player, standing, said)
        ours, theirs = _accepted(first), _accepted(second)
        if sorted(map(repr, ours)) == sorted(map(repr, theirs)):
            return first
        kept = tuple(order for order in ours if order in theirs and not isinstance(order, o.Final))
        names = {seat.number: seat.name for seat in state.players}
        numbers = [item.suggestion.number for item in first.items if item.suggestion is not None]
        asking = _Asking(kept, names, max(numbers, default=0))
        items = [_without(item, kept, asking) for item in first.items]
        items = [item for item in items if not _is_empty_talk(item)]
        for item in second.items:
            new = tuple(order for order in item.orders if order not in ours)
            if new and not (_is_asked(item, items) or _are_final(new)):
                items.append(asking.ask(item, new, ()))
        checked = PRESENT.check(state, player, standing, kept) if kept else None
        return structs.replace(first, items=tuple(items), checked=checked, note=_note(first, items))


def _accepted(reading: Reading) -> tuple[o.Order, ...]:
    checked: Checked[o.Order] | None = reading.checked
    return checked.accepted if checked is not None else ()


def _without(item: Item, kept: Sequence[o.Order], asking: _Asking) -> Item:
    differing = tuple(order for order in item.orders if order not in kept)
    left = tuple(order for order in item.orders if order in kept)
    return asking.ask(item, differing, left) if differing else item


def _are_final(orders: Sequence[o.Order]) -> bool:
    return all(isinstance(order, o.Final) for order in orders)


def _is_empty_talk(item: Item) -> bool:
    """`no-order` beside a question is none."""
    return [problem.code for problem in item.problems] == ["no-order"]


def _is_asked(item: Item, items: Sequence[Item]) -> bool:
    """Whether the present reader asks about these words already."""
    return any(
        not other.orders
        and any(not problem.warning for problem in other.problems)
        and (item.quote in other.quote or other.quote in item.quote)
        and other.suggestion is not None
        for other in items
    )


def _note(first: Reading, items: Sequence[Item]) -> str | None:
    """What is asked of a player is no note to the game master."""
    only_talk = all(_is_empty_talk(item) for item in first.items)
    return None if only_talk and first.items and items else first.note


READER: OrderReader[State, o.Order] = AgreeingReader()
"""Both readers side by side."""
