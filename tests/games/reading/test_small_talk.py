"""Small talk beside a clear order: it never makes another order, never loses one in silence, and
seldom makes us ask (F-3). Each game with a `talk.yaml` has orders for it.
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
import yaml

from tests.games.reading.phrases import FOLDERS as KEPT
from tests.games.reading.phrases import Phrase, kept_phrases, strangers
from tests.rings import at_length, sampled

HERE = Path(__file__).parent
LINES = [line for line in (HERE / "talk.txt").read_text("utf-8").splitlines() if line[0] != "#"]
TALK = sampled(LINES, 70)
SLACK = at_length(0.03, 0.0)
"""Shares are told of all talk; of a sample they are a little less certain."""
PLACED = {
    "above": "{talk}.\n{order}",
    "before": "{talk}. {order}",
    "after": "{order}. {talk}",
    "ahead": "{talk}, {order}",
    "behind": "{order}, {talk}",
}
FOLDERS = sorted(path.parent for path in HERE.parent.glob("*/reading/strangers.yaml"))
PLACES_APART = 60
"""Of the positions in which strangers wrote, one of so many."""
ORDERS = [
    (path.parent, order, talked["least"])
    for path in sorted(HERE.parent.glob("*/reading/talk.yaml"))
    for talked in [yaml.safe_load(path.read_text("utf-8"))]
    for order in talked["orders"]
]


@cache
def tables(game: str) -> dict[str, Phrase]:
    """A phrase of each set, by the name of the set."""
    return {x.name.rpartition(".")[0]: x for x in kept_phrases(KEPT[game], 1)}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("folder", "said", "least"), ORDERS, ids=lambda one: str(one)[-60:])
def test_talk_beside_an_order_changes_nothing_or_is_asked_about(
    folder: Path, said: dict[str, str], least: dict[str, float]
) -> None:
    phrase = replace(tables(folder.parent.name)[said["at"]], who=said["as"])
    alone, problems = phrase.outcome(said["text"])
    assert alone
    assert not problems
    fine = Counter[str]()
    for place, form in PLACED.items():
        for talk in TALK:
            text = form.format(talk=talk, order=said["text"])
            means, problems = phrase.outcome(text)
            assert set(means) <= set(alone), text
            assert problems or means == alone, text
            fine[place] += not problems
    shares = {place: round(fine[place] / len(TALK), 3) for place in PLACED}
    assert all(shares[place] >= least[place] - SLACK for place in PLACED), shares


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.parent.name)
def test_talk_alone_is_no_order(folder: Path) -> None:
    """Nor one that the rules refuse: in a group its writer would be told off."""
    for phrase in islice(strangers(folder), 0, None, PLACES_APART):
        for talk in TALK:
            reading = replace(phrase, text=talk).read()
            assert not [item.quote for item in reading.items if item.is_order], talk
