"""The engine beside the second adjudicator, in random games; and the second beside the cases, so
that neither is judge of itself.

`FORTRESSES_TURNS=20000` plays more than the suite does, from the game `FORTRESSES_SEED` on.
"""

import os
from itertools import count
from typing import Any

from engine.fortresses.positions.position import parse_position
from engine.fortresses.positions.position_out import format_position
from tests.games.fortresses.engine.playing import CASES, Reached, load
from tests.games.fortresses.engine.playing import differences as differences_of_case
from tests.games.fortresses.second.comparing import play
from tests.games.fortresses.second.turning import step
from tests.rows import each_row

TURNS = int(os.environ.get("FORTRESSES_TURNS", "300"))
SEED = int(os.environ.get("FORTRESSES_SEED", "1"))
LONGEST = 60
"""No game is followed for longer: what is new happens in the first Years."""

LOADED = [case for path in sorted(CASES.glob("*.yaml")) for case in load(path)]


def test_two_adjudicators_agree() -> None:
    turns = 0
    for seed in count(SEED):
        for steps, (told, texts, found, events) in enumerate(play(seed)):
            assert found == [], f"game {seed}, step {steps}: {told} {texts}"
            turns += sum(event["kind"] in ("gold-left", "turn-skipped") for event in events)
            if steps > LONGEST or turns >= TURNS:
                break
        if turns >= TURNS:
            return


@each_row("case", LOADED)
def test_case_by_the_second(case: dict[str, Any]) -> None:
    """A case tells all its dice and no others, each within its sides."""
    options = case.get("options", {})
    state = parse_position(case["position"], options, case["id"])
    told: dict[str, Any] = dict(format_position(state))
    for stage in (case, *case.get("then", ())):
        dice = list(stage.get("chance", ()))

        def roll(sides: int, left: list[int] = dice) -> int:
            number = left.pop(0)
            assert 1 <= number <= sides
            return number

        found = step(told, options, stage.get("canonical", {}), roll)
        told = found["reached"]
        reached = Reached(state, told, found["problems"], found["means"], found["events"])
        assert list(differences_of_case(stage.get("expect", {}), reached)) == []
        assert dice == []
