"""Small talk beside a clear order: it never makes another order, never loses one in silence, and
seldom makes us ask (F-3). Each game with a `talk.yaml` has orders for it.
"""

from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.cases.document import Document, parse_case
from pbem.cases.results import Read
from pbem.cases.runner import prepare, run_case
from tests.games.reading.phrases import strangers
from tests.played import GAMES

HERE = Path(__file__).parent
TALK = [line for line in (HERE / "talk.txt").read_text("utf-8").splitlines() if line[0] != "#"]
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


def read_all(file: Path, player: str, texts: list[str]) -> list[Read]:
    """What the player's messages come to, each by itself, in their first position of a file."""
    documents = yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader)
    case: dict[str, Any] = next(
        told for told in documents if any(one["as"] == player for one in told["read"])
    )
    case["position"].pop("eliminated", None)
    case["read"] = [{"as": player, "text": text, "means": [], "problems": []} for text in texts]
    return list(run_case(prepare(parse_case(Document(file.name, 1, case, {})), GAMES)).read)


@pytest.mark.parametrize(("folder", "said", "least"), ORDERS, ids=lambda one: str(one)[-60:])
def test_talk_beside_an_order_changes_nothing_or_is_asked_about(
    folder: Path, said: dict[str, str], least: dict[str, float]
) -> None:
    file, player, order = folder / "phrases" / said["file"], said["as"], said["text"]
    alone = read_all(file, player, [order])[0]
    assert alone.means
    assert not alone.problems
    fine = Counter[str]()
    for place, form in PLACED.items():
        texts = [form.format(talk=talk, order=order) for talk in TALK]
        for text, read in zip(texts, read_all(file, player, texts), strict=True):
            assert set(read.means) <= set(alone.means), text
            assert read.problems or sorted(read.means) == sorted(alone.means), text
            fine[place] += not read.problems
    shares = {place: round(fine[place] / len(TALK), 3) for place in PLACED}
    assert all(shares[place] >= least[place] for place in PLACED), shares


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.parent.name)
def test_talk_alone_is_no_order(folder: Path) -> None:
    """Nor one that the rules refuse: in a group its writer would be told off."""
    for phrase in islice(strangers(folder), 0, None, PLACES_APART):
        for talk in TALK:
            reading = replace(phrase, text=talk).read()
            assert not [item.quote for item in reading.items if item.is_order], talk
