"""The second adjudicator works the same cases as the engine."""

from random import Random
from typing import Any

from tests.games.sovereigns.engine.test_cases import LOADED
from tests.games.sovereigns.second.goods import Luck
from tests.games.sovereigns.second.running import run_second
from tests.games.sovereigns.second.table import Second
from tests.rows import each_row


@each_row("case", LOADED)
def test_case(case: dict[str, Any]) -> None:
    second = Second(case["position"], Luck(Random(0)), case.get("options", {}).get("max_years"))
    assert [
        line for step in (case, *case.get("then", ())) for line in run_second(second, step)
    ] == []
