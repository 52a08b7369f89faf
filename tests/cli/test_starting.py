"""A command imports what it uses, and nothing else: what `pbem --version` loads is counted, and a
list of commands is written without loading one.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
import typer
from alembic.script import ScriptDirectory

from pbem.cli.app import app
from pbem.cli.lazy import LazyCommand, LazyGroup
from pbem.later import Later, resolve
from pbem.registry import load_games
from pbem.store.revision import newest_revision, older_revisions
from tests.cli.operator import Operator
from tests.rows import each_row
from tests.store.test_migrations import FOLDER

MOST_FOR_VERSION = 100
"""Modules that are not the standard library's: typer's, and ours of the command line."""

NEVER_FOR_A_LOOK = (
    "PIL aioimaplib aiosmtplib alembic bs4 dramatiq httpx icalendar lark numpy pbem.demo"
    " pbem.doctor pbem.archive pbem.house pbem.metrics pbem.telegram_service prometheus_client"
    " redis shapely skia telegram uharfbuzz workers"
).split()
NEVER_FOR_A_WORD = [
    *NEVER_FOR_A_LOOK,
    *"babel engine jinja2 msgspec pbem.config pbem.desk pbem.game pbem.grammar pbem.pages".split(),
    *"pbem.registry pbem.store sqlalchemy structlog yaml".split(),
]
PROGRAM = """\
import sys
from pbem.cli import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imported_by(*words: str, **environment: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


def of(heavy: list[str], modules: set[str]) -> list[str]:
    return [name for name in heavy if name in modules]


def test_the_version_is_told_with_few_modules() -> None:
    modules = imported_by("--version")
    others = sorted(
        name for name in modules if name.partition(".")[0] not in sys.stdlib_module_names
    )
    assert len(others) <= MOST_FOR_VERSION, others
    assert of(NEVER_FOR_A_WORD, modules) == []


@pytest.mark.parametrize("words", [("--help",), ("game", "--help"), ("db", "--help")], ids=" ".join)
def test_commands_are_listed_without_importing_them(words: tuple[str, ...]) -> None:
    assert of(NEVER_FOR_A_WORD, imported_by(*words)) == []


def test_a_look_at_a_table_imports_no_service_and_no_drawing(running: Operator) -> None:
    modules = imported_by("game", "status", "heron", PBEM_CONFIG=str(running.config))
    assert "pbem.desk.upkeep.status" in modules
    assert of(NEVER_FOR_A_LOOK, modules) == []


def lazy_commands(group: Any) -> Iterator[LazyCommand]:
    assert isinstance(group, LazyGroup)
    for command in group.commands.values():
        if isinstance(command, LazyCommand):
            yield command
        else:
            yield from lazy_commands(command)


LAZY = list(lazy_commands(typer.main.get_command(app)))


def test_there_are_such_commands() -> None:
    assert len(LAZY) >= 50


@each_row("command", LAZY)
def test_what_a_list_says_of_a_command_is_how_its_own_help_begins(command: LazyCommand) -> None:
    real = command.load()
    assert command.short_help == " ".join(real.help.partition("\n\n")[0].split())
    assert (real.name, real.hidden, real.deprecated) == (command.name, False, False)


def laters(value: object) -> Iterator[Later]:
    if isinstance(value, Later):
        yield value
    elif hasattr(type(value), "__dataclass_fields__"):
        for field in fields(value):  # type: ignore[arg-type]
            yield from laters(getattr(value, field.name))


LATERS = sorted({later for game in load_games().values() for later in laters(game)}, key=str)


def test_games_leave_something_for_later() -> None:
    assert len(LATERS) >= 20


@each_row("later", LATERS)
def test_what_a_game_imports_later_is_there(later: Later) -> None:
    assert callable(resolve(later))


def test_the_steps_that_are_known_by_their_names_are_those_of_alembic() -> None:
    steps = ScriptDirectory(str(FOLDER))
    assert steps.get_current_head() == newest_revision()
    assert {step.revision for step in steps.walk_revisions()} == {
        newest_revision(),
        *older_revisions(),
    }
