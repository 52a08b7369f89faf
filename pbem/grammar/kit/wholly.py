"""One offer for a whole message that was not taken: the orders that it means in addition to those
that stand, in one list, or nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from msgspec.structs import replace

from engine.ruleset import Checked, Problem
from pbem.grammar.kit.headings import put_off
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import PARTLY_READ, UNUSED, Item, Propose, Suggestion
from pbem.grammar.kit.sentences import Sentence

OrderT = TypeVar("OrderT")
FoundT = TypeVar("FoundT", covariant=True)

_UNREAD = frozenset(
    {"not-understood", UNUSED, "ambiguous", "no-order", "ambiguous-province", "ambiguous-zone"}
    | {"unknown-land", "unknown-zone", "final-held", "condition-unknown", "loose-question"}
    | {"not-now", "unspent", PARTLY_READ}
)
"""Problems of words of which nothing came, or too little to be an order now (`1 harmony`), and of a
`final` that waits for them; what is refused else is understood.
"""


def is_open(items: Sequence[Item]) -> bool:
    """Whether something of a message may be offered: all that was not taken was not understood. An
    offer costs as much as the message; a reader looks for none before it knows this.
    """
    problems = [problem for item in items for problem in item.problems]
    if any(one.code not in _UNREAD and not one.warning for one in problems):
        return False
    return not items or not all(item.texts and not item.problems for item in items)


def _is_final(item: Item) -> bool:
    return any(problem.code == "final-held" for problem in item.problems)


class Whole(Protocol[FoundT]):
    """Finds what is meant; see `pbem.reading.offers`."""

    def whole(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
        propose: Propose | None = None,
    ) -> tuple[FoundT, ...]:
        """The orders that are meant in addition to what was `taken` (places with canonical texts);
        () if there is a doubt. `propose` is asked only if its guess alone is missing.
        """


@dataclass(frozen=True, slots=True)
class Wholly(Generic[OrderT]):
    """The offer of a message; `tell` is the one spelling of an order."""

    plain: Plain
    sentences: Sequence[Sentence]
    finder: Whole[OrderT]
    tell: Callable[[OrderT], str]
    propose: Propose | None = None

    def offered(
        self,
        items: Sequence[Item],
        places: Sequence[tuple[int, int]],
        check: Callable[[Sequence[OrderT]], Checked[OrderT]],
    ) -> Sequence[Item]:
        """The items (of `places`, the first of them) with one offer, if their meaning is clear;
        `check` is the engine's judgement on new orders with those that stand.
        """
        if not is_open(items) or put_off(self.plain.text):
            return items
        own = [*zip(places, items, strict=False)]
        taken = [(start, end, item.texts) for (start, end), item in own if item.texts]
        unread = [place for place, item in own if not item.texts]
        wanted = unread or [(0, len(self.plain.text))]
        orders = self.finder.whole(self.sentences, taken, wanted, self.propose)
        if not orders:
            return items
        judged = check(orders)
        mine = [order for item in items for order in item.orders]
        if judged.problems or len(judged.accepted) != len(orders):
            return items
        if any(order in mine for order in (*judged.replaced, *judged.accepted)):
            return items
        return self._with(items, len(own), judged.accepted)

    def _with(self, items: Sequence[Item], own: int, orders: Sequence[OrderT]) -> Sequence[Item]:
        """The items with the offer, which the first one without a result gets; it covers the others
        of the message's `own` lines.
        """
        offer = Suggestion(1, tuple(orders), "\n".join(map(self.tell, orders)))
        at = next((i for i, item in enumerate(items) if not item.texts), -1)
        if at < 0:
            whole = self.plain.quote(0, len(self.plain.text)).strip()[:200]
            return [*items, Item(whole, problems=(Problem("not-understood"),), suggestion=offer)]
        return [
            replace(
                item,
                suggestion=offer if i == at else None,
                example="",
                is_offered=at != i < own and not item.texts and not _is_final(item),
            )
            for i, item in enumerate(items)
        ]
