"""The letters, dice and sums of the worked examples are those of the cases they are told from, and
every one has its picture.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.chance import Chance
from engine.sovereigns.positions.position import parse_position
from tests.games.sovereigns.engine.playing import CASES, SEED, Play, run_step

DOCS = Path(__file__).parents[3] / "docs" / "games" / "sovereigns"
PAGE = (DOCS / "worked-examples.md").read_text("utf-8")
EXAMPLES: list[dict[str, Any]] = [
    case
    for case in yaml.safe_load_all((CASES / "worked-examples.yaml").read_text("utf-8"))
    if case is not None
]
PARTS = PAGE.split("\n## ")[1:]
ROLLS = ("action", "support", "rebellion", "coup")
TOLD = dict(zip((case["id"] for case in EXAMPLES), PARTS, strict=True))


@pytest.fixture(params=EXAMPLES, ids=lambda case: str(case["id"]))
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    told: dict[str, Any] = request.param
    return told


def steps(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield case
    yield from case.get("then", ())


def test_every_example_has_its_title_its_picture_and_the_letters_of_its_case(
    case: dict[str, Any],
) -> None:
    part, picture = TOLD[case["id"]], f"pictures/{case['id'].lower()}.png"
    assert part.splitlines()[0] == case["title"]
    assert re.findall(r'src="([^"]+)"', part) == [picture]
    assert (DOCS / picture).read_bytes().startswith(b"\x89PNG")
    said = [
        f"{who}: {text}"
        for step in steps(case)
        for who, text in (
            *step.get("orders", {}).items(),
            *((act["from"], act["text"]) for act in step.get("acts", ()) if act["from"] != "GM"),
        )
    ]
    assert sorted(re.findall(r"^    (.+)$", part, re.MULTILINE)) == sorted(said)


def test_the_dice_and_sums_are_those_of_the_case(case: dict[str, Any]) -> None:
    told = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in TOLD[case["id"]].splitlines()
        if re.match(r"\| (\d|[A-Z])", row)
    ]
    game = Play(parse_position(case["position"], {}, case["id"]), Chance(SEED))
    rolled = []
    for step in steps(case):
        assert run_step(game, step) == []
        rolled += [fact for fact in game.facts() if fact["kind"] in ROLLS]
    assert len(told) == len(rolled) > 0
    for row, fact in zip(told, rolled, strict=True):
        what, dice, adds, total, against, needs, margin, _ = row
        assert numbers(dice) == fact["dice"], row
        assert numbers(against) == fact.get("defence", []), row
        assert int(total) == fact["total"] == sum(fact["dice"]) + sum(numbers(adds)), row
        assert what.split()[0 if fact["kind"] != "action" else 1].strip(",") == fact["kingdom"]
        if fact["kind"] == "action":
            assert (int(what.split()[0]), int(needs), int(margin)) == (
                fact["n"],
                fact["difficulty"],
                fact["margin"],
            )


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[+-]?\d+", text)]


def test_every_rule_that_an_example_links_to_is_in_the_guide() -> None:
    guide = (DOCS / "rules.md").read_text("utf-8")
    linked = set(re.findall(r"\[(SS-[\d.]+)\]\(rules\.md#\1\)", PAGE))
    assert len(linked) > 30
    for anchor in linked:
        assert f'id="{anchor}"' in guide, anchor
