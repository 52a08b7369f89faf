"""A message that the house has read goes to the reader of its game."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from engine.ruleset import PlayerNumber, Problem, Ruleset, Standing
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.statements import Said, Word, merge_settings
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.kit.truth import truthful

StateT = TypeVar("StateT", contravariant=True)
OrderT = TypeVar("OrderT")

_UNREAD = frozenset({"no-order", "not-understood"})

ReadOrders = Callable[[Any, PlayerNumber, Standing[Any], Said], Reading]


class OrderReader(Protocol[StateT, OrderT]):
    """Reads one game's orders, in a state that their player may assume. Pure, and never raises for
    what a player wrote.
    """

    def read(
        self, state: StateT, player: PlayerNumber, standing: Standing[OrderT], said: Said
    ) -> Reading:
        """Read what of a message the house has left to the game, next to what stands already."""
        ...

    def read_canonical(self, state: StateT, text: str) -> OrderT:
        """The exact inverse of the ruleset's `format_order`. ValueError if the text is no canonical
        one.
        """
        ...


def read_orders(
    read: ReadOrders, state: Any, player: PlayerNumber, standing: Standing[Any], said: Said
) -> Reading:
    """All of a message: what its game makes of it, and the words of the house. Where somebody says
    that they leave, an order of the game in the same words wins.
    """
    leaving = {span: said.text[slice(*span)] for span in said.leaving}
    orders = {
        text
        for text in set(leaving.values())  # the same words are read once, however often they stand
        if not has_nothing_read(read(state, player, standing, Said(text)))
    }
    own = {span for span, text in leaving.items() if text in orders}
    said = said.without(own) if own else said
    reading = truthful(
        read(state, player, standing, said),
        said.text,
        lambda words: not has_nothing_read(read(state, player, standing, hear(words))),
    )
    words = [
        one.command
        for one in said.statements
        if isinstance(one, Word) and one.span not in reading.own
    ]
    return msgspec.structs.replace(
        reading,
        items=tuple(map(_asking, reading.items)),
        commands=merge_settings(words),
        answers=said.answers,
        note=said.note if said.note is not None or _offers(reading) else reading.note,
        slips=tuple(dict.fromkeys((*said.slips, *reading.slips))),
        wants_out=bool(said.leaving),
    )


def _offers(reading: Reading) -> bool:
    return any(item.suggestion is not None for item in reading.items)


def _asking(item: Item) -> Item:
    """What is offered something is asked about: it is no note for the game master."""
    if item.suggestion is None:
        return item
    problems = (
        Problem("not-understood", one.rules) if one.code == "no-order" else one
        for one in item.problems
    )
    return msgspec.structs.replace(item, problems=tuple(problems))


def has_nothing_read(reading: Reading) -> bool:
    """Whether no word of it was read as one of the game's: no order, and nothing that is refused
    for what it says.
    """
    return reading.answers is None and not any(
        item.orders or item.dropped or any(problem.code not in _UNREAD for problem in item.problems)
        for item in reading.items
    )


def read_alone(
    read: ReadOrders, state: Any, player: PlayerNumber, standing: Standing[Any], text: str
) -> Reading:
    """The same of a text that is a message of its own."""
    return read_orders(read, state, player, standing, hear(text))


def read_lines(
    parse: Callable[[Any, str], Any],
    rules: Ruleset[Any, Any],
    state: Any,
    player: PlayerNumber,
    standing: Standing[Any],
    lines: Sequence[str],
) -> Reading:
    """Canonical texts as one message: what a tap orders, or a yes to what was offered. ValueError
    for another text.
    """
    orders = tuple(parse(state, line) for line in lines)
    checked = rules.check(state, player, standing, orders)
    stands = [order in checked.accepted for order in orders]
    items = tuple(
        Item(line, None, (order,) if good else (), (line,) if good else ())
        for line, order, good in zip(lines, orders, stands, strict=True)
    )
    if checked.problems:
        at = stands.index(False) if False in stands else 0
        told = msgspec.structs.replace(items[at], problems=checked.problems)
        items = (*items[:at], told, *items[at + 1 :])
    return Reading(items, checked=checked)


def warnings_at_once(
    rules: Ruleset[Any, Any], state: Any, player: PlayerNumber, orders: Sequence[Any]
) -> list[tuple[Any, Problem]]:
    """What the state itself warns of, each with the order that is done at once: its writer hears as
    much when it is done, and only then.
    """
    acts = [order for order in orders if rules.act_of(order) is not None]
    found = rules.check(state, player, Standing(), acts).problems if acts else ()
    return [(acts[one.order], one) for one in found if one.warning and one.order is not None]


def lines_offered(
    reading: Reading, tell: Callable[[Any], str]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """What a yes may take of a message: the numbers of its suggestions, each with the canonical
    texts of its orders.
    """
    return tuple(
        (item.suggestion.number, tuple(map(tell, item.suggestion.orders)))
        for item in reading.items
        if item.suggestion is not None
    )
