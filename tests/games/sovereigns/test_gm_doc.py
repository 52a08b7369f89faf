"""docs/games/sovereigns/gm.md is true: every answer it shows is read as one to its letter, every
correction as that of the row, and none is missing.
"""

import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine.ruleset import Standing
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.orders import Order
from engine.sovereigns.requests import SILENT_SEASONS
from engine.sovereigns.seasons.running_phase import WINDOWS
from engine.sovereigns.state import Objection, State
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.reading.corrections import FORMS, read_correction
from pbem.games.sovereigns.reading.rulings import read_ruling
from pbem.grammar.gm.commands import Lexicon, NewGame
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.values import Questions
from tests.games.sovereigns.engine.playing import table
from tests.rows import each_row

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "sovereigns" / "gm.md").read_text("utf-8")
TRIED = 'Try: 3R against Ben for -1 "dig a canal"'
LETTERS = (
    "Somebody tries what no rule knows",
    "A discovery is proposed",
    "Somebody objects to an action",
    "A ruler is silent",
)
ANSWERS = [
    (title, answer)
    for title in LETTERS
    for line in PAGE.split(f"### {title}\n", 1)[1].split("\n#", 1)[0].splitlines()
    for answer in re.findall(r"`([^`]+)`", line.split("|")[1] if line.startswith("|") else line)
    if line.startswith(("|", "After four", "your silence")) and "replace" not in answer
]
CORRECTIONS = re.findall(r"`correct (.+?) because \.\.\.`", PAGE)
Asking = tuple[State, dict[int, Standing[Order]]]


def asking(*letters: str) -> Asking:
    """A table at which these letters wait: Anna tries something, Ben proposes steam, Ben objects,
    Cleo is silent.
    """
    proposed = [{"great": False, "name": "steam", "code": "STAT-ROLL R", "left": 9}]
    ben = {"tech": ["steel"], "discoveries": proposed if LETTERS[1] in letters else []}
    anna: dict[str, Any] = {"name": "Aldermark", "R": 4}
    state = table({"Anna": anna, "Ben": ben, "Cleo": {}}, technologies={"steel": "STAT-ROLL M"})
    tried = {1: Standing((parse_order(state, TRIED),))}
    if LETTERS[2] in letters:
        state = replace(state, objections=(Objection(1, 4, 2, 24, "no ships"),))
    if LETTERS[3] in letters:
        cleo = replace(state.kingdom(3), missed=SILENT_SEASONS)
        state = replace(state, kingdoms=(*state.kingdoms[:2], cleo))
    return state, tried if LETTERS[0] in letters else {}


@each_row(("letter", "answer"), ANSWERS)
def test_every_answer_is_read_as_one_to_its_letter(letter: str, answer: str) -> None:
    assert read_ruling(*asking(letter), answer).act["act"]


def test_the_answers_are_those_there_are() -> None:
    acts = [read_ruling(*asking(letter), answer).act for letter, answer in ANSWERS]
    parts = {part for act in acts if act["act"] == "rule" for part in act}
    assert parts >= {"difficulty", "contest", "attribute", "effect", "repercussion"}
    assert {act["verdict"] for act in acts if act["act"] == "tech"} == {
        "approve",
        "amend",
        "refuse",
    }
    assert {act["upheld"] for act in acts if act["act"] == "verdict"} == {True, False}
    assert {act["act"] for act in acts} == {"rule", "tech", "verdict", "keep", "remove"}


def test_where_several_wait_one_is_named() -> None:
    everything = asking(*LETTERS)
    for named, bare in (("approve steam", "approve"), ("rule Aldermark: diff 9", "diff 9")):
        assert read_ruling(*everything, named) == read_ruling(*everything, bare)
    assert read_ruling(*everything, "rule Aldermark stands").act["act"] == "rule"


def test_every_correction_of_the_page_is_read_and_every_kind_is_on_it() -> None:
    state, _ = asking(*LETTERS)
    kinds = {read_correction(state, text).act["act"] for text in CORRECTIONS}
    assert kinds == {read_correction(state, form).act["act"] for form in FORMS}


def test_the_commands_of_the_cases_say_the_same() -> None:
    state, standings = asking(LETTERS[0])
    standing = {number: told.orders for number, told in standings.items()}
    told = parse_command(state, "gm rule Anna diff 9 effect -2", standing)
    assert read_ruling(state, standings, "diff 9, effect -2").act == told


def test_the_windows_are_those_of_the_rules() -> None:
    for kind in ("setup", "year-start", "season"):
        assert f"`{kind} {WINDOWS[kind]}h`" in PAGE


def test_the_table_that_is_opened_is_read_by_the_house() -> None:
    (line,) = re.findall(r"^    (new game .+)$", PAGE, re.MULTILINE)
    (read,) = parse_gm(line, Lexicon({"sovereigns": Questions({}, tuple(WINDOWS))}))
    assert isinstance(read.command, NewGame)
    assert read.command.choices.options == {"max_years": 10}
