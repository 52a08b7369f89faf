"""Every phrasing of the correspondents is read back to the order it words."""

import random

import pytest

from engine.protectors import orders as o
from engine.protectors.state import Stage
from engine.ruleset import Standing
from pbem.demo.phrasing import Named, every_wording, kind_of, phrase_book
from pbem.grammar.protectors import READER
from tests.demo.positions import seated

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")

SAMPLES: tuple[tuple[Stage, o.Order], ...] = (
    ("orders", o.Fortify(1)),
    ("orders", o.Fortify(1, golden=True)),
    ("orders", o.March(2, 1, 2)),
    ("orders", o.March(2, 1, 2, golden=True)),
    ("orders", o.March(1, 1, 2, delayed=True)),
    ("orders", o.March(2, 1, 2, golden=True, delayed=True)),
    ("orders", o.Support(2, 2, 1)),
    ("orders", o.Support(2, 2, 1, golden=True)),
    ("orders", o.Work(1)),
    ("orders", o.Work(1, golden=True)),
    ("orders", o.Hold(1)),
    ("orders", o.Send(15, 3)),
    ("orders", o.Snitch(4)),
    ("orders", o.Cancel(1)),
    ("orders", o.Cancel()),
    ("orders", o.Final()),
    ("consolidation", o.Buy(1, 1)),
    ("consolidation", o.Upgrade(1)),
    ("consolidation", o.Capitol(7)),
    ("consolidation", o.Bid(17)),
    ("bidding", o.Bid(0)),
    ("dragon", o.Commit(2, 1)),
    ("dragon", o.Commit(2, 1, 1)),
    ("dragon", o.CommitNothing()),
    ("dragon", o.Burn(1)),
)


def test_every_kind_has_six_phrasings_and_a_sample() -> None:
    assert {kind_of(order) for _, order in SAMPLES} == set(phrase_book().orders)
    assert all(len(set(phrasings)) >= 6 for phrasings in phrase_book().orders.values())


@pytest.mark.parametrize(("stage", "order"), SAMPLES, ids=[f"{stage}-{kind_of(order)}" for stage, order in SAMPLES])
@pytest.mark.parametrize("seed", range(4))
def test_every_phrasing_is_read_back_to_its_order(stage: Stage, order: o.Order, seed: int) -> None:
    state = seated(NAMES, stage)
    names = {player.number: Named(player.number, player.name, player.colour) for player in state.players}
    for words in every_wording(order, names, random.Random(seed)):
        reading = READER.read(state, 1, Standing(), words)
        read = tuple(found for item in reading.items for found in item.orders)
        assert read == (order,), f"{words!r} is read as {read}: {[item.problems for item in reading.items]}"
