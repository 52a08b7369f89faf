"""What the correspondents write around their orders is never an order, and never a problem."""

import pytest

from engine.protectors.state import Stage
from engine.ruleset import Standing
from pbem.demo.cast import small_talk
from pbem.grammar.protectors import READER
from tests.demo.positions import seated

NAMES = ("Anna", "Bartek", "Chloé")
TALK = small_talk()
STAGES: tuple[tuple[Stage, str], ...] = (("orders", "Fortify! P1"), ("consolidation", "Bid 17"), ("dragon", "Commit 2 from P1"))


@pytest.mark.parametrize("words", [*TALK.chat, TALK.late, TALK.mistaken])
@pytest.mark.parametrize(("stage", "order"), STAGES)
def test_talk_beside_an_order_leaves_the_order_alone(stage: Stage, order: str, words: str) -> None:
    state = seated(NAMES, stage)
    for text in (f"Hello,\n\n{words}\n\n{order}\n\nBest,\nAnna", f"{order}\n\n{words}\n\nAnna"):
        reading = READER.read(state, 1, Standing(), text)
        assert [said for item in reading.items for said in item.texts] == [order]
        assert not [problem for item in reading.items for problem in item.problems]
        assert not reading.commands


@pytest.mark.parametrize("words", [*TALK.chat, TALK.denied, *TALK.notes])
def test_talk_alone_orders_nothing(words: str) -> None:
    reading = READER.read(seated(NAMES, "orders"), 1, Standing(), words)
    assert not [order for item in reading.items for order in item.orders]
