"""What `pbem adjudicate --json` tells of a case of Fortresses (FF-6)."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from pbem.cases.runner import run_files
from pbem.registry import load_games

HELD = "Attack Syria with 3L from Egypt"


def told(tmp_path: Path, case: str) -> dict[str, Any]:
    file, out = tmp_path / "case.yaml", StringIO()
    file.write_text(f"id: X\nruleset: fortresses\n{case}", "utf-8")
    assert run_files([file], load_games(), True, out) == 0
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def position(more: str) -> str:
    return f"position: {{year: 2, phase: attack, active: red, units: {{Egypt: red 1L}}, {more}}}"


def test_each_line_that_is_refused_has_a_code(tmp_path: Path) -> None:
    """F-93: of lines held first, then of the text, then of kept lines when Reinforce opens. Andalusia
    takes any number of Warbeasts, 12 gold pay for 2 of them.
    """
    lines = [
        *("Attack Syria with 2L from Egypt", "Attack Syria with 4L from Egypt"),
        *("Then: Buy 3W in Andalusia", "Then: Buy 2L in Tunis", "Then: Buy 4W in Andalusia"),
    ]
    case = f"{position(f'held: [{HELD}]')}\norders: {{red: {json.dumps(chr(10).join(lines))}}}"
    afford, limit = "cannot-afford", "placement-limit"
    assert told(tmp_path, case)["problems"] == [
        {"red": ["too-few-units", "too-few-units", "too-few-units", afford, limit, afford]}
    ]


def test_lines_that_are_held_are_judged_without_a_word_of_their_player(tmp_path: Path) -> None:
    """F-93: what stood before, and stands no longer."""
    case = position(f"held: [{HELD}, {HELD}]")
    assert told(tmp_path, case)["problems"] == [{"red": ["too-few-units", "too-few-units"]}]


def test_events_call_players_by_their_names(tmp_path: Path) -> None:
    """F-93: as `seats` has them, and as the keys of the other answers."""
    seats = "seats: {Ann: [silver, gold], Ben: [red], Cara: [blue]}"
    found = told(tmp_path, f"{position(seats)}\norders: {{Cara: Resign}}")
    (events,) = found["events"]
    assert {event["player"] for event in events if event["kind"] == "resigned"} == {"Cara"}
    assert [event["asked"] for event in events if event["kind"] == "window"] == [["Ben"]]
    assert found["reached"][0]["seats"] == {"Ann": ["silver", "gold"], "Ben": ["red", "blue"]}
