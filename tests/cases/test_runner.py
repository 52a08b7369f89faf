"""What the runner of cases prints, and what it refuses."""

import io
import json
from pathlib import Path

import pytest

from pbem.cases.runner import run_files
from pbem.registry import load_games
from tests.played import PLAYED

BASE = """\
id: X-1
title: A province is taken
ruleset: PLAYED
position:
  turn: 3
  phase: orders
  provinces: 4
  starting_players: 4
  ranking: [Anna, No]
  players:
    Anna: {realm: 0}
    No: {realm: 0}
  board:
    P1: {owner: Anna, units: 2}
    P3: {owner: No, units: 1}
""".replace("PLAYED", PLAYED)
ORDERS = """\
orders:
  Anna: March! 1 from P1 to P2
  No: Fortify! P1
"""


def run(tmp_path: Path, *texts: str, as_json: bool = False) -> tuple[int, str, str]:
    paths = []
    for i, text in enumerate(texts):
        paths.append(tmp_path / f"case{i}.yaml")
        paths[-1].write_text(text, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    status = run_files(paths, load_games(), as_json, out, err)
    return status, out.getvalue(), err.getvalue()


def test_a_case_that_comes_out_as_expected_passes(tmp_path: Path) -> None:
    expect = "expect: {board: {P2: {owner: Anna, units: 1}}, problems: {No: [not-your-province]}, events: [march, production]}\n"
    assert run(tmp_path, BASE + ORDERS + expect) == (0, "pass X-1\n1 passed, 0 failed\n", "")


def test_each_difference_is_told_with_its_path(tmp_path: Path) -> None:
    expect = "expect: {board: {P2: {owner: No, units: 3}}, phase: over, ranking: [No, Anna], problems: {No: []}, events: [march, battle]}\n"
    status, out, _ = run(tmp_path, BASE + ORDERS + expect)
    assert status == 1
    line, total = out.splitlines()
    assert line.startswith("FAIL X-1 ")
    assert "board.P2.owner: expected No, got Anna" in line
    assert "board.P2.units: expected 3, got 1" in line
    assert "phase: expected over, got consolidation" in line
    assert 'ranking: expected ["No", "Anna"], got ["Anna", "No"]' in line
    assert 'problems.No: expected [], got ["not-your-province"]' in line
    assert 'events: expected {"kind": "battle"} in its place in ["' in line
    assert total == "0 passed, 1 failed"


def test_later_steps_are_told_by_their_place(tmp_path: Path) -> None:
    then = "then:\n  - orders: {Anna: Bid 3}\n    expect: {turn: 4}\n  - expect: {turn: 9}\n"
    status, out, _ = run(tmp_path, BASE + then)
    assert status == 1
    assert "then[1].turn: expected 9, got 4" in out


def test_json_tells_what_came_out_and_compares_nothing(tmp_path: Path) -> None:
    base = BASE.replace(
        "  turn: 3\n", "  turn: 3\n  decks: {event: [Calms of Summer], dragons: [Bloodlust!]}\n"
    )
    status, out, err = run(
        tmp_path, base + ORDERS + "expect: {turn: 99}\nthen: [{}]\n", as_json=True
    )
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert list(told) == ["id", "reached", "problems", "means", "events"]
    assert told["id"] == "X-1"
    assert [reached["phase"] for reached in told["reached"]] == ["consolidation", "orders"]
    assert told["reached"][0]["board"]["P2"] == {
        "owner": "Anna",
        "units": 1,
        "level": 0,
        "burnt": False,
        "order": None,
    }
    assert told["reached"][0]["players"]["No"]["realm"] == 50
    assert told["problems"] == [{"No": ["not-your-province"]}, {}]
    march = next(event for event in told["events"][0] if event["kind"] == "march")
    assert march["rules"] == ["PR-6.5"]
    assert (march["origin"], march["target"], march["units"]) == (1, 2, 1)


def test_a_position_written_out_is_a_position_again(tmp_path: Path) -> None:
    _, out, _ = run(tmp_path, BASE + ORDERS, as_json=True)
    reached = json.loads(out)["reached"][0]
    again = {
        "id": "X-2",
        "title": "again",
        "ruleset": PLAYED,
        "position": reached,
        "orders": {"Anna": "Bid 7"},
    }
    status, out, err = run(tmp_path, json.dumps(again), as_json=True)
    assert (status, err) == (0, "")
    assert (
        json.loads(out)["reached"][0]["players"]["Anna"]["realm"]
        == reached["players"]["Anna"]["realm"] - 7
    )


def test_reading_cases_are_told_and_compared(tmp_path: Path) -> None:
    read = 'read:\n  - as: Anna\n    text: "Work, work! P1. Fortify! P3"\n    means: ["Work, work! P1"]\n    problems: [not-your-province]\n'
    assert run(tmp_path, BASE + read)[:2] == (0, "pass X-1\n1 passed, 0 failed\n")
    status, out, _ = run(tmp_path, BASE + read.replace("[not-your-province]", "[]"))
    assert status == 1
    assert 'read[0].problems: expected [], got ["not-your-province"]' in out
    _, out, _ = run(tmp_path, BASE + read, as_json=True)
    assert json.loads(out) == {
        "id": "X-1",
        "read": [{"means": ["Work, work! P1"], "problems": ["not-your-province"]}],
    }


@pytest.mark.parametrize("text", ["- " * 100_000, "[" * 50_000, "a: {" * 50_000])
def test_a_file_that_is_nested_without_end_is_told_its_line(tmp_path: Path, text: str) -> None:
    status, _, err = run(tmp_path, BASE + "---\n" + text)
    assert status == 2
    assert err.startswith(
        f"{tmp_path / 'case0.yaml'}:{len(BASE.splitlines()) + 2}: nested too deep"
    )


def test_chance_left_over_is_an_error(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, BASE + "chance: [tails]\n")
    assert status == 1
    assert "FAIL X-1 chance: left over ['tails']" in out


def test_chance_that_does_not_fit_is_an_error_in_json_too(tmp_path: Path) -> None:
    text = BASE + "then: [{chance: [[Deep Snow]]}]\n"
    text = text.replace("  provinces: 4\n", "  provinces: 4\n  decks: {event: []}\n")
    status, out, _ = run(tmp_path, text, as_json=True)
    assert status == 1
    assert "is no new order of" in json.loads(out)["error"]


@pytest.mark.parametrize(
    ("before", "after", "line", "key"),
    [
        ("  turn: 3\n", "  turns: 3\n", 5, "position.turns: unknown key"),
        ("title: A", "titel: A", 2, "titel: unknown key"),
        (f"ruleset: {PLAYED}", "ruleset: chess", 3, "ruleset: no game 'chess'"),
        ("    P3: {owner: No", "    P5: {owner: No", 15, "position.board.P5: no such province"),
        (
            "    P3: {owner: No",
            "    P3: {owner: Ben",
            15,
            "position.board.P3.owner: no player 'Ben'",
        ),
        (
            "    P3: {owner: No",
            "    Island: {owner: No",
            15,
            "position.board.Island: the table plays without the Island",
        ),
        ("units: 2}", "unit: 2}", 14, "position.board.P1.unit: unknown key"),
        ("ranking: [Anna, No]", "ranking: [Anna]", 9, "position.ranking: No missing"),
        ("ranking: [Anna, No]", "ranking: [Anna, Anna]", 9, "position.ranking[1]: is named twice"),
        (
            "  provinces: 4\n",
            "  provinces: 5\n",
            7,
            "position.provinces: a normal game has as many provinces",
        ),
        ("  phase: orders\n", "  phase: order\n", 6, "position.phase: 'order' is none of"),
        ("  phase: orders\n", "  phase: dragon\n", 4, "position.in_play: is missing"),
        (
            "    Anna: {realm: 0}",
            "    Anna: {realm: -1}",
            11,
            "position.players.Anna.realm: -1 is below 0",
        ),
        (
            "    Anna: {realm: 0}",
            "    Anna: {realm: 0, faction: Hodir}",
            11,
            "position.players.Anna.faction: the table plays without factions",
        ),
        (
            "    Anna: {realm: 0}",
            "    Anna: {realm: 0}\n    Anna: {realm: 1}",
            12,
            "position.players.Anna: told twice",
        ),
    ],
)
def test_a_case_that_does_not_fit_is_told_with_file_line_and_key(
    tmp_path: Path, before: str, after: str, line: int, key: str
) -> None:
    assert before in BASE
    status, out, err = run(tmp_path, BASE.replace(before, after) + ORDERS)
    assert status == 2
    assert err.startswith(f"{tmp_path / 'case0.yaml'}:{line}: {key}")
    assert out == "0 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("addition", "line", "key"),
    [
        ("orders: {Ben: Hold P1}\n", 16, "orders.Ben: no player 'Ben'"),
        ("expect: {bored: {}}\n", 16, "expect.bored: unknown key"),
        ("expect: {board: {P9: {units: 1}}}\n", 16, "expect.board.P9: no such province"),
        ("expect: {board: {P1: {owner: Ben}}}\n", 16, "expect.board.P1.owner: no player 'Ben'"),
        ("expect:\n  players:\n    Ben: {realm: 1}\n", 18, "expect.players.Ben: no player 'Ben'"),
        ("expect: {in_play: [Rain]}\n", 16, "expect.in_play[0]: no card 'Rain'"),
        ("expect: {winner: Ben}\n", 16, "expect.winner: no player 'Ben'"),
        ("expect: {problems: {Ben: []}}\n", 16, "expect.problems.Ben: no player 'Ben'"),
        ("then:\n  - expect: {score: {Ben: 1}}\n", 17, "then[0].expect.score.Ben: no player 'Ben'"),
        ("then:\n  - order: {}\n", 17, "then[0].order: unknown key"),
        ("read:\n  - as: Ben\n    text: hi\n", 17, "read[0].as: no player 'Ben'"),
        (
            "read: [{as: Anna, text: hi}]\nexpect: {}\n",
            17,
            "expect: a reading case adjudicates nothing",
        ),
        ("options: {versions: normal}\n", 16, "options.versions: unknown key"),
        ("options: {factions: some}\n", 16, "options.factions: 'some' is none of"),
        ("chance: heads\n", 16, "chance: a list is wanted here"),
    ],
)
def test_what_a_case_names_must_exist(tmp_path: Path, addition: str, line: int, key: str) -> None:
    status, _, err = run(tmp_path, BASE + addition)
    assert status == 2
    assert err.startswith(f"{tmp_path / 'case0.yaml'}:{line}: {key}")


def test_what_cannot_be_read_does_not_hide_the_rest(tmp_path: Path) -> None:
    broken = "id: [\n"
    several = (
        BASE
        + "---\n"
        + BASE.replace("X-1", "X-2").replace("turn: 3", "turn: none")
        + "---\n"
        + BASE.replace("X-1", "X-3")
    )
    status, out, err = run(tmp_path, broken, several)
    assert status == 2
    assert out == "pass X-1\npass X-3\n2 passed, 0 failed\n"
    first, second = err.splitlines()
    assert first.startswith(f"{tmp_path / 'case0.yaml'}:2: ")
    assert "position.turn: a whole number is wanted here" in second


def test_an_id_is_used_once_in_a_file(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, BASE + "---\n" + BASE)
    assert (status, out) == (2, "pass X-1\n1 passed, 0 failed\n")
    assert ":17: id: X-1 is used twice in this file" in err


def test_a_missing_file_and_one_that_is_no_text_are_told(tmp_path: Path) -> None:
    binary = tmp_path / "picture.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    out, err = io.StringIO(), io.StringIO()
    assert (
        run_files([tmp_path / "nowhere.yaml", binary], load_games(), json=False, out=out, err=err)
        == 2
    )
    assert "nowhere.yaml" in err.getvalue()
    assert "picture.yaml" in err.getvalue()


@pytest.mark.parametrize(
    "text", ["&a [*a]\n", "? [a, b]\n: 1\n", "- 1\n", "just words\n", "[" * 3000]
)
def test_odd_yaml_is_refused(tmp_path: Path, text: str) -> None:
    status, out, err = run(tmp_path, text)
    assert (status, out) == (2, "0 passed, 0 failed\n")
    assert "case0.yaml" in err


def test_anchors_and_merge_keys_are_understood(tmp_path: Path) -> None:
    text = BASE.replace(
        "    P1: {owner: Anna, units: 2}",
        "    P1: &held {owner: Anna, units: 2}\n    P2: {<<: *held, units: 1}",
    )
    status, out, err = run(tmp_path, text + "expect: {board: {P2: {owner: Anna, units: 1}}}\n")
    assert (status, out, err) == (0, "pass X-1\n1 passed, 0 failed\n", "")


def test_a_step_after_the_end_of_the_game_is_an_error(tmp_path: Path) -> None:
    text = BASE.replace("phase: orders", "phase: over")
    status, out, _ = run(tmp_path, text)
    assert status == 1
    assert out.startswith("FAIL X-1 ")


def test_json_tells_what_one_yes_would_let_stand(tmp_path: Path) -> None:
    """What was taken and what is offered stand together; where nothing is offered there is none."""
    read = """
read:
  - {as: Anna, text: "wrok P1"}
  - {as: Anna, text: "work P1"}
"""
    status, out, _ = run(tmp_path, BASE + read, as_json=True)
    first, second = json.loads(out)["read"]
    assert status == 0
    assert first["means"] == []
    assert first["offer"] == ["Work, work! P1"]
    assert second["means"] == ["Work, work! P1"]
    assert "offer" not in second
