"""The worked cases, told by their canonical texts; and that no rule is without a test or a case
that names it.
"""

from typing import Any

from tests.games.fortresses.engine.playing import CASES, differences, load, run_case
from tests.rows import each_row

FILES = sorted(CASES.glob("*.yaml"))
LOADED = [case for path in FILES for case in load(path)]


def test_all_worked_cases_are_here() -> None:
    ids = [case["id"] for case in LOADED]
    assert {f"FW-C{n:02}" for n in range(1, 33)} <= set(ids)
    assert len(set(ids)) == len(ids)


@each_row("case", LOADED)
def test_case(case: dict[str, Any]) -> None:
    found = [
        difference
        for expect, reached in run_case(case)
        for difference in differences(expect, reached)
    ]
    assert found == []


@each_row("case", LOADED)
def test_lines_that_stand_are_quoted_as_told(case: dict[str, Any]) -> None:
    """Each canonical text is either quoted or refused (FF-1); one kept for Reinforce may be
    both.
    """
    for step, (_, reached) in zip((case, *case.get("then", ())), run_case(case), strict=True):
        for player, texts in step.get("canonical", {}).items():
            refused = len(reached.problems.get(player, ()))
            quoted = reached.means.get(player, [])
            kept = sum(text.startswith("Then: ") for text in texts)
            assert len(texts) <= len(quoted) + refused <= len(texts) + kept
            assert set(quoted) <= set(texts)
