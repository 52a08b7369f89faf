"""The documents tell the truth about the commands, the settings and each other."""

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer

from pbem.cli.app import app
from pbem.cli.lazy import LazyCommand
from pbem.desk.messages.words import WORDS
from pbem.desk.people.export import Exported
from pbem.desk.upkeep.health import Health
from pbem.grammar.house.commands import word_of
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.house.told import Told, load_told
from pbem.pages.gm import (
    MotionStatus,
    NextStep,
    NoteStatus,
    SeatStatus,
    TableStatus,
    WaitingStatus,
)
from pbem.pages.page import PeopleFacts
from pbem.pages.results import FameLine, Profile
from pbem.sample import SAMPLE
from tests.guide import TABLES, with_table
from tests.played import PLAYED
from tests.rows import each_row

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
    ]
)
MANUAL = "\n".join(
    page.read_text("utf-8")
    for page in PAGES
    if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")
)
ROOT_COMMAND: Any = typer.main.get_command(app)


def is_group(command: Any) -> bool:
    """Whether it does nothing without one of its commands."""
    return hasattr(command, "commands") and not command.invoke_without_command


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its path; of the type that typer makes them, which is its own."""
    yield path, command
    if hasattr(command, "commands"):
        for name, below in command.commands.items():
            loaded = below.load() if isinstance(below, LazyCommand) else below
            yield from walk(loaded, (*path, name))


COMMANDS = dict(walk(ROOT_COMMAND))


def options_of(command: Any) -> set[str]:
    return {
        name
        for parameter in command.params
        if parameter.param_type_name == "option"
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


@each_row("path", [path for path, command in COMMANDS.items() if path and not is_group(command)])
def test_every_command_is_in_the_manual(path: tuple[str, ...]) -> None:
    assert re.search(rf"pbem {' '.join(path)}\b", MANUAL)


@each_row("path", COMMANDS)
def test_every_option_is_in_the_list_of_commands(path: tuple[str, ...]) -> None:
    listed = (ROOT / "docs" / "commands.md").read_text("utf-8")
    missing = [
        name
        for name in options_of(COMMANDS[path])
        if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", listed)
    ]
    assert missing == []


def shown_commands() -> Iterator[tuple[str, str]]:
    """Every `pbem ...` in code, with the page it stands on."""
    for page in PAGES:
        text = page.read_text("utf-8")
        spans = [*re.findall(r"`([^`\n]+)`", text), *re.findall(r"^    (.+)$", text, re.MULTILINE)]
        for span in spans:
            for words in re.findall(
                r"(?:^|[\s/])(pbem(?: [^\s].*)?)$", re.sub(r"\s+#.*", "", span)
            ):
                if words != "pbem":
                    yield page.name, words


@each_row(("page", "shown"), sorted(set(shown_commands())))
def test_every_command_shown_exists_with_its_options(page: str, shown: str) -> None:
    words = shown.split()[1:]
    path: tuple[str, ...] = ()
    names = {name for name in words if not name.startswith(("-", "|"))}
    while words and (*path, words[0]) in COMMANDS:
        path = (*path, words.pop(0))
    if not path:
        assert words[0] in options_of(ROOT_COMMAND) | {"COMMAND", "--help"}, f"{page}: {shown}"
        return
    group = COMMANDS[path[:1]]
    if "|" in shown and is_group(group):
        assert names - {path[0]} <= set(group.commands), f"{page}: {shown}"
        return
    assert not is_group(COMMANDS[path]), f"{page}: {shown}"
    assert {word for word in words if word.startswith("-") and word != "-"} <= options_of(
        COMMANDS[path]
    ) | {"--help"}, f"{page}: {shown}"


def test_some_commands_are_shown_at_all() -> None:
    assert len(set(shown_commands())) >= 20


@pytest.mark.parametrize("page", TABLES, ids=lambda page: page.name)
def test_the_table_of_words_in_the_guide_is_written_from_the_words(page: Path) -> None:
    assert page.read_text("utf-8") == with_table(page), "make guide"


def test_every_word_of_the_house_is_told_and_everything_told_is_one() -> None:
    examples = [line for row in load_told() for line in row.examples]
    told = {word_of(command) for line in examples for command in parse_commands(line)}
    assert told == {word_of(kind) for kind in WORDS} | {"ready"}


@each_row("row", load_told())
def test_every_example_of_a_word_is_read_as_that_word(row: Told) -> None:
    for line in row.examples:
        said = [word_of(command) for command in parse_commands(line)]
        assert said if row.word else True, line
    if row.word:
        assert row.word == word_of(parse_commands(row.examples[0])[0])


def test_the_sample_configuration_is_what_init_writes() -> None:
    assert (ROOT / "deploy" / "pbem.toml").read_text("utf-8") == SAMPLE


def test_the_readmes_test_command_is_what_the_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert re.search(r"^    make test$", readme, re.MULTILINE)
    assert "    make test RING=all " in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert script[-1] == "REQUIRE_SERVERS=1 make test RING=all"


def test_the_readme_shows_a_board_and_the_two_commands_on_its_first_screen() -> None:
    first = (ROOT / "README.md").read_text("utf-8").partition("\n## ")[0].splitlines()
    assert len(first) <= 24
    assert [line.strip() for line in first if line.startswith("    ")] == ["make demo", "make test"]
    assert any(f'src="docs/games/{PLAYED}/board.png"' in line for line in first)
    assert (ROOT / "docs" / "games" / PLAYED / "board.png").read_bytes().startswith(b"\x89PNG")


def test_every_make_target_shown_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for page in PAGES:
        for target in re.findall(
            r"(?:`|^    )make ([a-z]+)", page.read_text("utf-8"), re.MULTILINE
        ):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: make {target}"


def test_the_changelog_has_room_for_what_is_not_released() -> None:
    assert "\n## Unreleased\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@each_row("page", PAGES)
def test_every_link_leads_to_a_file_that_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in [*re.findall(r"\]\(([^)]+)\)", text), *re.findall(r'src="([^"]+)"', text)]:
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        linked = page.parent / file if file else page
        assert linked.exists(), f"{page.name}: {target}"
        if anchor:
            assert f'id="{anchor}"' in linked.read_text("utf-8"), f"{page.name}: {target}"


def tables(text: str) -> Iterator[list[list[str]]]:
    """The cells of every block of rows, outside of code."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for block in re.findall(r"(?:^\|.*\n)+", f"{prose}\n", re.MULTILINE):
        yield [
            re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", "code", row).strip())[1:-1]
            for row in block.splitlines()
        ]


@each_row("page", PAGES)
def test_every_table_has_a_heading_and_rows_of_its_length(page: Path) -> None:
    """READING-21: rows behind an empty line are printed as raw pipes."""
    for heading, rule, *rows in tables(page.read_text("utf-8")):
        assert all(re.fullmatch(r" ?:?-+:? ?", cell) for cell in rule), (heading, rule)
        assert rows, heading
        assert {len(row) for row in (rule, *rows)} == {len(heading)}, heading


def rows_shown(module: str, command: str) -> set[str]:
    """The keys of the rows that a command shows, as its function writes them."""
    tree = ast.parse((ROOT / "pbem" / "cli" / f"{module}.py").read_text("utf-8"))
    (function,) = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == command
    )
    (row,) = (
        node.body
        for node in ast.walk(function)
        if isinstance(node, ast.Lambda) and isinstance(node.body, ast.Dict)
    )
    return {ast.literal_eval(key) for key in row.keys if key is not None}


def fields_of(kept: Any, *, without: str = "") -> set[str]:
    names = (
        kept.__struct_fields__
        if issubclass(kept, msgspec.Struct)
        else [field.name for field in dataclasses.fields(kept)]
    )
    return set(names) - {without}


FIELDS = {
    "`game list`": rows_shown("looking", "list_games"),
    "`game status`": fields_of(TableStatus),
    "each of its `seats`": fields_of(SeatStatus),
    "each of its `notes`": fields_of(NoteStatus),
    "each of its `motions`": fields_of(MotionStatus),
    "each of its `waiting`": fields_of(WaitingStatus),
    "each of its `steps`": fields_of(NextStep),
    "its `people`": fields_of(PeopleFacts),
    "`game notes`": rows_shown("looking", "notes"),
    "`game log`": rows_shown("looking", "log"),
    "`gm list`": rows_shown("gm", "list_them"),
    "`mail shunted`": rows_shown("mail", "shunted"),
    "`health`": fields_of(Health),
    "`profile`": fields_of(Profile, without="is_own"),
    "`hall-of-fame`": fields_of(FameLine, without="is_reader"),
    "`people export`": fields_of(Exported) | {"file"},
}


def test_the_page_of_commands_names_every_field_of_json() -> None:
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    table = text.partition("## Fields of `--json`")[2]
    rows = dict(re.findall(r"^[|] (.+?) [|] (.+) [|]$", table, re.MULTILINE))
    told = {name: set(re.findall(r"`([\w-]+)`", said)) for name, said in rows.items()}
    assert set(told) - {"command", "---"} == set(FIELDS)
    for name, fields in FIELDS.items():
        missing, strange = fields - told[name], told[name] - fields - ELSEWHERE
        assert (missing, strange) == (set(), set()), name


ELSEWHERE = {"asked", "missed"}
"""Fields of fields."""
