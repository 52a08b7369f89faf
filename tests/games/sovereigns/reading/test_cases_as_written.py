"""The worked cases, told in people's words: they come to the texts that stand beside them (SF-1)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import yaml

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns.orders import Order
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order, parse_order
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import read_orders
from tests.games.sovereigns.engine.playing import CASES
from tests.games.sovereigns.reading.tables import READ_ALL
from tests.rows import each_row

LOADED = [
    case
    for path in sorted(CASES.glob("*.yaml"))
    for case in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader)
]


@each_row("case", LOADED)
def test_words_come_to_the_canonical_texts(case: dict[str, Any]) -> None:
    state = parse_position(case["position"], case.get("options", {}), case["id"])
    for name, text, texts in told(case):
        player = names_of(state).get(name, 0)
        if not player or not all(is_canonical(state, line) for line in texts):
            continue  # the game master's, and lines that are no orders
        reading = read_orders(READ_ALL, state, player, Standing(), hear(text))
        orders = [order for item in reading.items for order in item.orders]
        wanted = [parse_order(state, line) for line in texts]
        assert [format_order(state, x) for x in orders] == [format_order(state, x) for x in wanted]
        state = done(state, player, orders)


def told(step: Mapping[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Who writes what of a step, and the texts it comes to."""
    for name, text in step.get("orders", {}).items():
        if isinstance(text, str):
            yield name, text, step.get("canonical", {}).get(name, text.split("; "))
    for act in step.get("acts", ()):
        yield act["from"], act["text"], act.get("canonical", act["text"].split("; "))


def is_canonical(state: State, text: str) -> bool:
    try:
        parse_order(state, text)
    except ValueError:
        return False
    return True


def done(state: State, player: int, orders: Sequence[Order]) -> State:
    """The state after those that take effect at once, where the rules allow them."""
    for order in orders:
        told = SOVEREIGNS.act_of(order)
        if told is not None:
            with suppress(Refused):
                state = SOVEREIGNS.act(state, player, told, Chance(bytes(32))).state
    return state
