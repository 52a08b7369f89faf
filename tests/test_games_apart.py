"""Which files may know a game: its own. The house runs all of them alike.

The names are read from the entry points, and from the folders of `engine`.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from itertools import combinations
from pathlib import Path

import pytest

from pbem.registry import GROUP, load_games
from tests.played import Spoken, folder_of, spoken

ROOT = Path(__file__).parent.parent
ROOMS = ("pbem", "workers", "templates", "deploy", "bench", "engine", ".ci", "tests")
FILES = ("Makefile", "pyproject.toml")
OF_A_GAME = ("engine", "pbem/games", "templates", "tests/games")
OF_GAMES = ("tests/fixtures", "tests/games/reading", "tests/plugin", "tests/prose")
"""What was kept of old houses, what is held of the readers of several games side by side, and the
game of somebody else.
"""
ENTRIES = re.compile(rf'^\[project\.entry-points\."{GROUP}"\]\n(?:[^\[\n].*\n)+', re.MULTILINE)

IDS = frozenset(entry.name for entry in entry_points(group=GROUP))
ENGINES = frozenset(file.parent.name for file in (ROOT / "engine").glob("*/__init__.py"))
FOLDERS = sorted({*map(folder_of, IDS), *ENGINES})


def name_of(folder: str) -> re.Pattern[str]:
    """A game's name, however it is written."""
    return re.compile(folder.replace("_", "[-_ ]?"), re.IGNORECASE)


@cache
def texts() -> dict[str, str]:
    """Every file that somebody wrote, by its path."""
    return dict(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for path in (*(ROOT / file for file in FILES), *_files()):
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        if path.name == "pyproject.toml":
            text = ENTRIES.sub("", text)
        yield path.relative_to(ROOT).as_posix(), text


def _files() -> Iterator[Path]:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def is_own(path: str, folder: str) -> bool:
    """Whether a file lies in a folder of this game."""
    own = (*(f"{room}/{folder}/" for room in OF_A_GAME), *(f"{room}/" for room in OF_GAMES))
    return path.startswith(own)


@pytest.mark.parametrize("folder", FOLDERS)
def test_nobody_but_its_own_files_knows_a_game(folder: str) -> None:
    name = name_of(folder)
    knowing = [
        path
        for path, text in texts().items()
        if not is_own(path, folder) and (name.search(text) or name.search(path))
    ]
    assert knowing == []


def test_there_is_something_to_look_at() -> None:
    assert len(IDS) >= 2
    assert {*map(folder_of, load_games())} <= {*FOLDERS}
    for folder in ENGINES:
        assert sum(1 for path in texts() if is_own(path, folder)) > 10
    common = [path for path in texts() if not any(is_own(path, folder) for folder in FOLDERS)]
    assert len(common) > 800
    assert {path.partition("/")[0] for path in common} == {*ROOMS, *FILES}
    assert ENTRIES.search((ROOT / "pyproject.toml").read_text("utf-8")) is not None
    assert name_of("realm_of_herons").search("the Realm-of Herons")


def test_each_game_of_this_tree_tells_the_house_how_its_players_speak() -> None:
    ours = [id_ for id_ in load_games() if folder_of(id_) in ENGINES]
    assert len(ours) >= 2
    assert all(isinstance(spoken(id_), Spoken) for id_ in ours)


def test_every_phase_has_a_name_of_its_own_game() -> None:
    names: dict[str, set[str]] = {}
    for id_, game in load_games().items():
        kinds = set(game.ruleset.windows)
        found = {kind: game.pages.phase_name(kind) for kind in kinds}
        assert all(name and name != game.pages.phase_name("start") for name in found.values()), (
            found
        )
        names[id_] = set(found.values())
        assert game.pages.phase_name("start") == "the start"
        assert game.pages.turn_word
    assert all(not one & other for one, other in combinations(names.values(), 2)), names


def test_pages_of_the_house_take_the_words_of_no_game() -> None:
    """A phase of one game in the words of another would be nonsense: who tells of it asks the
    game's own pages.
    """
    own = re.compile("|".join(rf"\b{folder}/[a-z_]+[.]j2" for folder in FOLDERS))
    knowing = [
        (path, found)
        for path, text in texts().items()
        if path.endswith((".py", ".j2")) and not any(is_own(path, folder) for folder in FOLDERS)
        for found in own.findall(text)
    ]
    assert knowing == []


def test_engines_do_not_know_one_another() -> None:
    for one in sorted(ENGINES):
        known = re.compile(rf"\bengine\.(?:{'|'.join(sorted(ENGINES - {one}))})\b")
        knowing = [
            path
            for path, text in texts().items()
            if path.startswith(f"engine/{one}/") and known.search(text)
        ]
        assert knowing == []
