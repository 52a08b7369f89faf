"""Every Python that this machine has, from 3.11 on: all files compile without a warning, and with
RING=full an environment is made and a game is played. A Python that is missing is told as a skip.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.programs import DEPLOY
from tests.rings import RING

ROOT = DEPLOY.parent
OTHERS = [f"3.{minor}" for minor in range(11, 15) if minor != sys.version_info.minor]
COMPILE = """
import sys, pathlib
for folder in sys.argv[1:]:
    for file in pathlib.Path(folder).rglob("*.py"):
        compile(file.read_bytes(), str(file), "exec")
print(*sys.version_info[:2], sep=".")
"""


def python_of(version: str) -> str:
    """The program of this version that runs; skips the test where there is none."""
    name = f"python{version}"
    homes = sorted((Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/{name}"))
    for program in [*map(str, reversed(homes)), name]:
        try:
            done = subprocess.run([program, "--version"], capture_output=True, check=False)
        except FileNotFoundError:
            continue
        if done.returncode == 0:
            return program
    pytest.skip(f"{name} is not on this machine")


@pytest.mark.long(held_by="tests/deploy/test_installing.py")
@pytest.mark.parametrize("version", OTHERS)
def test_every_file_compiles_without_a_warning(version: str) -> None:
    folders = [str(ROOT / name) for name in ("engine", "pbem", "workers", "templates", "deploy")]
    done = subprocess.run(
        [python_of(version), "-W", "error", "-c", COMPILE, *folders],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, version), done.stderr


@pytest.mark.skipif(RING != "full", reason="RING=full runs this, a minute for each")
@pytest.mark.parametrize("version", OTHERS)
def test_an_environment_is_made_the_store_leaves_nothing_open_and_a_game_is_played(
    version: str, tmp_path: Path
) -> None:
    """Locks hold for every Python: `make venv` takes wheels alone, except of authres."""
    program = python_of(version)
    clone = ["git", "clone", "--quiet", "--local", str(ROOT), str(tmp_path / "pbem")]
    subprocess.run(clone, check=True)
    for lock in ("requirements-serve.lock requirements-scale.lock", "requirements.lock"):
        subprocess.run(
            ["make", "--always-make", "venv", f"PYTHON={program}", f"LOCK={lock}"],
            cwd=tmp_path / "pbem",
            check=True,
            capture_output=True,
        )
    store = [f"tests/store/test_{name}.py" for name in ("units_of_work", "driver")]
    done = subprocess.run(
        [tmp_path / "pbem/.venv/bin/pytest", "-o", "addopts=", "-q", *store],
        cwd=tmp_path / "pbem",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    done = subprocess.run(
        [tmp_path / "pbem/.venv/bin/pbem", "demo", "--turns", "2", "--out", tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/index.html").exists()
