"""`pbem adjudicate`: its exit statuses and its two kinds of output."""

from pathlib import Path

from tests.cli.operator import Operator
from tests.played import PLAYED

CASE = """\
id: MY-1
title: an empty province is entered
rules: [PR-6.2]
ruleset: PLAYED
position:
  turn: 3
  phase: orders
  provinces: 4
  starting_players: 4
  players: {Ann: {realm: 40}, Ben: {realm: 40}}
  board: {P1: {owner: Ann, units: 2}, P3: {owner: Ben, units: 1}}
  ranking: [Ann, Ben]
orders:
  Ann: March! 1 from P1 to P2.
expect:
  board: {P2: {owner: Ann, units: %d}}
""".replace("PLAYED", PLAYED)


def write(folder: Path, units: int) -> str:
    path = folder / f"case-{units}.yaml"
    path.write_text(CASE % units, encoding="utf-8")
    return str(path)


def test_cases_that_pass_are_counted(operator: Operator) -> None:
    said = operator.types("adjudicate", write(operator.folder, 1))
    assert (said.status, said.out) == (0, "pass MY-1\n1 passed, 0 failed\n")


def test_a_case_that_fails_says_where_it_differs(operator: Operator) -> None:
    said = operator.types("adjudicate", write(operator.folder, 1), write(operator.folder, 2))
    assert said.status == 1
    assert "FAIL MY-1 board.P2.units: expected 2, got 1" in said.out
    assert said.out.endswith("1 passed, 1 failed\n")


def test_json_tells_what_came_out(operator: Operator) -> None:
    said = operator.types("adjudicate", "--json", write(operator.folder, 1))
    assert said.status == 0
    assert said.json["id"] == "MY-1"
    assert said.json["reached"][0]["board"]["P2"]["owner"] == "Ann"


def test_a_file_that_cannot_be_read_is_a_usage_error_and_does_not_stop_the_others(
    operator: Operator,
) -> None:
    said = operator.types(
        "adjudicate", str(operator.folder / "none.yaml"), write(operator.folder, 1)
    )
    assert said.status == 2
    assert "pass MY-1" in said.out
    assert operator.types("adjudicate").status == 2
