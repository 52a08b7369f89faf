"""Which files may know a game: its own, and the registry. The house runs all of them alike."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.game import Games
from pbem.registry import load_games

ROOT = Path(__file__).parent.parent
ROOMS = ("pbem", "workers", "templates")
SUFFIXES = {".py", ".j2", ".yaml", ".lark", ".words", ".toml", ".txt", ".html"}
REGISTRY = ROOT / "pbem" / "games.py"
FIRST = "protectors"
"""The game that was there before the house had others: its name is the default of tables and
examples.
"""


def files() -> Iterator[Path]:
    for room in ROOMS:
        yield from (
            path for path in (ROOT / room).rglob("*") if path.suffix in SUFFIXES and path.is_file()
        )


def is_own(path: Path, game: str) -> bool:
    """Whether a file, or a folder it lies in, carries the game's name."""
    own = game.replace("-", "_")
    return any(part.startswith(own) for part in path.relative_to(ROOT).parts)


@pytest.mark.parametrize("game", sorted(set(load_games()) - {FIRST}))
def test_nobody_but_its_own_files_and_the_registry_knows_a_game(game: str) -> None:
    name = re.compile(game.replace("-", "[-_ ]?"), re.IGNORECASE)
    knowing = [
        str(path.relative_to(ROOT))
        for path in files()
        if path != REGISTRY
        and not is_own(path, game)
        and (name.search(path.read_text("utf-8")) or name.search(path.name))
    ]
    assert knowing == []


def test_there_is_something_to_look_at() -> None:
    assert sum(1 for path in files() if is_own(path, "realm-master")) > 10
    assert sum(1 for path in files() if not is_own(path, "realm-master")) > 300


def registry() -> Games:
    return load_games()


def test_every_phase_has_a_name_of_its_own_game() -> None:
    names: dict[str, set[str]] = {}
    for id_, game in registry().items():
        kinds = set(game.ruleset.windows)
        found = {kind: game.pages.phase_name(kind) for kind in kinds}
        assert all(name and name != game.pages.phase_name("start") for name in found.values()), (
            found
        )
        names[id_] = set(found.values())
        assert game.pages.phase_name("start") == "the start"
        assert game.pages.turn_word
    first, *others = names.values()
    assert all(not first & other for other in others), names


def test_pages_of_the_house_take_the_words_of_no_game() -> None:
    """A phase of one game in the words of another would be nonsense: who tells of it asks the
    game's own pages.
    """
    templates = [game.replace("-", "_") for game in load_games()]
    own = re.compile("|".join(f"{template}/[a-z_]+[.]j2" for template in templates))
    knowing = [
        (str(path.relative_to(ROOT)), found)
        for path in files()
        if path.suffix == ".py"
        and path != REGISTRY
        and not any(is_own(path, game) for game in load_games())
        for found in own.findall(path.read_text("utf-8"))
    ]
    assert [found for found in knowing if found[0] != "pbem/pages/rules.py"] == []


def test_engines_do_not_know_one_another() -> None:
    for game in load_games():
        own = ROOT / "engine" / game.replace("-", "_")
        others = [other.replace("-", "_") for other in load_games() if other != game]
        for path in own.rglob("*.py"):
            text = path.read_text("utf-8")
            assert not any(f"engine.{other}" in text for other in others), path
