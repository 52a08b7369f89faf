"""The documentation of the case format names exactly what the code knows."""

import io
import re
from pathlib import Path
from typing import get_args

from engine.protectors.abilities import ABILITIES, ONE_TIME_USES
from engine.protectors.colours import SYMBOLS
from engine.protectors.event_kinds import AnyFacts
from engine.protectors.positions.expectation import UNORDERED
from engine.protectors.positions.position_words import (
    ATTACK_KEYS,
    EFFECTS,
    ISLAND_KEYS,
    OPTION_KEYS,
    OPTION_WORDS,
    PLAYER_KEYS,
    POSITION_KEYS,
    PROVINCE_KEYS,
    STAGES,
)
from pbem.cases.document import CASE_KEYS, READ_KEYS, STEP_KEYS
from pbem.cases.runner import run_files
from pbem.registry import load_games

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "games" / "protectors" / "cases.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text under a heading."""
    return TEXT.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def words(text: str) -> list[str]:
    """Everything between backticks."""
    return re.findall(r"`([^`]+)`", text)


def rows(text: str) -> list[str]:
    """The words in the first column of a table."""
    return [
        word
        for line in text.splitlines()
        if line.startswith("| `")
        for word in words(line.split("|")[1])
    ]


def test_the_colours_are_those_that_are_dealt() -> None:
    assert re.findall(r"`(\w+)` (\w+)", section("Colours")) == list(SYMBOLS.items())


def test_the_event_kinds_are_all_there() -> None:
    kinds = [kind.__struct_config__.tag for kind in get_args(AnyFacts)]
    assert sorted(words(section("Event kinds"))) == sorted(kinds)


def test_the_problem_codes_are_all_there() -> None:
    """Every code that the engine or the grammar gives is told, and no other."""
    sources = [
        *(ROOT / "engine" / "protectors" / "checking").glob("*.py"),
        *(ROOT / "pbem" / "grammar").glob("*.py"),
        *(ROOT / "pbem" / "games" / "protectors" / "reading").glob("*.py"),
    ]
    source = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    told = rows(section("Problem codes"))
    assert len(told) == len(set(told))
    given = set(re.findall(r"(?:refuse|warn)\(\s*\"([a-z-]+)\"", source))
    for path in (ROOT / "pbem" / "games" / "protectors" / "reading").glob("*.py"):
        given |= set(
            re.findall(
                r"(?:Problem\(|_Unclear\(|_unread\(text, )\s*\"([a-z-]+)\"",
                path.read_text(encoding="utf-8"),
            )
        )
    assert given <= set(told)
    assert [code for code in told if f'"{code}"' not in source] == []


def test_the_options_are_all_there() -> None:
    text = section("Table options")
    assert rows(text) == list(OPTION_KEYS)
    assert all(f"`{word}`" in text for told in OPTION_WORDS.values() for word in told)


def test_the_keys_are_all_there() -> None:
    assert set(rows(section("A case that is adjudicated"))) == set(CASE_KEYS) >= set(STEP_KEYS)
    text = section("The position of `protectors`")
    assert sorted(rows(text)) == sorted(POSITION_KEYS)
    for key in (
        *PLAYER_KEYS,
        *PROVINCE_KEYS,
        *ISLAND_KEYS,
        *ATTACK_KEYS,
        *ONE_TIME_USES,
        *EFFECTS,
        *STAGES,
        *UNORDERED,
    ):
        assert f"`{key}`" in text
    assert all(f"{key}:" in section("Texts that are only read") for key in READ_KEYS)


def test_the_abilities_are_all_there() -> None:
    assert words(section("Abilities"))[2:] == [ability.name for ability in ABILITIES]


def test_the_examples_pass(tmp_path: Path) -> None:
    play, read = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    position = play.split("orders:  ", 1)[0].replace("HOUSE-1", "HOUSE-2")
    (tmp_path / "play.yaml").write_text(play, encoding="utf-8")
    (tmp_path / "read.yaml").write_text(position + read, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    run_files(
        [tmp_path / "play.yaml", tmp_path / "read.yaml"], load_games(), json=False, out=out, err=err
    )
    assert out.getvalue() == "pass HOUSE-1\npass HOUSE-2\n2 passed, 0 failed\n", err.getvalue()
