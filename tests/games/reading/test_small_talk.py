"""Small talk beside a clear order: it never makes another order, never loses one in silence, and
seldom makes us ask (F-3, PR-15, RM-10).
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.cases.document import Document, parse_case
from pbem.cases.results import Read
from pbem.cases.runner import prepare, run_case
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
ORDERS = [
    ("protectors/reading/phrases/later/TA-01.yaml", "Tessa", "P1 fortify, P2 work"),
    ("protectors/reading/phrases/later/TA-13.yaml", "Kasper", "buy 1 in P1\nbid 12"),
    ("realm_master/reading/phrases/later/TB-01.yaml", "Yuki", "elf, else the dwarf"),
    ("realm_master/reading/phrases/later/TB-05.yaml", "Claire", "I leave"),
    ("realm_master/reading/phrases/later/TB-11.yaml", "Gwen", "Enter: Mertle, Kurull"),
]
LEAST = {
    "protectors": {"above": 0.95, "before": 0.95, "after": 0.9, "ahead": 0.85, "behind": 0.85},
    "realm_master": {"above": 0.88, "before": 0.88, "after": 0.83, "ahead": 0.7, "behind": 0.67},
}
"""Of all talk in a place, the share that leaves the order as it is without a word."""


def read_all(file: str, player: str, texts: list[str]) -> list[Read]:
    """What the player's messages come to, each by itself, in the first position of a file."""
    documents = yaml.safe_load_all((HERE.parent / file).read_text("utf-8"))
    case: dict[str, Any] = next(
        told for told in documents if any(one["as"] == player for one in told["read"])
    )
    case["position"].pop("eliminated", None)
    case["read"] = [{"as": player, "text": text, "means": [], "problems": []} for text in texts]
    return list(run_case(prepare(parse_case(Document(file, 1, case, {})), GAMES)).read)


@pytest.mark.parametrize(("file", "player", "order"), ORDERS)
def test_talk_beside_an_order_changes_nothing_or_is_asked_about(
    file: str, player: str, order: str
) -> None:
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
    least = LEAST[file.split("/")[0]]
    assert {place: fine[place] / len(TALK) >= least[place] for place in PLACED} == dict.fromkeys(
        PLACED, True
    ), {place: round(fine[place] / len(TALK), 3) for place in PLACED}
