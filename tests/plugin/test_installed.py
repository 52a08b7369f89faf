"""The games of the guide as a stranger gets them: wheels, installed into a fresh environment beside
the house, and played whole by mail and chat.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.archive.packing import unpack
from pbem.game import CONTRACT_VERSION

pytestmark = pytest.mark.long(
    held_by="tests/plugin/test_sealed_lots.py (its rules, words and pages), tests/test_registry.py"
)
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDERS = (HERE, HERE.parent / "plugin_dice", HERE.parent / "plugin_map")
Run = Callable[..., str]


@pytest.fixture(scope="module")
def pbem(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The commands of the house in an environment into which the wheel was installed. The house
    itself and what it needs come by a path, since there may be no network.
    """
    place = tmp_path_factory.mktemp("fresh")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*command: str | Path, folder: Path = place) -> str:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    for folder in FOLDERS:
        source = place / folder.name
        shutil.copytree(folder, source, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
        build = ("-m", "hatchling", "build", "-t", "wheel", "-d", place / "wheels")
        run(sys.executable, *build, folder=source)
    wheels = sorted((place / "wheels").glob("*.whl"))
    run(sys.executable, "-m", "venv", place / "venv")
    python = place / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *wheels)
    found = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    paths = f"{ROOT}\n{sysconfig.get_path('purelib')}\n"
    (Path(found) / "house.pth").write_text(paths, "utf-8")
    return lambda *words: run(python, "-m", "pbem", *words)


def test_it_is_listed(pbem: Run) -> None:
    lines = [line.split() for line in pbem("games").splitlines()]
    assert f"sealed-lots Sealed Lots 2 to 5 1.0 {CONTRACT_VERSION} sealed-lots".split() in lines
    assert f"straits Straits 3 1.0 {CONTRACT_VERSION} straits".split() in lines
    assert f"liars-dice Liar's Dice 2 to 6 1.0 {CONTRACT_VERSION} liars-dice".split() in lines


def test_its_rules_are_on_the_page_of_rules(pbem: Run) -> None:
    assert 'id="SL-3.2"' in pbem("rules", "-")


def test_its_cases_pass(pbem: Run) -> None:
    cases = [file for folder in FOLDERS for file in sorted((folder / "cases").iterdir())]
    assert "11 passed, 0 failed" in pbem("adjudicate", *cases)


@pytest.mark.long(
    held_by="tests/plugin/test_sealed_lots.py (the game),"
    " tests/test_registry.py (a game from its entry point)"
)
def test_it_is_played_whole_and_verified(pbem: Run, tmp_path: Path) -> None:
    said = pbem("demo", "--ruleset", "sealed-lots", "--players", "3", "--out", tmp_path)
    assert "8 rounds, 8 phases" in said
    assert "0 in quarantine" in said
    assert " Telegram updates in" in said
    assert all((tmp_path / name / "index.html").is_file() for name in (".", "stage"))
    assert b'"amber-3"' in unpack((tmp_path / "game.js").read_bytes())
    assert list((tmp_path / "pictures").iterdir())
    (record,) = tmp_path.glob("*-record.json")
    assert "Every draw, state and event matches the record." in pbem("verify", record)


@pytest.mark.long(
    held_by="tests/plugin_dice/test_liars_dice.py (the game, and the check of its pages)"
)
def test_a_game_in_turns_is_played_whole_and_verified(pbem: Run, tmp_path: Path) -> None:
    said = pbem("demo", "--ruleset", "liars-dice", "--players", "3", "--out", tmp_path)
    assert "0 in quarantine" in said
    (record,) = tmp_path.glob("*-record.json")
    assert "Every draw, state and event matches the record." in pbem("verify", record)
    bulletins = list((tmp_path / "stage" / "mails").glob("*bulletin*"))
    rounds = max(int(turns) for turns in re.findall(r"(\d+) rounds", said))
    assert len(bulletins) <= 3 * rounds, "a bid is told when its round ends"


@pytest.mark.long(held_by="tests/plugin_map/test_straits.py (the game, and the check of its pages)")
def test_a_game_on_a_map_is_played_whole_and_verified(pbem: Run, tmp_path: Path) -> None:
    said = pbem("demo", "--ruleset", "straits", "--players", "3", "--out", tmp_path)
    assert "0 in quarantine" in said
    assert b'"LNG"' in unpack((tmp_path / "game.js").read_bytes())
    (record,) = tmp_path.glob("*-record.json")
    assert "Every draw, state and event matches the record." in pbem("verify", record)
