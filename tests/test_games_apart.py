"""Which files may know a game: its own, and the registry. The house runs all of them alike."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import case_games

ROOT = Path(__file__).parent.parent
ROOMS = ("pbem", "workers", "templates")
SUFFIXES = {".py", ".j2", ".yaml", ".lark", ".words", ".toml", ".txt", ".html"}
REGISTRY = ROOT / "pbem" / "games.py"
FIRST = "protectors"
"""The game that was there before the house had others: its name is the default of tables and examples."""


def files() -> Iterator[Path]:
    for room in ROOMS:
        yield from (path for path in (ROOT / room).rglob("*") if path.suffix in SUFFIXES and path.is_file())


def is_own(path: Path, game: str) -> bool:
    """Whether a file, or a folder it lies in, carries the game's name."""
    own = game.replace("-", "_")
    return any(part.startswith(own) for part in path.relative_to(ROOT).parts)


@pytest.mark.parametrize("game", sorted(set(case_games()) - {FIRST}))
def test_nobody_but_its_own_files_and_the_registry_knows_a_game(game: str) -> None:
    name = re.compile(game.replace("-", "[-_ ]?"), re.IGNORECASE)
    knowing = [
        str(path.relative_to(ROOT))
        for path in files()
        if path != REGISTRY and not is_own(path, game) and (name.search(path.read_text("utf-8")) or name.search(path.name))
    ]
    assert knowing == []


def test_there_is_something_to_look_at() -> None:
    assert sum(1 for path in files() if is_own(path, "realm-master")) > 10
    assert sum(1 for path in files() if not is_own(path, "realm-master")) > 300


def test_engines_do_not_know_one_another() -> None:
    for game in case_games():
        own = ROOT / "engine" / game.replace("-", "_")
        others = [other.replace("-", "_") for other in case_games() if other != game]
        for path in own.rglob("*.py"):
            text = path.read_text("utf-8")
            assert not any(f"engine.{other}" in text for other in others), path
