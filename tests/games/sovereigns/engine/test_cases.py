"""The worked scenarios of the rules and further cases, by canonical texts, driven as the format
says.
"""

from collections.abc import Iterator
from typing import Any

import yaml

from engine.chance import Chance
from engine.sovereigns.positions.position import parse_position
from tests.games.sovereigns.engine.playing import CASES, SEED, Play, run_step
from tests.rows import each_row


def _cases() -> Iterator[dict[str, Any]]:
    for file in sorted(CASES.glob("*.yaml")):
        yield from (
            case for case in yaml.load_all(file.read_text(), yaml.CSafeLoader) if case is not None
        )


LOADED = list(_cases())


def test_all_worked_scenarios_are_there_and_ids_are_used_once() -> None:
    ids = [case["id"] for case in LOADED]
    assert {f"SS-W{n:02}" for n in range(1, 35)} <= set(ids)
    assert len(set(ids)) == len(ids)


@each_row("case", LOADED)
def test_case(case: dict[str, Any]) -> None:
    game = Play(parse_position(case["position"], case.get("options", {}), case["id"]), Chance(SEED))
    differences = [line for step in (case, *case.get("then", ())) for line in run_step(game, step)]
    assert differences == []
