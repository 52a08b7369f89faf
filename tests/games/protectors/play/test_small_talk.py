"""What the correspondents write around their orders is never an order, and never a problem."""

import pytest

from engine.protectors.state import Stage
from engine.ruleset import Standing
from pbem.demo.cast import PressTalk, small_talk
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.commands import word_of
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.play.positions import seated
from tests.rows import each_row

NAMES = ("Anna", "Bartek", "Chloé")
TALK = small_talk()
STAGES: tuple[tuple[Stage, str], ...] = (
    ("orders", "Fortify! P1"),
    ("consolidation", "Bid 17"),
    ("dragon", "Commit 2 from P1"),
)


@pytest.mark.sample(16)
@pytest.mark.parametrize("words", [*TALK.chat, TALK.late, TALK.mistaken])
@pytest.mark.parametrize(("stage", "order"), STAGES)
def test_talk_beside_an_order_leaves_the_order_alone(stage: Stage, order: str, words: str) -> None:
    state = seated(NAMES, stage)
    before = f"Hello,\n\n{words}\n\n{order}\n\nBest,\nAnna"
    behind = f"{order}\n\n{words}\n\nAnna"
    speaks_back = words in (TALK.late, TALK.mistaken)  # below an order it may be about that order
    for text in (before,) if speaks_back else (before, behind):
        reading = read_alone(READER.read, state, 1, Standing(), text)
        assert [said for item in reading.items for said in item.texts] == [order]
        assert not [problem for item in reading.items for problem in item.problems]
        assert not reading.commands


SAID_TO_OTHERS = [words for said in TALK.press for words in (said.text, said.answer) if words]


@each_row("words", [*TALK.chat, TALK.denied, *SAID_TO_OTHERS, *TALK.group.values()])
def test_talk_alone_orders_nothing(words: str) -> None:
    reading = read_alone(READER.read, seated(NAMES, "orders"), 1, Standing(), words)
    assert not [order for item in reading.items for order in item.orders]


@pytest.mark.parametrize("said", TALK.press, ids=lambda said: f"{said.by}-{said.turn}")
def test_press_is_read_as_press_and_its_answer_says_nothing_else(said: PressTalk) -> None:
    reading = read_alone(
        READER.read, seated(NAMES, "orders"), 1, Standing(), f"press to {said.to}: {said.text}"
    )
    assert [*map(word_of, reading.commands)] == ["letter"]
    assert reading.items == ()
    if said.answer:
        assert (
            read_alone(READER.read, seated(NAMES, "orders"), 1, Standing(), said.answer).commands
            == ()
        )
