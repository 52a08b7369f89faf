"""`docs/games/fortresses/cases.md` names every key, code, event and canonical text there is."""

import re
from pathlib import Path
from typing import get_args

import yaml

from engine.fortresses.event_kinds import AnyFacts
from engine.fortresses.orders import parse_order
from engine.fortresses.positions.expectation import ELSEWHERE
from engine.fortresses.positions.position_words import (
    BATTLE_KEYS,
    PASSENGER_KEYS,
    POSITION_KEYS,
    STAGES,
)
from engine.fortresses.refusals import RULES
from engine.fortresses.state import HOWS, Options
from tests.games.fortresses.engine.playing import differences, run_case

TEXT = (Path(__file__).parents[3] / "docs" / "games" / "fortresses" / "cases.md").read_text("utf-8")


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(text: str) -> list[str]:
    """The words in the first column of a table."""
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


def test_every_key_of_a_position_has_its_row() -> None:
    assert rows(section("The position")) == list(POSITION_KEYS)
    for word in (*BATTLE_KEYS, *PASSENGER_KEYS, *STAGES, *HOWS):
        assert f"`{word}`" in section("The position"), word
    assert f"`{ELSEWHERE}:" in TEXT
    assert all(f"`{option}`" in TEXT for option in Options.__struct_fields__)


def test_the_problem_codes_stand_in_their_order() -> None:
    first, _, questions = section("Problem codes").partition("In questions")
    assert rows(first) == list(RULES)
    assert len(rows(questions)) == len(set(rows(questions)) - set(RULES))


def test_every_kind_of_event_is_listed() -> None:
    listed = re.findall(r"`([a-z-]+)`", section("Kinds of events").partition("\n\n")[0])
    assert sorted(listed) == sorted(str(kind.__struct_config__.tag) for kind in get_args(AnyFacts))


def test_the_canonical_texts_shown_are_canonical() -> None:
    shown = re.findall(r"`([A-Z][^`]+)`", section("Canonical texts").replace("\n  ", " "))
    assert len(shown) > 30
    for text in shown:
        parse_order(text)


def test_the_example_comes_out_as_it_says() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    steps = run_case(yaml.safe_load(example))
    assert [told for expect, reached in steps for told in differences(expect, reached)] == []
