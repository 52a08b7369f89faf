"""The worked cases, told in people's words: they come to the texts that stand beside them (SF-1)."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from engine.ruleset import Standing
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.reading import parse_order
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import read_orders
from tests.games.sovereigns.engine.playing import CASES
from tests.games.sovereigns.reading.tables import READ_ALL


def told(step: Mapping[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Who writes what of a step, and the texts it comes to."""
    for name, text in step.get("orders", {}).items():
        if isinstance(text, str):
            yield name, text, step.get("canonical", {}).get(name, text.split("; "))
    for act in step.get("acts", ()):
        if "canonical" in act:
            yield act["from"], act["text"], act["canonical"]


LOADED = [
    case
    for path in sorted(CASES.glob("*.yaml"))
    for case in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader)
]


@pytest.mark.parametrize("case", LOADED, ids=lambda case: case["id"])
def test_words_come_to_the_canonical_texts(case: dict[str, Any]) -> None:
    state = parse_position(case["position"], case.get("options", {}), case["id"])
    for name, text, texts in told(case):
        if name == "GM" or not all(is_canonical(state, line) for line in texts):
            continue
        reading = read_orders(READ_ALL, state, names_of(state)[name], Standing(), hear(text))
        read = [format_order(state, order) for item in reading.items for order in item.orders]
        assert read == [format_order(state, parse_order(state, line)) for line in texts]


def is_canonical(state: State, text: str) -> bool:
    try:
        parse_order(state, text)
    except ValueError:
        return False
    return True
