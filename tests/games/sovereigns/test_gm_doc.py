"""docs/games/sovereigns/gm.md is true: every answer it shows is read as one to its letter, every
correction as that of the row, and none is missing.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import Plea
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.reading import parse_order
from engine.sovereigns.seasons.running import WINDOWS
from engine.sovereigns.state import State
from pbem.games.sovereigns.reading.correcting import FORMS, read_correction, read_ruling
from pbem.games.sovereigns.reading.ruling import read_answer
from tests.games.sovereigns.engine.playing import table

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "sovereigns" / "gm.md").read_text("utf-8")
TRIED = 'Try: 3R against Ben for -1 "dig a canal"'
LETTERS = {
    "Somebody tries what no rule knows": Plea("try 1", "try", {"player": 1, "order": TRIED}),
    "A discovery is proposed": Plea("technology", "technology", {"technology": "steam"}),
    "Somebody objects to an action": Plea("objection", "objection", {"objection": 1}),
    "A ruler is silent": Plea("silent", "replacement", {"player": 2}),
}
ANSWERS = [
    (title, answer)
    for title in LETTERS
    for line in PAGE.split(f"### {title}\n", 1)[1].split("\n#", 1)[0].splitlines()
    for answer in re.findall(r"`([^`]+)`", line.split("|")[1] if line.startswith("|") else line)
    if line.startswith(("|", "After four", "your silence")) and "replace" not in answer
]
CORRECTIONS = re.findall(r"`correct (.+?) because \.\.\.`", PAGE)


def position() -> State:
    proposed = [{"great": False, "name": "steam", "code": "STAT-ROLL R", "left": 9}]
    anna: dict[str, Any] = {"name": "Aldermark", "R": 4}
    return table(
        {"Anna": anna, "Ben": {"tech": ["steel"], "discoveries": proposed}, "Cleo": {}},
        technologies={"steel": "STAT-ROLL M"},
    )


@pytest.mark.parametrize(("title", "answer"), ANSWERS)
def test_every_answer_is_read_as_one_to_its_letter(title: str, answer: str) -> None:
    assert read_answer(position(), LETTERS[title], answer)["act"]


def test_the_answers_are_those_there_are() -> None:
    acts = [read_answer(position(), LETTERS[title], answer) for title, answer in ANSWERS]
    parts = {part for act in acts if act["act"] == "rule" for part in act}
    assert parts >= {"difficulty", "contest", "attribute", "effect", "repercussion"}
    assert {act["verdict"] for act in acts if act["act"] == "tech"} == {
        "approve",
        "amend",
        "refuse",
    }
    assert {act["upheld"] for act in acts if act["act"] == "verdict"} == {True, False}
    assert {act["act"] for act in acts} == {"rule", "tech", "verdict", "keep", "remove"}


def test_every_correction_of_the_page_is_read_and_every_kind_is_on_it() -> None:
    state = position()
    standing = {1: (parse_order(state, TRIED),)}
    kinds = {read_ruling(state, text, standing).act["act"] for text in CORRECTIONS}
    assert kinds == {read_correction(state, form).act["act"] for form in FORMS}


def test_the_commands_of_the_cases_say_the_same() -> None:
    state = position()
    told = parse_command(state, "gm rule Anna diff 9 effect -2", {1: (parse_order(state, TRIED),)})
    letter = LETTERS["Somebody tries what no rule knows"]
    assert read_answer(state, letter, "diff 9, effect -2") == told


def test_the_windows_are_those_of_the_rules() -> None:
    for kind in ("setup", "year-start", "season"):
        assert f"`{kind} {WINDOWS[kind]}h`" in PAGE
